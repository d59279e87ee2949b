import assert from 'node:assert/strict';
import {
  MarkdownString,
  tests,
  ThemeIcon,
  type TreeItem,
  TreeItemCheckboxState,
  TreeItemCollapsibleState,
} from 'vscode';
import type { TicketDetail } from '../../../src/protocol/api.ts';
import { ChangeLetters } from '../../../src/views/changes/changeLetters.ts';
import { TicketControl } from '../../../src/views/changes/ticketControl.ts';
import { TicketTests } from '../../../src/views/tests/ticketTests.ts';
import { Board } from '../../../src/views/tickets/board.ts';
import { factParts } from '../../../src/views/tickets/tree/factItems.ts';
import { type Node, Nodes } from '../../../src/views/tickets/tree/nodes.ts';
import { TicketList } from '../../../src/views/tickets/tree/ticketList.ts';
import { TicketsTree } from '../../../src/views/tickets/tree/ticketsTree.ts';
import { ViewedFiles } from '../../../src/views/review/viewedFiles.ts';
import { FakeClient, ticketView } from '../../support/fakes/fakeClient.ts';
import { FakeRepositories, openRepository } from '../../support/fakes/fakeRepositories.ts';
import { until } from '../../support/until.ts';
import { bead } from '../../support/storeContract/samples.ts';

