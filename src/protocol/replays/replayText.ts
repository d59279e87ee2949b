import { filled, type Words } from '../../domain/core/errors.ts';
import type { ReplayGap, ReplayReason } from '../../domain/usage/replay.ts';
import { type ReplayedCall, replaySum } from '../replays.ts';

/** The words of a replay, translated by views. */
export const replayTexts = {
  none: 'No model calls yet.',
  one: '{calls} call: {same} the same',
  sum: '{calls} calls: {same} the same',
  differs: '{differ} differs (call {number}, {prompt})',
  differ: '{differ} differ (first: call {number}, {prompt})',
  unknown: '{unknown} can’t be determined',
  follows: 'Answers after call {number} may also differ, because its prompt would change.',
  isSame: 'same',
  isDifferent: 'differs',
  isUnknown: 'can’t be determined',
  gone: 'the prompt no longer exists',
  policy: 'the tool policy changed',
  instructions: 'the instructions changed',
  text: 'the text of {part} changed',
  notAllowed: '{part} is no longer allowed',
  overCap: '{part} exceeds its current cap',
  overBudget: 'the parts exceed the current budget',
  order: 'the order, a heading or the frame changed',
  noText: 'the sent text isn’t stored',
  secrets: 'the stored text doesn’t contain secrets that were sent',
  otherText: 'the stored text doesn’t match its plan',
} as const;

const gaps: Readonly<Record<ReplayGap, string>> = {
  'no-text': replayTexts.noText,
  secrets: replayTexts.secrets,
  'other-text': replayTexts.otherText,
};

/** The counts, and the first call that differs. */
export function replaySumText(calls: readonly ReplayedCall[], words: Words = filled): string {
  if (calls.length === 0) return words(replayTexts.none, {});
  const { same, differ, unknown, first } = replaySum(calls);
  const prompt = calls.find(({ number }) => number === first)?.prompt ?? '';
  return [
    words(calls.length === 1 ? replayTexts.one : replayTexts.sum, { calls: calls.length, same }),
    ...(first === null
      ? []
      : [words(differ === 1 ? replayTexts.differs : replayTexts.differ, { differ, number: first, prompt })]),
    ...(unknown === 0 ? [] : [words(replayTexts.unknown, { unknown })]),
  ].join(', ');
}

/** The effect of the first difference on later calls, if any. */
export function replayFollowsText(calls: readonly ReplayedCall[], words: Words = filled): string {
  const { first } = replaySum(calls);
  return first === null || first === calls.at(-1)?.number
    ? ''
    : words(replayTexts.follows, { number: first });
}

/** The verdict on a call. */
export function replayVerdictText({ verdict }: Pick<ReplayedCall, 'verdict'>, words: Words = filled): string {
  const texts = {
    same: replayTexts.isSame,
    differs: replayTexts.isDifferent,
    unknown: replayTexts.isUnknown,
  } as const;
  return words(texts[verdict], {});
}

/** The reason for a difference or an unknown one. */
export function replayWhyText(
  { reasons, gap }: Pick<ReplayedCall, 'reasons' | 'gap'>,
  words: Words = filled,
): string {
  return gap ? words(gaps[gap], {}) : reasons.map((reason) => reasonText(reason, words)).join('; ');
}

function reasonText({ kind, part }: ReplayReason, words: Words): string {
  const texts: Readonly<Record<ReplayReason['kind'], string>> = {
    'prompt-gone': replayTexts.gone,
    policy: replayTexts.policy,
    instructions: part === null ? replayTexts.instructions : replayTexts.text,
    'not-allowed': replayTexts.notAllowed,
    'over-cap': part === null ? replayTexts.overBudget : replayTexts.overCap,
    order: replayTexts.order,
  };
  return words(texts[kind], { part: part ?? '' });
}
