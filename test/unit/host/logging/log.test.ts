import assert from 'node:assert/strict';
import type { LogOutputChannel } from 'vscode';
import type { TicketEvent } from '../../../../src/domain/core/events.ts';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { eventLog, Log, redactedChannel } from '../../../../src/host/logging/log.ts';
import { errorActions } from '../../../../src/views/shared/showError.ts';
import { RefusedAction } from '../../../../src/views/shared/errorText.ts';

describe('the log', () => {
  it('shows no secret in any line, whatever writes it', () => {
    const channel = new FakeLogChannel();
    const log = new Log(channel, () => 0);
    log.keepSecret(['hunter2!']);
    log.info('starts with hunter2!');
    log.write('debug', 'asked', 'Authorization: Bearer abc123def');
    log.failure('opening', new Error('https://u:hunter2!@example.com refused sk-0123456789abcdefghij'));
    const client = redactedChannel(channel as unknown as LogOutputChannel, (text) => log.clean(text));
    client.error('broke', new Error('hunter2!'), { password: 'xyz' });
    client.appendLine('hunter2!');
    assert.equal(channel.lines.length, 5);
    assert.doesNotMatch(JSON.stringify([...channel.lines, ...log.lines]), /hunter2|abc123def|0123456789|xyz/);
  });

  it('says an expected failure as a warning with its code, and any other as an error with where it came from', () => {
    const channel = new FakeLogChannel();
    const log = new Log(channel, () => 0);
    log.failure(
      'beadsmith.merge',
      new BeadsmithError('MERGE_REFUSED', { base: 'main', reason: 'dirty', remedy: '' }),
    );
    log.failure('beadsmith.retry', new RefusedAction({ message: 'Too late.', code: 'ACTION_NOT_ALLOWED' }));
    log.failure('beadsmith.start', new TypeError('x is no function'));
    const [merge, retry, start] = channel.lines;
    assert.match(
      merge ?? '',
      /^warn beadsmith\.merge: MERGE_REFUSED: The branch can't be merged into "main": dirty$/,
    );
    assert.match(retry ?? '', /^warn beadsmith\.retry: ACTION_NOT_ALLOWED: Too late\.$/);
    assert.match(start ?? '', /^error beadsmith\.start: UNEXPECTED\n\s+at .*log\.test\.ts:\d+:\d+/);
  });

  it('spends nothing on what the channel drops, and still keeps what a report shows', () => {
    const channel = new FakeLogChannel();
    const log = new Log(channel, () => 0);
    let looks = 0;
    log.clean = (text) => (looks++, text);
    const client = redactedChannel(channel as unknown as LogOutputChannel, (text) => log.clean(text));
    const levels = ['trace', 'debug', 'info'] as const;
    const write = (): void => {
      for (const level of levels) log.write(level, level);
      for (const level of levels) client[level](level);
    };
    channel.logLevel = 3;
    write();
    assert.deepEqual(
      log.lines.map(({ text }) => text),
      ['debug', 'info'],
    );
    assert.equal(channel.lines.filter((line) => line.startsWith('trace')).length, 0);
    assert.equal(looks, 5, 'two texts of each line that is kept, and one that the client may show');
    channel.logLevel = 1;
    channel.lines.length = 0;
    write();
    assert.equal(channel.lines.length, 6);
  });

  it('says a damaged journal as an error, since nobody expects one', () => {
    const channel = new FakeLogChannel();
    const damaged = new BeadsmithError('JOURNAL_BROKEN', { ticket: 'TST-1', seq: 7 });
    new Log(channel, () => 0).failure('opening', damaged);
    assert.match(channel.lines[0] ?? '', /^error opening: JOURNAL_BROKEN\n/);
    assert.deepEqual(errorActions(damaged, true), ['checkSetup', 'log']);
  });

  it('keeps facts apart from what may quote a ticket, and forgets old lines', () => {
    const log = new Log(new FakeLogChannel(), () => 7);
    log.failure('saving', new Error('line one\n    at nothing (secret plan)\nline three'));
    assert.equal(log.lines[0]?.detail, 'line one\n    at nothing (secret plan)\nline three');
    assert.doesNotMatch(log.lines[0].text, /line|plan/);
    for (let number = 0; number < 400; number++) log.info(String(number));
    log.write('trace', 'only passing by');
    assert.deepEqual([log.lines.length, log.lines.at(-1)?.text], [300, '399']);
  });
});

describe('what the engine says', () => {
  const common = { ticket: 'TST-1', at: 0 };
  const levelOf = (event: TicketEvent): string | undefined => eventLog(event)?.level;

  it('is logged at its level', () => {
    const call = { type: 'call', ...common, member: 'p/m', prompt: 'prd-draft', ms: 12 } as const;
    assert.equal(levelOf({ type: 'status', ...common, from: 'DRAFT', to: 'CODING', by: 'start' }), 'info');
    assert.equal(levelOf({ ...call, outcome: 'accepted' }), 'debug');
    assert.equal(levelOf({ ...call, outcome: 'failed' }), 'warn');
    assert.equal(levelOf({ type: 'step', ...common, run: 'r', key: 'k', state: 'failed' }), 'warn');
    assert.equal(levelOf({ type: 'step', ...common, run: 'r', key: 'k', state: 'done' }), 'trace');
    assert.equal(
      levelOf({ type: 'blocked', ...common, code: 'DISK_FULL', message: '', nextStep: '' }),
      'error',
    );
    assert.equal(levelOf({ type: 'activity', ...common, source: 'p/m', kind: 'text', text: 'x' }), undefined);
  });

  it('is logged without what people, models and commands say', () => {
    const text = 'CANARY';
    const kinds = ['tool', 'retry', 'command', 'info'] as const;
    const events: readonly TicketEvent[] = [
      ...kinds.map((kind) => ({ type: 'activity', ...common, source: 'p/m', kind, text }) as const),
      { type: 'step', ...common, run: text, key: text, state: 'failed' },
      { type: 'bead', ...common, bead: text, iteration: 1, state: 'coding', done: 0, total: 2 },
      { type: 'hold', ...common, hold: 'question', detail: text },
      { type: 'blocked', ...common, code: 'RESPONSE_INVALID', message: text, nextStep: text },
    ];
    for (const event of events) assert.doesNotMatch(eventLog(event)?.text ?? '', /CANARY/, event.type);
    assert.equal(eventLog(events[7] as TicketEvent)?.text, 'TST-1: blocked by RESPONSE_INVALID');
  });
});

/** Keeps its lines behind their levels. `logLevel` is only told. */
class FakeLogChannel implements Omit<LogOutputChannel, 'logLevel' | 'onDidChangeLogLevel'> {
  logLevel = 1;
  readonly name = 'fake';
  readonly lines: string[] = [];
  trace = this.#level('trace');
  debug = this.#level('debug');
  info = this.#level('info');
  warn = this.#level('warn');
  error = this.#level('error');

  append(text: string): void {
    this.lines.push(text);
  }

  appendLine(text: string): void {
    this.lines.push(text);
  }

  replace(text: string): void {
    this.lines.splice(0, this.lines.length, text);
  }

  clear(): void {}
  show(): void {}
  hide(): void {}
  dispose(): void {}

  #level(level: string): (...values: unknown[]) => void {
    return (...values) => this.lines.push([level, ...values.map(String)].join(' '));
  }
}
