import type { ToolCall } from '../../src/demo/script/modelScript.ts';
import type { Place } from './place.ts';
import type { ToolName } from './tools.ts';

/**
 * A kind of repository: how it is made, what the scripted coder does in it, and what must come of a ticket
 * there.
 */
export interface Kind {
  readonly name: string;
  readonly about: string;
  /** Programs that the row can't do without. */
  readonly needs?: readonly ToolName[];
  /** The name of the checkout's folder. Default: `sample`. */
  readonly folder?: string;
  /** The first commit; null for none. */
  readonly files: Readonly<Record<string, string>> | null;
  /** What else makes it this kind. The first commit is there by then. */
  readonly make?: (place: Place) => void;
  readonly beads: readonly LabBead[];
  /** The project's own checks, as the setup plan names them. */
  readonly checks?: Readonly<
    Partial<Record<'lint_full' | 'typecheck_full' | 'build_full' | 'test_full', readonly string[]>>
  >;
  /** What makes a fresh checkout ready, as the setup result names it. */
  readonly bootstrap?: readonly string[];
  /** What runs beside the commands, as the setup plan names it. Each starts one program, which stays. */
  readonly services?: readonly { readonly name: string; readonly start: string; readonly ready: string }[];
  /** The ticket's text. */
  readonly description?: string;
  /** Files beside the checkout, by their paths from it, that stay as they are. */
  readonly keeps?: Readonly<Record<string, string>>;
  /** More options of `beadsmith run`. */
  readonly options?: readonly string[];
  /** Files of the checkout that git doesn't have, and that the tests need. */
  readonly inputs?: readonly string[];
  /** Every commit of the branch has to be signed. */
  readonly signed?: true;
  /** A text that may be in no database, no log and no commit. */
  readonly secret?: string;
  readonly comes: Ending;
}

/**
 * `delivers`: the ticket is completed, its branch changes exactly these paths, and in a fresh clone of it
 * every command passes. `stops`: it isn't, and what is said matches; `exit` is the exit code of the command
 * line.
 */
export type Ending =
  { readonly delivers: readonly string[] } | { readonly stops: RegExp; readonly exit: 1 | 2 | 3 | 4 };

export interface LabBead {
  readonly id: string;
  /** What the coder does before it runs the bead's commands. */
  readonly does: readonly ToolCall[];
  /** The coder doesn't run the commands itself. */
  readonly untried?: true;
  readonly commands: readonly string[];
  /** Why no command can prove it, where it has none. */
  readonly unproved?: string;
  readonly targets: readonly string[];
}

export function write(filePath: string, content: string): ToolCall {
  return { tool: 'write', args: { filePath, content } };
}

export function shell(command: string): ToolCall {
  return { tool: 'bash', args: { command, description: 'Works on the bead' } };
}

/** A bead whose coder writes these files. */
export function writing(
  id: string,
  files: Readonly<Record<string, string>>,
  ...commands: readonly string[]
): LabBead {
  return {
    id,
    does: Object.entries(files).map(([path, content]) => write(path, content)),
    commands,
    targets: Object.keys(files),
  };
}

/** A small project for kinds that aren't about a language: it needs nothing but a shell. */
export const plainFiles = {
  'README.md': '# Sample\n',
  'hello.sh': 'echo "hello $1"\n',
  'test-hello.sh': 'test "$(sh hello.sh world)" = "hello world"\n',
};
export const plainChecks = { test_full: ['sh test-hello.sh'] };
/** Its ticket: one more script, and a test of it. */
export const greeting = writing(
  'greet',
  { 'greet.sh': 'echo "good day, $1"\n', 'test-greet.sh': 'test "$(sh greet.sh Ada)" = "good day, Ada"\n' },
  'sh test-greet.sh',
);
export const greetingFiles = ['greet.sh', 'lab-final.sh', 'test-greet.sh'];
