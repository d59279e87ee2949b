import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalEntry, JournalRow } from '../../../../src/engine/ports/storePort.ts';
import { CommandBench, itRefuses } from '../../../support/commandBench.ts';
import { FakeApp } from '../../../support/fakes/fakeApp.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';

const entries: readonly (readonly [at: number, entry: JournalEntry, words: string])[] = [
  [1_000, { kind: 'ticket.created' }, '#1 ticket created'],
  [
    2_000,
    { kind: 'run.opened', run: { id: 'r1', attempt: 2 } } as JournalEntry,
    '#2 run r1 starts (attempt 2)',
  ],
  [3_000, { kind: 'step.intent', run: 'r1', key: 'draft' }, '#3 draft: started'],
  [
    4_000,
    { kind: 'step.note', run: 'r1', key: 'draft', note: { session: 's' } },
    '#4 draft: noted {"session":"s"}',
  ],
  [5_000, { kind: 'step.done', run: 'r1', key: 'draft', result: null }, '#5 draft: done'],
  [
    6_000,
    {
      kind: 'step.failed',
      run: 'r1',
      key: 'ask',
      error: { code: 'GIT_FAILED', args: {}, continuable: false, diagnostics: {} },
    },
    '#6 ask: failed with GIT_FAILED',
  ],
  [7_000, { kind: 'run.closed', run: 'r1', state: 'closed', exit: 'ready' }, '#7 run r1 closed with "ready"'],
  [8_000, { kind: 'run.continued', run: 'r1' }, '#8 run r1 continues'],
  [
    9_000,
    { kind: 'status', from: 'DRAFT', to: 'SCANNING_RELEVANT_FILES', by: 'ready' },
    '#9 DRAFT → SCANNING_RELEVANT_FILES (ready)',
  ],
  [10_000, { kind: 'inbox', id: 'e', outcome: 'consumed', reason: 'start' }, '#10 inbox: start consumed'],
  [
    11_000,
    { kind: 'attempts', archivedFrom: 'DRAFTING_PRD', statuses: [] },
    '#11 new attempts from DRAFTING_PRD on',
  ],
];

describe('logs', () => {
  const makeFolder = tempFolders();
  async function logged(): Promise<CommandBench> {
    const root = await makeFolder();
    const app = new FakeApp({}, { repository: { root } });
    app.journal = entries.map(([at, entry], index): JournalRow => {
      return { ticket: 'TST-1', seq: index + 1, prevHash: '', hash: '', at, epoch: 1, entry };
    });
    const folder = join(root, '.git/beadsmith/logs');
    await mkdir(folder, { recursive: true });
    const lines = [
      { type: 'status', ticket: 'TST-1', at: 9_000, from: 'DRAFT', to: 'CODING', by: 'ready' },
      { type: 'hold', ticket: 'TST-1', at: 5_500, hold: 'question', detail: 'Which colour?' },
    ];
    await writeFile(
      join(folder, 'TST-1.jsonl'),
      `${lines.map((line) => JSON.stringify(line)).join('\n')}\nbroken\n`,
    );
    return new CommandBench({}, { app });
  }

  it('prints the journal with the log between its entries', async () => {
    const { out, exit } = await (await logged()).run('logs TST-1');
    assert.equal(exit, 0);
    const printed = out.trimEnd().split('\n');
    const words = entries.map(([at, , text]) => `${new Date(at).toISOString()}  ${text}`);
    const hold = `${new Date(5_500).toISOString()}  pauses (question): Which colour?`;
    assert.deepEqual(printed, [...words.slice(0, 5), hold, ...words.slice(5)]);
  });

  it('prints the journal alone, and the last lines', async () => {
    const bench = await logged();
    const { all, end } = await bench.json('logs TST-1 --journal');
    assert.deepEqual(
      all('log').map(({ source, seq }) => [source, seq]),
      entries.map((_, index) => ['journal', index + 1]),
    );
    assert.deepEqual([end?.exit, end?.status], [0, 'WAITING_PRD_APPROVAL']);
    assert.deepEqual(
      (await bench.json('logs TST-1 --last 2')).all('log').map(({ text }) => text),
      entries.slice(-2).map(([, , text]) => text),
    );
  });

  itRefuses([
    ['logs TST-9', 2, /The ticket TST-9 doesn't exist\./],
    ['logs TST-1 --last all', 2, /--last takes a whole number, not "all"\./],
    ['logs', 2, /An argument is missing/],
  ]);
});
