import { oneLine } from '../../base/oneLine.ts';
import { visible } from '../../base/visible.ts';
import { filled, type Words } from '../../domain/core/errors.ts';
import {
  type Difference,
  differenceText,
  isSigned,
  outcomeText,
  type ProofSignature,
  type RunRequest,
  type Verification,
} from './verification.ts';

/** The words of a verification, translated by views. */
export const verificationTexts = {
  equal:
    'Equal: {ticket} at {commit} reproduces the recorded results (commands: {count}). Proved by {signers}.',
  unsigned:
    'Unsigned: {ticket} at {commit} reproduces the recorded results (commands: {count}), but the evidence is not signed, so anyone may have written it.',
  unknownKey:
    'Unknown signer: {ticket} at {commit} reproduces the recorded results (commands: {count}), but this repository does not trust the key {keys}.',
  different: 'Different: {ticket} at {commit} does not match what was proved (commands: {count}).',
  same: 'same',
  differs: 'differs',
  failsNow: 'fails now: {test}',
  unapproved:
    'The evidence of {ticket} has commands that were not approved on this machine, and no trusted key signed them.',
  otherFiles:
    'The commands of {ticket} were proved with other files than those of {commit}, so no approval or signature covers running them there.',
  variables: 'They get these variables of your environment: {names}',
  withheld: 'Not set, because their values are not in the evidence: {names}',
} as const;

/** The reason why a person is asked before commands run, in one sentence. */
export function requestText({ ticket, otherFiles }: RunRequest, words: Words = filled): string {
  return otherFiles === null
    ? words(verificationTexts.unapproved, { ticket })
    : words(verificationTexts.otherFiles, { ticket, commit: otherFiles.slice(0, 12) });
}

/** Whole commands, one below the other: lines after the first are indented, and nothing is hidden. */
export function commandList(commands: readonly string[]): readonly string[] {
  return commands.flatMap((command) =>
    visible(command)
      .split('\n')
      .map((line, index) => (index === 0 ? line : `  ${line}`)),
  );
}

/** The variables that the commands get, in a sentence; empty if there are none. */
export function variablesText({ variables }: Pick<RunRequest, 'variables'>, words: Words = filled): string {
  if (variables.length === 0) return '';
  return words(verificationTexts.variables, { names: variables.map(visible).join(', ') });
}

/** Everything that a person is shown of a request before anything runs, as it was written. */
export function shownOf({ commands, variables }: RunRequest): string {
  return [...commands, ...variables].join('\n');
}

/** The commands of each commit with their outcomes, for people. */
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

/** The verdict and each difference, with new failures and output, for people. */
export function conclusionText(result: Verification, words: Words = filled): string {
  const points = result.differences.flatMap((difference) => pointsOf(difference, words));
  const names = result.withheld.map((name) => oneLine(name, 200)).join(', ');
  const notSet = names === '' ? [] : ['', words(verificationTexts.withheld, { names })];
  return [verdictText(result, words), ...points, ...notSet].join('\n');
}

/** The verdict and the signers, in one sentence. */
export function verdictText(result: Verification, words: Words = filled): string {
  const { ticket, commits, differences, head, signatures } = result;
  const count = commits.reduce((sum, { commands }) => sum + commands.length, 0);
  const at = { ticket, commit: head.slice(0, 12), count };
  if (differences.length > 0) return words(verificationTexts.different, at);
  if (isSigned(result))
    return words(verificationTexts.equal, { ...at, signers: distinct(signatures.map(signerOf)) });
  const unknown = signatures.filter(({ state }) => state === 'unknown');
  if (unknown.length === 0 || unknown.length < signatures.length)
    return words(verificationTexts.unsigned, at);
  return words(verificationTexts.unknownKey, { ...at, keys: distinct(unknown.map(({ key }) => key ?? '')) });
}

function signerOf({ name, key }: ProofSignature): string {
  return `${oneLine(name ?? '', 80)} (${key ?? ''})`.trim();
}

function distinct(names: readonly string[]): string {
  return [...new Set(names)].join(', ');
}

function pointsOf(difference: Difference, words: Words): readonly string[] {
  const tests = difference.kind === 'result' ? difference.tests : [];
  const output = 'output' in difference && difference.output !== '' ? difference.output.split('\n') : [];
  return [
    `  ${oneLine(differenceText(difference, words), 2_000)}`,
    ...tests.map((test) => `      ${words(verificationTexts.failsNow, { test: oneLine(test, 200) })}`),
    ...output.map((line) => `      ${line}`),
  ];
}
