import { type SectionName, sectionNames, sectionRow, sectionTable } from './sections.ts';
import { type SliceName, sliceNames, type SliceRow, slices } from './slices.ts';

/** What is declared of every part: what the model is told it is, its class, and how it is refreshed. */
type PartRow = Pick<SliceRow, 'heading' | 'stability' | 'refresh' | 'varies' | 'protected'>;

/** The names of all parts. */
export const partNames: readonly string[] = [...sliceNames, ...sectionNames];

/** The row of a slice or section; undefined for a name that plans of an earlier version may hold. */
export function partRow(name: string): PartRow | undefined {
  if (Object.hasOwn(slices, name)) return slices[name as SliceName];
  return Object.hasOwn(sectionTable, name) ? sectionRow(name as SectionName) : undefined;
}

/** Whether people may leave a part out: a call still makes sense without it, and its answer can be told from another one. */
export function mayLeaveOut(name: string): boolean {
  const row = partRow(name);
  return row !== undefined && row.protected !== true;
}
