import { parse } from 'yaml';
import * as z from 'zod';
import type { Settled } from '../../../base/result.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { Section } from '../../../context/sections.ts';
import {
  type FewerThanWanted,
  type MemberOutcome,
  type CouncilDraft,
  CouncilDrafts,
  modelOf,
} from '../../../domain/council/council.ts';
import { BeadsmithError, toBeadsmithError } from '../../../domain/core/errors.ts';
import { councilOf, lensOf, type Settings } from '../../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import { councilKinds, type Domain, documents } from '../../../domain/documents/documents.ts';
import { rowOf, type Status } from '../../../domain/workflow/workflow.ts';
import type { RecordIo, Run } from '../../../engine/run/run.ts';
import { artifactChange, newestArtifact, say, yamlText } from '../ticket/artifacts.ts';
import type { OnProviderFailure } from '../structured/askTypes.ts';
import { ticketParts } from '../ticket/ticketParts.ts';

/** Throws UNEXPECTED for a status without a council. */
export function domainOf(status: Status): Domain {
  const { document } = rowOf(status);
  const domain = councilKinds.find((kind) => kind === document);
  if (!domain) throw new BeadsmithError('UNEXPECTED', { reason: `${status} has no council` });
  return domain;
}

export function memberOutcome(error: unknown): {
  readonly outcome: z.infer<typeof MemberOutcome>;
  readonly error: string;
} {
  const known = toBeadsmithError(error);
  const outcome =
    known.code === 'LIMIT_EXPIRED'
      ? 'timed_out'
      : known.code === 'RESPONSE_INVALID' || known.code === 'OUTPUT_TRUNCATED'
        ? 'invalid_output'
        : 'failed';
  return { outcome, error: known.message };
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
  const keptOf = (member: string): CouncilDraft | undefined =>
    kept.find((earlier) => earlier.member === member);
  const missing = members.map((member, index) => ({ member, index })).filter(({ member }) => !keptOf(member));
  const settled = await sideBySide(run, missing, (branch, member, index) =>
    draft(branch, member, mode, lensSections(settings, index)),
  );
  const drafts = members.map(
    (member, index) => keptOf(member) ?? draftOf(member, settled[branchName(index)]),
  );
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

function draftOf(member: string, settled: Settled<MemberDraft> | undefined): CouncilDraft {
  if (!settled?.ok)
    return { member, ...memberOutcome(settled?.error), content: '', sha256: null, metrics: {} };
  const { content, metrics } = settled.value;
  return {
    member,
    outcome: 'completed',
    content,
    sha256: sha256(content),
    error: null,
    metrics: { ...metrics },
  };
}

export function branchName(index: number): string {
  return `member-${index + 1}`;
}

/**
 * Works side by side, each in its own branch. Of members with the same model the first goes alone, so that
 * the others find their prompt's beginning in the provider's cache.
 */
export function sideBySide<T>(
  run: Run,
  members: readonly { readonly member: string; readonly index: number }[],
  work: (branch: Run, member: string, index: number) => Promise<T>,
): Promise<Record<string, Settled<T>>> {
  const firstDone = new Map<string, Promise<void>>();
  const branches = members.map(({ member, index }) => {
    const model = modelOf(member);
    const first = firstDone.get(model);
    if (first)
      return [branchName(index), (branch: Run) => first.then(() => work(branch, member, index))] as const;
    const { promise, resolve } = Promise.withResolvers<void>();
    firstDone.set(model, promise);
    return [branchName(index), (branch: Run) => work(branch, member, index).finally(resolve)] as const;
  });
  return run.all(Object.fromEntries(branches));
}
