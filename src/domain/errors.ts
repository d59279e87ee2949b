import * as z from 'zod';

/** Every error the product can name: its sentence for people and the next step. `{name}` is filled in from the arguments. */
export const errorTexts = {
  // The repository
  NOT_A_REPOSITORY: ['{path} is not a git repository.', 'Run "git init" there, or choose another folder.'],
  REPOSITORY_NOT_OPEN: ["{path} isn't open in this window.", 'Open its folder; what belongs to it is shown again by itself.'],
  NO_COMMITS: ['The repository has no commits yet.', 'Make a first commit, then start the ticket.'],
  BASE_BRANCH_MISSING: ['There is no branch "{branch}".', 'Choose another base branch; these exist: {branches}.'],
  BRANCH_EXISTS: ['The branch "{branch}" exists already and isn\'t this ticket\'s.', 'Rename or delete that branch, then retry.'],
  WORKTREE_EXISTS: ["{path} exists already and isn't this ticket's worktree.", 'Move that folder away, then retry.'],
  WORKTREE_FAILED: [
    'The worktree at {path} could not be made: {reason}',
    'Mend the cause, then retry. Nothing was changed in your checkout.',
  ],
  WORKTREE_LOST: ['The worktree at {path} is gone or no longer belongs to the ticket.', "Retry to make it again from the ticket's branch."],
  OUTSIDE_WORKTREE: ["{path} lies outside the ticket's worktree.", 'Nothing was changed. Please report this.'],
  GIT_FAILED: ['git {command} failed: {reason}', 'Mend the cause, then retry.'],
  GIT_LOCKED: ['Another git process holds {path}.', 'Wait for it or end it, then retry.'],
  MERGE_REFUSED: ['The branch can\'t be merged into "{base}": {reason}', 'Resolve that, then choose Merge again.'],
  REVISION_UNKNOWN: [
    '"{revision}" names no commit.',
    'Use a branch, a tag or a commit that exists; "git branch --all" lists the branches.',
  ],

  // The ticket and what people send
  INVALID_INPUT: ["{what} can't be used: {reason}", 'Correct it and send it again. Nothing was changed.'],
  TICKET_UNKNOWN: ['There is no ticket {ticket}.', 'List the tickets to see which exist.'],
  ACTION_NOT_ALLOWED: ["A ticket in {status} can't be asked to {action}.", 'Possible now: {allowed}.'],
  STALE_APPROVAL: ['{artifact} changed since you looked at it.', 'Look at the present version, then approve that.'],
  EDIT_CONFLICT: [
    '{artifact} was changed by someone else in the meantime.',
    'Take the present version, apply your change to it, and save again.',
  ],
  INVALID_ARTIFACT: ['{artifact} is not valid: {reason}', 'Correct the document. The former version is kept.'],
  REQUEST_GONE: ['The agent no longer waits for that.', 'Look at what it asks now, if anything.'],
  NOTHING_TO_CONTINUE: ['There is no interrupted session to continue.', 'Use Retry instead.'],
  CONFIRMATION_NEEDED: ['{what}', 'Say so explicitly if you want that.'],

  // Storage and driving
  DATABASE_NEWER: [
    'The database was written by a newer version of Beadsmith (schema {found}, this one knows {known}).',
    'Update Beadsmith. Until then tickets can only be read.',
  ],
  DATABASE_CORRUPT: [
    'The database at {path} is damaged: {reason}',
    'It is opened read-only. To restore it, end what uses it and copy the backup over it: {backup}.',
  ],
  DATABASE_FOREIGN: [
    'The tickets of this repository were made by another installation.',
    'If you trust where they come from, take them over: run "beadsmith list --adopt" in the repository.',
  ],
  DATABASE_READ_ONLY: ['Tickets can only be read here: {reason}', 'Resolve that, then try again. "beadsmith doctor" says more.'],
  DRIVEN_ELSEWHERE: ['The tickets of this repository are driven on {host} (process {pid}).', 'Work there, or end that process.'],
  EPOCH_LOST: ['Another process took over the tickets of this repository.', 'Nothing was lost. This process follows from now on.'],
  STATUS_CONFLICT: ['The ticket moved on in the meantime.', 'Look at its present status.'],
  JOURNAL_BROKEN: [
    'The journal of {ticket} is damaged at entry {seq}.',
    'It is only shown from now on. Restore state.db from the folder "backups" beside it, or file the ticket anew.',
  ],
  DISK_FULL: ['The disk is full.', 'Make room; the ticket goes on by itself.'],

  // The demo in the editor
  DEMO_NEEDS: ['The demo needs {program}, which was not found.', 'Install it, start the editor anew, then try again.'],
  DEMO_IN_USE: ['The demo in {path} is in use by another window or command.', 'Close or end that, then remove the demo again.'],
  DEMO_MODEL_FAILED: ['The scripted model of the demo did not start: {reason}', 'Refresh the view to try again.'],

  // The engine
  STEP_KEY_REUSED: ['The step key "{key}" was used twice in one run.', 'Please report this.'],
  REPLAY_MISMATCH: ['The journal of this run doesn\'t match its handler at "{key}": {reason}', 'Retry begins the status anew.'],
  LIMIT_EXPIRED: ['{what} took longer than {seconds} s.', 'Raise the time-out, then retry.'],
  CRASH_LOOP: ['{what} was interrupted {count} times within ten minutes.', 'Find out why, then retry.'],
  UNEXPECTED: ['Something unexpected went wrong: {reason}', 'Retry; if it happens again, report it.'],

  // Models and OpenCode
  OPENCODE_MISSING: [
    'OpenCode was not found.',
    'Run "npm install --global opencode-ai@{version}", or set the path of the opencode binary.',
  ],
  OPENCODE_VERSION: [
    "OpenCode {found} at {path} can't be used; {wanted} is needed.",
    'Install that version, or set the path of its binary.',
  ],
  OPENCODE_INSTALL_FAILED: ['OpenCode {version} could not be installed: {reason}', 'Mend the cause, then try again.'],
  REGISTRY_UNREACHABLE: [
    'npm could not reach its registry, so OpenCode {version} was not installed.',
    'Check the connection, the proxy and "npm config get registry", then try again.',
  ],
  NPM_MISSING: ["npm is not on the PATH, so OpenCode can't be installed.", 'Install Node.js, which brings npm, and start the editor anew.'],
  OPENCODE_START_FAILED: ['OpenCode did not start: {reason}', 'Look at the log, mend the cause, then retry.'],
  OPENCODE_GONE: ['OpenCode ended while it was working.', 'Continue or retry; a new server is started.'],
  MODEL_UNKNOWN: ['OpenCode knows no model "{model}".', 'Choose one of: {models}.'],
  PROVIDER_AUTH: ['The provider of {model} refused the login: {reason}', 'Log in again with "opencode auth login", then retry.'],
  PROVIDER_QUOTA: ['The provider of {model} is over its quota or busy: {reason}', 'Wait, then continue.'],
  PROVIDER_ERROR: ['The provider of {model} failed: {reason}', 'Continue or retry.'],
  OUTPUT_TRUNCATED: ['{model} was cut off before its answer was complete.', 'Retry, or choose a model with a longer output.'],
  SESSION_LOST: ['The session with {model} is no longer there.', 'Retry begins a fresh one.'],
  RESPONSE_INVALID: ['{model} gave no usable answer for {what}: {reason}', "Retry; the rejected text is in the call's record."],
  CONTEXT_OVER_BUDGET: [
    'The prompt for {what} needs {tokens} tokens and may have {budget}.',
    'Raise the tokens of one prompt, or shorten the ticket or the bead; then retry.',
  ],
  BUDGET_EXHAUSTED: ['The ticket used {used} of {cap} tokens.', 'Raise the token cap, then continue.'],

  // The phases
  QUORUM_NOT_MET: ['Only {valid} of {needed} council members gave a valid {what}: {reasons}', 'Retry, or choose other members.'],
  PREFLIGHT_FAILED: ['The ticket is not ready: {checks}', 'Mend that, then retry.'],
  SETUP_FAILED: ['The environment could not be prepared: {reason}', 'Retry with a note, or edit the setup plan.'],
  BEAD_RETRY_BUDGET_EXHAUSTED: ['Bead {bead} failed (iterations: {iterations}).', 'Read its notes, then retry with a note of your own.'],
  BEAD_FINALIZATION_FAILED: [
    'Bead {bead} passed its checks but could not be committed: {reason}',
    'The worktree is kept as it is. Mend the cause, then retry.',
  ],
  BEAD_DEADLOCK: ['No bead can run: {beads} wait for beads that failed.', 'Retry the failed bead.'],
  FINAL_TEST_FAILED: ['The final test failed (attempts: {attempts}): {reason}', 'Read its report, then retry.'],
  INTEGRATION_FAILED: ['The changes could not be integrated: {reason}', 'Mend the cause, then retry.'],
  PULL_REQUEST_FAILED: ['The pull request could not be made: {reason}', 'Mend the cause, then retry.'],
} as const satisfies Record<string, readonly [sentence: string, nextStep: string]>;

