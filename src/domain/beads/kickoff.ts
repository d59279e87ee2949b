import * as z from 'zod';
import { oneLine } from '../../base/oneLine.ts';
import { wordsOf } from '../findings/dismissal.ts';
import { BeadId } from '../core/ids.ts';
import { inTurns, PartyNote } from '../personas/persona.ts';

const Points = z.array(z.string().min(1).max(600)).max(20).default([]);

/** A persona's answer before a bead is coded (docs/decisions/134-parties.md). */
export const KickoffAnswer = z.object({
  architectural_notes: Points,
  implementation_strategy: Points,
  testing_approach: Points,
  identified_risks: Points,
  key_decisions: Points,
  /** The question if the bead contradicts itself; else empty. */
  needs_human: z.string().max(1_000).default(''),
});
export type KickoffAnswer = z.infer<typeof KickoffAnswer>;

const kickoffLists = {
  architectural_notes: 'Architectural notes',
  implementation_strategy: 'Implementation strategy',
  testing_approach: 'Testing approach',
  identified_risks: 'Identified risks',
  key_decisions: 'Key decisions',
} as const satisfies Partial<Record<keyof KickoffAnswer, string>>;
type KickoffList = keyof typeof kickoffLists;
const listNames = Object.keys(kickoffLists) as readonly KickoffList[];

/** `bead_kickoff:<id>`: the result for all iterations of a bead. `date`: ISO text. */
export const Kickoff = KickoffAnswer.omit({ needs_human: true }).extend({
  schema_version: z.literal(1),
  bead: BeadId,
  date: z.string(),
  ...PartyNote.shape,
  answers: z.array(z.object({ question: z.string(), answer: z.string() })),
});
export type Kickoff = z.infer<typeof Kickoff>;
type KickoffPoints = Pick<Kickoff, KickoffList>;

/** Merges answers without repetitions; the first points of all come first. */
export function mergeKickoffs(answers: readonly KickoffAnswer[]): KickoffPoints {
  const merged: KickoffPoints = {
    architectural_notes: [],
    implementation_strategy: [],
    testing_approach: [],
    identified_risks: [],
    key_decisions: [],
  };
  const seen = new Set<string>();
  for (const name of listNames) {
    for (const text of inTurns(answers.map((answer) => answer[name]))) {
      const point = oneLine(text);
      const words = wordsOf(point);
      if (words === '' || seen.has(words)) continue;
      seen.add(words);
      merged[name].push(point);
    }
  }
  return merged;
}

/** Removes points, the last of the longest list first, until the text `fits`. */
export async function cutKickoff(
  points: KickoffPoints,
  fits: (points: KickoffPoints) => Promise<boolean>,
): Promise<KickoffPoints> {
  let cut = points;
  while (!(await fits(cut))) {
    const [longest] = listNames.toSorted((a, b) => cut[b].length - cut[a].length);
    if (longest === undefined || cut[longest].length === 0) return cut;
    cut = { ...cut, [longest]: cut[longest].slice(0, -1) };
  }
  return cut;
}

/** A kickoff for the coder. People's answers are no advice, so they come first. */
export function kickoffText(kickoff: KickoffPoints & Partial<Pick<Kickoff, 'answers'>>): string {
  const answered = (kickoff.answers ?? []).map(
    ({ question, answer }) => `- Asked: ${question}\n  A person answered: ${answer}`,
  );
  const lists = listNames
    .filter((name) => kickoff[name].length > 0)
    .map((name) => `### ${kickoffLists[name]}\n\n${kickoff[name].map((point) => `- ${point}`).join('\n')}`);
  return [
    ...(answered.length > 0 ? [`### Decided by a person\n\n${answered.join('\n')}`] : []),
    ...lists,
  ].join('\n\n');
}
