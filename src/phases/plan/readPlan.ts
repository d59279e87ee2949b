import * as z from 'zod';
import type { Settled } from '../../base/result.ts';
import type { BeadExpansion, Blueprint, Bead } from '../../domain/beads/bead.ts';
import { type beadRuntimeFields, EditedBead } from '../../domain/beads/bead.ts';
import { withInverseEdges, graphErrors } from '../../domain/beads/beadPlan.ts';
import { problemText } from '../shared/structured/decode.ts';

/** The beads of a plan as they start (docs/decisions/025-bead-plan.md): pending, in list order, with the graph's other direction filled in. */
export function hydrateBeads(
  blueprint: Blueprint,
  expansions: readonly z.infer<typeof BeadExpansion>[],
  ticketId: string,
): readonly Bead[] {
  return withInverseEdges(
    blueprint.beads.map((bead, index) => {
      const expansion = expansions[index];
      return {
        ...bead,
        ...freshRun,
        priority: index + 1,
        issueType: expansion?.issueType ?? 'task',
        externalRef: ticketId,
        labels: expansion?.labels ?? [],
        dependencies: { blocked_by: [...new Set(expansion?.dependencies.blocked_by)], blocks: [] },
        targetFiles: expansion?.targetFiles ?? [],
      };
    }),
  );
}

/** What a bead's runtime fields are before it was ever run. */
const freshRun = {
  status: 'pending',
  notes: '',
  iteration: 1,
  createdAt: '',
  updatedAt: '',
  completedAt: '',
  startedAt: '',
  beadStartCommit: null,
} as const satisfies Partial<Bead>;

/**
 * Reads an edited plan: JSON lines or a JSON array. Runtime fields don't change; the edge `a blocks b` is added where only `b` names it. Returns the
 * plan, or where and why it can't be used.
 */
export function readPlan(content: string, former: readonly Bead[], ticketId: string): Settled<readonly Bead[], string> {
  const records = readRecords(content);
  if (!records.ok) return records;
  const parsed = z.array(EditedBead).min(1).safeParse(records.value);
  if (!parsed.success) return { ok: false, error: problemText(parsed.error) };
  const beads = withMissingBlocks(
    parsed.data.map((bead, index): Bead => {
      const before = former.find((candidate) => candidate.id === bead.id);
      return {
        ...freshRun,
        ...(before ? runtimeOf(before) : {}),
        ...bead,
        prdRefs: bead.prdRefs ?? [],
        tests: bead.tests ?? [],
        testCommands: bead.testCommands ?? [],
        contextGuidance: bead.contextGuidance ?? { patterns: [], anti_patterns: [] },
        priority: bead.priority ?? index + 1,
        externalRef: bead.externalRef ?? ticketId,
      };
    }),
  );
  const errors = graphErrors(beads);
  return errors.length === 0 ? { ok: true, value: beads } : { ok: false, error: errors.slice(0, 10).join('\n') };
}

function readRecords(content: string): Settled<readonly unknown[], string> {
  const text = content.trim();
  if (text.startsWith('[')) {
    try {
      const value: unknown = JSON.parse(text);
      return Array.isArray(value) ? { ok: true, value } : { ok: false, error: 'It is no JSON array.' };
    } catch (error) {
      return { ok: false, error: messageOf(error) };
    }
  }
  const records: unknown[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      records.push(JSON.parse(line));
    } catch (error) {
      return { ok: false, error: `Line ${index + 1}: ${messageOf(error)}` };
    }
  }
  return { ok: true, value: records };
}

function runtimeOf(bead: Bead): Pick<Bead, (typeof beadRuntimeFields)[number]> {
  const { status, notes, iteration, createdAt, updatedAt, completedAt, startedAt, beadStartCommit } = bead;
  return { status, notes, iteration, createdAt, updatedAt, completedAt, startedAt, beadStartCommit };
}

function withMissingBlocks(beads: readonly Bead[]): readonly Bead[] {
  return beads.map((bead) => {
    const blocked = beads
      .filter((other) => other.id !== bead.id && other.dependencies.blocked_by.includes(bead.id))
      .map((other) => other.id);
    return { ...bead, dependencies: { ...bead.dependencies, blocks: [...new Set([...bead.dependencies.blocks, ...blocked])] } };
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