/** A code of the table above; see docs/decisions/044-error-codes.md. */
export type ErrorCode = keyof typeof errorTexts;

/** What fills the holes of an error's sentences, by name. */
export type ErrorArgs = Readonly<Record<string, string | number>>;

/** Errors that no use of the product should cause. Every other error is one that a person can do something about. */
const faults: ReadonlySet<string> = new Set<ErrorCode>([
  'UNEXPECTED',
  'OUTSIDE_WORKTREE',
  'STEP_KEY_REUSED',
  'REPLAY_MISMATCH',
  'JOURNAL_BROKEN',
  'DATABASE_CORRUPT',
]);

/** Whether an error is a fault of the product. */
export function isFault(code: string): boolean {
  return faults.has(code);
}

const ErrorCodeName = z.custom<ErrorCode>(
  (value) => typeof value === 'string' && Object.hasOwn(errorTexts, value),
  'That is no error code.',
);

/** An error with a code of the table. `continuable`: the session it came from can be asked to continue. */
export class BeadsmithError extends Error {
  override readonly name = 'BeadsmithError';
  readonly code: ErrorCode;
  readonly args: ErrorArgs;
  readonly continuable: boolean;
  readonly diagnostics: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    args: ErrorArgs = {},
    options: { continuable?: boolean; diagnostics?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(sentenceOf(code, args), { cause: options.cause });
    this.code = code;
    this.args = args;
    this.continuable = options.continuable ?? false;
    this.diagnostics = options.diagnostics ?? {};
  }

