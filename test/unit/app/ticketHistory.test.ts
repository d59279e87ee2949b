import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ticketHistory, cacheMisses } from '../../../src/app/tickets/ticketHistory.ts';
import { BeadsmithError, errorRecord } from '../../../src/domain/core/errors.ts';
import { Limits } from '../../../src/domain/settings/settings.ts';
import type { Ticket } from '../../../src/domain/ticket/ticket.ts';
import type { Status } from '../../../src/domain/workflow/workflow.ts';
import type { CallRow, JournalEntry, RunRow, Store } from '../../../src/engine/ports/storePort.ts';
import type { HistoryReader, LogLine } from '../../../src/protocol/history.ts';
import { tempStores } from '../../support/engine/tempStore.ts';
import { todaysPrompts } from '../../support/engine/todaysPrompts.ts';
import { called, member } from '../../support/engine/missedCalls.ts';
import { newTicket, samplePlan } from '../../support/samples.ts';

const limits = Limits.parse({});
const failure = new BeadsmithError('PROVIDER_QUOTA', { model: 'tiny/one', reason: 'slow down' });

describe('the history of a ticket', () => {
  const makeStore = tempStores();
  let now: number;
  let ticket: Ticket;
  let store: ReturnType<typeof makeStore>['store'];
  let folder: string;
  let history: HistoryReader;

  beforeEach(async () => {
    now = 1_000;
    const made = makeStore({ now: () => (now += 1) });
    ({ store, folder } = made);
    ticket = await store.createTicket(newTicket);
    history = ticketHistory({
      store,
      now: () => now,
      stateFolder: folder,
      today: todaysPrompts(),
      elsewhere: () => Promise.resolve([]),
      ticket: async (id) => {
        const found = await store.ticket(id);
        if (!found) throw new BeadsmithError('TICKET_UNKNOWN', { ticket: id });
        return found;
      },
    });
  });

  const journal = (...entries: JournalEntry[]): Promise<unknown> =>
    store.commit({ ticket: ticket.id, journal: entries });
  const opened = (id: string, status: Status, parent: string | null = null): JournalEntry => {
    const run: Omit<RunRow, 'state' | 'exit' | 'continuedSeq'> = {
      id,
      ticket: ticket.id,
      status,
      attempt: 1,
      parent,
      handlerVersion: 1,
      limits,
      snapshot: { ...ticket, attempt: 1, artifacts: {} },
    };
    return { kind: 'run.opened', run };
  };
  const block = (from: Status): Promise<unknown> =>
    store.commit({
      ticket: ticket.id,
      journal: [{ kind: 'status', from, to: 'BLOCKED_ERROR', by: failure.code }],
      changes: [
        {
          type: 'ticket',
          set: { status: 'BLOCKED_ERROR', previousStatus: from, error: errorRecord(failure) },
        },
      ],
    });

  it('inspects by the profiles of caches that a person wrote down, and says what is wrong with a file that can’t be read', async () => {
    const file = join(folder, 'cache-profiles.yaml');
    writeFileSync(file, 'profiles:\n  - model: "a/*"\n    kind: automatic\n');
    assert.deepEqual(await history.inspect(ticket.id), []);
    writeFileSync(file, 'profiles:\n  - model: "a/*"\n    kind: sometimes\n');
    await assert.rejects(history.inspect(ticket.id), {
      code: 'INVALID_INPUT',
      message: /cache-profiles\.yaml[^]*profiles\[0\]\.kind/,
    });
    writeFileSync(file, 'profiles: [');
    await assert.rejects(history.inspect(ticket.id), { code: 'INVALID_INPUT' });
  });

  it('tells what a person decided on an agent’s request, of this time and not of an earlier one', async () => {
    const settle = async (
      id: string,
      kind: 'question_reply' | 'permission_reply',
      state: 'consumed' | 'refused',
    ): Promise<void> => {
      const body =
        kind === 'question_reply' ? { request: 'q', answers: null } : { request: 'p', allow: true };
      await store.post({ id, ticket: ticket.id, kind, body });
      await store.commit({
        ticket: ticket.id,
        journal: [],
        changes: [{ type: 'inbox', id, state, outcome: null }],
      });
    };
    await settle('1', 'question_reply', 'consumed');
    await settle('2', 'permission_reply', 'refused');
    assert.equal(await history.decision(ticket.id, 'q', 0), 'left');
    assert.equal(await history.decision(ticket.id, 'q', now + 1), undefined, 'it was asked again since');
    assert.equal(await history.decision(ticket.id, 'p', 0), undefined, 'what was refused decided nothing');
    await settle('3', 'permission_reply', 'consumed');
    assert.equal(await history.decision(ticket.id, 'p', 0), 'allowed');
  });

  it('tells runs in their order with when they ended, and iterations below theirs', async () => {
    await journal(opened('r1', 'DRAFT'));
    await journal(
      { kind: 'run.closed', run: 'r1', state: 'closed', exit: 'start' },
      { kind: 'status', from: 'DRAFT', to: 'CODING', by: 'start' },
    );
    await journal(opened('r2', 'CODING'), opened('r2:bead:add-it:1', 'CODING', 'r2'));
    const run = 'r2:bead:add-it:1';
    await journal(
      { kind: 'step.intent', run, key: 'kickoff:1' },
      { kind: 'step.done', run, key: 'kickoff:1/ask', result: null },
    );
    const error = {
      code: 'SESSION_LOST',
      args: { model: 'a/one' },
      continuable: false,
      diagnostics: {},
    } as const;
    await journal(
      { kind: 'step.failed', run, key: 'kickoff:1', error },
      { kind: 'step.intent', run, key: 'check:2' },
    );
    await journal({
      kind: 'step.done',
      run,
      key: 'check:2',
      result: { exit: 'failed', output: { problem: 'red' } },
    });
    await journal({ kind: 'step.intent', run, key: 'analyse:1' });
    await journal({ kind: 'run.closed', run, state: 'closed', exit: 'rejected' });
    const ended = (await history.runs(ticket.id))[0]?.endedAt;
    await journal({ kind: 'run.closed', run: 'r1', state: 'archived', exit: 'start' });
    const [first, second, ...more] = await history.runs(ticket.id);
    assert.deepEqual(more, []);
    assert.deepEqual(
      [first?.status, first?.label, first?.exit, first?.error],
      ['DRAFT', 'Draft', 'start', null],
    );
    assert.ok(first && first.endedAt !== null && first.endedAt > first.startedAt);
    assert.deepEqual(
      [first.endedAt, first.state],
      [ended, 'archived'],
      'it ended when it was done, not when it was put away',
    );
    assert.equal(second?.endedAt, null);
    const [iteration] = second.iterations;
    assert.deepEqual(
      { ...iteration, stages: iteration?.stages.length },
      { run, bead: 'add-it', iteration: 1, state: 'closed', exit: 'rejected', stages: 3 },
    );
    assert.deepEqual(
      iteration?.stages.map((stage) => [
        stage.stage,
        stage.state,
        stage.exit,
        stage.error?.code,
        stage.endedAt !== null,
      ]),
      [
        ['kickoff', 'failed', null, 'SESSION_LOST', true],
        ['check', 'done', 'failed', undefined, true],
        ['analyse', 'open', null, undefined, false],
      ],
    );
  });

  it('says why a run blocked, also after it continued, and blames no other run for it', async () => {
    await journal(
      { kind: 'status', from: 'DRAFT', to: 'SCANNING_RELEVANT_FILES', by: 'start' },
      opened('r1', 'SCANNING_RELEVANT_FILES'),
    );
    await journal(
      { kind: 'step.intent', run: 'r1', key: 'ask' },
      { kind: 'step.failed', run: 'r1', key: 'ask', error: errorRecord(failure) },
    );
    await block('SCANNING_RELEVANT_FILES');
    assert.deepEqual((await history.runs(ticket.id))[0]?.error, {
      code: failure.code,
      message: failure.message,
    });
    await journal(
      { kind: 'run.closed', run: 'r1', state: 'archived', exit: null },
      { kind: 'status', from: 'BLOCKED_ERROR', to: 'SCANNING_RELEVANT_FILES', by: 'retry' },
      opened('r2', 'SCANNING_RELEVANT_FILES'),
    );
    const runs = await history.runs(ticket.id);
    assert.deepEqual(
      runs.map(({ state, error }) => [state, error?.message]),
      [
        ['archived', failure.message],
        ['open', undefined],
      ],
    );
  });

  it('lists calls without their texts and gives one with them', async () => {
    const long = 'x'.repeat(200_000);
    await journal(opened('r1', 'DRAFT'));
    await store.commit({
      ticket: ticket.id,
      journal: [],
      changes: [
        { type: 'call', call: call('c1', { input: long, output: 'yes' }) },
        { type: 'call', call: call('c2', { outcome: 'failed', error: 'no answer' }) },
      ],
    });
    const calls = await history.calls(ticket.id);
    assert.deepEqual(
      calls.map(({ id, member, prompt, outcome, estimatedTokens }) => [
        id,
        member,
        prompt,
        outcome,
        estimatedTokens,
      ]),
      [
        ['c1', 'tiny/one', 'scan', 'accepted', 40],
        ['c2', 'tiny/one', 'scan', 'failed', 40],
      ],
    );
    assert.ok(JSON.stringify(calls).length < 2_000);
    const whole = await history.call(ticket.id, 'c1');
    assert.deepEqual([whole?.input, whole?.output], [long, 'yes']);
    assert.match(whole?.plan ?? '', /"contextKey":"scan"/);
    assert.equal(await history.call(ticket.id, 'c9'), undefined);
  });

  it('pages through a log from its end, with no line twice and none left out', async () => {
    log(Array.from({ length: 2_000 }, (_, index) => says('engine', 'info', `line ${String(index)}`)));
    const seen: string[] = [];
    const sizes = new Set<number>();
    for (let before: number | null | undefined; before !== null;) {
      const page = await history.log(ticket.id, { limit: 300, ...(before === undefined ? {} : { before }) });
      seen.unshift(...page.lines.map(({ text }) => text));
      sizes.add(page.lines.length);
      before = page.earlier;
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 2_000 }, (_, index) => `line ${String(index)}`),
    );
    assert.deepEqual([...sizes], [250]);
  });

  it('finds lines by source, text and whether something went wrong', async () => {
    log([
      says('engine', 'command', 'npm test'),
      says('tiny/one', 'tool', 'read completed a.ts'),
      says('tiny/one', 'tool', 'edit error Nothing like that in A.TS'),
      {
        type: 'blocked',
        ticket: 'TST-1',
        at: 9,
        code: 'DISK_FULL',
        message: 'The disk is full.',
        nextStep: 'Make room.',
      },
    ]);
    const texts = async (query: object): Promise<readonly string[]> =>
      (await history.log(ticket.id, { limit: 9, ...query })).lines.map(textOf);
    assert.deepEqual(await texts({ source: 'command' }), ['npm test']);
    assert.deepEqual(await texts({ source: 'tiny/one', text: 'a.ts' }), [
      'read completed a.ts',
      'edit error Nothing like that in A.TS',
    ]);
    assert.deepEqual(await texts({ problems: true }), [
      'edit error Nothing like that in A.TS',
      'blocked by DISK_FULL: The disk is full. Make room.',
    ]);
  });

  it('reads the end of a huge log without reading the rest', async () => {
    log([says('engine', 'info', 'first')]);
    // The hole costs no disk, but reading it would take seconds and memory.
    truncateSync(logFile(), 1024 ** 3);
    appendFileSync(logFile(), `\n${JSON.stringify(says('engine', 'info', 'last'))}\n{"half`);
    const page = await history.log(ticket.id, { limit: 1 });
    assert.deepEqual(page.lines.map(textOf), ['last']);
    const nothing = await history.log(ticket.id, {
      limit: 1,
      text: 'first',
      ...(page.earlier === null ? {} : { before: page.earlier }),
    });
    assert.deepEqual(nothing.lines, []);
  });

  it('pages through what happened in one iteration, its newest attempt, without the lines of others', async () => {
    const inBead = (bead: string, iteration: number, text: string, kind = 'text'): object => ({
      ...says('tiny/one', kind, text),
      bead,
      iteration,
    });
    log([
      inBead('greet', 2, 'an earlier attempt'),
      inBead('greet', 1, 'first'),
      says('engine', 'command', 'npm test'),
      inBead('greet', 2, 'second'),
      { type: 'step', ticket: 'TST-1', at: 6, run: 'r', key: 'k', state: 'done' },
      inBead('greet', 2, 'npm run lint', 'command'),
      inBead('greet', 2, 'third'),
      inBead('other', 1, 'elsewhere'),
    ]);
    const seen: string[] = [];
    let pages = 0;
    for (let before: number | null | undefined; before !== null; pages++) {
      const page = await history.transcript(ticket.id, { bead: 'greet', iteration: 2, limit: 2, before });
      seen.unshift(...page.events.map((event) => (event.type === 'activity' ? event.text : event.type)));
      before = page.earlier;
    }
    assert.deepEqual(seen, ['second', 'npm run lint', 'third']);
    assert.equal(pages, 2);
    const all = await history.transcript(ticket.id, { limit: 9 });
    assert.deepEqual([all.events.length, all.earlier], [7, null]);
    await assert.rejects(history.transcript('../../x', { limit: 1 }), { code: 'TICKET_UNKNOWN' });
  });

  it('hands over no more than a page can take, however long the lines are', async () => {
    log(Array.from({ length: 200 }, () => says('tiny/one', 'text', 'y'.repeat(10_000))));
    const { events, earlier } = await history.transcript(ticket.id, { limit: 250 });
    assert.ok(events.length < 30 && earlier !== null);
    assert.deepEqual((await history.log(ticket.id, { limit: 250 })).lines, [], 'the log stays without them');
  });

  it('falls back on the journal where there is no log', async () => {
    await journal({ kind: 'status', from: 'DRAFT', to: 'CODING', by: 'start' });
    const page = await history.log(ticket.id, { limit: 10 });
    assert.deepEqual(page.lines.map(textOf), ['DRAFT → CODING (start)']);
  });

  it('looks for no ticket that is not there', async () => {
    for (const id of ['TST-9', '../../x'])
      await assert.rejects(history.log(id, { limit: 1 }), { code: 'TICKET_UNKNOWN' });
  });

  const logFile = (): string => join(folder, 'logs', `${ticket.id}.jsonl`);
  const log = (events: readonly object[]): void => {
    mkdirSync(join(folder, 'logs'), { recursive: true });
    writeFileSync(logFile(), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  };
});

