import { type ErrorArgs, type ErrorCode, toBeadsmithError } from '../domain/core/errors.ts';
import { errorTexts } from '../domain/core/errorTexts.ts';

/** The results of checks and next steps, with `{name}` for arguments. */
export const checkTexts = {
  GIT_READY: ['git {version}', ''],
  GIT_OLD: ['git {version} is too old.', 'Install git {wanted} or newer, then check again.'],
  GIT_MISSING: ['git was not found.', 'Install git, restart the editor or terminal, then check again.'],
  OPENCODE_READY: ['OpenCode {version} at {path}', ''],
  SANDBOX_BUBBLEWRAP: ['Agents and commands run in a bubblewrap sandbox.', ''],
  SANDBOX_OUTER_ONLY: [
    "Agents and commands run in a bubblewrap sandbox. The system doesn't allow nested sandboxes, so an agent's commands can reach its OpenCode server.",
    'Allow programs in bubblewrap to create user namespaces, then check again.',
  ],
  SANDBOX_SEATBELT: ['Agents and commands run in a macOS sandbox.', ''],
  SERVER_GIVEN: ['Using the server at {url}.', ''],
  CHECKOUT_CLEAN: ['{root}, on {branch}, clean', ''],
  CHECKOUT_CHANGED: [
    '{root}, on {branch}, with {count} uncommitted changes',
    'Commit the changes that tickets should see. Beadsmith never changes your checkout.',
  ],
  CHECKOUT_EMPTY: ['{root} has no commits yet.', 'Create an initial commit. Tickets start from a commit.'],
  DRIVEN_HERE: ['This process works on the tickets.', ''],
  DRIVEN_BY_ANOTHER: [
    'Another window or process is working on the tickets; tickets you create here are picked up there.',
    '',
  ],
  DRIVEN_BY_TEAM: ["A team's runners work on the tickets.", ''],
  DRIVEN_BY_NOBODY: ['No process is working on the tickets.', ''],
  READ_ONLY: ['Tickets are read-only here. {reason}', 'Resolve the problem, then check again.'],
  READ_ONLY_UNTRUSTED: [
    "Tickets are read-only because the workspace isn't trusted.",
    'Trust the workspace to work on tickets.',
  ],
  PROMPTS_BUILT_IN: ['all built in', ''],
  PROMPTS_OVERRIDDEN: ['your own: {names}', ''],
  DATABASE_INTACT: ['schema {schema}, SQLite {sqlite}, intact', ''],
  DATABASE_DAMAGED: [
    'The database is damaged: {problem}',
    'Restore a backup: "beadsmith restore" lists those in {backups}.',
  ],
  DATABASE_NONE: ['No tickets yet.', ''],
  JOURNALS_VALID: ['tickets: {tickets}, entries: {entries}, every chain valid', ''],
  JOURNAL_DAMAGED: [
    'The journal of {ticket} is damaged at entry {seq}.',
    'Restore a backup: "beadsmith restore" lists those in {backups}.',
  ],
  ROWS_DIFFER: [
    "Stored data of {ticket} doesn't match what was decided: {rows}.",
    'Restore a backup ("beadsmith restore" lists them), or edit and approve the changed part again.',
  ],
  WORKTREES_NONE: ['none', ''],
  WORKTREES_THERE: ['{paths}', ''],
  WORKTREES_GONE: ['missing: {paths}', 'Retry to recreate the worktree from the branch of the ticket.'],
  WORKTREES_UNKNOWN: [
    "{folder} contains files that don't belong to a ticket: {names}",
    "Remove it if you don't need it. Beadsmith doesn't touch it.",
  ],
  FORGE_NONE: ['No remote is on GitHub. Pull requests are documents here.', ''],
  FORGE_READY: [
    'remote {remote} → {repository}; signed in as {account} ({source}), which may push there',
    '',
  ],
  FORGE_FORK: [
    'remote {remote} → {repository}, with branches in {pushTo}; signed in as {account} ({source}), which may push there',
    '',
  ],
  FORGE_ARCHIVED: [
    'remote {remote} → {repository}, which is archived, or {pushTo} is',
    'Unarchive it there, or use another remote.',
  ],
  FORGE_NO_PUSH: [
    'remote {remote} → {repository}; signed in as {account} ({source}), which may not push to {pushTo}',
    'Check whether git may push there. Otherwise fork the repository, and make the fork the remote "origin".',
  ],
  SERVERS_NONE: ['none left running', ''],
  SERVERS_USED: ['process {pid} is in use', ''],
  SERVERS_LEFT: ["OpenCode is running as process {pid} but isn't used.", 'It ends within a minute.'],
  MODELS_KNOWN: ['OpenCode {version} starts and offers {count} models: {models}', ''],
  MODELS_NONE: [
    'OpenCode {version} starts, but offers no models.',
    'Sign in with "opencode auth login", then check again.',
  ],
  MODELS_UNKNOWN: [
    "The settings name models that OpenCode doesn't offer: {models}",
    'Choose other models, or sign in to their provider.',
  ],
  UNTRUSTED: [
    'Not checked: this would run a program, and the workspace isn’t trusted.',
    'Trust the workspace, then check again.',
  ],
  NO_FOLDER: ['Not checked: no folder is open.', 'Open the folder of a git repository.'],
  NO_REPOSITORY: [
    'Not checked: no open folder is in a git repository.',
    'Open another folder, or initialize a repository in this one.',
  ],
} as const satisfies Record<string, readonly [sentence: string, nextStep: string]>;

type CheckCode = keyof typeof checkTexts;

/** The subject of a check. */
export type CheckSubject =
  | 'git'
  | 'opencode'
  | 'sandbox'
  | 'settings'
  | 'repository'
  | 'driver'
  | 'prompts'
  | 'database'
  | 'journals'
  | 'worktrees'
  | 'github'
  | 'servers'
  | 'server'
  | 'models';

/** The result of a check; `code`: of checks or errors. */
export interface Check {
  readonly subject: CheckSubject;
  readonly result: 'pass' | 'warn' | 'fail' | 'skip';
  readonly code: CheckCode | ErrorCode;
  readonly args: ErrorArgs;
  /** A failed program's output: lines, without secrets. */
  readonly said: string;
}

/** The checks of one thing. */
export interface CheckGroup {
  readonly title: string;
  readonly checks: readonly Check[];
}

/** A check without output. */
export function checked(
  subject: CheckSubject,
  result: Check['result'],
  code: CheckCode,
  args: ErrorArgs = {},
): Check {
  return { subject, result, code, args, said: '' };
}

/** An error as a failed check. */
export function failedCheck(subject: CheckSubject, thrown: unknown): Check {
  const { code, args, diagnostics } = toBeadsmithError(thrown);
  const { log } = diagnostics;
  return { subject, result: 'fail', code, args, said: typeof log === 'string' ? log.trim() : '' };
}

/** The texts of a code, with holes. */
export function textsOf(code: CheckCode | ErrorCode): readonly [sentence: string, nextStep: string] {
  return isCheckCode(code) ? checkTexts[code] : errorTexts[code];
}

function isCheckCode(code: CheckCode | ErrorCode): code is CheckCode {
  return Object.hasOwn(checkTexts, code);
}
