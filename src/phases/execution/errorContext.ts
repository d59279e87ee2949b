import type { CallTrace } from './endSessions.ts';
import { stripAnsi } from './describeEvidence.ts';

/** `error_context` of a note: the errors, up to five failing tool excerpts, and the end of the last output (LoopTroop 10.5). */
export function errorContext(problem: string, trace: Pick<CallTrace, 'failedTools' | 'lastOutput'>): string {
  return sections(problem, trace, 2_000);
}

/** The note when no model can give one: the same facts, cut shorter (seed 001 section 9). */
export function fallbackNote(doing: string, problem: string, trace: Pick<CallTrace, 'failedTools' | 'lastOutput'>): string {
  return `${doing}\n\n${sections(problem.slice(0, 600), trace, 500)}`;
}

function sections(
  problem: string,
  { failedTools, lastOutput }: Pick<CallTrace, 'failedTools' | 'lastOutput'>,
  outputChars: number,
): string {
  const parts = [`What failed:\n${stripAnsi(problem).trim() || 'No reason was given.'}`];
  if (failedTools.length > 0) parts.push(`Tools that failed:\n${failedTools.map((tool) => `- ${stripAnsi(tool)}`).join('\n')}`);
  const output = stripAnsi(lastOutput).trim();
  if (output !== '') parts.push(`The end of the last answer:\n${output.slice(-outputChars)}`);
  return parts.join('\n\n');
}
