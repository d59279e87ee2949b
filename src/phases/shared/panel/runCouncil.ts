import { parse } from 'yaml';
import * as z from 'zod';
import { sha256 } from '../../../base/sha256.ts';
import type { Section } from '../../../context/sections.ts';
import {
  type FewerThanWanted,
  type MemberOutcome,
  type CouncilDraft,
  CouncilDrafts,
} from '../../../domain/council/council.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { councilOf, lensOf, type Settings } from '../../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import { documents } from '../../../domain/documents/documents.ts';
import { councilKinds, type Domain } from '../../../domain/documents/workDocuments.ts';
import { rowOf, type Status } from '../../../domain/workflow/workflow.ts';
import type { RecordIo, Run } from '../../../engine/run/run.ts';
import { artifactChange, newestArtifact, say, yamlText } from '../ticket/artifacts.ts';
import type { OnProviderFailure } from '../structured/askTypes.ts';
import { ticketParts } from '../ticket/ticketParts.ts';
import { askPanel, type Voice } from './askPanel.ts';

/** Throws UNEXPECTED for a status without a council. */
export function domainOf(status: Status): Domain {
  const { document } = rowOf(status);
  const domain = councilKinds.find((kind) => kind === document);
  if (!domain) throw new BeadsmithError('UNEXPECTED', { reason: `${status} has no council` });
  return domain;
}

/** A missing member's, in a draft or a ballot. */
export function memberOutcome({ code, message: error }: BeadsmithError): {
  readonly outcome: z.infer<typeof MemberOutcome>;
  readonly error: string;
} {
  if (code === 'LIMIT_EXPIRED') return { outcome: 'timed_out', error };
  const isInvalid = code === 'RESPONSE_INVALID' || code === 'OUTPUT_TRUNCATED';
  return { outcome: isInvalid ? 'invalid_output' : 'failed', error };
}

/** Members' voices. `place`: of the member in the council. */
export function voicesOf(members: readonly string[]): readonly (Voice & { readonly place: number })[] {
  return members.map((member, place) => ({ id: `member-${place + 1}`, member, place }));
}

interface MemberDraft {
  readonly content: string;
  readonly metrics: Readonly<Record<string, number>>;
}

/**
 * Lets all members draft side by side, each alone (docs/decisions/018-council-drafts-and-quorum.md). Throws
 * QUORUM_NOT_MET if too few drafts are valid.
 */
export async function runCouncil(
  run: Run,
  ticket: TicketSnapshot,
  domain: Domain,
  draft: (
    run: Run,
    member: string,
    onProviderFailure: OnProviderFailure,
    lens: readonly Section[],
  ) => Promise<MemberDraft>,
): Promise<void> {
  const { settings } = ticketParts(ticket);
  const members = councilOf(settings);
  // Alone, an interrupted member can be continued; among others, the council continues without it.
  const mode = members.length > 1 ? 'member' : 'interrupt';
  const kept =
    ticket.entry.by === 'retry'
      ? await run.record('kept', CouncilDrafts.shape.drafts, (io) => keptDrafts(io, ticket, domain))
      : [];
  const asked = voicesOf(members).filter(({ member }) => !kept.some((earlier) => earlier.member === member));
  const { answers, missing } = await askPanel(run, asked, (branch, { member, place }) =>
    draft(branch, member, mode, lensSections(settings, place)),
  );
  const all: readonly CouncilDraft[] = [
    ...kept,
    ...answers.map(({ voice, answer }) => completed(voice.member, answer)),
    ...missing.map(({ voice: { member }, error }) => {
      return { member, ...memberOutcome(error), content: '', sha256: null, metrics: {} };
    }),
  ];
  const drafts = members.flatMap((member) => all.filter((one) => one.member === member));
  const valid = drafts.filter((item) => item.outcome === 'completed').length;
  const what = documents[domain].council.draft;
  await run.record('record-drafts', z.null(), (io) => {
    tellFewer(io, ticket, valid, what);
    const content = yamlText(CouncilDrafts.parse({ schema_version: 1, drafts }));
    io.save(artifactChange(ticket, `${domain}_drafts`, content));
    return Promise.resolve(null);
  });
  const needed = quorumOf(settings);
  if (valid < needed) throw quorumNotMet({ valid, needed, what }, drafts);
}

export function quorumNotMet(
  numbers: { readonly valid: number; readonly needed: number; readonly what: string },
  answers: readonly Pick<CouncilDraft, 'member' | 'outcome' | 'error'>[],
): BeadsmithError {
  const failed = answers.filter(({ error }) => error !== null);
  const reasons = failed.map(({ member, error }) => `${member}: ${error ?? ''}`).join(' · ');
  const timedOut = answers.some(({ outcome }) => outcome === 'timed_out');
  return new BeadsmithError('QUORUM_NOT_MET', { ...numbers, reasons }, { diagnostics: { timedOut } });
}

/** Of two members, the one that is left decides alone. */
export function quorumOf(settings: Settings): number {
  const { length } = councilOf(settings);
  return length <= 2 ? 1 : Math.min(settings.minCouncilQuorum, length);
}

export function fewerThanWanted(
  settings: Settings,
  decided: number,
): z.infer<typeof FewerThanWanted> | undefined {
  const wanted = Math.min(settings.minCouncilQuorum, councilOf(settings).length);
  return decided < wanted ? { decided, wanted } : undefined;
}

export function tellFewer(io: RecordIo, ticket: TicketSnapshot, decided: number, what: string): void {
  const { settings } = ticketParts(ticket);
  const fewer = fewerThanWanted(settings, decided);
  if (!fewer || decided < quorumOf(settings)) return;
  say(
    io,
    `Only ${decided} valid ${what} of ${fewer.wanted} that the quorum asks for: of two members, one is enough.`,
  );
}

async function keptDrafts(io: RecordIo, ticket: TicketSnapshot, domain: Domain): Promise<CouncilDraft[]> {
  const newest = await newestArtifact(io, `${domain}_drafts`);
  if (newest?.info.status !== ticket.status || newest.info.attempt !== ticket.attempt - 1) return [];
  const { drafts } = CouncilDrafts.parse(parse(newest.content));
  return drafts.filter(({ outcome }) => outcome === 'completed');
}

function lensSections(settings: Settings, index: number): readonly Section[] {
  const lens = lensOf(settings, index);
  return lens === undefined ? [] : [{ name: 'lens', content: lens }];
}

function completed(member: string, { content, metrics }: MemberDraft): CouncilDraft {
  return {
    member,
    outcome: 'completed',
    content,
    sha256: sha256(content),
    error: null,
    metrics: { ...metrics },
  };
}
