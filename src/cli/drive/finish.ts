import type { App } from '../../app/app.ts';
import { roleOf } from '../../domain/workflow/roles.ts';
import { isTerminal } from '../../domain/workflow/workflow.ts';
import type { TicketDetail } from '../../protocol/api.ts';
import type { CommandContext } from '../base/command.ts';
import { exitCodes, type ExitCode, exitOfBlocked, exitOfSignal } from '../base/exitCodes.ts';
import { report } from '../output/report.ts';
import { reportText } from '../output/reportText.ts';
import { relative } from 'node:path';
import { engineSource, isCut, type PendingRequest } from '../../domain/ticket/agentRequest.ts';
import { FailureAnalysis } from '../../domain/beads/analysis.ts';
import { approvedAt, approvedTogether, documentOf } from '../../domain/documents/documents.ts';
import type { ErrorRecord } from '../../domain/core/errors.ts';
import { limitsBehind } from '../../domain/beads/limitsBehind.ts';
import type { ActionName } from '../../domain/workflow/actions.ts';
import { limitOption } from '../options/settingsOptions.ts';
import { gateOf } from '../base/gates.ts';

/** The exit code for where a ticket stands. */
export function exitAt(detail: TicketDetail): ExitCode {
  if (detail.ticket.hold?.kind === 'budget') return exitOfBlocked(detail.ticket.error);
  switch (roleOf(detail.ticket.status)) {
    case 'completed':
      return (detail.view.beadsSkipped ?? 0) > 0 ? exitCodes.incomplete : exitCodes.done;
    case 'canceled':
      return exitCodes.canceled;
    case 'blocked':
      return exitOfBlocked(detail.ticket.error);
    default:
      return exitCodes.gate;
  }
}

/** Says where a ticket stands, what to do next, and ends the command. */
export async function finish(
  context: CommandContext,
  app: App,
  detail: TicketDetail,
  exit: ExitCode = exitAt(detail),
): Promise<ExitCode> {
  const full = await report(app, detail);
  const next = howToAnswer(detail, { cwd: context.cwd, root: app.repository.root });
  context.output.close();
  context.output.text(reportText(full, next, { short: !isTerminal(detail.ticket.status) }));
  context.output.event({ type: 'end', exit, ...full, next });
  return exit;
}

/** Ends a command that a signal stopped: nothing is lost, and the message says how to continue. */
export function finishInterrupted(context: CommandContext, app: App, ticket: string): ExitCode {
  const resume = commandLine(`run ${ticket}`, { cwd: context.cwd, root: app.repository.root });
  const exit = exitOfSignal(context.signal);
  context.output.close();
  context.output.text(`Stopped. Nothing is lost. To continue, run: ${resume}`);
  context.output.event({ type: 'end', exit, ticket, status: null, next: [resume] });
  return exit;
}

interface CommandPlace {
  readonly cwd: string;
  readonly root: string;
}

