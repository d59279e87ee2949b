import * as z from 'zod';
import { lastLines } from '../../../base/lastLines.ts';
import { hooksToRun, type JudgingHook } from '../../../domain/environment/gitHooks.ts';
import { type Evidence, passed } from '../../../domain/core/evidence.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { artifactChange, say } from '../ticket/artifacts.ts';
import { ticketParts } from '../ticket/ticketParts.ts';
import { describeFailures, runCommands } from '../worktree/commands.ts';
import { openScratch } from './scratch.ts';
import type { TicketFiles } from '../../../engine/ports/ports.ts';
import { profileOf, shellQuote } from '../worktree/runtime.ts';

interface Work {
  readonly name: string;
  readonly start: string;
  readonly commit: string;
  readonly limits: Run['limits'];
}

/** `output`: without secrets. */
export const HookRefusal = z.object({ hook: z.string(), reason: z.string(), output: z.string() });
export type HookRefusal = z.infer<typeof HookRefusal>;

interface Judged {
  readonly problem: string;
  readonly refusal?: HookRefusal;
}

const fine: Judged = { problem: '' };

/**
 * Runs hooks in the scratch worktree, staged as if a commit were about to be made
 * (docs/decisions/081-git-hooks.md).
 */
export async function runHooks(
  io: StepIo,
  ticket: TicketSnapshot,
  { name, start, commit, limits }: Work,
): Promise<Judged> {
  const { git } = io.ports;
  const { gitHookPolicy: policy } = ticketParts(ticket).settings;
  if (policy === 'observe_only') return fine;
  const profile = await profileOf(io);
  const native = policy === 'use_native_hooks' ? await git.hooks() : [];
  const hooks = hooksToRun(policy, native, profile?.hooks ?? []);
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
    const said = refusal ? `${refusal.hook} refuses` : "can't check";
    const text = [
      `The git hook ${said} the commit of ${name}. It is committed all the same, as the setting gitHookPolicy says.`,
      ...(refusal ? [refusal.output || refusal.reason] : []),
    ];
    say(io, text.join('\n\n'));
    return fine;
  }
  const whole = canRun
    ? `The git hooks of this repository don't accept the commit. Make the files as they want them:\n\n${problem}`
    : `The git hooks of this repository could not be started, and none of them saw the commit:\n\n${problem}`;
  return { problem: whole, ...(refusal ? { refusal } : {}) };
}

function refusalOf(hook: JudgingHook, { command, head, tail, exitCode, timedOut }: Evidence): HookRefusal {
  const output = lastLines(tail === '' ? head : tail).trim();
  if (command.startsWith('git diff'))
    return { hook, reason: 'it changes files, and a commit keeps its files.', output };
  const ended = timedOut ? 'it timed out.' : `it exited with ${String(exitCode ?? 'no code')}.`;
  return { hook, reason: output.split('\n').at(-1)?.trim() || ended, output };
}

/** Files that a hook changes aren't in the commit, so they are reported. */
function commandsOf(hook: JudgingHook, commit: string): readonly string[] {
  if (hook === 'pre-commit') return ['git hook run pre-commit', `git diff --exit-code --stat ${commit}`];
  const message = '"$(git rev-parse --git-path COMMIT_EDITMSG)"';
  return [`git log -1 --format=%B ${commit} > ${message}`, `git hook run commit-msg -- ${message}`];
}

const folder = '.ticket/runtime/hooks';
const paths = { prepare: `${folder}/prepare`, wrapper: `${folder}/run`, git: `${folder}/git` } as const;

interface HookFolder {
  readonly prepare: string;
  readonly wrapper: string;
}

/**
 * Gives hooks a git folder of their own: the repository's can't be written from a sandbox, and what hooks
 * write is nobody's business later. `tree`: absolute path of the scratch worktree.
 */
async function writeHookFolder(
  files: TicketFiles,
  {
    tree,
    wrapper,
    start,
    commit,
  }: Pick<Work, 'start' | 'commit'> & Pick<HookFolder, 'wrapper'> & { readonly tree: string },
): Promise<HookFolder> {
  const git = `${tree}/${paths.git}`;
  await files.write(tree, paths.prepare, prepareText(git, start, commit), { executable: true });
  const lines = [
    `GIT_DIR=${shellQuote(git)} GIT_WORK_TREE=${shellQuote(tree)}`,
    'export GIT_DIR GIT_WORK_TREE',
    `exec ${shellQuote(wrapper)} "$@"`,
  ];
  await files.write(tree, paths.wrapper, ['#!/bin/sh', ...lines, ''].join('\n'), { executable: true });
  return { prepare: paths.prepare, wrapper: `${tree}/${paths.wrapper}` };
}

function prepareText(git: string, start: string, commit: string): string {
  return `#!/bin/sh
# Written by Beadsmith before hooks run; changes made here are lost.
set -e
own=${shellQuote(git)}
common=$(git rev-parse --path-format=absolute --git-common-dir)
hooks=$(git rev-parse --path-format=absolute --git-path hooks)
format=$(git rev-parse --show-object-format)
rm -rf "$own"
git init --quiet --bare --template= --object-format="$format" "$own"
mkdir -p "$own/info" "$own/objects/info"
printf '%s\\n' "$common/objects" > "$own/objects/info/alternates"
git for-each-ref --format='%(objectname) %(refname)' refs/heads refs/remotes refs/tags > "$own/packed-refs"
if [ -f "$common/info/exclude" ]; then cp "$common/info/exclude" "$own/info/exclude"; fi
git config --file "$own/config" include.path "$common/config"
git config --file "$own/config" core.bare false
git config --file "$own/config" core.hooksPath "$hooks"
GIT_DIR=$own GIT_WORK_TREE=$PWD
export GIT_DIR GIT_WORK_TREE
git update-ref --no-deref HEAD ${start}
git read-tree ${commit}
git update-index --quiet --refresh > /dev/null || true
`;
}
