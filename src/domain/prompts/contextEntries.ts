import * as z from 'zod';
import { BeadId } from '../core/ids.ts';

/** Characters of an entry. */
export const longestContext = 20_000;

/** An entry's lifetime: one iteration, until the bead or ticket is done, or the ticket's. */
export const ContextMode = z.enum(['once', 'until_done', 'pinned']);
export type ContextMode = z.infer<typeof ContextMode>;

/** Names of modes. */
export const contextModeLabels = { once: 'once', until_done: 'until done', pinned: 'pinned' } as const;

/** A person's word for a mode; `always` means `pinned`. */
export const ContextScope = z.enum([...ContextMode.options, 'always']);

/** A word's mode. */
export function contextMode(scope: z.infer<typeof ContextScope>): ContextMode {
  return scope === 'always' ? 'pinned' : scope;
}

/** `delivered`: an iteration has it. `acknowledged`: its agent said so. */
export const ContextState = z.enum(['queued', 'delivered', 'acknowledged', 'consumed', 'withdrawn']);
export type ContextState = z.infer<typeof ContextState>;

/** Names of states. */
export const contextStateLabels: Readonly<Record<ContextState, string>> = {
  queued: 'queued',
  delivered: 'delivered',
  acknowledged: 'acknowledged by the agent',
  consumed: 'used',
  withdrawn: 'withdrawn',
};

/**
 * A person's addition during coding (docs/decisions/141-context-inbox.md). `author`: `user`, or `context.txt`
 * for a dropped file. `at` in milliseconds since 1970. `bead`: of a delivered `until_done` entry.
 * `acknowledged`: ever.
 */
export const ContextEntry = z.object({
  id: z.string(),
  text: z.string(),
  author: z.string(),
  mode: ContextMode,
  state: ContextState,
  at: z.number(),
  bead: BeadId.nullable(),
  deliveredIn: z.array(z.object({ bead: BeadId, iteration: z.number().int() })),
  acknowledged: z.boolean(),
});
export type ContextEntry = z.infer<typeof ContextEntry>;

/** `context_entries`: all entries, oldest first. */
export const ContextEntries = z.object({ schema_version: z.literal(1), entries: z.array(ContextEntry) });

interface Iteration {
  readonly id: string;
  readonly iteration: number;
}

/** A new entry. */
export function newContextEntry(
  given: Pick<ContextEntry, 'id' | 'text' | 'author' | 'mode' | 'at'>,
): ContextEntry {
  return { ...given, state: 'queued', bead: null, deliveredIn: [], acknowledged: false };
}

/** True if an iteration is to get the entry. */
export function isDue({ mode, state, bead }: ContextEntry, { id }: Pick<Iteration, 'id'>): boolean {
  if (state === 'withdrawn' || state === 'consumed') return false;
  if (mode === 'once') return state === 'queued';
  return mode === 'pinned' || bead === null || bead === id;
}

/** True if agents don't have the entry, or will get it again. */
export function isEditable({ mode, state }: Pick<ContextEntry, 'mode' | 'state'>): boolean {
  return state === 'queued' || (mode !== 'once' && state !== 'consumed' && state !== 'withdrawn');
}

/** An entry in an iteration. */
export function delivered(entry: ContextEntry, { id, iteration }: Iteration): ContextEntry {
  const isNew = !entry.deliveredIn.some((place) => place.bead === id && place.iteration === iteration);
  return {
    ...entry,
    state: 'delivered',
    bead: entry.mode === 'until_done' ? id : entry.bead,
    deliveredIn: isNew ? [...entry.deliveredIn, { bead: id, iteration }] : entry.deliveredIn,
  };
}

/** An iteration's end. `interrupted`: it uses up nothing. `acknowledged`: entry ids. */
export interface IterationOutcome {
  readonly interrupted: boolean;
  readonly accepted: boolean;
  readonly acknowledged: readonly string[];
}

/** An entry after its iteration. An unacknowledged one-time entry is delivered once more. */
export function settled(
  entry: ContextEntry,
  { interrupted, accepted, acknowledged }: IterationOutcome,
): ContextEntry {
  if (interrupted) return requeued(entry);
  const isAcknowledged = entry.acknowledged || acknowledged.includes(entry.id);
  const after = {
    ...entry,
    acknowledged: isAcknowledged,
    state: isAcknowledged ? ('acknowledged' as const) : entry.state,
  };
  if (entry.mode === 'once')
    return { ...after, state: isAcknowledged || entry.deliveredIn.length > 1 ? 'consumed' : 'queued' };
  return entry.mode === 'until_done' && accepted ? { ...after, state: 'consumed' } : after;
}

/** An interrupted iteration's entry, for the next one. */
export function requeued(entry: ContextEntry): ContextEntry {
  if (entry.mode !== 'once' || entry.state !== 'delivered') return entry;
  return { ...entry, state: 'queued', deliveredIn: entry.deliveredIn.slice(0, -1) };
}

/** An entry in a prompt. */
export function contextText({ id, text }: Pick<ContextEntry, 'id' | 'text'>): string {
  return `[${id}] ${text}`;
}
