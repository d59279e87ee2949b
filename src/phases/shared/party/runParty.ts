import * as z from 'zod';
import { personaText } from '../../../context/personaFile.ts';
import type { Section } from '../../../context/sections.ts';
import type { Settled } from '../../../base/result.ts';
import { BeadsmithError, toBeadsmithError } from '../../../domain/core/errors.ts';
import {
  type Participant,
  type PartyKind,
  type PartyNote,
  Persona,
  personasFor,
  soloId,
} from '../../../domain/personas/persona.ts';
import type { Settings } from '../../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { ask } from '../ask/ask.ts';
import type { Answer, Call } from '../structured/askTypes.ts';
import { ticketParts } from '../ticket/ticketParts.ts';
import { loadPersonas } from './loadPersonas.ts';

export interface Party<T> {
  /** Step key that is unique in the run (or in the visit of a stage). */
  readonly key: string;
  readonly kind: PartyKind;
  /** The same to everyone, so that a cache serves the others. `member`: for a persona without a model. */
  readonly call: Omit<Call<T>, 'sections'> & {
    readonly sections: (io: StepIo) => Promise<readonly Section[]>;
  };
  readonly only?: readonly string[];
  /** One session plays all where only one model is known. */
  readonly soloWithOneModel?: true;
}

export interface Voice<T> {
  readonly participant: Participant;
  readonly answer: Answer<T>;
}

export interface PartyResult<T> {
  readonly mode: PartyNote['mode'];
  readonly voices: readonly Voice<T>[];
  readonly missing: readonly {
    readonly participant: Participant;
    readonly code: string;
    readonly reason: string;
  }[];
}

/**
 * One persona alone, then the others side by side; in `solo` one session plays all
 * (docs/decisions/134-parties.md). If nobody answers, the first error is thrown.
 */
export async function runParty<T>(
  run: Run,
  ticket: TicketSnapshot,
  { key, kind, call, only, soloWithOneModel }: Party<T>,
): Promise<PartyResult<T>> {
  const { settings } = ticketParts(ticket);
  const ids = personasFor(settings, kind).filter((id) => only === undefined || only.includes(id));
  const personas = await run.step(`${key}-personas`, z.array(Persona), async (io) => [
    ...(await loadPersonas(io.ports.prompts, ids)),
  ]);
  const isSolo =
    settings.partyMode === 'solo' ||
    (soloWithOneModel === true && modelsOf(settings, personas, call.member).size < 2);
  const mode = isSolo ? 'solo' : 'parallel';
  const speakers = isSolo
    ? [soloSpeaker(personas, call.member)]
    : personas.map((persona) => speakerOf(persona, call.member));
  const branch =
    ({ participant, text }: Speaker) =>
    (own: Run): Promise<Answer<T>> =>
      ask(own, ticket, {
        ...call,
        member: participant.member,
        sections: async (io) => [...(await call.sections(io)), { name: 'persona', content: text }],
      });
  const branches = (some: readonly Speaker[]) =>
    Object.fromEntries(some.map((speaker) => [speaker.participant.id, branch(speaker)]));
  const settled = {
    ...(await run.all(branches(speakers.slice(0, 1)))),
    ...(await run.all(branches(speakers.slice(1)))),
  };
  return resultOf(mode, speakers, settled);
}

export function partyNote({ mode, voices, missing }: PartyResult<unknown>): PartyNote {
  return {
    mode,
    participants: voices.map(({ participant }) => participant),
    missing: missing.map(({ participant, reason }) => ({ id: participant.id, reason })),
  };
}

function modelsOf(
  { mainImplementer, councilMembers, reviewer }: Settings,
  personas: readonly Persona[],
  member: string,
): ReadonlySet<string> {
  const named = personas.flatMap(({ model }) => model ?? []);
  return new Set(
    [mainImplementer, ...councilMembers, reviewer, member, ...named].filter((model) => model !== ''),
  );
}

interface Speaker {
  readonly participant: Participant;
  readonly text: string;
}

function speakerOf(persona: Persona, member: string): Speaker {
  const { id, name, title, icon, model = member } = persona;
  return { participant: { id, name, title, icon, member: model }, text: personaText([persona]) };
}

function soloSpeaker(personas: readonly Persona[], member: string): Speaker {
  const name = personas.map((persona) => persona.name).join(', ');
  return { participant: { id: soloId, name, title: 'party', icon: '', member }, text: personaText(personas) };
}

function resultOf<T>(
  mode: PartyNote['mode'],
  speakers: readonly Speaker[],
  settled: Readonly<Record<string, Settled<Answer<T>>>>,
): PartyResult<T> {
  const voices: Voice<T>[] = [];
  const missing: PartyResult<T>['missing'][number][] = [];
  let first: BeadsmithError | undefined;
  for (const { participant } of speakers) {
    const outcome = settled[participant.id];
    if (outcome?.ok === true) voices.push({ participant, answer: outcome.value });
    else {
      const error = toBeadsmithError(outcome?.error);
      first ??= error;
      missing.push({ participant, code: error.code, reason: error.message });
    }
  }
  if (voices.length > 0) return { mode, voices, missing };
  throw (
    first ??
    new BeadsmithError('PERSONA_REFUSED', { persona: '(none)', reason: 'a party needs at least one persona' })
  );
}