/** A command as a person can type it where they are. */
export function commandLine(words: string, { cwd, root }: CommandPlace): string {
  const way = relative(root, cwd);
  const inside = way === '' || (!way.startsWith('..') && !/^([A-Za-z]:)?[\\/]/.test(way));
  return `beadsmith ${words}${inside ? '' : ` --repo ${quoted(root)}`}`;
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function choicesOf(request: PendingRequest | null | undefined): readonly string[] {
  if (request?.content.kind !== 'question') return [];
  const [first, ...others] = request.content.questions;
  return others.length > 0 ? [] : (first?.options ?? []).map(({ label }) => label);
}

/** The commands by which a person answers where a ticket stands, whole enough to be copied; may be none. */
export function howToAnswer(detail: TicketDetail, place: CommandPlace): readonly string[] {
  const { id, hold, status } = detail.ticket;
  const command = (words: string): string => commandLine(words, place);
  const can = (action: ActionName, words: string): readonly string[] =>
    detail.view.actions.includes(action) ? [command(words)] : [];
  if (hold) {
    const { error, previousStatus } = detail.ticket;
    const used = hold.kind === 'budget' && error ? limitsBehind(error, previousStatus) : [];
    return [
      ...used.flatMap((name) => can('limits', `limits ${id} --${limitOption(name)} MORE`)),
      ...(isCut(hold.request?.content) ? [] : can('permission_reply', `allow ${id}`)),
      ...can('permission_reply', `deny ${id}`),
      ...choicesOf(hold.request).flatMap((label) => can('question_reply', `reply ${id} ${quoted(label)}`)),
      ...can('question_reply', `reply ${id} "your answer"`),
      ...(hold.request?.source === engineSource ? [] : can('question_reply', `reply ${id} --decide`)),
      ...can('resume', `resume ${id}`),
      ...(hold.request ? [] : can('cancel', `cancel ${id}`)),
    ];
  }
  if (roleOf(status) === 'draft') return can('start', `start ${id} --model PROVIDER/MODEL`);
  if (roleOf(status) === 'blocked') {
    const { error, previousStatus } = detail.ticket;
    const raise = error
      ? limitsBehind(error, previousStatus).map((name) => `--${limitOption(name)} MORE`)
      : [];
    const bases = ['', ' --base BRANCH', ' --keep'];
    return [
      ...(error?.code.startsWith('BASE_BRANCH_')
        ? bases.flatMap((words) => can('update_base', `update-base ${id}${words}`))
        : []),
      ...can('continue', `continue ${id}`),
      ...raise.flatMap((words) => can('limits', `limits ${id} ${words}`)),
      ...(error?.code === 'CRASH_LOOP' ? can('retry', `run ${id}`) : []),
      ...followed(error).flatMap((words) => can('follow_analysis', `follow ${id} ${words}`)),
      ...can('retry', `retry ${id} --note "what to do differently"`),
      ...can('cancel', `cancel ${id}`),
    ];
  }
  const asked = approvedAt(status);
  const hasGaps = detail.view.actions.includes('fix_gaps');
  if (asked)
    return [
      ...approvedTogether(status).map((kind) =>
        command(documentOf(kind).rows ? `beads get ${id}` : `show ${id} ${kind}`),
      ),
      ...can('approve', `approve ${id}${hasGaps ? ' --reason "why the gaps may stay"' : ''}`),
      ...can('edit', `edit ${id} ${detail.gate?.artifact ?? 'ARTIFACT'} --file FILE`),
      ...can('fix_gaps', `fix-gaps ${id}`),
      ...can('check_again', `check-again ${id}`),
      ...can('regenerate', `regenerate ${id} --note "what to do differently"`),
      ...can('plan_in_full', `plan-in-full ${id}`),
    ];
  switch (gateOf(status)) {
    case 'interview-answers':
      return [
        ...can('answer', `answer ${id} QUESTION=ANSWER …`),
        ...can('skip', `skip ${id}`),
        ...can('plan_in_full', `plan-in-full ${id}`),
      ];
    case 'qa':
      return [
        ...can('qa', `qa ${id} ITEM=pass ITEM="fail: what you saw" …`),
        ...can('skip', `skip ${id} --reason "why"`),
      ];
    case 'review':
      return [
        ...can('merge', `merge ${id}`),
        ...can('update_base', `update-base ${id}`),
        ...can('close', `close ${id}`),
        ...can('changes', `changes ${id} "what to change"`),
      ];
    default:
      return [];
  }
}

/** The answers that a person can give about a failed bead, the recommended one first. */
function followed(error: ErrorRecord | null): readonly string[] {
  const bead = error?.diagnostics['bead'];
  if (typeof bead !== 'string') return [];
  if (error?.code === 'PLAN_CHANGE_PROPOSED') return [`${bead} approve`, `${bead} retry`];
  const advised = FailureAnalysis.safeParse(error?.diagnostics['analysis']).data?.recommendation;
  return advised === undefined ? [] : [`${bead} ${advised}`];
}
