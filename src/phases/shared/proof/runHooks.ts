import { hooksToRun, type JudgingHook } from '../../../domain/environment/gitHooks.ts';
import { SetupProfile } from '../../../domain/documents/setupPlan.ts';
import type { TicketSnapshot } from '../../../domain/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { artifactChange, readJson } from '../artifacts.ts';
import { ticketParts } from '../ask/ticketParts.ts';
import { describeFailures, runCommands } from '../commands.ts';
import { openScratch } from './scratch.ts';

/** A proved commit, and the commit that it stands on. `name`: what it is, for people. */
interface Work {
  readonly name: string;
  readonly start: string;
  readonly commit: string;
  readonly limits: Run['limits'];
}

/**
 * Runs the repository's hooks on a commit before the branch gets it, as far as the policy and the approved plan say (docs/decisions/081-git-hooks.md): in the
 * scratch worktree, where the commit is staged as if it was about to be made. Returns what is wrong, in words for the agent; empty if nothing is.
 */
export async function runHooks(io: StepIo, ticket: TicketSnapshot, { name, start, commit, limits }: Work): Promise<string> {
  const { git, store, events, clock } = io.ports;
  const { gitHookPolicy: policy } = ticketParts(ticket).settings;
  if (policy === 'observe_only') return '';
  const profile = readJson(SetupProfile, (await store.artifact(ticket.id, 'execution_setup_profile'))?.content);
  const hooks = hooksToRun(policy, policy === 'use_native_hooks' ? await git.hooks() : [], profile?.hooks ?? []);
  if (hooks.length === 0) return '';
  const { path: cwd, wrapper, failed } = await openScratch(io, ticket, commit, { limits });
  if (failed.length > 0) return '';
  const commands = [`git reset --quiet --soft ${start}`, ...hooks.flatMap((hook) => commandsOf(hook, commit))];
  const evidence = await runCommands(io, ticket, { commands, wrapper, limits, cwd });
  const problem = describeFailures(evidence);
  io.save(artifactChange(ticket, `git_hooks:${name}`, { schema_version: 1, policy, commit, hooks, passed: problem === '', evidence }));
  if (problem === '') return '';
  if (policy === 'validate_advisory') {
    const text = `A git hook of the repository refuses the commit of ${name}. It is committed all the same, as the setting gitHookPolicy says.`;
    events.emit({ type: 'activity', ticket: ticket.id, at: clock.now(), source: 'engine', kind: 'info', text });
    return '';
  }
  return `The git hooks of this repository don't accept the commit. Make the files as they want them:\n\n${problem}`;
}

/** What a hook changes isn't part of the commit, so it is reported instead. */
function commandsOf(hook: JudgingHook, commit: string): readonly string[] {
  if (hook === 'pre-commit') return ['git hook run pre-commit', `git diff --exit-code --stat ${commit}`];
  const message = '"$(git rev-parse --git-path COMMIT_EDITMSG)"';
  return [`git log -1 --format=%B ${commit} > ${message}`, `git hook run commit-msg -- ${message}`];
}
