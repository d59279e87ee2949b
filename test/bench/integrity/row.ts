/**
 * One change of a repository in a catalogue of cases. Paths are relative; `after` names what changes, and
 * null is a deleted file.
 */
export interface IntegrityRow {
  readonly name: string;
  /** The tool that loads what changes, or what an honest change is about. */
  readonly tool: string;
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string | null>>;
  /** The files that the approved plan names. */
  readonly planned: readonly string[];
}

/** The changed files of a row as texts, before and after. */
export function changesOf({ before, after }: IntegrityRow): readonly {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}[] {
  return Object.entries(after).map(([path, text]) => ({ path, before: before[path] ?? null, after: text }));
}

/** Every path that a row's repository has after the change. */
export function treeOf({ before, after }: IntegrityRow): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((path) => after[path] !== null);
}

/** A row whose plan names the work's own files, `src/a.ts` and its test. */
export function row(
  [name, tool]: readonly [name: string, tool: string],
  after: IntegrityRow['after'],
  before: IntegrityRow['before'] = {},
  planned: readonly string[] = ['src/a.ts', 'test/a.test.ts'],
): IntegrityRow {
  return { name, tool, before, after, planned };
}

/** A JSON file as tools write it. */
export function json(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}
