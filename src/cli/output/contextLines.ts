import {
  type ContextEntry,
  contextModeLabels,
  contextStateLabels,
} from '../../domain/prompts/contextEntries.ts';
import type { WaitingNote } from '../../protocol/findings.ts';
import { oneLine, section } from '../base/output.ts';

export function contextLines(entries: readonly ContextEntry[]): string[] {
  const lines = entries.flatMap((entry) => [
    `    ${entry.id}  ${stateText(entry)}`,
    `      ${oneLine(entry.text, 300)}`,
  ]);
  return section('  Context:', lines);
}

export function noteLines(notes: readonly WaitingNote[]): string[] {
  const lines = notes.map(({ text }) => `    ${oneLine(text, 300)}`);
  return section('  Notes that wait for the next review:', lines);
}

function stateText({ mode, state, author, acknowledged, deliveredIn }: ContextEntry): string {
  const places = deliveredIn.map(({ bead, iteration }) => `${bead} #${String(iteration)}`);
  const who = author === 'user' ? [] : [`from ${author}`];
  const seen = places.length === 0 ? [] : [`in ${places.slice(-3).join(', ')}`];
  const silent = places.length > 0 && !acknowledged && state === 'consumed' ? ['never acknowledged'] : [];
  return [contextModeLabels[mode], contextStateLabels[state], ...who, ...seen, ...silent].join(', ');
}
