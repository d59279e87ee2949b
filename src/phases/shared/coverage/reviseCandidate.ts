import type * as z from 'zod';
import type { Section } from '../../../context/sections.ts';
import { coverageOf } from '../../../domain/artifacts.ts';
import type { TicketSnapshot } from '../../../domain/ticket.ts';
import { timeoutMs } from '../../../domain/settings.ts';
import type { RecordIo, Run } from '../../../engine/run/run.ts';

import { ask } from '../ask/ask.ts';
import type { Question } from '../ask/askTypes.ts';
import type { Place } from '../gate/gateDocument.ts';
import { parseStructured } from '../structured/parseStructured.ts';
import { type AuditedDomain, gapSections, type Resolution, resolutionsProblem } from './coverageLoop.ts';

/** One round of gaps that is to be closed. */
export interface Revision {
  /** The step's key. */
  readonly key: string;
  readonly winner: string;
  readonly gaps: readonly string[];
  readonly history: readonly Resolution[];
  readonly sections: readonly Section[];
  /** At a gate the new version is filed where the previous one is, so that both are archived together. */
  readonly atGate: boolean;
}

/** One revision of a document for one round of gaps, by the winner in a fresh session. `save` replaces the current candidate by the revised one. */
export async function reviseCandidate<T extends { readonly gap_resolutions: readonly Resolution[] }>(
  run: Run,
  ticket: TicketSnapshot,
  { key, winner, gaps, history, sections, atGate }: Revision,
  document: {
    readonly domain: AuditedDomain;
    readonly schema: z.ZodType<T>;
    /** Why a revision can't be used, beside gaps without a resolution. */
    readonly check?: (revision: T) => string | undefined;
    readonly state: NonNullable<Question<unknown>['state']>;
    /** Where the current candidate is stored. */
    readonly placeOf: (io: RecordIo) => Promise<Place>;
    readonly save: (io: RecordIo, revision: T, place: Place) => Promise<void> | void;
  },
): Promise<readonly Resolution[]> {
  const { domain, schema, check, state, placeOf, save } = document;
  const { value } = await ask(run, ticket, {
    key,
    contextKey: coverageOf(domain),
    prompt: `${domain}-revise`,
    member: winner,
    sections: [...sections, ...gapSections(gaps, history)],
    state,
    parse: parseStructured({ schema, check: (revision) => check?.(revision) ?? resolutionsProblem(gaps, revision.gap_resolutions) }),
    result: schema,
    activeMs: timeoutMs(run.limits.councilResponseTimeout),
    accept: async (io, revision) => {
      const { status, attempt } = atGate ? await placeOf(io) : ticket;
      await save(io, revision, { status, attempt });
    },
  });
  return value.gap_resolutions;
}
