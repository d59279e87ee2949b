import * as z from 'zod';
import { MemberText } from '../council/council.ts';
import { PersonaId } from '../core/ids.ts';
import type { Settings } from '../settings/settings.ts';

/** The purposes for which personas come together (docs/decisions/135-personas.md). */
export const PartyKind = z.enum(['kickoff', 'review', 'failure', 'retrospective']);
export type PartyKind = z.infer<typeof PartyKind>;

/** A point of view. `model`: the one that speaks for it, else its party's. `text`: the file's body. */
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

/** The members of a party of each kind if `settings.personas` names nobody. */
export const partyGroups: Readonly<Record<PartyKind, readonly string[]>> = {
  kickoff: ['winston', 'amelia', 'murat'],
  review: ['winston', 'murat', 'amelia'],
  failure: ['winston', 'amelia', 'bob'],
  retrospective: ['mary', 'bob', 'winston', 'amelia'],
};

/** The ids of the personas of a party, four at most, each once. */
export function personasFor({ personas }: Pick<Settings, 'personas'>, kind: PartyKind): readonly string[] {
  return [...new Set(personas.length > 0 ? personas : partyGroups[kind])].slice(0, 4);
}

/** The parties that a ticket will have. */
export function partiesOf(settings: Settings): readonly PartyKind[] {
  const on = {
    kickoff: settings.kickoff,
    review: settings.review === 'party',
    failure: settings.failureAnalysis !== 'off',
    retrospective: settings.retrospective,
  } satisfies Record<PartyKind, boolean>;
  return PartyKind.options.filter((kind) => on[kind]);
}

/** A participant of a party: one persona, or with `solo` one session that plays all of them. */
export const Participant = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string(),
  icon: z.string(),
  member: z.string(),
});
export type Participant = z.infer<typeof Participant>;

/** The participants of a party, `solo` or not, and those who gave no answer, with the reason. */
export const PartyNote = z.object({
  mode: z.enum(['parallel', 'solo']),
  participants: z.array(Participant),
  missing: z.array(z.object({ id: z.string(), reason: z.string() })),
});
export type PartyNote = z.infer<typeof PartyNote>;

/** The id of the one participant that plays all personas. */
export const soloId = 'solo';
