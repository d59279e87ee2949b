import type { Bead } from '../../domain/bead.ts';
import type { TicketState } from '../../context/ticketState.ts';

/** A bead as the coder sees it: its record, and its notes apart, so that they can give way when a prompt is too long. */
export function beadPrompt(bead: Bead): Pick<TicketState, 'beadData' | 'beadNotes'> {
  const { notes, ...record } = bead;
  return { beadData: JSON.stringify(record, null, 2), beadNotes: splitNotes(notes) };
}

/** Notes are one append-only text (seed 001 section 2); each begins with a line like `## Iteration 2`. */
export function appendNote(notes: string, heading: string, text: string): string {
  const note = `## ${heading}\n\n${text.replace(/^## /gm, '### ').trim()}\n`;
  return notes.trim() === '' ? note : `${notes.trimEnd()}\n\n${note}`;
}

function splitNotes(notes: string): string[] {
  return notes
    .split(/^(?=## )/m)
    .map((note) => note.trim())
    .filter((note) => note !== '');
}
