import assert from 'node:assert/strict';
import { eventLine } from '../../../../src/cli/output/textOutput.ts';
import type { CliEvent } from '../../../../src/protocol/cliEvents.ts';

const of = { ticket: 'TST-1', at: 1 } as const;

describe('an event as a line of the command line', () => {
  const lines: readonly (readonly [string, CliEvent, string])[] = [
    [
      'a new ticket',
      { type: 'created', ticket: 'TST-1', title: 'Greet\npeople', status: 'DRAFT' },
      'TST-1 Greet people',
    ],
    [
      'a status, by its label',
      { type: 'status', ...of, from: 'DRAFT', to: 'CODING', by: 'x' },
      'TST-1 Coding (CODING)',
    ],
    [
      'a status of another version',
      { type: 'status', ...of, from: 'DRAFT', to: 'LATER\u001B[2J', by: 'x' },
      'TST-1 LATER⟨U+001B⟩[2J',
    ],
    ['a hold', { type: 'hold', ...of, hold: 'quota', detail: 'busy' }, 'TST-1 pauses (quota): busy'],
    [
      'the end of a hold',
      { type: 'hold', ...of, hold: null, detail: 'answered' },
      'TST-1 continues: answered',
    ],
    [
      'the end of a hold without a reason',
      { type: 'hold', ...of, hold: null, detail: '' },
      'TST-1 continues',
    ],
  ];
  for (const [what, event, text] of lines)
    it(`says ${what}`, () => {
      assert.deepEqual(eventLine(event), { text, live: false });
    });

  it('says what was refused, and nothing of what was taken', () => {
    const outcome = { type: 'outcome', ticket: 'TST-1', action: 'approve', id: 'p' } as const;
    const refused = eventLine({
      ...outcome,
      state: 'refused',
      code: 'STALE_APPROVAL',
      message: 'It changed.',
    });
    assert.equal(refused?.text, 'TST-1 approve was refused: It changed.');
    assert.equal(eventLine({ ...outcome, state: 'consumed' }), undefined);
  });

  it('keeps a failed step, and only passes by what goes well', () => {
    const step = (state: 'started' | 'done' | 'failed' | 'replayed') =>
      eventLine({ type: 'step', ...of, run: 'r', key: 'draft', state });
    assert.deepEqual(
      (['started', 'done', 'failed', 'replayed'] as const).map((state) => step(state)?.live),
      [true, true, false, undefined],
    );
    assert.equal(step('failed')?.text, 'TST-1   draft: failed');
  });

  it('shows no control sequence of a model to the terminal', () => {
    const activity = eventLine({
      type: 'activity',
      ...of,
      source: 'm\u0007',
      kind: 'text',
      text: `a\r\nb\u001B]0;title\u0007${'x'.repeat(500)}`,
    });
    assert.doesNotMatch(activity?.text ?? '', /\p{Cc}/u);
    assert.ok((activity?.text.length ?? 0) < 200);
  });
});
