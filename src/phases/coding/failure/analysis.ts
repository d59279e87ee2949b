import * as z from 'zod';
import { consequenceOf, FailureAnalysis } from '../../../domain/beads/analysis.ts';
import type { Bead } from '../../../domain/beads/bead.ts';
import { failureText } from '../../../domain/beads/failure.ts';
import { Failures } from '../../../domain/beads/reports.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { RecordIo, Run } from '../../../engine/run/run.ts';
import { newestArtifact, readJson } from '../../shared/ticket/artifacts.ts';
import { ticketParts } from '../../shared/ticket/ticketParts.ts';

/** So many earlier iterations are told to an analyst. */
const mostAttempts = 8;

/**
 * Returns the advice for the next iteration: that of the newest analysis of an earlier one, unless analyses
 * only inform people.
 */
export async function retryHint(
  io: RecordIo,
  ticket: TicketSnapshot,
  bead: Pick<Bead, 'id' | 'iteration'>,
): Promise<string> {
  const { failureAnalysis } = ticketParts(ticket).settings;
  if (failureAnalysis === 'off' || failureAnalysis === 'inform') return '';
  const analysis = readJson(
    FailureAnalysis,
    (await newestArtifact(io, `failure_analysis:${bead.id}`))?.content,
  );
  return analysis && analysis.iteration < bead.iteration ? analysis.retryHint : '';
}

/** All analyses of a bead, oldest first. */
export async function analysesOf(io: RecordIo, bead: string): Promise<readonly FailureAnalysis[]> {
  const { store } = io.ports;
  const stored = await store.artifacts(io.ticket, { type: `failure_analysis:${bead}` });
  const contents = await Promise.all(
    stored.toSorted((a, b) => a.id - b.id).map(({ id }) => store.artifactContent(id)),
  );
  return contents.flatMap((content) => readJson(FailureAnalysis, content) ?? []);
}

/**
 * Earlier iterations of a bead, one line each: why they failed, and what an analysis said of them. Their
 * notes and transcripts aren't told.
 */
export async function attemptLines(io: RecordIo, bead: Bead): Promise<string> {
  const failures =
    readJson(Failures, (await newestArtifact(io, `bead_failures:${bead.id}`))?.content)?.failures ?? [];
  const analyses = await analysesOf(io, bead.id);
  const lines = failures.slice(-mostAttempts).map(({ iteration, interrupted, failure }) => {
    const why = interrupted
      ? 'it was interrupted'
      : failure
        ? failureText(failure).reason
        : 'no reason was kept';
    const said = analyses.findLast((analysis) => analysis.iteration === iteration);
    return `- Iteration ${String(iteration)}: ${why}${said ? ` Root cause then: ${said.rootCause.slice(0, 400)} Advice: ${said.recommendation}.` : ''}`;
  });
  return lines.join('\n');
}

const Settled = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('usual') }),
  z.object({ kind: z.literal('skip') }),
  z.object({
    kind: z.literal('ask'),
    choice: z.enum(['retry', 'skip', 'escalate', 'split', 'replan']),
    why: z.string(),
  }),
]);
/** The consequence of an analysis, as it is journaled. */
export type Settled = z.infer<typeof Settled>;

/**
 * Returns the consequence of an iteration's analysis, by the ticket's policy; the usual one without an
 * analysis.
 */
export async function settleAnalysis(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  analysis: FailureAnalysis | null,
): Promise<Settled> {
  if (!analysis) return { kind: 'usual' };
  const { failureAnalysis } = ticketParts(ticket).settings;
  return run.record(`analysed:${bead.id}:${String(bead.iteration)}`, Settled, async (io) => {
    const earlier = (await analysesOf(io, bead.id)).filter(
      (one) => one.iteration < bead.iteration && one.recommendation === 'retry',
    );
    const beads = await io.ports.store.beads(ticket.id);
    return consequenceOf(failureAnalysis, analysis, {
      bead: bead.id,
      beads,
      earlier: earlier.map(({ causeHash }) => causeHash),
    });
  });
}
