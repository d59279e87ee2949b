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

describe('the item in the status bar', () => {
  const client = new FakeClient();
  let repositories: FakeRepositories;
  let board: Board;
  let bar: Disposable;

  beforeEach(() => {
    editor.reset();
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
      viewOf({
        id: `TST-${String(index + 1)}`,
        title: 'Greet',
        status: 'DRAFT',
        previousStatus: null,
        priority: 3,
        hold: null,
        holdUntil: null,
        waitsFor: null,
        continuable: false,
        openGaps: false,
        preparing: false,
        beadsDone: 0,
        beadsTotal: 0,
        coding: null,
        updatedAt: 0,
        ...changes,
      }),
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
      assert.equal(text, works ? '$(sync~spin) TST-1' : role === 'blocked' ? '$(error) 1' : '$(bell-dot) 1');
      assert.equal(command, waits ? 'beadsmith.showWaiting' : 'beadsmith.tickets.focus');
      assert.ok(tooltip.endsWith(`TST-1 Greet: ${rowOf(status).label}`), tooltip);
    });

  it('says which bead is coded, its stage, and only counts when several tickets are worked on', async () => {
    const coding = { bead: 'b', title: 'B', number: 2, iteration: 1, stage: 'check' };
    const ticket = { status: 'CODING', beadsTotal: 5, coding } as const;
    assert.equal((await show(ticket)).text, '$(sync~spin) 2/5 Checking');
    assert.equal((await show({ ...ticket, coding: { ...coding, stage: null } })).text, '$(sync~spin) 2/5');
    assert.equal((await show(ticket, { status: 'SCANNING_RELEVANT_FILES' })).text, '$(sync~spin) 2');
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
    assert.match(both.tooltip, /^3 tickets need input\nTST-1 [^]*\nTST-3 /);
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
    assert.equal(bar.text, `$(sync~spin) TST-3 $(watch) ${clockText(soon, Date.now())}`);
    assert.equal(bar.command, 'beadsmith.tickets.focus', 'nobody is needed');
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
