import * as z from 'zod';
import { iterationText } from '../../context/preamble.ts';
import { parsePromptFile } from '../../context/promptFile.ts';
import type { Section } from '../../context/sections.ts';
import type { Bead } from '../../domain/beads/bead.ts';
import { type LoopEnd, loopEnds, type Pass, type PassEntry, passTexts } from '../../domain/beads/passes.ts';
import { prdParts } from '../../domain/links/prdParts.ts';
import { attemptsOf, type Settings } from '../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../engine/run/run.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { leftInWords } from '../shared/ask/budgets.ts';
import { linkedPrd } from '../shared/ticket/linkedPrd.ts';
import { appendRecord } from '../shared/ticket/records.ts';
import { tell } from '../../engine/run/tell.ts';

interface Loop extends Pick<Settings, 'minPasses' | 'maxPasses' | 'freshPasses' | 'promise' | 'promptOrder'> {
  readonly hasPasses: boolean;
}

/** A ticket's passes over a bead (docs/decisions/140-passes.md). */
export function loopOf(ticket: TicketSnapshot): Loop {
  const { minPasses, maxPasses: most, freshPasses, promise, promptOrder } = ticketParts(ticket).settings;
  const maxPasses = Math.max(minPasses, most);
  return { minPasses, maxPasses, freshPasses, promise, promptOrder, hasPasses: maxPasses > 1 };
}

/** Sections on how the loop works and how the last pass ended. `left`: milliseconds of the iteration. */
export async function loopSections(
  io: StepIo,
  ticket: TicketSnapshot,
  work: {
    readonly run: Run;
    readonly bead: Bead;
    readonly pass: number;
    readonly passes: readonly Pass[];
    readonly left: number;
  },
): Promise<readonly Section[]> {
  const { run, bead, pass, passes, left } = work;
  const loop = loopOf(ticket);
  if (!loop.hasPasses && loop.promptOrder !== 'seed') return [];
  const { text } = await io.ports.prompts.read('preamble');
  const last = passes.at(-1);
  const iteration = iterationText({
    pass,
    min: loop.minPasses,
    max: loop.maxPasses,
    iteration: { number: bead.iteration, of: Math.max(bead.iteration, attemptsOf(run.limits)) },
    left: [
      `${String(Math.ceil(left / 60_000))} minutes of this iteration`,
      ...(await leftInWords(io, run.runId)),
    ],
    last: last ? passTexts[last.outcome] : '',
    promise: loop.promise,
  });
  return [
    { name: 'preamble', content: parsePromptFile('preamble', text).body },
    ...(loop.promptOrder === 'seed'
      ? [{ name: 'change_proposal', content: await proposal(io, ticket, bead) } as const]
      : []),
    { name: 'iteration', content: iteration },
  ];
}

export function earlyClaim(
  { acceptanceCriteria }: Bead,
  pass: number,
  { minPasses }: Pick<Loop, 'minPasses'>,
): string {
  const more = minPasses - pass;
  return [
    `Pass ${String(pass)} reported that the bead is done, and the engine's checks passed. The claim is recorded.`,
    `${String(more)} more ${more === 1 ? 'pass is' : 'passes are'} wanted before it counts. Don't do the work again: verify it, and refine what doesn't hold.`,
    ...acceptanceCriteria.map((criterion) => `- Is it met, and does a test show it? ${criterion}`),
    '- Does the change handle empty, very large and invalid input?',
    '- Does the diff have anything that the bead did not ask for?',
  ].join('\n');
}

export async function recordPass(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  pass: Pass,
  end: LoopEnd | null,
): Promise<void> {
  const { minPasses, maxPasses, hasPasses } = loopOf(ticket);
  if (!hasPasses) return;
  await run.record('pass', z.null(), async (io) => {
    const payload: PassEntry = { ...pass, min: minPasses, max: maxPasses, end };
    await appendRecord(io, ticket, { bead: bead.id, iteration: bead.iteration, kind: 'gate', payload });
    const ended = end === null ? '' : ` The loop ended: ${loopEnds[end].label}.`;
    const place = `${bead.id}, pass ${String(pass.pass)} of ${String(maxPasses)}`;
    tell(io, `${place}: ${passTexts[pass.outcome]}${ended}`);
    return null;
  });
}

async function proposal(
  io: StepIo,
  { id, title, description }: TicketSnapshot,
  { prdRefs }: Bead,
): Promise<string> {
  const prd = await linkedPrd(io);
  const stories = (prd ? (prdParts(prd, prdRefs).epics ?? []) : []).flatMap((epic) => epic.user_stories);
  const criteria = (texts: Readonly<Record<string, string>>) =>
    Object.entries(texts).map(([name, text]) => `- ${name}: ${text}`);
  return [
    `${id}: ${title}\n\n${description}`.trimEnd(),
    ...stories.map((story) =>
      [`${story.id}: ${story.title}`, ...criteria(story.acceptance_criteria)].join('\n'),
    ),
  ].join('\n\n');
}
