import * as z from 'zod';
import { wordsOf } from '../findings/dismissal.ts';
import { BeadId } from '../core/ids.ts';
import { Participant } from '../personas/persona.ts';

const Points = z.array(z.string().min(1).max(600)).max(20).default([]);

/** A persona's answer about a bead before it is coded (docs/decisions/134-parties.md). */
export const KickoffAnswer = z.object({
  architectural_notes: Points,
  implementation_strategy: Points,
  testing_approach: Points,
  identified_risks: Points,
  key_decisions: Points,
  /** A question for a person, where the bead contradicts itself; else empty. */
  needs_human: z.string().max(1_000).default(''),
});
export type KickoffAnswer = z.infer<typeof KickoffAnswer>;

/** The lists of an answer, with the headings by which they are shown, in their order. */
export const kickoffLists = {
  architectural_notes: 'Architectural notes',
  implementation_strategy: 'Implementation strategy',
  testing_approach: 'Testing approach',
  identified_risks: 'Identified risks',
  key_decisions: 'Key decisions',
} as const satisfies Partial<Record<keyof KickoffAnswer, string>>;
type KickoffList = keyof typeof kickoffLists;
const listNames = Object.keys(kickoffLists) as readonly KickoffList[];

/** `bead_kickoff:<id>`: a kickoff's result, for all iterations of its bead. `date` is an ISO text. */
export const Kickoff = KickoffAnswer.omit({ needs_human: true }).extend({
  schema_version: z.literal(1),
  bead: BeadId,
  date: z.string(),
  mode: z.enum(['parallel', 'solo']),
  participants: z.array(Participant),
  missing: z.array(z.object({ id: z.string(), reason: z.string() })),
  /** The questions that a person was asked, and the answers. */
  answers: z.array(z.object({ question: z.string(), answer: z.string() })),
});
export type Kickoff = z.infer<typeof Kickoff>;
/** The lists alone. */
export type KickoffPoints = Pick<Kickoff, KickoffList>;

/** Merges answers: equal points are one, and in each list the first points of all come first. */
export function mergeKickoffs(answers: readonly KickoffAnswer[]): KickoffPoints {
  const merged: KickoffPoints = {
    architectural_notes: [],
    implementation_strategy: [],
    testing_approach: [],
    identified_risks: [],
    key_decisions: [],
  };
  const seen = new Set<string>();
  const longest = Math.max(0, ...answers.flatMap((answer) => listNames.map((name) => answer[name].length)));
  for (const name of listNames) {
    for (let place = 0; place < longest; place++) {
      for (const answer of answers) {
        const point = answer[name][place]?.replace(/\s+/g, ' ').trim() ?? '';
        const words = wordsOf(point);
        if (words === '' || seen.has(words)) continue;
        seen.add(words);
        merged[name].push(point);
      }
    }
  }
  return merged;
}

/** Takes points away, the last of the longest list first, until the text is as short as `fits` wants it. */
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

/** A kickoff as the coder gets it. What a person answered is no advice, so it comes first. */
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
