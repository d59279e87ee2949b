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

/** The document a status's council works on. Throws UNEXPECTED for a status without one. */
export function domainOf(status: Status): Domain {
  const { document } = rowOf(status);
  const domain = councilKinds.find((kind) => kind === document);
  if (!domain) throw new BeadsmithError('UNEXPECTED', { reason: `${status} has no council` });
  return domain;
}

/** The outcome and reason of a failed draft or ballot (docs/decisions/018-council-drafts-and-quorum.md). */
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
 * Lets all members draft side by side, each alone and with its lens, and stores every draft with its outcome
 * (docs/decisions/018-council-drafts-and-quorum.md). Throws QUORUM_NOT_MET if too few are valid.
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
  // Alone, a member that is interrupted can be continued; among others, the council continues without it,
  // unless it can be asked again soon.
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
  if (valid < needed) {
    const reasons = drafts
      .filter((item) => item.error !== null)
      .map((item) => `${item.member}: ${item.error ?? ''}`);
    const timedOut = drafts.some(({ outcome }) => outcome === 'timed_out');
    const args = { valid, needed, what, reasons: reasons.join(' · ') };
    throw new BeadsmithError('QUORUM_NOT_MET', args, { diagnostics: { timedOut } });
  }
}

/** The number of members that have to be valid. Of two, the one that is left decides alone. */
export function quorumOf(settings: Settings): number {
  const { length } = councilOf(settings);
  return length <= 2 ? 1 : Math.min(settings.minCouncilQuorum, length);
}

/** The numbers that decide and that the setting asks for, if fewer decide. */
export function fewerThanWanted(
  settings: Settings,
  decided: number,
): z.infer<typeof FewerThanWanted> | undefined {
  const wanted = Math.min(settings.minCouncilQuorum, councilOf(settings).length);
  return decided < wanted ? { decided, wanted } : undefined;
}

/** Says that fewer answers decide than the setting asks for: of two members one is enough. */
export function tellFewer(io: RecordIo, ticket: TicketSnapshot, decided: number, what: string): void {
  const { settings } = ticketParts(ticket);
  const fewer = fewerThanWanted(settings, decided);
  if (!fewer || decided < quorumOf(settings)) return;
  say(
    io,
    `Only ${decided} valid ${what} of ${fewer.wanted} that the quorum asks for: of two members, one is enough.`,
  );
}

/** The valid drafts of the attempt that a retry repeats: only who is missing is asked again. */
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

/** The name of a member's branch: its place in the council, from 1. */
export function branchName(index: number): string {
  return `member-${index + 1}`;
}

/**
 * Does the same for several members side by side (by `index`), each in its own branch. Of members with the
 * same model the first goes alone, so that the others find their prompt's beginning in the provider's cache
 * (docs/decisions/098-what-a-council-gives.md). Nobody waits for another model.
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
