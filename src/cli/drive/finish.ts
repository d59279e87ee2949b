import { roleOf } from '../../domain/workflow/roles.ts';
import { isTerminal } from '../../domain/workflow/workflow.ts';
import type { TicketDetail } from '../../protocol/api.ts';
import type { Args } from '../base/args.ts';
import type { CommandContext } from '../base/command.ts';
import { exitCodes, type ExitCode, exitOf, exitOfBlocked, exitOfSignal } from '../base/exitCodes.ts';
import { report } from '../output/report.ts';
import { reportText } from '../output/reportText.ts';
import { relative } from 'node:path';
import { engineSource, isCut, type PendingRequest } from '../../domain/ticket/agentRequest.ts';
import { FailureAnalysis } from '../../domain/beads/analysis.ts';
import { documentOf } from '../../domain/documents/documents.ts';
import { approvedAt, approvedTogether } from '../../domain/documents/workDocuments.ts';
import type { ErrorRecord } from '../../domain/core/errors.ts';
import { limitsBehind } from '../../domain/beads/limitsBehind.ts';
import type { ActionName } from '../../domain/workflow/actions.ts';
import { limitOption } from '../options/settingsOptions.ts';
import { gateOf } from '../base/gates.ts';
import type { InboxKind } from '../../domain/ticket/inbox.ts';
import { reportOutcome } from './driveToStop.ts';
import type { GatePolicy } from './gatePolicy.ts';
import type { Session } from './session.ts';
import { isOfTeam } from './team.ts';

