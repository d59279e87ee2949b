import * as z from 'zod';
import { lastLines } from '../../../base/lastLines.ts';
import { hooksToRun, type JudgingHook } from '../../../domain/environment/gitHooks.ts';
import { SetupProfile } from '../../../domain/documents/setupPlan.ts';
import { type Evidence, passed } from '../../../domain/core/evidence.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { artifactChange, readJson } from '../ticket/artifacts.ts';
import { ticketParts } from '../ticket/ticketParts.ts';
import { describeFailures, runCommands } from '../worktree/commands.ts';
import { writeHookFolder } from './hookFolder.ts';
import { openScratch } from './scratch.ts';

/** A proved commit, and the commit that it stands on. `name`: what it is, for people. */
interface Work {
  readonly name: string;
  readonly start: string;
  readonly commit: string;
  readonly limits: Run['limits'];
}

/** A hook's refusal of a commit. `output`: its last lines, without secrets. */
export const HookRefusal = z.object({ hook: z.string(), reason: z.string(), output: z.string() });
export type HookRefusal = z.infer<typeof HookRefusal>;

/** `problem`: what is wrong, in words for the agent; empty if nothing is. */
interface Judged {
  readonly problem: string;
  readonly refusal?: HookRefusal;
}

const fine: Judged = { problem: '' };

/**
 * Runs the repository's hooks on a commit before the branch gets it, as far as the policy and the approved
 * plan say (docs/decisions/081-git-hooks.md): in the scratch worktree, where the commit is staged as if it
 * was about to be made.
 */
export async function runHooks(
  io: StepIo,
  ticket: TicketSnapshot,
  { name, start, commit, limits }: Work,
): Promise<Judged> {
  const { git, store, events, clock } = io.ports;
  const { gitHookPolicy: policy } = ticketParts(ticket).settings;
  if (policy === 'observe_only') return fine;
  const profile = readJson(
    SetupProfile,
    (await store.artifact(ticket.id, 'execution_setup_profile'))?.content,
  );
  const hooks = hooksToRun(
    policy,
    policy === 'use_native_hooks' ? await git.hooks() : [],
    profile?.hooks ?? [],
  );
  if (hooks.length === 0) return fine;
  const { path: cwd, wrapper, failed } = await openScratch(io, ticket, commit, { limits });
  if (failed.length > 0) return fine;
  const steps = hooks.flatMap((hook) => commandsOf(hook, commit).map((command) => ({ hook, command })));
  const folder = await writeHookFolder(io.ports.files, { tree: cwd, wrapper, start, commit });
  const prepared = await runCommands(io, ticket, { commands: [folder.prepare], wrapper, limits, cwd });
  const canRun = prepared.every(passed);
  const commands = canRun ? steps.map(({ command }) => command) : [];
  const ran = await runCommands(io, ticket, { commands, wrapper: folder.wrapper, limits, cwd });
  const evidence = [...prepared, ...ran];
  const problem = describeFailures(evidence);
  const last = problem === '' ? undefined : ran.at(-1);
  const hook = steps[ran.length - 1]?.hook;
  const refusal = last && hook && refusalOf(hook, last);
  const record = { policy, commit, hooks, passed: problem === '', ...(refusal ? { refusal } : {}), evidence };
  io.save(artifactChange(ticket, `git_hooks:${name}`, { schema_version: 1, ...record }));
  if (problem === '') return fine;
  if (policy === 'validate_advisory') {
    const said = refusal
      ? `${refusal.hook} refuses the commit of ${name}`
      : `can't check the commit of ${name}`;
    const text = [
      `The git hook ${said}. It is committed all the same, as the setting gitHookPolicy says.`,
      ...(refusal ? [refusal.output || refusal.reason] : []),
    ];
    events.emit({
      type: 'activity',
      ticket: ticket.id,
      at: clock.now(),
      source: 'engine',
      kind: 'info',
      text: text.join('\n\n'),
    });
    return fine;
  }
  const whole = canRun
    ? `The git hooks of this repository don't accept the commit. Make the files as they want them:\n\n${problem}`
    : `The git hooks of this repository could not be started, and none of them saw the commit:\n\n${problem}`;
  return { problem: whole, ...(refusal ? { refusal } : {}) };
}

/** The hook's own words: its last line as the reason, and the lines before it. */
function refusalOf(hook: JudgingHook, { command, head, tail, exitCode, timedOut }: Evidence): HookRefusal {
  const output = lastLines(tail === '' ? head : tail).trim();
  if (command.startsWith('git diff'))
    return { hook, reason: 'it changes files, and a commit keeps its files.', output };
  const ended = timedOut ? 'it timed out.' : `it exited with ${String(exitCode ?? 'no code')}.`;
  return { hook, reason: output.split('\n').at(-1)?.trim() || ended, output };
}

/**
 * Returns the commands that run a hook on a commit. What it changes isn't part of the commit, so it is
 * reported instead.
 */
function commandsOf(hook: JudgingHook, commit: string): readonly string[] {
  if (hook === 'pre-commit') return ['git hook run pre-commit', `git diff --exit-code --stat ${commit}`];
  const message = '"$(git rev-parse --git-path COMMIT_EDITMSG)"';
  return [`git log -1 --format=%B ${commit} > ${message}`, `git hook run commit-msg -- ${message}`];
}
