import type { Bead } from '../../domain/beads/bead.ts';
import { beadRecordsDocument } from '../../domain/documents/beadRecords.ts';
import { readText } from '../../domain/documents/base/text.ts';
import { BeadRecord } from '../../domain/records/records.ts';
import { BeadExecution, Failures } from '../../domain/beads/reports.ts';
import type { BeadStory } from '../../domain/records/beadStory.ts';
import type { Metrics } from '../../domain/records/metrics.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { RecordIo, StepIo } from '../../engine/run/run.ts';
import { newestArtifact, readJson } from '../shared/ticket/artifacts.ts';
import { tokensOf } from '../../domain/usage/budgets.ts';

/** Returns the outcome of each bead, in the order of the plan. */
export async function beadStories(io: StepIo, ticket: TicketSnapshot): Promise<readonly BeadStory[]> {
  const records = await storedRecords(io);
  const beads = await io.ports.store.beads(ticket.id);
  return Promise.all(
    beads.map(async ({ id, title, status, iteration }) => ({
      id,
      title,
      outcome: outcomeOf(status),
      iterations: iteration,
      summary: await summaryOf(io, id),
      records: records.filter(({ bead }) => bead === id),
    })),
  );
}

/** The numbers of a ticket at its end. */
export async function metricsOf(
  io: StepIo,
  ticket: TicketSnapshot,
  stories: readonly BeadStory[],
): Promise<Metrics> {
  const usage = await io.ports.store.usage(ticket.id);
  const cost = usage.reduce((sum, one) => sum + one.cost, 0);
  const ended = (outcome: BeadStory['outcome']): number =>
    stories.filter((story) => story.outcome === outcome).length;
  const ms = ticket.startedAt === null ? 0 : Math.max(0, io.ports.clock.now() - ticket.startedAt);
  return {
    completed: ended('completed'),
    failed: ended('failed'),
    skipped: ended('skipped'),
    retries: stories.reduce((sum, { iterations }) => sum + iterations - 1, 0),
    minutes: Math.round(ms / 60_000),
    tokens: usage.reduce((sum, one) => sum + tokensOf(one), 0),
    money: cost > 0 ? cost : null,
  };
}

function outcomeOf(status: Bead['status'] | 'skipped'): BeadStory['outcome'] {
  if (status === 'done') return 'completed';
  return status === 'skipped' ? 'skipped' : 'failed';
}

/** Returns what the coder said of its work, and why earlier iterations failed. */
async function summaryOf(io: RecordIo, bead: string): Promise<string> {
  const execution = readJson(BeadExecution, (await newestArtifact(io, `bead_execution:${bead}`))?.content);
  const failed =
    readJson(Failures, (await newestArtifact(io, `bead_failures:${bead}`))?.content)?.failures ?? [];
  const { summary = '', decisions = [], notes_for_reviewer: notes = [] } = execution?.devRecord ?? {};
  return [
    ...(summary === '' ? [] : [summary]),
    ...failed.map(
      ({ iteration, note }) =>
        `- Iteration ${String(iteration)} failed: ${note.replaceAll(/\s+/gu, ' ').slice(0, 300)}`,
    ),
    ...decisions.map((decision) => `- Decided: ${decision}`),
    ...notes.map((note) => `- Noted: ${note}`),
  ].join('\n');
}

/** The entries that can be read. */
async function storedRecords(io: RecordIo): Promise<readonly BeadRecord[]> {
  const stored = (await newestArtifact(io, beadRecordsDocument.kind))?.content ?? '';
  return stored.split('\n').flatMap((line) => {
    const read = line.trim() === '' ? undefined : readText('json', line);
    const record = read?.ok === true ? BeadRecord.safeParse(read.value).data : undefined;
    return record ? [record] : [];
  });
}
