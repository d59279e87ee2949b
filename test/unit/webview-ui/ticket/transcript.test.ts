import assert from 'node:assert/strict';
import type { TicketHint } from '../../../../src/protocol/pages/transcript.ts';
import {
  chapters,
  type Entry,
  gapsIn,
  live,
  type Loaded,
  loaded,
  todosOf,
  withPieces,
} from '../../../../webview-ui/ticket/work/entries.ts';

const piece = (at: number, more: Partial<TicketHint>): TicketHint => ({
  at,
  source: 'a/one',
  kind: 'text',
  text: '',
  ...more,
});
const text = (at: number, offset: number, words: string, part = 'prt_1'): TicketHint =>
  piece(at, { part, offset, text: words });
const tool = (at: number, state: 'running' | 'done' | 'failed', more: object = {}): TicketHint =>
  piece(at, { kind: 'tool', part: 'prt_2', text: state, call: { tool: 'bash', state, ...more } });
const ofStage = (at: number, iteration: number, words: string, tone: TicketHint['tone']): TicketHint =>
  piece(at, { kind: 'step', source: 'engine', bead: 'greet', iteration, text: words, tone });
const texts = (entries: readonly Entry[]): readonly string[] => entries.map((entry) => entry.text);

describe('the entries of a transcript', () => {
  it('join the pieces of a text, whichever way they come, live and from the log', () => {
    const pieces = [text(1, 0, 'Let me '), text(2, 7, 'see the '), text(3, 15, 'file.')];
    const whole = 'Let me see the file.';
    assert.deepEqual(texts(withPieces([], pieces)), [whole]);
    assert.deepEqual(texts(withPieces([], pieces.toReversed())), [whole]);
    const once = withPieces([], pieces);
    const again = withPieces(once, [text(1, 0, 'Let me see '), ...pieces]);
    assert.deepEqual(texts(again), [whole]);
    assert.equal(again[0], once[0], 'nothing is drawn again');
  });

  it('show that something is missing until the log has it', () => {
    const lost = withPieces([], [text(1, 0, 'Let me '), text(3, 15, 'file.')]);
    assert.deepEqual([texts(lost), gapsIn(lost)], [['Let me  … file.'], 1]);
    const healed = withPieces(lost, [text(1, 0, 'Let me see the file.')]);
    assert.deepEqual([texts(healed), gapsIn(healed)], [['Let me see the file.'], 0]);
  });

  it('take a text again that was told from its middle', () => {
    const late = withPieces([], [text(2, 0, 'the file.')]);
    assert.deepEqual(texts(withPieces(late, [text(3, 0, 'I read the file.')])), ['I read the file.']);
  });

  it('are one for each tool call, in its last state', () => {
    const states = [
      tool(1, 'running'),
      tool(2, 'running', { command: 'ls' }),
      tool(3, 'failed', { output: 'no' }),
    ];
    for (const order of [states, states.toReversed(), [...states, ...states]]) {
      const [entry, ...others] = withPieces([], order);
      assert.deepEqual([entry?.call?.state, entry?.call?.output, entry?.at], ['failed', 'no', 1]);
      assert.deepEqual(others, []);
    }
  });

  it('have steps once, and none of the engine’s own', () => {
    const step = ofStage(1, 1, 'Checks passed', 'good');
    const own = piece(1, { kind: 'step', source: 'engine', text: 'ask: done' });
    assert.deepEqual(texts(withPieces([], [step, own, step])), ['Checks passed']);
  });

  it('stay few and short, however much is said', () => {
    let known: Loaded = { entries: [], earlier: null };
    for (let at = 0; at < 700; at++) known = live(known, text(at, 0, 'y', `prt_${String(at)}`), true);
    assert.ok(known.entries.length <= 600 && known.earlier === 'cut');
    const long = Array.from({ length: 30 }, (_, index) => text(1, index * 4_000, 'y'.repeat(4_000)));
    assert.equal(withPieces([], long)[0]?.text.replaceAll(/[^y]/g, '').length, 20_000);
    const read = live({ entries: known.entries, earlier: 7 }, text(900, 0, 'y', 'new'), false);
    assert.equal(read.earlier, 7, 'who reads further up keeps it');
  });
});

describe('pages of a transcript', () => {
  const steps = (from: number, to: number): TicketHint[] =>
    Array.from({ length: to - from }, (_, index) => ofStage(from + index, 1, String(from + index), 'good'));
  const ends = ({ entries, earlier }: Loaded) => [
    entries[0]?.text,
    entries.at(-1)?.text,
    entries.length,
    earlier,
  ];
  const nothing: Loaded = { entries: [], earlier: undefined };

  it('follow what was told while the first was on its way', () => {
    const told = live(live(nothing, ofStage(9, 1, '9', 'good'), true), ofStage(10, 1, '10', 'good'), true);
    assert.deepEqual(ends(loaded(told, { pieces: steps(5, 10), earlier: 40 })), ['5', '10', 6, 40]);
  });

  it('grow to the front, once for each', () => {
    const first = loaded(nothing, { pieces: steps(5, 10), earlier: 40 });
    const second = loaded(first, { pieces: steps(0, 5), earlier: null }, 40);
    assert.deepEqual(ends(second), ['0', '9', 10, null]);
    assert.equal(loaded(second, { pieces: steps(0, 5), earlier: 3 }, 40), second);
    assert.deepEqual(ends(loaded(second, { pieces: steps(5, 12), earlier: 40 })), ['0', '11', 12, null]);
  });

  it('stand alone where everything in between was lost or dropped', () => {
    const first = loaded(nothing, { pieces: steps(0, 5), earlier: null });
    assert.deepEqual(ends(loaded(first, { pieces: steps(50, 60), earlier: 80 })), ['50', '59', 10, 80]);
    const cut: Loaded = { entries: withPieces([], steps(0, 50)), earlier: 'cut' };
    assert.deepEqual(ends(loaded(cut, { pieces: steps(45, 50), earlier: 80 })), ['45', '49', 5, 80]);
  });
});

describe('the chapters of a transcript', () => {
  it('are iterations, with how the one before ended', () => {
    const entries = withPieces(
      [],
      [
        piece(1, { kind: 'status', text: 'Coding' }),
        ofStage(2, 1, 'Coding', 'begins'),
        piece(3, { kind: 'info', source: 'engine', text: 'no bead is named' }),
        ofStage(4, 1, 'Checks failed', 'bad'),
        ofStage(5, 2, 'Coding', 'begins'),
      ],
    );
    assert.deepEqual(
      chapters(entries).map(({ scope, why, entries: own }) => [scope?.iteration, why, own.length]),
      [
        [undefined, '', 1],
        [1, '', 3],
        [2, 'Checks failed', 1],
      ],
    );
  });

  it('lead to the newest list of the agent', () => {
    const todos = [{ text: 'Write it', state: 'active' as const }];
    const entries = withPieces([], [tool(1, 'done', { todos }), text(2, 0, 'Now.')]);
    assert.deepEqual(todosOf(entries), todos);
    assert.equal(todosOf([]), undefined);
  });
});
