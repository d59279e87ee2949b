import assert from 'node:assert/strict';
import { TicketEvent } from '../../../../src/domain/core/events.ts';
import { ticketPage as contract } from '../../../../src/protocol/pages/ticket.ts';
import { TicketHint } from '../../../../src/protocol/pages/transcript.ts';
import { definePage } from '../../../../src/views/pages/pageKind.ts';
import { ticketPage } from '../../../../src/views/pages/ticketPage.ts';
import { ticketHint } from '../../../../src/views/pages/transcript.ts';
import type { Workbench } from '../../../../src/views/shared/workbench.ts';
import { editor, FileType, Uri } from '../../../support/fakes/fakeEditor.ts';
import { ownWindow } from '../../../support/fakes/fakeWindow.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

const at = 5;
const ofTicket = { ticket: 'TST-1', at } as const;
const activity = (text: string, more: object = {}): TicketEvent =>
  TicketEvent.parse({ type: 'activity', ...ofTicket, source: 'a/one', kind: 'text', text, ...more });
const stage = (more: object): TicketEvent =>
  TicketEvent.parse({
    type: 'stage',
    ...ofTicket,
    bead: 'one',
    iteration: 2,
    stage: 'check',
    label: 'Checking',
    state: 'done',
    exit: null,
    error: null,
    skipped: false,
    ms: 0,
    ...more,
  });

describe('a live hint', () => {
  const hinted = (event: TicketEvent): TicketHint => TicketHint.parse(ticketHint(event));

  it('says what is done by whom, cut to its end, which stays in its place', () => {
    const { source, kind, text, offset } = hinted(
      activity(`${'x'.repeat(9_000)}end`, { part: 'prt_1', offset: 100 }),
    );
    assert.deepEqual([source, kind, text.slice(-3), text.length], ['a/one', 'text', 'end', 4_000]);
    assert.equal(offset, 100 + 9_003 - 4_000);
  });

  it('has beads, stages and statuses in words for people', () => {
    const bead = {
      type: 'bead',
      ...ofTicket,
      bead: 'one',
      iteration: 2,
      state: 'done',
      done: 3,
      total: 4,
    } as const;
    assert.equal(hinted(bead).text, 'one (3/4), iteration 2: done');
    const said = (more: object) => {
      const { text, tone } = hinted(stage(more));
      return [text, tone];
    };
    assert.deepEqual(said({ state: 'started' }), ['Checking', 'begins']);
    assert.deepEqual(said({ exit: 'passed' }), ['Checks passed', 'good']);
    assert.deepEqual(said({ exit: 'failed' }), ['Checks failed', 'bad']);
    const error = { code: 'X', message: 'No answer.' };
    const kickoff = { stage: 'kickoff', label: 'Kickoff', error, state: 'failed', skipped: true };
    assert.deepEqual(said(kickoff), ['Kickoff was skipped: No answer.', 'bad']);
    const status = {
      type: 'status',
      ...ofTicket,
      from: 'CODING',
      to: 'RUNNING_FINAL_TEST',
      by: 'ready',
    } as const;
    assert.equal(hinted(status).text, 'Coding → Running the final test');
  });

  it('keeps quiet about what only is replayed or stands in the state anyway', () => {
    const replayed = { type: 'step', ...ofTicket, run: 'r1', key: 'ask', state: 'replayed' } as const;
    assert.equal(ticketHint(replayed), undefined);
    assert.equal(ticketHint({ type: 'waiting', ...ofTicket, status: 'DRAFT', kinds: ['start'] }), undefined);
  });
});

describe('the transcript of a ticket’s page', () => {
  const page = definePage(ticketPage);
  let place: FakePlace;
  beforeEach(() => {
    editor.reset();
    place = new FakePlace();
  });
  const serve = (method: string, params: unknown = {}): Promise<unknown> =>
    page.serve(method, params, place, {} as Workbench);

  it('is what was logged, in the form of live hints', async () => {
    const call = { tool: 'bash', state: 'done', command: 'ls' } as const;
    place.client.history.events = [
      activity('Let me see.', { part: 'prt_1', offset: 0, bead: 'one', iteration: 2 }),
      activity('bash completed', { kind: 'tool', part: 'prt_2', call }),
      stage({ exit: 'passed' }),
    ];
    const { pieces, earlier } = contract.requests.transcript.result.parse(
      await serve('transcript', { bead: 'one', iteration: 2 }),
    );
    assert.deepEqual(
      pieces,
      place.client.history.events.map((event) => ticketHint(event)),
    );
    assert.deepEqual([pieces.length, earlier], [3, null]);
    await assert.rejects(serve('transcript', { bead: '../x' }), { code: 'INVALID_INPUT' });
  });

  it('opens files of the worktree, and nothing else that a model may name', async () => {
    ownWindow.onDisk.set('/sample.worktrees/TST-1/src', FileType.Directory);
    ownWindow.onDisk.set('/sample.worktrees/TST-1/src/a.ts', FileType.File);
    ownWindow.onDisk.set('/sample.worktrees/TST-1/out', FileType.SymbolicLink | FileType.Directory);
    ownWindow.onDisk.set('/sample.worktrees/TST-1/out/key', FileType.File);
    assert.deepEqual(await serve('openFile', { path: 'src/a.ts' }), {});
    assert.deepEqual(editor.ran, [
      ['vscode.open', Uri.file('/sample.worktrees/TST-1/src/a.ts'), { preview: true }],
    ]);
    for (const path of ['src/gone.ts', 'out/key', '../key', '/etc/passwd', '.git/config', 'command:x', ''])
      await assert.rejects(serve('openFile', { path }), { code: 'INVALID_INPUT' }, path);
    assert.equal(editor.ran.length, 1);
    place = new FakePlace({ ticket: { worktree: null } });
    await assert.rejects(serve('openFile', { path: 'src/a.ts' }), { code: 'WORKTREE_LOST' });
  });

  it('takes notes for the agents, for each moment', async () => {
    for (const time of ['now', 'next_iteration', 'every_call'])
      assert.deepEqual(await serve('note', { text: ' Use tabs. ', time }), {});
    await assert.rejects(serve('note', { text: ' ', time: 'now' }), { code: 'INVALID_INPUT' });
    const text = 'Use tabs.';
    assert.deepEqual(place.sent, [
      ['context', { text, scope: 'once', interrupt: true }],
      ['context', { text, scope: 'once' }],
      ['context', { text, scope: 'pinned' }],
    ]);
    assert.deepEqual([page.isReadOnly('note'), page.isReadOnly('transcript')], [false, true]);
  });
});