/** The tree with the editor's own rows and colours, over a client that a test sets. */
describe('the tree', () => {
  const client = new FakeClient();
  const repositories = new FakeRepositories();
  const board = new Board(repositories);
  const memory = { get: () => undefined, set: () => Promise.resolve() };
  const tree = new TicketsTree(board, new TicketList(memory), new ViewedFiles(memory));
  const changes: (Node | Node[] | undefined)[] = [];
  tree.onDidChangeTreeData((change) => changes.push(change));

  before(async () => {
    client.views = [
      ticketView({ id: 'TST-1', title: 'Draft' }),
      ticketView({
        id: 'TST-2',
        title: 'Waits',
        status: 'WAITING_PRD_APPROVAL',
        label: 'Approve the PRD',
        column: 'Needs Input',
        needsPerson: true,
      }),
      ticketView({ id: 'TST-3', title: 'Over', status: 'COMPLETED', label: 'Completed', column: 'Done' }),
    ];
    repositories.show(client);
    await until(() => board.rows.length === 1, 'the board was read');
  });

  after(() => {
    tree.dispose();
    board.dispose();
  });

  it('has columns, and below them tickets', async () => {
    const columns = await tree.getChildren();
    assert.deepEqual(columns.map((node) => labelOf(tree.getTreeItem(node))).sort(), [
      'Done',
      'Needs Input',
      'To Do',
    ]);
    const below = await Promise.all(columns.map((column) => tree.getChildren(column)));
    assert.deepEqual(
      below
        .flat()
        .map((node) => labelOf(tree.getTreeItem(node)))
        .sort(),
      ['Approve PRD · Waits', 'Completed · Over', 'Draft · Draft'],
    );
  });

  it('says of each row what it is: to a screen reader, to menus, and in a tooltip as soon as a person points at it', async () => {
    for (const node of await everything()) {
      const item = tree.getTreeItem(node);
      const name = labelOf(item);
      assert.ok((item.accessibilityInformation?.label ?? '').length > 0, name);
      assert.ok((item.contextValue ?? '').length > 0, name);
      assert.ok(item.iconPath === undefined || item.iconPath instanceof ThemeIcon, name);
      // The editor asks for what isn't there yet, and for nothing else.
      assert.equal(item.tooltip, undefined, name);
      assert.ok(tooltipText(tree.resolveTreeItem(item, node)).length > 0, name);
    }
    const waiting = tree.getTreeItem(await ticket('TST-2'));
    assert.match(waiting.accessibilityInformation?.label ?? '', /^Approve PRD.*Waits.*TST-2.*needs input/);
    assert.match(
      tooltipText(tree.resolveTreeItem(waiting, await ticket('TST-2'))),
      /TST-2.*Waits[^]*Approve the PRD[^]*Priority 3/,
    );
  });

  it('has the address of its file for decorations on a row that stands for one, and none on others', async () => {
    const addresses = (await everything()).map((node) => tree.getTreeItem(node).resourceUri);
    assert.deepEqual([...new Set(addresses)], [undefined]);
    const fact = {
      kind: 'artifact',
      artifact: 'prd',
      version: 1,
      archived: false,
      createdAt: 0,
      versions: 1,
    } as const;
    const node = new Nodes().fact({ root: '/sample', ticket: 'TST-2' }, 'prd', {});
    const { uri, command } = factParts(node, { key: 'prd', fact, children: [] });
    assert.equal(uri?.path, '/TST-2/prd.yaml');
    assert.deepEqual(command?.arguments, [uri]);
  });

  it('has rows that do nothing when they are clicked, unless they open something', async () => {
    for (const node of await everything()) {
      const { command, collapsibleState } = tree.getTreeItem(node);
      if (node.kind === 'column') assert.equal(command, undefined);
      if (node.kind !== 'ticket') continue;
      assert.equal(collapsibleState, TreeItemCollapsibleState.Collapsed);
      assert.deepEqual(
        [command?.command, command?.arguments],
        ['beadsmith.openTicket', [{ root: node.root, ticket: node.ticket }]],
      );
    }
  });

  it('keeps its ids over a change, and draws only what differs', async () => {
    const before = (await everything()).map((node) => tree.getTreeItem(node).id);
    assert.equal(new Set(before).size, before.length);
    changes.length = 0;
    client.views = client.views.map((view) => (view.id === 'TST-1' ? { ...view, title: 'Changed' } : view));
    client.change('TST-1');
    await until(() => changes.length > 0, 'the tree changes');
    assert.deepEqual(
      changes.flat().map((node) => node?.id),
      before.filter((id) => id?.endsWith('#TST-1')),
    );
    assert.deepEqual(
      (await everything()).map((node) => tree.getTreeItem(node).id),
      before,
    );
  });

  it('keeps a ticket unfolded that goes to another column', async () => {
    const before = await ticket('TST-1');
    tree.fold(before, false);
    client.views = client.views.map((view) =>
      view.id === 'TST-1' ? { ...view, column: 'In Progress' } : view,
    );
    client.change('TST-1');
    await until(
      async () =>
        (await tree.getChildren()).some((node) => node.kind === 'column' && node.column === 'In Progress'),
      'it moved',
    );
    const { id, collapsibleState } = tree.getTreeItem(await ticket('TST-1'));
    assert.deepEqual([id, collapsibleState], [before.id, TreeItemCollapsibleState.Expanded]);
  });

  it('takes a row for unfolded as soon as the editor asks what is below it, and for folded only when a person folds it', async () => {
    const state = async (): Promise<unknown> => tree.getTreeItem(await ticket('TST-3')).collapsibleState;
    assert.equal(await state(), TreeItemCollapsibleState.Collapsed);
    await tree.getChildren(await ticket('TST-3'));
    assert.equal(await state(), TreeItemCollapsibleState.Expanded);
    tree.fold(await ticket('TST-3'), true);
    assert.equal(await state(), TreeItemCollapsibleState.Collapsed);
  });

  it('says below a ticket that it could not be read: the editor would fold its row, and draw nothing of what else changed', async () => {
    const [row, ...others] = await tree.getChildren(await ticket('TST-2'));
    assert.ok(row);
    assert.deepEqual(others, []);
    assert.match(labelOf(tree.getTreeItem(row)), /this test has no ticket/);
  });

  it('requests the rows below an unfolded ticket that differ, and those of no ticket that is requested as a whole', async () => {
    showBeads();
    const [first] = await tree.getChildren(await ticket('TST-2'));
    changes.length = 0;
    showBeads('Say it louder');
    client.change('TST-2');
    await until(() => changes.length > 0, 'the tree changes');
    assert.deepEqual(changes, [[first]]);
    changes.length = 0;
    showBeads('Say it softly');
    client.views = client.views.map((view) => (view.id === 'TST-2' ? { ...view, title: 'Changed' } : view));
    client.change('TST-2');
    await allWasRead();
    assert.deepEqual(changes, [[await ticket('TST-2')]]);
  });

  it('has a box beside each file of a bead, by which the bead says how many were viewed', async () => {
    showBeads('Say it', 2);
    const file = { path: 'src/greet.ts', oldPath: null, change: 'modified', binary: false } as const;
    const scope = { kind: 'bead', bead: 'say-it' } as const;
    client.diffs.set({ scope, from: '', to: '', sha256: '', files: [file, { ...file, path: 'b.ts' }] });
    const only = async (): Promise<Node> => {
      const [row] = await tree.getChildren(await ticket('TST-2'));
      assert.ok(row);
      return row;
    };
    const boxes = async (): Promise<unknown> =>
      (await tree.getChildren(await only())).map((row) => {
        const { checkboxState: box } = tree.getTreeItem(row);
        return typeof box === 'object' ? box.state : box;
      });
    assert.deepEqual(await boxes(), [TreeItemCheckboxState.Unchecked, TreeItemCheckboxState.Unchecked]);
    const [first] = await tree.getChildren(await only());
    assert.ok(first);
    changes.length = 0;
    await tree.mark(first, true);
    await until(() => changes.length > 0, 'the bead is requested');
    assert.deepEqual(await boxes(), [TreeItemCheckboxState.Checked, TreeItemCheckboxState.Unchecked]);
    assert.match(String(tree.getTreeItem(await only()).description), /1 of 2 viewed/);
  });

  it('requests a folded ticket once when something is written about it, whatever that is', async () => {
    tree.fold(await ticket('TST-2'), true);
    changes.length = 0;
    for (const title of ['Say it twice', 'Say it again']) {
      showBeads(title);
      client.change('TST-2');
      await allWasRead();
    }
    assert.deepEqual(changes, [[await ticket('TST-2')]]);
    const [only] = await tree.getChildren(await ticket('TST-2'));
    assert.equal(only && labelOf(tree.getTreeItem(only)), 'Say it again');
  });

  it('has its ticket’s changes in the Source Control view, by what that view takes', () => {
    const place = { repository: openRepository(client), ticket: 'TST-2' };
    const letters = new ChangeLetters();
    const control = new TicketControl(place, 'Waits', letters);
    const file = { path: 'src/greet.ts', oldPath: null, binary: false };
    const changes = ['added', 'modified', 'deleted', 'renamed'] as const;
    const view = {
      scope: { kind: 'worktree', since: 'staged' },
      from: 'a'.repeat(40),
      to: 'b'.repeat(40),
      sha256: '',
      files: changes.map((change) => ({ ...file, change })),
    } as const;
    control.show([
      { id: 'staged', label: 'Staged Changes', view: { ...view, scope: { kind: 'staged' } } },
      { id: 'unstaged', label: 'Changes', view },
    ]);
    control.show([{ id: 'bead:say-it', label: 'Say it', view }]);
    control.show([]);
    control.dispose();
    letters.dispose();
  });

  it('has its commands in the Test Explorer, by what that view takes', async () => {
    const errors: unknown[] = [];
    const logError = (_what: string, error: unknown): void => void errors.push(error);
    const coding = ticketView({ id: 'TST-4', title: 'Codes', status: 'CODING' });
    const own = new FakeClient();
    own.views = [coding];
    const shown = new FakeRepositories();
    const lists: string[] = [];
    shown.over = {
      commands: {
        list: (ticket) => {
          lists.push(ticket);
          return Promise.resolve([{ bead: null, commands: ['npm test'] }]);
        },
        run: () => Promise.reject(new Error('nothing is run')),
        prepare: () => Promise.reject(new Error('nothing is run')),
      },
    };
    const known = new Board(shown);
    const explorer = new TicketTests(
      { board: known, repositories: shown, logError },
      tests.createTestController('beadsmith-tried', 'Tried'),
      1,
    );
    shown.show(own);
    await known.refresh();
    assert.deepEqual([lists, errors], [[], []], 'a folded ticket is not read');
    explorer.dispose();
    known.dispose();
  });

  /** What the fake client answers of a ticket: one bead. */
  function showBeads(title = 'Say it', iteration = 1): void {
    const beads = [{ ...bead('say-it'), title, iteration }];
    client.beads = () => Promise.resolve({ beads, sha256: 'b'.repeat(64) });
    client.ticket = (id) =>
      Promise.resolve({
        ticket: { error: null },
        requests: [],
        view: client.views.find((view) => view.id === id),
      } as unknown as TicketDetail);
  }

  /** Until what a change set off was read: the board and, some turns later, what is below the tickets. */
  async function allWasRead(): Promise<void> {
    await new Promise<void>((resolve) => {
      const listener = board.onDidRead(() => {
        listener.dispose();
        resolve();
      });
    });
    await new Promise((resolve) => setImmediate(resolve));
  }

  async function ticket(id: string): Promise<Node> {
    const node = (await everything()).find((one) => one.kind === 'ticket' && one.ticket === id);
    assert.ok(node);
    return node;
  }

  async function everything(): Promise<readonly Node[]> {
    const columns = await tree.getChildren();
    return [...columns, ...(await Promise.all(columns.map((column) => tree.getChildren(column)))).flat()];
  }
});

function labelOf({ label }: TreeItem): string {
  return typeof label === 'string' ? label : (label?.label ?? '');
}

function tooltipText({ tooltip }: TreeItem): string {
  return tooltip instanceof MarkdownString ? tooltip.value : (tooltip ?? '');
}
