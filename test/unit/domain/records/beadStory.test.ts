import assert from 'node:assert/strict';
import { chained } from '../../../../src/domain/records/records.ts';
import {
  type BeadStory,
  cutTo,
  storyTokens,
  summaryTokens,
  tellBeads,
} from '../../../../src/domain/records/beadStory.ts';

const count = (text: string): number => Math.ceil(text.length / 4);
const words = (number: number): string =>
  Array.from({ length: number }, (_, index) => `word${String(index)}`).join(' ');

function story(number: number, fields: Partial<BeadStory> = {}): BeadStory {
  const id = `bead-${String(number)}`;
  return {
    id,
    title: `Bead ${String(number)}`,
    outcome: 'completed',
    iterations: 1,
    summary: words(600),
    records: [],
    ...fields,
  };
}

function failed(number: number, length: number): BeadStory {
  const id = `bead-${String(number)}`;
  const entry = {
    bead: id,
    iteration: 1,
    kind: 'gate',
    payload: { note: `begin ${words(length)} end of ${id}` },
  } as const;
  return story(number, {
    outcome: 'failed',
    records: [chained(undefined, '2026-01-01T00:00:00.000Z', entry)],
  });
}

describe('what is told about the beads of a ticket', () => {
  it('AT-21: stays within its cap for 40 beads, with those that failed first and whole', async () => {
    const stories = Array.from({ length: 40 }, (_, index) =>
      [7, 31].includes(index) ? failed(index, 1_500) : story(index),
    );
    const text = await tellBeads(stories, { cap: storyTokens, count });
    assert.ok(count(text) <= storyTokens, String(count(text)));
    const places = [...text.matchAll(/^### (bead-\d+):/gm)].map(([, id]) => id);
    assert.deepEqual(places.slice(0, 3), ['bead-7', 'bead-31', 'bead-0']);
    for (const id of ['bead-7', 'bead-31']) assert.match(text, new RegExp(`end of ${id}`));
    assert.equal(places.length, 40);
    const [, , , ...passed] = text.split(/^(?=### )/m);
    for (const one of passed) assert.ok(count(one) <= summaryTokens + 1, one.slice(0, 40));
  });

  it('AT-21: shortens the records of one that failed only when there is no room, and names what it leaves out', async () => {
    const text = await tellBeads([story(0), failed(1, 2_000), failed(2, 100_000), story(3)], {
      cap: 6_000,
      count,
    });
    assert.ok(count(text) <= 6_000);
    assert.match(text, /end of bead-1/);
    assert.doesNotMatch(text, /end of bead-2/);
    assert.match(text, /^### bead-2: /m);
    const narrow = await tellBeads([story(0), failed(1, 300), story(2)], { cap: 850, count });
    assert.ok(count(narrow) <= 850, String(count(narrow)));
    assert.match(narrow, /Not told, because there is no room: bead-0, bead-2\./);
  });

  it('cuts a text at its end, never within a character', async () => {
    assert.equal(await cutTo('short', 10, count), 'short');
    const cut = await cutTo('😀'.repeat(500), 50, count);
    assert.ok(count(cut) <= 50 && count(cut) > 40, String(count(cut)));
    assert.ok(cut.isWellFormed());
    assert.equal(await cutTo('abcdefgh', 0, count), '');
  });
});
