import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ticketHistory } from '../../../src/app/tickets/ticketHistory.ts';
import type { Settings } from '../../../src/domain/settings/settings.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import type { HistoryReader } from '../../../src/protocol/history.ts';
import { executionWorlds, type ExecutionWorld, report } from '../../support/engine/executionWorld.ts';
import { todaysPrompts } from '../../support/engine/todaysPrompts.ts';
import { tempFolders } from '../../support/git/tempRepository.ts';

const shipped = join(import.meta.dirname, '../../../prompts');

describe('a ticket replayed with the prompts of today', () => {
  const newWorld = executionWorlds();
  const makeFolder = tempFolders();
  const historyOf = (world: ExecutionWorld, folder?: string): HistoryReader =>
    ticketHistory({
      store: world.store,
      today: todaysPrompts(folder),
      elsewhere: () => Promise.resolve([]),
      stateFolder: world.stateFolder,
      now: () => world.clock.now(),
      ticket: () => world.read(),
    });
  const tell = async (history: HistoryReader, world: ExecutionWorld): Promise<readonly string[]> =>
    (await history.replay(world.ticket)).map(
      ({ number, prompt, verdict, reasons, gap }) =>
        `${String(number)} ${prompt} ${gap ?? verdict} ${reasons.map(({ kind }) => kind).join()}`,
    );

  /** It fails, is continued, and starts over; unreadable answers are asked for again. */
  async function coded(settings: Partial<Settings> = {}): Promise<ExecutionWorld> {
    const world = await newWorld.in('CODING', {
      settings,
      limits: { maxIterations: 2, maxContinuations: 1 },
    });
    await world.put('user_context', `Greet politely. ${'And at length. '.repeat(400)}`);
    world.answers({
      coding: ({ turn }) => (turn === 1 ? 'What?' : report('greet')),
      'structured-repair': report('greet'),
      'coding-continue': report('greet'),
      'coding-note': 'It did nothing.',
    });
    await world.drive({ coding });
    return world;
  }

  for (const promptOrder of ['stable', 'recency', 'seed'] as const)
    it(`is the same in every call, in the order ${promptOrder}`, async () => {
      const world = await coded({ promptOrder });
      const told = await tell(historyOf(world), world);
      const prompts = new Set(told.map((line) => line.split(' ')[1]));
      assert.ok(
        ['coding', 'structured-repair', 'coding-continue', 'coding-note'].every((name) => prompts.has(name)),
        told.join('\n'),
      );
      assert.deepEqual(
        told.filter((line) => !line.endsWith(' same ')),
        [],
      );
    });

  it('differs exactly in the calls of a prompt that a person replaced, and shows both texts', async () => {
    const world = await coded();
    const folder = await makeFolder();
    const own = readFileSync(join(shipped, 'coding.md'), 'utf8').replace(/\n(?=[^\n]*$)/, '\n\nBe brief.\n');
    writeFileSync(join(folder, 'coding.md'), own);
    const history = historyOf(world, folder);
    const calls = await history.replay(world.ticket);
    for (const { prompt, verdict, reasons } of calls)
      assert.deepEqual(
        [verdict, reasons],
        prompt === 'coding' ? ['differs', [{ kind: 'instructions', part: null }]] : ['same', []],
        prompt,
      );
    const first = calls.find(({ verdict }) => verdict === 'differs');
    const texts = await history.replayed(world.ticket, first?.number ?? 0);
    assert.ok(texts?.today?.includes('Be brief.') === true && !texts.sent.includes('Be brief.'));
    assert.equal(await history.replayed(world.ticket, 99), undefined);
  });

  it('ends with the reason of its signal, and says how far it is', async () => {
    const world = await coded();
    const stop = new AbortController();
    const seen: number[] = [];
    const onCall = (done: number): void => {
      seen.push(done);
      stop.abort(new Error('enough'));
    };
    await assert.rejects(historyOf(world).replay(world.ticket, { signal: stop.signal, onCall }), /enough/);
    assert.deepEqual(seen, [1]);
  });
});
