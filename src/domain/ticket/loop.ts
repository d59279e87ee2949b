import * as z from 'zod';
import { Bead, freshRun } from '../beads/bead.ts';
import { withInverseEdges } from '../beads/beadPlan.ts';
import type { Ticket } from './ticket.ts';
import { cleanedText, titleFrom } from '../description/ticketText.ts';

const Command = z.string().trim().min(1).max(4_000);

/**
 * A loop's input besides its prompt (docs/decisions/142-loops.md). `tests`: proving commands; none: the
 * project's checks. `noTests`: why none can prove it, else empty.
 */
export const LoopRequest = z
  .object({
    tests: z.array(Command).max(20).default([]),
    setup: z.array(Command).max(20).default([]),
    noTests: z.string().trim().max(2_000).default(''),
  })
  .refine(
    ({ tests, noTests }) => tests.length === 0 || noTests === '',
    'Give either test commands, or a reason why there are none.',
  );
export type LoopRequest = z.infer<typeof LoopRequest>;

const loopBeadId = 'loop';

const longestPrompt = 50_000;
const mostCriteria = 100;

/** A prompt without codes (`removed` of them), or the refusal as the end of a sentence. */
type LoopPrompt =
  | { readonly ok: true; readonly title: string; readonly text: string; readonly removed: number }
  | { readonly ok: false; readonly reason: string };

/** Reads a prompt file: UTF-8, 50,000 characters at most, never cut. */
export function readLoopPrompt(bytes: Uint8Array): LoopPrompt {
  // A character has four bytes at most.
  if (bytes.length > longestPrompt * 4) return { ok: false, reason: tooLong };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { ok: false, reason: 'it is not UTF-8 text' };
  }
  if (text.length > longestPrompt) return { ok: false, reason: tooLong };
  if (text.includes('\0')) return { ok: false, reason: 'it is binary' };
  const { text: clean, removed } = cleanedText(text);
  const title = titleFrom(clean, { prefer: 'heading' });
  return title === '' ? { ok: false, reason: 'it is empty' } : { ok: true, title, text: clean, removed };
}

const tooLong = 'it has more than 50,000 characters';

/** Open checklist items, in order; else one with the title. */
export function loopCriteria({
  title,
  description,
}: Pick<Ticket, 'title' | 'description'>): readonly string[] {
  const items = [...description.matchAll(/^\s*(?:[-*+]|\d+[.)])\s+\[ \]\*?\s+(\S.*)$/gmu)].map(
    ([, item = '']) => item.trim(),
  );
  return items.length > 0
    ? [...new Set(items)].slice(0, mostCriteria)
    : [`What the prompt asks for is done: “${title}”.`];
}

/** True if only the project's checks can prove a loop. */
export function needsProjectChecks({ tests, noTests }: Pick<LoopRequest, 'tests' | 'noTests'>): boolean {
  return tests.length === 0 && noTests === '';
}

/** A loop's bead. `tests`: proving commands. */
export function loopBead(
  ticket: Pick<Ticket, 'id' | 'title' | 'description'>,
  { tests, noTests }: Pick<LoopRequest, 'tests' | 'noTests'>,
  at: string,
): Bead {
  const bead = Bead.parse({
    id: loopBeadId,
    title: ticket.title,
    prdRefs: [],
    description: ticket.description,
    contextGuidance: { patterns: [], anti_patterns: [] },
    acceptanceCriteria: [...loopCriteria(ticket)],
    tests: [],
    testCommands: [...tests],
    ...(noTests === '' ? {} : { unprovedReason: noTests }),
    ...freshRun,
    priority: 1,
    issueType: 'task',
    externalRef: ticket.id,
    labels: ['loop'],
    dependencies: { blocked_by: [], blocks: [] },
    targetFiles: [],
    createdAt: at,
    updatedAt: at,
  });
  return withInverseEdges([bead])[0] ?? bead;
}