  get nextStep(): string {
    return nextStepOf(this.code, this.args);
  }
}

/** An error as it is stored with a blocked ticket, a failed step or a refused entry. */
export const ErrorRecord = z.object({
  code: ErrorCodeName,
  args: z.record(z.string(), z.union([z.string(), z.number()])),
  continuable: z.boolean(),
  diagnostics: z.record(z.string(), z.unknown()).default({}),
});
export type ErrorRecord = z.infer<typeof ErrorRecord>;

/** The sentence of an error: what failed, and where. */
export function sentenceOf(code: ErrorCode, args: ErrorArgs): string {
  return filled(errorTexts[code][0], args);
}

function nextStepOf(code: ErrorCode, args: ErrorArgs): string {
  return filled(errorTexts[code][1], args);
}

/** Any thrown value as an error with a code. One without a code becomes UNEXPECTED. */
export function toBeadsmithError(error: unknown): BeadsmithError {
  if (error instanceof BeadsmithError) return error;
  return new BeadsmithError('UNEXPECTED', { reason: error instanceof Error ? error.message : String(error) }, { cause: error });
}

/** An error as it is stored. The stack and the cause are not kept. */
export function errorRecord(error: BeadsmithError): ErrorRecord {
  return { code: error.code, args: { ...error.args }, continuable: error.continuable, diagnostics: { ...error.diagnostics } };
}

/** The error that a record stands for, as it was thrown. */
export function fromRecord(record: ErrorRecord): BeadsmithError {
  return new BeadsmithError(record.code, record.args, { continuable: record.continuable, diagnostics: record.diagnostics });
}

/** A text with its holes `{name}` filled in; one without a value stays as it is. */
export function filled(text: string, args: ErrorArgs): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => (args[name] === undefined ? hole : String(args[name])));
}
