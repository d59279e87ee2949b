import * as z from 'zod';
import type { Section } from '../../../context/sections.ts';
import { coverageOf } from '../../../domain/ticket/artifacts.ts';
import type { ChangeRecord } from '../../../domain/requirements/interview.ts';
import { LeftOut } from '../../../domain/loss/lossReport.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import { timeoutMs } from '../../../domain/settings/settings.ts';
import type { RecordIo, Run } from '../../../engine/run/run.ts';
import { ask } from '../ask/ask.ts';
import type { Call } from '../structured/askTypes.ts';
import type { Place } from '../ticket/artifacts.ts';
import { type Guard, guardedParse, saveLeftOut } from './keepContent.ts';
import { type AuditedDomain, gapSections, type Resolution } from './coverageLoop.ts';

export interface Revision {
  readonly key: string;
  readonly winner: string;
  readonly gaps: readonly string[];
  readonly history: readonly Resolution[];
  readonly sections: readonly Section[];
  /** At a gate the new version is filed where the previous one is, so that both are archived together. */
  readonly atGate: boolean;
}

export async function reviseCandidate<
  T extends D & {
    readonly changes: readonly ChangeRecord[];
    readonly gap_resolutions: readonly Resolution[];
  },
  D extends object,
>(
  run: Run,
  ticket: TicketSnapshot,
  { key, winner, gaps, history, sections, atGate }: Revision,
  document: {
    readonly domain: AuditedDomain;
    readonly schema: z.ZodType<T>;
    readonly guard: Omit<Guard<T, D>, 'domain'>;
    readonly state: NonNullable<Call<unknown>['state']>;
    readonly placeOf: (io: RecordIo) => Promise<Place>;
    readonly save: (io: RecordIo, revision: T, place: Place) => Promise<void> | void;
  },
): Promise<readonly Resolution[]> {
  const { domain, schema, guard, state, placeOf, save } = document;
  const { value } = await ask(run, ticket, {
    key,
    contextKey: coverageOf(domain),
    prompt: `${domain}-revise`,
    member: winner,
    sections: [...sections, ...gapSections(gaps, history)],
    state,
    parse: guardedParse(schema, { ...guard, domain, gaps }),
    result: z.intersection(schema, LeftOut),
    activeMs: timeoutMs(run.limits.councilResponseTimeout),
    accept: async (io, revision) => {
      const { status, attempt } = atGate ? await placeOf(io) : ticket;
      const place = { status, attempt };
      await save(io, revision, place);
      await saveLeftOut(io, domain, key, revision, place);
    },
  });
  return value.gap_resolutions;
}
