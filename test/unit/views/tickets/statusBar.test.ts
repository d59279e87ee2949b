import assert from 'node:assert/strict';
import { ticketView as viewOf } from '../../../../src/app/tickets/ticketView.ts';
import type { Disposable } from '../../../../src/base/disposable.ts';
import { rowOf, statuses } from '../../../../src/domain/workflow/workflow.ts';
import type { TicketSummary } from '../../../../src/engine/ports/storePort.ts';
import { clockText } from '../../../../src/views/shared/plainText.ts';
import type { Workbench } from '../../../../src/views/shared/workbench.ts';
import { Board } from '../../../../src/views/tickets/board.ts';
import { statusBar } from '../../../../src/views/tickets/statusBar.ts';
import { FakeClient } from '../../../support/fakes/fakeClient.ts';
import { editor } from '../../../support/fakes/fakeEditor.ts';
import { FakeRepositories } from '../../../support/fakes/fakeRepositories.ts';
import { sampleSummary } from '../../../support/samples.ts';

describe('the item in the status bar', () => {
  const client = new FakeClient();
  let repositories: FakeRepositories;
  let board: Board;
  let bar: Disposable;

  beforeEach(() => {
    client.views = [];
    repositories = new FakeRepositories();
    board = new Board(repositories);
    bar = statusBar({ board } as Workbench);
  });
  afterEach(() => {
    bar.dispose();
    board.dispose();
  });

  async function show(...tickets: readonly Partial<TicketSummary>[]) {
    client.views = tickets.map((changes, index) =>
      viewOf(sampleSummary({ id: `TST-${String(index + 1)}`, title: 'Greet', ...changes })),
    );
    repositories.show(client);
    await board.refresh();
    assert.ok(editor.statusBar);
    return editor.statusBar;
  }

  for (const status of statuses)
    it(`is there for ${status} only if something runs or a person is needed, and says which`, async () => {
      const { kind, role, column } = rowOf(status);
      const { text, isShown, command, tooltip } = await show({ status });
      const waits = kind === 'gate' && role !== 'draft';
      const works = column === 'In Progress';
      assert.equal(isShown, waits || works);
      if (!isShown) return;
      const { label } = rowOf(status);
      assert.equal(
        text,
        works ? `$(sync~spin) TST-1: ${label}` : role === 'blocked' ? '$(error) 1' : '$(bell-dot) 1',
      );
      assert.equal(opens(command), 'TST-1');
      assert.ok(tooltip.endsWith(`TST-1 Greet: ${rowOf(status).label}`), tooltip);
    });

  const opens = (command: unknown): unknown => {
    const {
      command: name,
      arguments: [target],
    } = command as { command: string; arguments: [{ ticket: string }] };
    assert.equal(name, 'beadsmith.openTicket');
    assert.deepEqual(target, { root: '/sample', ticket: target.ticket });
    return target.ticket;
  };
  const coding = { bead: 'b', title: 'B', number: 2, iteration: 1, stage: 'check' };

  it('says who works on which bead, its stage, and how many other tickets run', async () => {
    const ticket = { status: 'CODING', beadsTotal: 5, coding } as const;
    assert.equal((await show(ticket)).text, '$(sync~spin) TST-1: Checking 2/5');
    const between = { ...ticket, coding: { ...coding, stage: null } };
    assert.equal((await show(between)).text, '$(sync~spin) TST-1: Coding 2/5');
    const scanning = { status: 'SCANNING_RELEVANT_FILES' } as const;
    const both = await show(scanning, ticket, scanning);
    assert.equal(both.text, '$(sync~spin) TST-2: Checking 2/5 +2');
    assert.equal(opens(both.command), 'TST-2');
  });

  it('says first how many tickets wait, and then who works', async () => {
    const gate = { status: 'WAITING_PRD_APPROVAL' } as const;
    const bar = await show(gate, gate, { status: 'CODING', beadsTotal: 5, coding });
    assert.equal(bar.text, '$(bell-dot) 2 · TST-3: Checking 2/5');
    assert.deepEqual(bar.tooltip.split('\n'), [
      '2 tickets need input',
      'TST-1 Greet: Approve the PRD',
      'TST-2 Greet: Approve the PRD',
      'In progress:',
      'TST-3 Greet: Coding · 2/5, iteration 1: Checking',
    ]);
  });

  it('opens what can wait least: an agent’s question, a block, and then by importance and time', async () => {
    const now = Date.now();
    const gate = { status: 'WAITING_PRD_APPROVAL', updatedAt: now } as const;
    const blocked = { status: 'BLOCKED_ERROR' } as const;
    const asking = { status: 'CODING', hold: 'question' } as const;
    const opened = async (...tickets: readonly Partial<TicketSummary>[]): Promise<unknown> =>
      opens((await show(...tickets)).command);
    assert.equal(await opened(gate, { ...gate, updatedAt: now - 1 }), 'TST-2', 'what waits longest');
    assert.equal(await opened(gate, { ...gate, updatedAt: now - 1 }, { ...gate, priority: 1 }), 'TST-3');
    assert.equal(await opened({ ...gate, priority: 1 }, blocked), 'TST-2');
    const later = { ...asking, holdUntil: now + 600_000 };
    assert.equal(await opened(blocked, later, { ...asking, holdUntil: now + 60_000 }), 'TST-3');
  });

  it('stays short: a row for each ticket, and no more than ten of a kind', async () => {
    const { tooltip } = await show(
      ...Array.from({ length: 12 }, () => ({
        status: 'WAITING_PRD_APPROVAL' as const,
        title: 'x'.repeat(500),
      })),
    );
    const rows = tooltip.split('\n');
    assert.deepEqual([rows.length, rows.at(-1)], [12, 'and 2 more']);
    assert.ok(
      rows.every((row) => row.length < 130),
      rows[1],
    );
  });

  it('warns by its colour only of what is blocked, and tells it from what waits', async () => {
    const waiting = await show({ status: 'WAITING_PRD_APPROVAL' });
    assert.deepEqual([waiting.backgroundColor, waiting.text], [undefined, '$(bell-dot) 1']);
    const both = await show(
      { status: 'WAITING_PRD_APPROVAL' },
      { status: 'BLOCKED_ERROR' },
      { status: 'BLOCKED_ERROR' },
    );
    assert.deepEqual(
      [both.backgroundColor?.id, both.text],
      ['statusBarItem.errorBackground', '$(error) 2 $(bell-dot) 1'],
    );
    assert.match(both.tooltip, /^3 tickets need input\nTST-2 [^]*\nTST-3 [^]*\nTST-1 /);
    assert.deepEqual([(await show({ status: 'COMPLETED' })).isShown, both.isShown], [false, false]);
  });

  it('counts down to the first agent that continues by itself', async () => {
    const now = Date.now();
    const asking = { status: 'CODING', hold: 'question' } as const;
    const { text } = await show(
      { ...asking, holdUntil: now + 600_000 },
      { ...asking, holdUntil: now + 61_000 },
    );
    assert.match(text, /^\$\(bell-dot\) 2 1:0[01]$/);
  });

  it('says when the first ticket that waits for a provider continues, beside what runs', async () => {
    const soon = Date.now() + 3_600_000;
    const waits = { status: 'CODING', hold: 'quota', holdUntil: soon } as const;
    const bar = await show(
      waits,
      { ...waits, holdUntil: soon + 3_600_000 },
      { status: 'SCANNING_RELEVANT_FILES' },
    );
    assert.equal(
      bar.text,
      `$(sync~spin) TST-3: Scanning relevant files $(watch) ${clockText(soon, Date.now())}`,
    );
    assert.equal(opens(bar.command), 'TST-3', 'what runs, because nobody is needed');
    assert.equal((await show(waits)).text, `$(watch) ${clockText(soon, Date.now())}`);
  });

  it('says the same to a screen reader, and that a demo’s model is scripted', async () => {
    const { accessibilityInformation, tooltip } = await show({ status: 'CODING' });
    assert.equal(accessibilityInformation?.label, `Beadsmith: ${tooltip}`);
    assert.doesNotMatch(tooltip, /no AI/);
    repositories.entries = repositories.entries.map((entry) =>
      entry.kind === 'open' ? { ...entry, repository: { ...entry.repository, isDemo: true } } : entry,
    );
    client.views = client.views.map((view) => ({ ...view, title: 'Greet everybody' }));
    await board.refresh();
    assert.match(editor.statusBar?.tooltip ?? '', /^Scripted model: recorded answers, no AI\n/);
  });
});
