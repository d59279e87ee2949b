import assert from 'node:assert/strict';
import type { BeadRow, TicketState } from '../../../../../src/protocol/pages/ticket.ts';
import { nowText } from '../../../../../webview-ui/ticket/now/nowText.ts';

const head = (mood: TicketState['head']['mood'], label: string) => ({ mood, label }) as TicketState['head'];
const beads = [
  { status: 'done', title: 'Greet', iteration: 1, stage: null },
  { status: 'in_progress', title: 'Say goodbye', iteration: 2, stage: 'Checking' },
] as BeadRow[];

describe('what the page of a ticket says first', () => {
  it('is what is needed, else what happens', () => {
    assert.equal(nowText({ head: head('waiting', 'Approve the PRD'), beads: [] }), 'Approve the PRD');
    assert.equal(
      nowText({ head: head('working', 'Coding'), beads }),
      'Checking: bead 2 of 2, “Say goodbye”, iteration 2',
    );
    assert.equal(
      nowText({ head: head('working', 'Coding'), beads: beads.map((bead) => ({ ...bead, stage: null })) }),
      'Coding: bead 2 of 2, “Say goodbye”, iteration 2',
    );
  });

  it('names no bead while a person is asked', () => {
    assert.equal(nowText({ head: head('blocked', 'Blocked'), beads }), 'Blocked');
  });
});
