import { type Evidence, passed } from '../../domain/evidence.ts';

/** What became of a command, for a model or a person: the outcome, and the end of the output, where failures are told. */
export function describeEvidence(evidence: Evidence, excerptChars = 4_000): string {
  const output = excerptOf(evidence, excerptChars);
  return `\`${evidence.command}\` ${outcomeOf(evidence)}.${output ? `\n\n${output}` : ''}`;
}

/** The failed commands of a list; empty when everything passed. */
export function failuresOf(evidence: readonly Evidence[]): readonly Evidence[] {
  return evidence.filter((item) => !passed(item));
}

function outcomeOf({ exitCode, signal, timedOut, durationMs }: Evidence): string {
  const seconds = (durationMs / 1_000).toFixed(1);
  if (timedOut) return `was ended after ${seconds} s because it took too long`;
  if (exitCode === null) return `was ended by ${signal ?? 'a signal'} after ${seconds} s`;
  return `exited with ${String(exitCode)} after ${seconds} s`;
}

/** `tail` repeats the whole of a short output that is in `head` already. */
function excerptOf(evidence: Evidence, chars: number): string {
  const text = stripAnsi(evidence.tail.length >= evidence.head.length ? evidence.tail : evidence.head || evidence.tail).trim();
  return text.length <= chars ? text : `[…]\n${text.slice(-chars)}`;
}

export function stripAnsi(text: string): string {
  return text.replace(/\u001B(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\-_])/g, '');
}
