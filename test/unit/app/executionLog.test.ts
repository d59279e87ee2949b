import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../src/adapters/clock/systemClock.ts';
import { ExecutionLog, readExecutionLog } from '../../../src/app/executionLog.ts';
import { readEventPage } from '../../../src/app/tickets/logPages.ts';
import type { TicketEvent } from '../../../src/domain/core/events.ts';
import { folderForEach } from '../../support/tempFolder.ts';

const status = (to: string): TicketEvent => ({
  type: 'status',
  ticket: 'TST-1',
  at: 1,
  from: 'DRAFT',
  to,
  by: 'start',
});
const says = (
  kind: 'text' | 'command' | 'tool',
  text: string,
  more: Partial<Extract<TicketEvent, { type: 'activity' }>> = {},
): TicketEvent => ({ type: 'activity', ticket: 'TST-1', at: 2, source: 'tiny/one', kind, text, ...more });

describe('the execution log', () => {
  const folder = folderForEach('log');

  it('keeps events in their order, here and in the worktree, without what models write', async () => {
    const lines: string[] = [];
    const log = new ExecutionLog({
      stateFolder: folder.path,
      clock: systemClock,
      append: (_ticket, text) => Promise.resolve(void lines.push(text)),
    });
    for (const event of [status('A'), says('text', 'thinking'), says('command', 'npm test'), status('B')])
      log.add(event);
    await log.flush();
    assert.deepEqual(await readExecutionLog(folder.path, 'TST-1'), [
      status('A'),
      says('command', 'npm test'),
      status('B'),
    ]);
    assert.equal(lines.join('').trim().split('\n').length, 3);
  });

  it('is shared as it is kept, with what models say, and without secrets', async () => {
    const secret = `ghp_${'a1B2c3D4e'.repeat(4)}`;
    const shared: string[] = [];
    const log = new ExecutionLog({
      stateFolder: folder.path,
      clock: systemClock,
      share: (ticket, lines) => Promise.resolve(void shared.push(ticket, lines)),
    });
    log.add(says('text', 'Let me see.'));
    log.add(says('command', `curl -H ${secret}`));
    await log.flush();
    const [ticket = '', lines = ''] = shared;
    assert.equal(ticket, 'TST-1');
    assert.match(lines, /Let me see\..*\n.*curl/);
    assert.ok(!lines.includes(secret));
  });

  it('keeps what a model writes in whole lines, and how its tools ended, but not in the worktree', async () => {
    const lines: string[] = [];
    const log = new ExecutionLog({
      stateFolder: folder.path,
      clock: systemClock,
      append: (_ticket, text) => Promise.resolve(void lines.push(text)),
    });
    const part = 'prt_1';
    const call = { tool: 'bash', state: 'done', command: 'ls', output: 'a.ts' } as const;
    log.add(says('text', 'Let me ', { part, offset: 0 }));
    log.add(says('text', 'see.', { part, offset: 7 }));
    log.add(says('tool', 'bash completed', { part: 'prt_2', call }));
    log.add(says('text', 'Too much.', { part, offset: 64_000 }));
    await log.flush();
    const { events } = await readEventPage(folder.path, 'TST-1', { limit: 9 });
    assert.deepEqual(events, [
      says('text', 'Let me see.', { part, offset: 0 }),
      says('tool', 'bash completed', { part: 'prt_2', call }),
    ]);
    assert.deepEqual(
      lines.map((line): unknown => JSON.parse(line)),
      [says('tool', 'bash completed', { part: 'prt_2' })],
    );
    assert.deepEqual(await readExecutionLog(folder.path, 'TST-1'), [events[1]]);
  });

  it('is never the reason why work fails', async () => {
    const log = new ExecutionLog({
      stateFolder: folder.path,
      clock: systemClock,
      append: () => Promise.reject(new Error('no such folder')),
    });
    log.add(status('A'));
    await log.flush();
    assert.equal((await readExecutionLog(folder.path, 'TST-1')).length, 1);
  });

  it('passes over lines that can not be read', async () => {
    const log = new ExecutionLog({ stateFolder: folder.path, clock: systemClock });
    log.add(status('A'));
    await log.flush();
    appendFileSync(join(folder.path, 'logs', 'TST-1.jsonl'), '{"type":"status"}\n{"half');
    assert.deepEqual(await readExecutionLog(folder.path, 'TST-1'), [status('A')]);
    assert.deepEqual(await readExecutionLog(folder.path, 'TST-2'), []);
  });
});
