import * as z from 'zod';
import { readFixture } from '../../support/readFixture.ts';

/** Replaced one after the other. */
const Edits = z.array(z.strictObject({ from: z.string(), to: z.string() }));
const Texts = z.record(z.string(), z.union([z.string(), Edits]));
const Change = z.record(z.string(), z.union([z.string(), z.null(), Edits]));
type Text = string | z.infer<typeof Edits>;
const strings = z.array(z.string());

const Row = z.strictObject({
  name: z.string(),
  tool: z.string(),
  before: Texts.default({}),
  after: Change,
  planned: strings.default(['src/a.ts', 'test/a.test.ts']),
});
const Project = z.strictObject({
  /** Default: the project's name. */
  tool: z.string().optional(),
  checks: strings,
  before: z.record(z.string(), z.string()),
  /** The broken work below whatever a row changes; every plan names it. */
  after: z.record(z.string(), z.string()).default({}),
});
const Weakenings = z.strictObject({
  projects: z.record(z.string(), Project),
  rows: z.array(
    z.strictObject({
      name: z.string(),
      project: z.string(),
      before: Texts.default({}),
      after: Change.default({}),
      planned: strings.default([]),
      checks: strings.optional(),
      own: strings.optional(),
    }),
  ),
});

/** `after` names what changes; null is a deleted file. */
export interface IntegrityRow {
  readonly name: string;
  /** The tool that loads what changes, or what an honest change is about. */
  readonly tool: string;
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string | null>>;
  readonly planned: readonly string[];
}

/**
 * The work also breaks what the tests of before would notice; where `own` is set, the bead's own tests pass
 * without what it was to add.
 */
export interface WeakeningRow extends IntegrityRow {
  /** They pass before the work. */
  readonly checks: readonly string[];
  /** The bead's commands. Default: one that fails without a file beside the work. */
  readonly own: readonly string[] | undefined;
}

/** (`test/fixtures/integrity/`) */
export function readRows(name: string): readonly IntegrityRow[] {
  return readFixture(`integrity/${name}.yaml`, z.array(Row)).map((row) => {
    const before = edited({}, row.before);
    return { ...row, before, after: changed(before, row.after) };
  });
}

/** Throws if an edit finds nothing to replace. */
export function readWeakenings(name: string): readonly WeakeningRow[] {
  const { projects, rows } = readFixture(`integrity/${name}.yaml`, Weakenings);
  return rows.map(({ name, project, own, ...row }) => {
    const { tool = project, ...base } = projects[project] ?? fail(`There is no project ${project}`);
    const before = { ...base.before, ...edited(base.before, row.before) };
    return {
      name,
      tool,
      before,
      planned: [...Object.keys(base.after), ...row.planned],
      checks: row.checks ?? base.checks,
      after: { ...base.after, ...changed(before, row.after) },
      own,
    };
  });
}

/** Some texts are edits of those of `before`. */
function edited(
  before: Readonly<Record<string, string>>,
  texts: Readonly<Record<string, Text>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [path, textOf(before[path] ?? '', text)]),
  );
}

/** As `edited`; null is a deleted file. */
function changed(
  before: Readonly<Record<string, string>>,
  texts: Readonly<Record<string, Text | null>>,
): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [
      path,
      text === null ? null : textOf(before[path] ?? '', text),
    ]),
  );
}

function textOf(before: string, text: Text): string {
  return typeof text === 'string' ? text : text.reduce(replaced, before);
}

function replaced(text: string, { from, to }: { readonly from: string; readonly to: string }): string {
  return text.includes(from)
    ? text.replace(from, () => to)
    : fail(`The text doesn't hold ${JSON.stringify(from)}`);
}

function fail(message: string): never {
  throw new Error(message);
}

export function changesOf({ before, after }: IntegrityRow): readonly {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}[] {
  return Object.entries(after).map(([path, text]) => ({ path, before: before[path] ?? null, after: text }));
}

export function treeOf({ before, after }: IntegrityRow): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((path) => after[path] !== null);
}
