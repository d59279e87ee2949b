import assert from 'node:assert/strict';
import { MarkdownString } from 'vscode';
import { ticketView as viewOf } from '../../../../../src/app/tickets/ticketView.ts';
import { rowOf, type Status, statuses } from '../../../../../src/domain/workflow/workflow.ts';
import type { TicketSummary } from '../../../../../src/engine/ports/storePort.ts';
import type { TicketView } from '../../../../../src/protocol/api.ts';
import { type CommandName, commandNames, commandRow } from '../../../../../src/views/commands/commands.ts';
import { clockText } from '../../../../../src/views/shared/plainText.ts';
import { Nodes } from '../../../../../src/views/tickets/tree/nodes.ts';
import {
  type ItemParts,
  toItem,
  tooltipOf,
  columnParts,
  errorParts,
  moreParts,
  opensTicket,
  repositoryParts,
  ticketParts,
} from '../../../../../src/views/tickets/tree/rowItems.ts';
import { pageSize } from '../../../../../src/views/tickets/tree/ticketList.ts';
import { sampleSummary } from '../../../../support/samples.ts';

/** As the app makes it of what is stored. */
function ticket(changes: Partial<TicketSummary> = {}): TicketView {
  return viewOf(sampleSummary(changes));
}

const tooltip = (parts: ItemParts): string => {
  const made = tooltipOf(parts);
  return made instanceof MarkdownString ? made.value : made;
};
const icon = (changes: Partial<TicketSummary>): string | undefined => ticketParts(ticket(changes)).icon;
const commandsOf = ({ context }: ItemParts): readonly CommandName[] =>
  context
    .split(';')
    .slice(1)
    .filter((name) => name !== '') as CommandName[];

describe('the row of a ticket', () => {
  for (const status of statuses)
    it(`begins for ${status} with what it needs, in sight and to a screen reader`, () => {
      const { label, short = label, kind, role } = rowOf(status);
      assert.ok(short.split(' ').length <= 3 && short.length <= 22, short);
      const parts = ticketParts(ticket({ status, beadsDone: 1, beadsTotal: 2 }));
      assert.equal(parts.label, `${short} · Greet people`);
      assert.equal(parts.description, 'TST-1 · 1/2 beads');
      assert.match(tooltip(parts), /^\*\*TST-1\*\* Greet people\n/);
      for (const said of [label, '1 of 2 beads done', 'Priority 3'])
        assert.ok(tooltip(parts).includes(said), said);
      const asks = kind === 'gate' && role !== 'draft' ? ', needs input' : '';
      assert.equal(parts.spoken, `${short}, Greet people, TST-1, 1/2 beads${asks}`);
      assert.equal(toItem('id', parts).accessibilityInformation?.label, parts.spoken);
    });

  it('begins with what holds it, in place of the status, which comes behind the ID', () => {
    const shown = (changes: Partial<TicketSummary>): readonly unknown[] => {
      const { label, description } = ticketParts(ticket({ status: 'CODING', ...changes }));
      return [label, description];
    };
    assert.deepEqual(shown({ hold: 'question' }), ['Answer question · Greet people', 'TST-1 · Coding']);
    assert.deepEqual(shown({ hold: 'permission' }), ['Allow or deny · Greet people', 'TST-1 · Coding']);
    assert.deepEqual(shown({ hold: 'paused' }), ['Paused · Greet people', 'TST-1 · Coding']);
    assert.deepEqual(shown({ hold: 'queue', waitsFor: 'TST-3' }), [
      'Queued · Greet people',
      'TST-1 · Coding · Waiting for TST-3 to finish coding',
    ]);
    assert.deepEqual(shown({ status: 'BLOCKED_ERROR', hold: 'paused' }), [
      'Blocked · Greet people',
      'TST-1 · Paused',
    ]);
    assert.deepEqual(shown({ status: 'WAITING_INTERVIEW_ANSWERS', preparing: true }), [
      'Preparing · Greet people',
      'TST-1 · Interview',
    ]);
  });

  it('opens its page', () => {
    const { command } = opensTicket({ root: '/sample', ticket: 'TST-1' });
    assert.deepEqual(
      [command?.command, command?.arguments],
      ['beadsmith.openTicket', [{ root: '/sample', ticket: 'TST-1' }]],
    );
  });

  for (const status of statuses)
    it(`offers in the menu of ${status} what the workflow allows there, and nothing else`, () => {
      for (const hold of [null, 'paused', 'question', 'permission', 'quota']) {
        const view = ticket({
          status,
          hold,
          previousStatus: 'CODING',
          beadsDone: 1,
          openGaps: true,
          continuable: true,
        });
        const { actions } = view;
        for (const name of commandsOf(ticketParts(view))) {
          const { action } = commandRow(name);
          const allowed =
            name === 'replyToAgent'
              ? actions.some((one) => one.endsWith('_reply'))
              : !action || actions.includes(action);
          assert.ok(allowed, `${name} while ${String(hold)}`);
        }
        const offered = commandsOf(ticketParts(view));
        for (const name of commandNames) {
          const { target, action, isAgain = false } = commandRow(name);
          // It takes the place of another command once that was done.
          if (target === 'ticket' && !isAgain && action && actions.includes(action))
            assert.ok(offered.includes(name), `${name} is missing`);
        }
      }
    });

  it('shows by its icon whether a person, an agent or nobody has to do something', () => {
    const roles: Readonly<Record<string, string>> = {
      draft: 'circle-large-outline',
      blocked: 'error',
      completed: 'pass',
      canceled: 'circle-slash',
    };
    for (const status of statuses) {
      const { kind, role } = rowOf(status);
      assert.equal(
        icon({ status }),
        role ? roles[role] : kind === 'gate' ? 'circle-filled' : 'sync~spin',
        status,
      );
    }
    assert.equal(icon({ status: 'CODING', hold: 'question', holdUntil: 1 }), 'circle-filled');
    assert.equal(icon({ status: 'CODING', hold: 'disk' }), 'circle-filled');
    assert.equal(icon({ status: 'CODING', hold: 'paused' }), 'debug-pause');
    assert.equal(
      ticketParts(ticket({ status: 'WAITING_PRD_APPROVAL' })).color,
      'problemsWarningIcon.foreground',
    );
    assert.equal(
      icon({ status: 'CODING', hold: 'quota', holdUntil: 1 }),
      'watch',
      'nobody has to do anything',
    );
    assert.equal(icon({ status: 'BLOCKED_ERROR', hold: 'paused' }), 'error', 'a block is worse than a pause');
    assert.equal(
      icon({ status: 'WAITING_INTERVIEW_ANSWERS', preparing: true }),
      'sync~spin',
      'a model writes the next questions',
    );
  });

  it('says of a ticket that can’t be read what helps, and offers nothing', () => {
    const parts = ticketParts(ticket({ id: 'TST-1', title: '', damaged: 'it is no JSON' }));
    const { label, description, icon: shown } = parts;
    assert.deepEqual(
      [label, shown, commandsOf(parts).filter((name) => commandRow(name).action)],
      ['Damaged', 'error', []],
    );
    for (const said of [description ?? '', tooltip(parts)])
      assert.match(said, /TST\\?-1 can.+t be read.+no JSON.+restore/);
  });

  it('says when it continues, and how long an agent still waits', () => {
    const described = (changes: Partial<TicketSummary>): string =>
      ticketParts(ticket({ status: 'CODING', ...changes })).description ?? '';
    const soon = Date.now() + 3_600_000;
    for (const hold of ['quota', 'offline'])
      assert.equal(
        described({ hold, holdUntil: soon }),
        `TST-1 · Coding · continues at ${clockText(soon, Date.now())}`,
      );
    for (const hold of ['question', 'permission'])
      assert.match(described({ hold, holdUntil: Date.now() + 90_000 }), /^TST-1 · Coding · 1:\d\d left$/);
    assert.equal(described({ hold: 'question' }), 'TST-1 · Coding', 'no time is known');
  });

  it('says which bead is coded, how often it was tried, and what is done to it', () => {
    const coding = { bead: 'greet', title: 'Greet', number: 2, iteration: 3, stage: 'check' };
    const described = (stage: string | null): string =>
      ticketParts(ticket({ status: 'CODING', beadsDone: 1, beadsTotal: 4, coding: { ...coding, stage } }))
        .description ?? '';
    assert.equal(described('check'), 'TST-1 · 2/4, iteration 3: Checking');
    assert.equal(described(null), 'TST-1 · 2/4, iteration 3');
  });

  it('shows a title as text, whatever Markdown or icons are in it', () => {
    const title = '[now](command:workbench.action.quit) **x** $(error) <img src=x>';
    const parts = ticketParts(ticket({ title }));
    assert.equal(parts.label, `Draft · ${title}`);
    assert.doesNotMatch(tooltip(parts), /\]\(command:|[^\\]\$\(error\)|[^\\]<img|\*\*x/);
  });
});

