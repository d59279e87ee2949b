import * as z from 'zod';
import { MemberText } from '../council/council.ts';
import { PersonaId } from '../core/ids.ts';
import type { Settings } from '../settings/settings.ts';

/** Purposes of parties (docs/decisions/135-personas.md). */
export const PartyKind = z.enum(['kickoff', 'review', 'failure', 'retrospective']);
export type PartyKind = z.infer<typeof PartyKind>;

/** A persona. `model`: else its party's. `text`: the file's body. */
export const Persona = z.object({
  id: PersonaId,
  name: z.string().min(1).max(60),
  title: z.string().min(1).max(80),
  icon: z.string().max(8),
  focus: z.string().min(1).max(500),
  style: z.string().min(1).max(500),
  model: MemberText.optional(),
  text: z.string(),
});
export type Persona = z.infer<typeof Persona>;

/** Parties' default members. */
export const partyGroups: Readonly<Record<PartyKind, readonly string[]>> = {
  kickoff: ['winston', 'amelia', 'murat'],
  review: ['winston', 'murat', 'amelia'],
  failure: ['winston', 'amelia', 'bob'],
  retrospective: ['mary', 'bob', 'winston', 'amelia'],
};

/** A party's persona ids, four at most, each once. */
export function personasFor({ personas }: Pick<Settings, 'personas'>, kind: PartyKind): readonly string[] {
  return [...new Set(personas.length > 0 ? personas : partyGroups[kind])].slice(0, 4);
}

/** A ticket's parties. */
export function partiesOf(settings: Settings): readonly PartyKind[] {
  const on = {
    kickoff: settings.kickoff,
    review: settings.review === 'party',
    failure: settings.failureAnalysis !== 'off',
    retrospective: settings.retrospective,
  } satisfies Record<PartyKind, boolean>;
  return PartyKind.options.filter((kind) => on[kind]);
}

/** One persona, or with `solo` one session for all. */
export const Participant = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string(),
  icon: z.string(),
  member: z.string(),
});
export type Participant = z.infer<typeof Participant>;

/** A party: `solo` or not, participants, and missing answers with reasons. */
export const PartyNote = z.object({
  mode: z.enum(['parallel', 'solo']),
  participants: z.array(Participant),
  missing: z.array(z.object({ id: z.string(), reason: z.string() })),
});
export type PartyNote = z.infer<typeof PartyNote>;

/** The id of a `solo` participant. */
export const soloId = 'solo';

/** The entries of personas' lists in turns: all first ones, then all second ones. */
export function inTurns<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const places = Array.from({ length: longest }, (_, place) => place);
  return places.flatMap((place) => lists.flatMap((list) => list.slice(place, place + 1)));
}
