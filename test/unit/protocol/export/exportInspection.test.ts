import assert from 'node:assert/strict';
import { exportInspection } from '../../../../src/protocol/export/exportInspection.ts';
import type { InspectedCall } from '../../../../src/protocol/inspection.ts';
import { sampleCall, samplePlan, sampleUsage } from '../../../support/samples.ts';

const sha256 = 'a'.repeat(64);
const call: InspectedCall = {
  ...sampleCall({ run: 'r', member: '=evil/"one"', startedAt: 0, estimatedTokens: 30 }),
  session: 'ses',
  label: 'Coding, first',
  bead: 'a|b',
  iteration: 2,
  frameTokens: 12,
  plan: samplePlan(),
  parts: [
    {
      name: 'bead_data',
      kind: 'slice',
      stability: 1,
      tokens: 30,
      sha256,
      changedAt: 5,
      predicted: 'hit',
      reported: 'miss',
      cost: 0.25,
    },
  ],
  predicted: { tokens: 20, kind: 'none', basis: null, culprit: null, culpritTokens: 0, after: 3 },
  reported: { prompt: 42, cacheRead: 0 },
  isProviderMiss: false,
  providerMisses: 0,
  usage: sampleUsage({ model: 'a/one', input: 50, output: 7, reasoning: 1, cost: 1 }),
  cost: {
    cacheRead: 0,
    cacheWrite: 0,
    input: 0.5,
    output: 0.25,
    frame: 0.25,
    later: 0.25,
    total: 1,
    isListPrice: false,
  },
  calibration: null,
};

describe('an export of inspected calls', () => {
  it('has rows in CSV that add up to the tokens and the cost of a call, and no cell that runs as a formula', () => {
    const [head = '', ...rows] = exportInspection([call], 'csv').trimEnd().split('\r\n');
    const at = (name: string): number => head.split(',').indexOf(name);
    assert.equal(rows.length, 4);
    const cells = rows.map(
      (row) => row.match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)?.map((cell) => cell.replace(/,$/, '')) ?? [],
    );
    const sum = (name: string): number => cells.reduce((total, row) => total + Number(row[at(name)]), 0);
    assert.equal(sum('usd'), 1);
    assert.equal(sum('tokens'), 30 + 12 + 8 + 8);
    assert.equal(cells[0]?.[at('model')], `"'=evil/""one"""`);
    assert.equal(cells[0][at('phase')], '"Coding, first"');
  });

  it('leaves empty what isn’t known, and shows a dash for it in Markdown', () => {
    const unknown = {
      ...call,
      cost: null,
      usage: null,
      reported: null,
      frameTokens: null,
      parts: call.parts.map((one) => ({ ...one, cost: null })),
    };
    assert.match(exportInspection([unknown], 'csv'), /\(answer\),,,,,,,,\r\n/);
    const text = exportInspection([unknown], 'markdown');
    assert.match(text, /\| bead\\_data \| slice \| 30 \| hit \| miss \| – \|/);
    assert.match(text, /a\\\|b \\#2/);
    assert.doesNotMatch(text, /US\$/);
  });

  it('is the calls themselves in JSON', () => {
    assert.deepEqual(JSON.parse(exportInspection([call], 'json')), [call]);
  });
});
