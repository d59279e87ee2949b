import * as z from 'zod';
import { root } from '../../.build/paths.mjs';
import type { ToolCall } from '../../src/demo/script/modelScript.ts';
import { readFixture } from '../support/readFixture.ts';
import { toolNames } from './tools.ts';

/** The first commit of kinds that aren't about a language: it needs nothing but a shell. */
const plainFiles = {
  'README.md': '# Sample\n',
  'hello.sh': 'echo "hello $1"\n',
  'test-hello.sh': 'test "$(sh hello.sh world)" = "hello world"\n',
};
const plainChecks = { test_full: ['sh test-hello.sh'] };
/** What a bead writes that says nothing else: one more script, and a test of it. */
const greeting = {
  'greet.sh': 'echo "good day, $1"\n',
  'test-greet.sh': 'test "$(sh greet.sh Ada)" = "good day, Ada"\n',
};
/** Values of texts that can't be written down; a key in a file would be taken for a real one. */
const marks: Readonly<Record<string, string>> = {
  '@root@': root,
  '@token@': `ghp_${'a1B2c3'.repeat(6)}`,
};

const strings = z.array(z.string());
const text = z.string().transform((written) => written.replaceAll(/@\w+@/g, (mark) => marks[mark] ?? mark));
const texts = z.record(z.string(), text);

const BeadFile = z.strictObject({
  id: z.string().default('greet'),
  /** What the coder runs before it writes. */
  first: strings.default([]),
  writes: texts.default(greeting),
  /** What it writes as well, and no plan names. */
  besides: texts.default({}),
  /** What it runs then, before the bead's commands. */
  then: strings.default([]),
  commands: strings.default(['sh test-greet.sh']),
  /** What it writes, if nothing else is said. */
  targets: strings.optional(),
  /** The coder doesn't run the commands itself. */
  untried: z.boolean().default(false),
  /** Why no command can prove it, where it has none. */
  unproved: z.string().optional(),
});

const KindFile = z.strictObject({
  name: z.string(),
  about: z.string(),
  /** Programs that the row can't do without. */
  needs: z.array(z.enum(toolNames)).default([]),
  /** The name of the checkout's folder. */
  folder: z.string().default('sample'),
  plain: z.boolean().default(true),
  /** The first commit; null for none. */
  files: texts.nullable().default({}),
  /**
   * A shell's script that does what else makes it this kind, after the first commit. `$LAB` is the folder
   * around the checkout, and `commit` commits everything.
   */
  make: z.string().optional(),
  /** The checkout's path in that folder, if it is another one then. */
  moves: z.string().optional(),
  beads: z.array(BeadFile).default(() => [BeadFile.parse({})]),
  /** The project's own checks, as the setup plan names them. */
  checks: z
    .partialRecord(z.enum(['lint_full', 'typecheck_full', 'build_full', 'test_full']), strings)
    .optional(),
  /** What makes a fresh checkout ready, as the setup result names it. */
  bootstrap: strings.default([]),
  /** What runs beside the commands, as the setup plan names it. Each starts one program, which stays. */
  services: z.array(z.strictObject({ name: z.string(), start: z.string(), ready: z.string() })).default([]),
  description: z
    .union([z.string(), z.strictObject({ head: z.string(), part: z.string(), times: z.number() })])
    .transform((said) => (typeof said === 'string' ? said : said.head + said.part.repeat(said.times)))
    .optional(),
  /** Files beside the checkout, by their paths from it, that stay as they are. */
  keeps: texts.default({}),
  options: strings.default([]),
  /** Files of the checkout that git doesn't have, and that the tests need. */
  inputs: strings.default([]),
  /** Every commit of the branch has to be signed. */
  signed: z.boolean().default(false),
  /** A text that may be in no database, no log and no commit. */
  secret: z.string().optional(),
  /**
   * The branch of the completed ticket changes exactly these paths, and every command passes in a fresh
   * clone.
   */
  delivers: strings.default(['greet.sh', 'lab-final.sh', 'test-greet.sh']),
  /** The ticket stops, and what is said matches this expression. */
  stops: z.string().optional(),
  /** Exit code of the command line then. */
  exit: z.number().optional(),
});

export interface LabBead {
  readonly id: string;
  /** Before the bead's commands. */
  readonly does: readonly ToolCall[];
  readonly untried?: boolean;
  readonly commands: readonly string[];
  readonly unproved?: string | undefined;
  readonly targets: readonly string[];
}

/** How a repository is made, what the scripted coder does, and what must come of a ticket. */
export type Kind = ReturnType<typeof kindOf>;

type Ending =
  { readonly delivers: readonly string[] } | { readonly stops: RegExp; readonly exit: number | undefined };

/** Every kind of repository that the lab knows (`test/fixtures/lab/`). */
export const kinds: readonly Kind[] = [
  'languages',
  'workspaces',
  'suites',
  'checkouts',
  'contents',
  'policies',
  'machines',
].flatMap((name) => readFixture(`lab/${name}.yaml`, z.array(KindFile)).map(kindOf));

function kindOf({ plain, files, checks, beads, stops, exit, delivers, ...kind }: z.infer<typeof KindFile>) {
  const said = stops === undefined ? undefined : /^\/(.*)\/([a-z]*)$/s.exec(stops);
  const comes: Ending = said ? { stops: new RegExp(said[1] ?? '', said[2]), exit } : { delivers };
  return {
    ...kind,
    files: files && plain ? { ...plainFiles, ...files } : files,
    checks: checks ?? (plain ? plainChecks : {}),
    beads: beads.map(beadOf),
    comes,
  };
}

function beadOf({ first, writes, besides, then, targets, ...bead }: z.infer<typeof BeadFile>): LabBead {
  return {
    ...bead,
    does: [...first.map(shell), ...writing({ ...writes, ...besides }), ...then.map(shell)],
    targets: targets ?? Object.keys(writes),
  };
}

export function write(filePath: string, content: string): ToolCall {
  return { tool: 'write', args: { filePath, content } };
}

export function writing(files: Readonly<Record<string, string>>): readonly ToolCall[] {
  return Object.entries(files).map(([path, content]) => write(path, content));
}

function shell(command: string): ToolCall {
  return { tool: 'bash', args: { command, description: 'Works on the bead' } };
}
