import assert from 'node:assert/strict';
import type { BeadRow } from '../../../../../src/protocol/pages/ticket.ts';

/** Pages read their language from the document as soon as they are loaded. */
const page = globalThis as { document?: unknown };
const file = '../../../../../webview-ui/ticket/plan/planText.ts';

/** Not named in the import, because it is checked as code of a browser. */
interface Module {
  readonly planText: (state: unknown, estimate: unknown) => readonly unknown[];
}

const beads = (count: number): BeadRow[] => Array.from({ length: count }, () => ({}) as BeadRow);
const estimate = { calls: { low: 10.2, high: 17.9 }, money: { low: 0.4, high: 0.904 } };

describe('the first line of a plan', () => {
  let planText: Module['planText'];

  before(async () => {
    page.document = { documentElement: { lang: 'en' } };
    ({ planText } = (await import(file)) as Module);
  });
  after(() => delete page.document);

  it('says in figures what it comes to', () => {
    assert.deepEqual(planText({ beads: beads(3), plan: { files: 5, commands: ['npm test'] } }, estimate), [
      '3 beads',
      '5 files',
      { command: 'npm test' },
      'about 10–18 calls',
      '$0.40 – $0.90',
    ]);
  });

  it('names two commands, counts the others, and leaves out what isn’t known', () => {
    assert.deepEqual(
      planText({ beads: beads(1), plan: { files: 1, commands: ['a', 'b', 'c', 'd'] } }, undefined),
      ['1 bead', '1 file', { command: 'a' }, { command: 'b' }, '2 more commands'],
    );
    assert.deepEqual(
      planText({ beads: beads(2), plan: { files: 0, commands: [] } }, { ...estimate, money: null }),
      ['2 beads', 'about 10–18 calls'],
    );
  });

  it('has nothing to say without a plan', () => {
    assert.deepEqual(planText({ beads: [], plan: { files: 0, commands: [] } }, estimate), []);
  });
});
