import { filled, type Words } from '../core/errors.ts';
import { ticketTextHash } from '../ticket/ticket.ts';
import { type Imported, importKey } from './imported.ts';
import { importedText } from './importedText.ts';

/** A ticket that an import would file. `now`: what a ticket of the same source holds. */
export interface PlannedImport {
  readonly imported: Imported;
  readonly key: string;
  readonly title: string;
  readonly description: string;
  readonly state: 'new' | 'changed' | 'same' | 'started';
  readonly ticket: string | null;
  readonly diff: readonly string[];
}

interface Present {
  readonly id: string;
  readonly status: string;
  readonly title: string;
  readonly description: string;
}

/** Compares an imported ticket with the one that its source already has. A started one is never changed. */
export function planImport(imported: Imported, present: Present | undefined): PlannedImport {
  const { title, description } = importedText(imported);
  const common = { imported, key: importKey(imported), title, description, ticket: present?.id ?? null };
  if (!present) return { ...common, state: 'new', diff: [] };
  if (present.status !== 'DRAFT') return { ...common, state: 'started', diff: [] };
  const diff = lineDiff(documentOf(present), documentOf({ title, description }));
  return { ...common, state: diff.length === 0 ? 'same' : 'changed', diff };
}

/** True if an import changes something. */
export function isDue({ state }: PlannedImport): boolean {
  return state === 'new' || state === 'changed';
}

/** Figures of an imported ticket. `tasks`: open ones. */
export function importCounts({ requirements, tasks }: Imported) {
  const open = tasks.filter(({ done }) => !done).length;
  return {
    requirements: requirements.length,
    criteria: requirements.reduce((sum, { criteria }) => sum + criteria.length, 0),
    tasks: open,
    done: tasks.length - open,
  };
}

/** Sentences about an import. */
export const importTexts = {
  importAndUpdate: 'Import {created} and Update {updated} Tickets',
  updateOne: 'Update 1 Ticket',
  update: 'Update {updated} Tickets',
  importOne: 'Import 1 Ticket',
  import: 'Import {created} Tickets',
  nothing: 'There’s nothing to import.',
  done: 'Done in the source and left out: {0}',
  changed: '{0} has changed in the meantime. Import again to see how.',
} as const;

/** The label of what imports them; empty if there is nothing to do. */
export function importLabel(plan: readonly PlannedImport[], words: Words = filled): string {
  const created = plan.filter(({ state }) => state === 'new').length;
  const updated = plan.filter(isDue).length - created;
  const say = (name: keyof typeof importTexts): string => words(importTexts[name], { created, updated });
  if (created > 0 && updated > 0) return say('importAndUpdate');
  if (updated > 0) return say(updated === 1 ? 'updateOne' : 'update');
  return created === 0 ? '' : say(created === 1 ? 'importOne' : 'import');
}

interface ImportEdit {
  readonly artifact: 'ticket';
  readonly baseSha256: string;
  readonly content: string;
  readonly surface: 'raw';
}

/** The edit that updates a draft; undefined if it isn't anymore what the person saw compared. */
export function importEdit(planned: PlannedImport, present: Present): ImportEdit | undefined {
  const { imported, title, description, diff } = planned;
  const again = planImport(imported, present);
  if (again.state !== 'changed' || again.diff.join('\n') !== diff.join('\n')) return undefined;
  const content = JSON.stringify({ title, description });
  return { artifact: 'ticket', baseSha256: ticketTextHash(present), content, surface: 'raw' };
}

function documentOf({ title, description }: Pick<Present, 'title' | 'description'>): readonly string[] {
  return [`# ${title}`, '', ...description.trimEnd().split('\n')];
}

const mostCells = 4_000_000;

/** Removed lines with `-` and added ones with `+`, in order; empty if nothing differs. */
export function lineDiff(before: readonly string[], after: readonly string[]): readonly string[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const rest = Math.min(before.length, after.length) - start;
  while (end < rest && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const a = before.slice(start, before.length - end);
  const b = after.slice(start, after.length - end);
  if (a.length * b.length > mostCells)
    return [...a.map((line) => `-${line}`), ...b.map((line) => `+${line}`)];
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: string[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length)
    if (i < a.length && j < b.length && a[i] === b[j]) {
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1)))
      lines.push(`-${a[i++] ?? ''}`);
    else lines.push(`+${b[j++] ?? ''}`);
  return lines;
}
