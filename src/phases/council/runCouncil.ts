import * as z from 'zod';
import { sha256 } from '../../base/sha256.ts';
import type { Settled } from '../../base/result.ts';
import { type CouncilDraft, CouncilDrafts } from '../../domain/council.ts';
import { BeadsmithError } from '../../domain/errors.ts';
import { councilOf } from '../../domain/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Domain } from '../../domain/workflowTypes.ts';
import type { Run } from '../../engine/run.ts';
import { ticketParts } from '../execution/ticketParts.ts';
import { yamlText } from '../yamlText.ts';
import { domainRows } from './domainRow.ts';
import { memberOutcome } from './memberOutcome.ts';

/** What a member hands in. */
export interface MemberDraft {
  readonly content: string;
  readonly metrics: Readonly<Record<string, number>>;
}

/**
 * Lets every member draft by itself, side by side (LoopTroop 4.2), and stores all drafts with how each member fared. Throws QUORUM_NOT_MET when
 * too few are valid.
 */
export async function runCouncil(
  run: Run,
  ticket: TicketSnapshot,
  domain: Domain,
  draft: (run: Run, member: string, onProviderFailure: 'interrupt' | 'fail') => Promise<MemberDraft>,
): Promise<void> {
  const { settings } = ticketParts(ticket);
  const members = councilOf(settings);
  // Alone, a member that is interrupted can be continued; among others, the council goes on without it.
  const mode = members.length > 1 ? 'fail' : 'interrupt';
  const settled = await run.all(
    Object.fromEntries(members.map((member, index) => [branchName(index), (branch: Run) => draft(branch, member, mode)])),
  );
  const drafts = members.map((member, index) => draftOf(member, settled[branchName(index)]));
  const valid = drafts.filter((item) => item.outcome === 'completed').length;
  await run.record('record-drafts', z.null(), (io) => {
    const content = yamlText(CouncilDrafts.parse({ schema_version: 1, drafts }));
    io.save({ type: 'artifact', artifact: `${domain}_drafts`, content, status: ticket.status, attempt: ticket.attempt });
    return Promise.resolve(null);
  });
  const needed = Math.min(settings.minCouncilQuorum, members.length);
  if (valid < needed) {
    const reasons = drafts.filter((item) => item.error !== null).map((item) => `${item.member}: ${item.error ?? ''}`);
    const timedOut = drafts.some(({ outcome }) => outcome === 'timed_out');
    const args = { valid, needed, what: domainRows[domain].what, reasons: reasons.join(' · ') };
    throw new BeadsmithError('QUORUM_NOT_MET', args, { diagnostics: { timedOut } });
  }
}

/** The name of a member's branch: its place in the council, from 1. */
export function branchName(index: number): string {
  return `member-${index + 1}`;
}

function draftOf(member: string, settled: Settled<MemberDraft> | undefined): CouncilDraft {
  if (!settled?.ok) return { member, ...memberOutcome(settled?.error), content: '', sha256: null, metrics: {} };
  const { content, metrics } = settled.value;
  return { member, outcome: 'completed', content, sha256: sha256(content), error: null, metrics: { ...metrics } };
}
