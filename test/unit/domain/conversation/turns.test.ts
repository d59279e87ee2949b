import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type SessionMessage, turnsOf, turnText } from '../../../../src/domain/conversation/turns.ts';

const user = (text: string): SessionMessage => ({ role: 'user', text, calls: [], results: [] });
const model = (
  text: string,
  calls: readonly string[] = [],
  results: Readonly<Record<string, string>> = {},
): SessionMessage => ({
  role: 'assistant',
  text,
  calls: calls.map((id) => ({ id, tool: 'bash', about: id })),
  results: Object.entries(results).map(([id, output]) => ({ id, output })),
});

describe('the turns of a session', () => {
  it('AT-10: of two calls with one result, keep both, and say which has none', () => {
    const [turn] = turnsOf([user('Go.'), model('Running.', ['a', 'b'], { b: 'done' })]);
    assert.deepEqual(turn, {
      asked: 'Go.',
      said: [
        { text: 'Running.' },
        { tool: 'bash', about: 'a', output: null },
        { tool: 'bash', about: 'b', output: 'done' },
      ],
    });
    assert.match(turnText(turn, 1, { masked: false }), /\[bash a\] gave no result\.\n\[bash b\] gave:\ndone/);
  });

  it('drop results without a call, calls that are repeated, and messages that say nothing', () => {
    assert.deepEqual(
      turnsOf([
        user(' '),
        user('Go.'),
        model('', [], { lost: 'x' }),
        model('', ['a'], { a: '1' }),
        model('', ['a']),
      ]),
      [{ asked: 'Go.', said: [{ tool: 'bash', about: 'a', output: '1' }] }],
    );
  });

  it('begin where the user speaks; what is sent ahead of a question belongs to it', () => {
    assert.deepEqual(turnsOf([user('Rules.'), user('Go.'), model('Yes.'), user('More.'), model('No.')]), [
      { asked: 'Rules.\n\nGo.', said: [{ text: 'Yes.' }] },
      { asked: 'More.', said: [{ text: 'No.' }] },
    ]);
  });

  it('AT-9: leave out what tools gave back when they are masked, and say so', () => {
    const text = turnText(
      {
        asked: 'Go.',
        said: [{ tool: 'bash', about: 'npm test', output: 'x'.repeat(5_000) }, { text: 'Done.' }],
      },
      3,
      {
        masked: true,
      },
    );
    assert.equal(
      text,
      '### Turn 3\n\nYou were told:\nGo.\n\nYou answered:\n[bash npm test] gave 5000 characters, which are left out here.\nDone.',
    );
  });

  it('keep every word that was said, in its order, and never part a result from its call', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const message = fc.record({
      role: fc.constantFrom('user' as const, 'assistant' as const),
      text: fc.string({ maxLength: 5 }),
      calls: fc.array(fc.record({ id, tool: fc.constant('t'), about: fc.constant('') }), { maxLength: 3 }),
      results: fc.array(fc.record({ id, output: fc.string({ maxLength: 5 }) }), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
        const turns = turnsOf(messages);
        const called = new Set(
          messages.flatMap(({ role, calls }) => (role === 'user' ? [] : calls.map((call) => call.id))),
        );
        const said = turns.flatMap((turn) => turn.said);
        assert.equal(said.filter((one) => 'tool' in one).length, called.size);
        const words = messages
          .filter(({ role, text }) => role === 'assistant' && text.trim() !== '')
          .map(({ text }) => text);
        assert.deepEqual(
          said.flatMap((one) => ('text' in one ? [one.text] : [])),
          words,
        );
        assert.ok(turns.every(({ asked, said: all }) => asked !== '' || all.length > 0));
      }),
    );
  });
});
