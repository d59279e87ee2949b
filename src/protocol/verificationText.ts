import { filled } from '../domain/errors.ts';
import { type Difference, differenceText, outcomeText, type Verification, type Words } from './verification.ts';

/** The words of a verification's result. Views translate them. */
export const verificationTexts = {
  equal: 'Equal: {ticket} at {commit} gives the recorded results (commands: {count}).',
  different: 'Different: {ticket} at {commit} is not what was proved (commands: {count}).',
  same: 'same',
  differs: 'differs',
  failsNow: 'fails now: {test}',
  withheld: 'Not set, because their values are not in the evidence: {names}',
} as const;

/** What was run of each commit, with how it ended, for people. */
export function ranText({ commits }: Verification, words: Words = filled): string {
  const [same, differs] = [words(verificationTexts.same, {}), words(verificationTexts.differs, {})];
  const width = Math.max(same.length, differs.length);
  const lines = commits.flatMap(({ commit, subject, about, commands }) => [
    `${commit.slice(0, 12)} ${oneLine(subject, 80)} (${about})`,
    ...commands.map(({ command, found, isSame, durationMs }) => {
      const verdict = (isSame ? same : differs).padEnd(width);
      return `  ${verdict}  ${oneLine(command, 120)} ${outcomeText(found, words)} (${(durationMs / 1_000).toFixed(1)} s)`;
    }),
  ]);
  return lines.join('\n');
}

/** Equal, or each difference with the tests that fail now and the last lines of the output, for people. */
export function conclusionText(result: Verification, words: Words = filled): string {
  const points = result.differences.flatMap((difference) => pointsOf(difference, words));
  const names = result.withheld.map((name) => oneLine(name)).join(', ');
  const notSet = names === '' ? [] : ['', words(verificationTexts.withheld, { names })];
  return [verdictText(result, words), ...points, ...notSet].join('\n');
}

/** Whether it is equal, in one sentence. */
export function verdictText({ ticket, commits, differences, head }: Verification, words: Words = filled): string {
  const count = commits.reduce((sum, { commands }) => sum + commands.length, 0);
  const text = differences.length === 0 ? verificationTexts.equal : verificationTexts.different;
  return words(text, { ticket, commit: head.slice(0, 12), count });
}

function pointsOf(difference: Difference, words: Words): readonly string[] {
  const tests = difference.kind === 'result' ? difference.tests : [];
  const output = 'output' in difference && difference.output !== '' ? difference.output.split('\n') : [];
  return [
    `  ${oneLine(differenceText(difference, words), 2_000)}`,
    ...tests.map((test) => `      ${words(verificationTexts.failsNow, { test: oneLine(test) })}`),
    ...output.map((line) => `      ${line}`),
  ];
}

function oneLine(text: string, width = 200): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}