const textOf = ({ text }: LogLine): string => text;
const says = (source: string, kind: string, text: string): object => ({
  type: 'activity',
  ticket: 'TST-1',
  at: 5,
  source,
  kind,
  text,
});

function call(id: string, changes: Partial<CallRow>): CallRow {
  const plan = samplePlan({
    contextKey: 'scan',
    prompt: 'scan',
    policy: 'disabled',
    model: 'tiny/one',
    tokens: 40,
  });
  return {
    id,
    ticket: 'TST-1',
    run: 'r1',
    step: 'ask',
    session: 's1',
    plan,
    input: 'in',
    output: 'out',
    outcome: 'accepted' as const,
    error: '',
    startedAt: 1,
    endedAt: 2,
    ...changes,
  };
}

describe('providers whose cache misses', () => {
  const makeStore = tempStores();
  let store: Store;
  let folder: string;
  let reads: (number | undefined)[];
  let misses: ReturnType<typeof cacheMisses>;

  beforeEach(() => {
    const made = makeStore();
    ({ store, folder } = made);
    reads = [];
    misses = cacheMisses(
      {
        lastCall: (ticket) => store.lastCall(ticket),
        plannedCalls: (ticket, newest) => {
          reads.push(newest);
          return store.plannedCalls(ticket, newest);
        },
        usage: (ticket, newest) => {
          reads.push(newest);
          return store.usage(ticket, newest);
        },
      },
      folder,
    );
  });

  const ticket = async (): Promise<string> => (await store.createTicket(newTicket)).id;
  const add = (id: string, from: number, to: number, cacheRead = 0): Promise<unknown> =>
    store.commit({
      ticket: id,
      journal: [],
      changes: Array.from({ length: to - from + 1 }, (_, at) => called(id, from + at, cacheRead)).flat(),
    });

  it('are told from the third miss in a row on, until the provider gives something', async () => {
    const id = await ticket();
    assert.deepEqual(await misses(id), []);
    await add(id, 1, 3);
    assert.deepEqual(await misses(id), []);
    await add(id, 4, 4);
    assert.deepEqual(await misses(id), [{ member, misses: 3, since: 4_500 }]);
    await add(id, 5, 5, 3_968);
    assert.deepEqual(await misses(id), []);
  });

  it('are looked for among the newest calls, and again only when there is a new one', async () => {
    const id = await ticket();
    await add(id, 1, 1_000);
    const found = await misses(id);
    assert.deepEqual(found, [{ member, misses: 199, since: 804_500 }]);
    assert.deepEqual(reads, [200, 200]);
    assert.equal(await misses(id), found);
    assert.equal(reads.length, 2, 'nothing is read again');
    await add(id, 1_001, 1_001);
    assert.deepEqual(await misses(id), [{ member, misses: 199, since: 805_500 }]);
    assert.equal(reads.length, 4);
  });

  it('are kept for the tickets that were asked about last', async () => {
    const [first = '', ...others] = await Promise.all(Array.from({ length: 21 }, ticket));
    await misses(first);
    for (const other of others.slice(1)) await misses(other);
    await misses(first);
    assert.equal(reads.length, 2 * 20, 'it is still known');
    for (const other of others) await misses(other);
    const before = reads.length;
    await misses(first);
    assert.equal(reads.length, before + 2, 'it was forgotten');
  });

  it('are looked for again with another file of profiles; with one that can’t be read, nothing is said', async () => {
    const id = await ticket();
    await add(id, 1, 4);
    assert.equal((await misses(id)).length, 1);
    const file = join(folder, 'cache-profiles.yaml');
    writeFileSync(file, 'profiles:\n  - model: "openai/*"\n    kind: unknown\n');
    assert.deepEqual(await misses(id), []);
    writeFileSync(file, 'profiles: [');
    assert.deepEqual(await misses(id), []);
  });
});
