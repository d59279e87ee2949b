import type { ContextKey } from '../domain/contextKeys.ts';

/** What a section may be; its class (0 fixed for the ticket … 3 per call), its cap in tokens, and the keys it may appear in (architecture.md section 8). */
export interface SectionRow {
  readonly heading: string;
  readonly stability: 0 | 1 | 2 | 3;
  readonly cap: number;
  readonly keys: readonly ContextKey[] | 'all';
}

export const sectionTable = {
  user_context: { heading: 'From the user', stability: 2, cap: 8_000, keys: 'all' },
} as const satisfies Record<string, SectionRow>;

export type SectionName = keyof typeof sectionTable;

/** A task-specific addition to a prompt. */
export interface Section {
  readonly name: SectionName;
  readonly content: string;
}