describe('the other rows', () => {
  const nodes = new Nodes();

  it('say how many tickets a column has, in words to a screen reader; what is over is folded', () => {
    const column = (name: string, total: number): ItemParts =>
      columnParts(nodes.column('/sample', name), total);
    assert.deepEqual(
      [column('To Do', 1).spoken, column('To Do', 12).spoken],
      ['To Do, 1 ticket', 'To Do, 12 tickets'],
    );
    assert.deepEqual([column('To Do', 1).folded, column('Done', 1).folded], [false, true]);
    const columns = new Set<string>(statuses.map((status: Status) => rowOf(status).column));
    assert.ok(columns.has('Done'), 'the name that is folded is one of the table');
  });

  it('load as many more tickets as there are, a page at most', () => {
    const more = (left: number): ItemParts => moreParts(nodes.more('/sample', 'To Do'), left);
    assert.equal(more(pageSize + 1).label, `Load ${String(pageSize)} more of ${String(pageSize + 1)}…`);
    assert.equal(more(pageSize).label, `Load the last ${String(pageSize)}…`);
    assert.deepEqual(more(1).command?.arguments, [{ root: '/sample', column: 'To Do' }]);
  });

  it('say where a repository is, and what to do about one that can’t be read', () => {
    assert.equal(
      tooltip(repositoryParts(nodes.repository('/home/ann/sample'), 'sample')),
      '/home/ann/sample',
    );
    const { tooltip: made, ...failed } = errorParts({
      message: 'The disk is full.',
      nextStep: 'Free some space.',
    });
    assert.equal(made, undefined);
    assert.equal(tooltip(failed), 'The disk is full., Free some space.');
    assert.equal(
      toItem('id', errorParts({ message: 'Gone.', nextStep: '' })).accessibilityInformation?.label,
      'Gone.',
    );
  });

  it('unfold only where something lies below, and carry an address only where a file stands behind them', () => {
    const state = (folded?: boolean): number | undefined =>
      toItem('id', { label: 'x', context: 'y', ...(folded === undefined ? {} : { folded }) })
        .collapsibleState;
    assert.deepEqual([state(), state(true), state(false)], [0, 1, 2]);
    assert.equal(toItem('id', ticketParts(ticket())).resourceUri, undefined);
  });
});
