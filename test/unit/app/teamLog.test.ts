import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { TeamLog } from '../../../src/app/teamLog.ts';
import { readEventPage } from '../../../src/app/tickets/logPages.ts';
import type { TicketEvent } from '../../../src/domain/core/events.ts';
import type { LogPiece } from '../../../src/engine/ports/storePort.ts';
import { until } from '../../support/until.ts';

const said = (text: string, ticket = 'TST-1'): TicketEvent => ({
  type: 'activity',
  ticket,
  at: 1,
  source: 'engine',
  kind: 'info',
  text,
});

describe('the log of a team’s ticket on another machine', () => {
  const pieces: LogPiece[] = [];
  const told: TicketEvent[] = [];
  const asked: string[] = [];
  let isAway = false;
  let log: TeamLog;
  const write = (...events: readonly TicketEvent[]): void => {
    const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    pieces.push({ number: pieces.length + 7, lines });
  };
  const shown = async (): Promise<readonly string[]> => {
    await log.refresh('TST-1');
    const { events } = await readEventPage(log.folder, 'TST-1', { limit: 100 });
    return events.map((event) => (event.type === 'activity' ? event.text : event.type));
  };
  beforeEach(async () => {
    for (const list of [pieces, told, asked]) list.length = 0;
    isAway = false;
    log = await TeamLog.open({
      lookMs: 2,
      onEvent: (event) => told.push(event),
      log: {
        after: (ticket, number) => {
          asked.push(ticket);
          // Two pieces at a time.
          return isAway
            ? Promise.reject(new Error('the server is away'))
            : Promise.resolve(pieces.filter((piece) => piece.number > number).slice(0, 2));
        },
      },
    });
  });
  afterEach(() => log.close());

  it('is all there at once, and its news are told while it is being read', async () => {
    write(said('one'), said('two'));
    write(said('three'));
    write(said('four'));
    assert.deepEqual(await shown(), ['one', 'two', 'three', 'four']);
    assert.deepEqual(told, []);
    write(said('five'));
    await until(() => told.length === 1, 'it is told');
    assert.deepEqual(told, [said('five')]);
    assert.deepEqual((await shown()).slice(-1), ['five']);
  });

  it('of a ticket without one is empty, and the first words are told', async () => {
    assert.deepEqual(await shown(), []);
    write(said('one'));
    await until(() => told.length === 1, 'it is told');
  });

  it('is shown as far as it is known while the server is away', async () => {
    write(said('one'));
    assert.deepEqual(await shown(), ['one']);
    isAway = true;
    assert.deepEqual(await shown(), ['one']);
    isAway = false;
    write(said('two'));
    assert.deepEqual(await shown(), ['one', 'two']);
  });

  it('takes no word for another ticket, and no id that leads elsewhere', async () => {
    write(said('one'));
    await shown();
    write(said('two', 'TST-2'));
    await until(() => asked.length > 4, 'it was asked again');
    assert.deepEqual(told, []);
    await log.refresh('../TST-1');
    assert.ok(!asked.includes('../TST-1'));
  });

  it('leaves nothing behind', async () => {
    write(said('one'));
    await shown();
    await log.close();
    assert.equal(existsSync(log.folder), false);
  });
});