function exitAt(detail: TicketDetail): ExitCode {
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

interface Drive {
  readonly ticket: string;
  readonly policy: GatePolicy;
  /** An action of this command, which is bad input if it is refused. */
  readonly filed: { readonly action: InboxKind; readonly id: string } | undefined;
}

/** Drives a ticket to its next stop, and ends the command with where it stands and what to do next. */
export async function driveAndFinish(
  context: CommandContext,
  session: Session,
  { ticket, policy, filed }: Drive,
): Promise<ExitCode> {
  const { output } = context;
  const detail = await session.drive(ticket, policy);
  const { app } = session;
  const place = placeOf(context, session.args, app.repository.root);
  if (!detail) {
    const resume = commandLine(`run ${ticket}`, place);
    const exit = exitOfSignal(context.signal);
    output.close();
    output.text(`Stopped. Nothing is lost. To continue, run: ${resume}`);
    output.event({ type: 'end', exit, ticket, status: null, next: [resume] });
    return exit;
  }
  const outcome = filed && (await reportOutcome(app, output, ticket, filed.action, filed.id));
  const exit = outcome?.state === 'refused' ? exitOf(outcome.code) : exitAt(detail);
  const full = await report(app, detail);
  const next = howToAnswer(detail, place);
  output.close();
  output.text(reportText(full, next, { short: !isTerminal(detail.ticket.status) }));
  output.event({ type: 'end', exit, ...full, next });
  return exit;
}

interface CommandPlace {
  readonly cwd: string;
  readonly root: string;
  readonly isOfTeam?: boolean;
  /** As given. */
  readonly team?: string | undefined;
}

export function placeOf(context: CommandContext, args: Args, root: string): CommandPlace {
  return { cwd: context.cwd, root, isOfTeam: isOfTeam(context, args), team: args.text('team') };
}

/** A command as a person can type it in `cwd`. A team's URL, which may have a password, stays out. */
export function commandLine(words: string, { cwd, root, team }: CommandPlace): string {
  const way = relative(root, cwd);
  const inside = way === '' || (!way.startsWith('..') && !/^([A-Za-z]:)?[\\/]/.test(way));
  const tickets = team === undefined ? '' : ` --team ${team === '' ? "''" : 'URL'}`;
  return `beadsmith ${words}${inside ? '' : ` --repo ${quoted(root)}`}${tickets}`;
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function choicesOf(request: PendingRequest | null | undefined): readonly string[] {
  if (request?.content.kind !== 'question') return [];
  const [first, ...others] = request.content.questions;
  return others.length > 0 ? [] : (first?.options ?? []).map(({ label }) => label);
}

/** Commands that continue the ticket, ready to be copied. */
export function howToAnswer(detail: TicketDetail, place: CommandPlace): readonly string[] {
  const { id, hold, status, error, previousStatus } = detail.ticket;
  const command = (words: string): string => commandLine(words, place);
  const can = (action: ActionName, words: string): readonly string[] =>
    detail.view.actions.includes(action) ? [command(words)] : [];
  const raise = (): readonly string[] =>
    (error ? limitsBehind(error, previousStatus) : []).flatMap((name) =>
      can('limits', `limits ${id} --${limitOption(name)} MORE`),
    );
  if (hold)
    return [
      ...(hold.kind === 'budget' ? raise() : []),
      ...(isCut(hold.request?.content) ? [] : can('permission_reply', `allow ${id}`)),
      ...can('permission_reply', `deny ${id}`),
      ...choicesOf(hold.request).flatMap((label) => can('question_reply', `reply ${id} ${quoted(label)}`)),
      ...can('question_reply', `reply ${id} "your answer"`),
      ...(hold.request?.source === engineSource ? [] : can('question_reply', `reply ${id} --decide`)),
      ...can('resume', `resume ${id}`),
      ...(hold.request ? [] : can('cancel', `cancel ${id}`)),
    ];
  if (roleOf(status) === 'draft') return can('start', `start ${id} --model PROVIDER/MODEL`);
  if (roleOf(status) === 'blocked') {
    const bases = ['', ' --base BRANCH', ' --keep'];
    return [
      ...(error?.code.startsWith('BASE_BRANCH_')
        ? bases.flatMap((words) => can('update_base', `update-base ${id}${words}`))
        : []),
      ...can('continue', `continue ${id}`),
      ...raise(),
      ...(error?.code === 'CRASH_LOOP' && place.isOfTeam !== true ? can('retry', `run ${id}`) : []),
      ...followed(error).flatMap((words) => can('follow_analysis', `follow ${id} ${words}`)),
      ...can('retry', `retry ${id} --note "what to do differently"`),
      ...can('cancel', `cancel ${id}`),
    ];
  }
  if (roleOf(status) === 'completed') return can('undo_merge', `undo-merge ${id}`);
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
    case 'review': {
      const hasComments = (detail.ticket.forge?.threads?.open ?? 0) > 0;
      return [
        ...(hasComments ? [command(`show ${id} --comments`)] : []),
        ...can('merge', `merge ${id}`),
        ...can('create_pull_request', `create-pull-request ${id}`),
        ...can('check_pull_request', `check-pull-request ${id}`),
        ...can('rerun_checks', `rerun-checks ${id}`),
        ...can('fix_checks', `fix-checks ${id}`),
        ...(hasComments
          ? [
              ...can('fix_comment', `fix-comment ${id} --comment ID`),
              ...can('reply_comment', `reply-comment ${id} --comment ID --text TEXT`),
            ]
          : []),
        ...can('merge_pull_request', `merge-pull-request ${id}`),
        ...can('unplan_merge', `unplan-merge ${id}`),
        ...can('close_pull_request', `close-pull-request ${id}`),
        ...can('update_base', `update-base ${id}`),
        ...can('close', `close ${id}`),
        ...can('changes', `changes ${id} "what to change"`),
      ];
    }
    default:
      return [];
  }
}

/** The recommended answer comes first. */
function followed(error: ErrorRecord | null): readonly string[] {
  const bead = error?.diagnostics['bead'];
  if (typeof bead !== 'string') return [];
  if (error?.code === 'PLAN_CHANGE_PROPOSED') return [`${bead} approve`, `${bead} retry`];
  const advised = FailureAnalysis.safeParse(error?.diagnostics['analysis']).data?.recommendation;
  return advised === undefined ? [] : [`${bead} ${advised}`];
}
