import * as z from 'zod';
import { BeadId } from '../core/ids.ts';

/** Characters of one entry at most. */
export const longestContext = 20_000;

/** The lifetime of an entry: one iteration, until the bead or ticket is done, or for the ticket. */
export const ContextMode = z.enum(['once', 'until_done', 'pinned']);
export type ContextMode = z.infer<typeof ContextMode>;

/** A person's word for a mode; `always` is the earlier name of `pinned`. */
export const ContextScope = z.enum([...ContextMode.options, 'always']);

/** The mode that a person's word stands for. */
export function contextMode(scope: z.infer<typeof ContextScope>): ContextMode {
  return scope === 'always' ? 'pinned' : scope;
}

/** `queued`: for the next iteration. `delivered`: one has it. `acknowledged`: its agent said so. */
export const ContextState = z.enum(['queued', 'delivered', 'acknowledged', 'consumed', 'withdrawn']);
export type ContextState = z.infer<typeof ContextState>;

/**
 * A person's addition to a ticket while it is coded (docs/decisions/141-context-inbox.md). `author`: `user`,
 * or `context.txt` for a dropped file. `at` in milliseconds since 1970. `bead`: the bead that an entry
 * `until_done` belongs to, once it was delivered. `acknowledged`: whether an agent ever said that it took it
 * into account.
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

/** `context_entries`: what was taken from the inbox so far, oldest first. */
export const ContextEntries = z.object({ schema_version: z.literal(1), entries: z.array(ContextEntry) });

interface Iteration {
  readonly id: string;
  readonly iteration: number;
}

/** An entry as it is when it arrives. */
export function newContextEntry(
  given: Pick<ContextEntry, 'id' | 'text' | 'author' | 'mode' | 'at'>,
): ContextEntry {
  return { ...given, state: 'queued', bead: null, deliveredIn: [], acknowledged: false };
}

/** Returns true if an iteration of a bead is to get the entry. */
export function isDue({ mode, state, bead }: ContextEntry, { id }: Pick<Iteration, 'id'>): boolean {
  if (state === 'withdrawn' || state === 'consumed') return false;
  if (mode === 'once') return state === 'queued';
  return mode === 'pinned' || bead === null || bead === id;
}

/** The entry once an iteration has it. */
export function delivered(entry: ContextEntry, { id, iteration }: Iteration): ContextEntry {
  const isNew = !entry.deliveredIn.some((place) => place.bead === id && place.iteration === iteration);
  return {
    ...entry,
    state: 'delivered',
    bead: entry.mode === 'until_done' ? id : entry.bead,
    deliveredIn: isNew ? [...entry.deliveredIn, { bead: id, iteration }] : entry.deliveredIn,
  };
}

/** An iteration's outcome. `interrupted`: it uses up nothing. `acknowledged`: ids that its agent named. */
export interface IterationOutcome {
  readonly interrupted: boolean;
  readonly accepted: boolean;
  readonly acknowledged: readonly string[];
}

/** The entry after its iteration. An unacknowledged one that is for once is delivered once more. */
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

/** An entry whose iteration was interrupted: the next one gets it. */
export function requeued(entry: ContextEntry): ContextEntry {
  if (entry.mode !== 'once' || entry.state !== 'delivered') return entry;
  return { ...entry, state: 'queued', deliveredIn: entry.deliveredIn.slice(0, -1) };
}

/** An entry as a prompt shows it. */
export function contextText({ id, text }: Pick<ContextEntry, 'id' | 'text'>): string {
  return `[${id}] ${text}`;
}
