import * as z from 'zod';
import { personaText } from '../../../context/personaFile.ts';
import type { Section } from '../../../context/sections.ts';
import {
  type Participant,
  type PartyKind,
  type PartyNote,
  Persona,
  personasFor,
  soloId,
} from '../../../domain/personas/persona.ts';
import { modelsOf } from '../../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { ask } from '../ask/ask.ts';
import { phaseBounds, skipOf } from '../optionalPhase.ts';
import { readInScratch } from '../proof/scratch.ts';
import type { Call } from '../structured/askTypes.ts';
import type { Told } from '../ticket/records.ts';
import { ticketParts } from '../ticket/ticketParts.ts';
import { askPanel, type Panel } from './askPanel.ts';
import { loadPersonas } from './loadPersonas.ts';

export interface Party<T> {
  /** Step key that is unique in the run (or in the visit of a stage). */
  readonly key: string;
  readonly kind: PartyKind;
  /** The optional phase whose limits hold for all of them together. */
  readonly phase: string;
  /** The same to everyone, so that a cache serves the others. `member`: for a persona without a model. */
  readonly call: Omit<Call<T>, 'sections' | 'activeMs' | 'place'> & {
    readonly sections: (io: StepIo) => Promise<readonly Section[]>;
  };
  /**
   * Everyone reads its files, instead of the ticket's worktree, which also has notes of failed iterations.
   */
  readonly commit?: (io: StepIo) => string | Promise<string>;
  readonly only?: readonly string[];
  /** One session plays all where only one model is known. */
  readonly soloWithOneModel?: true;
}

export interface PartyResult<T> extends Panel<Participant, T> {
  readonly mode: PartyNote['mode'];
}

/**
 * Asks personas one question; in `solo` one session plays all (docs/decisions/134-parties.md). If nobody
 * answers, the first error is thrown.
 */
export async function runParty<T>(
  run: Run,
  ticket: TicketSnapshot,
  { key, kind, phase, call, commit, only, soloWithOneModel }: Party<T>,
): Promise<PartyResult<T>> {
  const { settings } = ticketParts(ticket);
  const ids = personasFor(settings, kind).filter((id) => only === undefined || only.includes(id));
  const personas = await run.step(`${key}-personas`, z.array(Persona), async (io) => [
    ...(await loadPersonas(io.ports.prompts, ids)),
  ]);
  const models = new Set([...modelsOf(settings), ...personas.flatMap(({ model }) => model ?? [])]);
  const isSolo = settings.partyMode === 'solo' || (soloWithOneModel === true && models.size < 2);
  const voices = isSolo
    ? [soloVoice(personas, call.member)]
    : personas.map(({ id, name, title, icon, model: member = call.member }) => {
        return { id, name, title, icon, member };
      });
  // All share one place: making it again would take files away from those who read.
  let made: Promise<string> | undefined;
  const place = commit && {
    place: (io: StepIo) =>
      (made ??= Promise.resolve(commit(io)).then((found) => readInScratch(io, ticket, found))),
  };
  const { answers, missing } = await askPanel(run, voices, async (branch, { id, member }) => {
    const content = personaText(isSolo ? personas : personas.filter((persona) => persona.id === id));
    const { value } = await ask(branch, ticket, {
      ...call,
      ...place,
      ...phaseBounds(run.limits, phase),
      member,
      sections: async (io) => [...(await call.sections(io)), { name: 'persona', content }],
    });
    return value;
  });
  const [first] = missing;
  if (first && answers.length === 0) throw first.error;
  return { mode: isSolo ? 'solo' : 'parallel', answers, missing };
}

export function partyNote({ mode, answers, missing }: PartyResult<unknown>): PartyNote {
  return {
    mode,
    participants: answers.map(({ voice }) => voice),
    missing: missing.map(({ voice, error }) => ({ id: voice.id, reason: error.message })),
  };
}

/** The models that answered, as text. */
export function speakersOf({ participants }: PartyNote): string {
  return [...new Set(participants.map(({ member }) => member))].join(', ');
}

/** Records of a bead, one for each missing persona. */
export function skipRecords(
  phase: string,
  bead: { readonly id: string; readonly iteration: number },
  missing: PartyResult<unknown>['missing'],
): readonly Told[] {
  return missing.map(({ voice, error: { code, message: reason } }) =>
    skipOf(bead, { phase, persona: voice.id, code, reason }),
  );
}

function soloVoice(personas: readonly Persona[], member: string): Participant {
  const name = personas.map((persona) => persona.name).join(', ');
  return { id: soloId, name, title: 'party', icon: '', member };
}
