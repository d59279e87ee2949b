import assert from 'node:assert/strict';
import { ThemeIcon, type TreeItem, TreeItemCollapsibleState } from 'vscode';
import { Board } from '../../../src/views/board.ts';
import type { Node } from '../../../src/views/tree/nodes.ts';
import { TicketList } from '../../../src/views/tree/ticketList.ts';
import { TicketsTree } from '../../../src/views/tree/ticketsTree.ts';
import { FakeClient, ticketView } from '../../support/fakeClient.ts';
import { FakeRepositories } from '../../support/fakeRepositories.ts';
import { until } from '../../support/until.ts';

/** The tree with the editor's own rows and colours, over a client that a test sets. */
describe('the tree', () => {
  const client = new FakeClient();
  const repositories = new FakeRepositories();
  const board = new Board(repositories);
  const tree = new TicketsTree(board, new TicketList({ get: () => undefined, set: () => Promise.resolve() }));
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
    assert.deepEqual(columns.map((node) => labelOf(tree.getTreeItem(node))).sort(), ['Done', 'Needs Input', 'To Do']);
    const below = await Promise.all(columns.map((column) => tree.getChildren(column)));
    assert.deepEqual(
      below
        .flat()
        .map((node) => labelOf(tree.getTreeItem(node)))
        .sort(),
      ['TST-1 Draft', 'TST-2 Waits', 'TST-3 Over'],
    );
  });

  it('says of each row what it is: to a screen reader, in a tooltip, to menus and to decorations', async () => {
    for (const node of await everything()) {
      const item = tree.getTreeItem(node);
      const name = labelOf(item);
      assert.ok((item.accessibilityInformation?.label ?? '').length > 0, name);
      assert.ok(item.tooltip !== undefined, name);
      assert.ok((item.contextValue ?? '').length > 0, name);
      assert.ok(item.resourceUri, name);
      assert.ok(item.iconPath === undefined || item.iconPath instanceof ThemeIcon, name);
    }
    const waiting = (await everything()).find((node) => node.kind === 'ticket' && node.ticket === 'TST-2');
    assert.ok(waiting);
    assert.match(tree.getTreeItem(waiting).accessibilityInformation?.label ?? '', /TST-2.*Waits.*Approve the PRD.*needs you/);
  });

  it('has rows that do nothing when they are clicked, unless they open something', async () => {
    for (const node of await everything()) {
      const { command, collapsibleState } = tree.getTreeItem(node);
      if (node.kind === 'ticket' || node.kind === 'column') assert.equal(command, undefined);
      if (node.kind === 'ticket') assert.equal(collapsibleState, TreeItemCollapsibleState.Collapsed);
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
    const ticket = async (): Promise<Node> => {
      const node = (await everything()).find((one) => one.kind === 'ticket' && one.ticket === 'TST-1');
      assert.ok(node);
      return node;
    };
    const before = await ticket();
    tree.fold(before, false);
    client.views = client.views.map((view) => (view.id === 'TST-1' ? { ...view, column: 'In Progress' } : view));
    client.change('TST-1');
    await until(async () => (await tree.getChildren()).some((node) => node.kind === 'column' && node.column === 'In Progress'), 'it moved');
    const { id, collapsibleState } = tree.getTreeItem(await ticket());
    assert.deepEqual([id, collapsibleState], [before.id, TreeItemCollapsibleState.Expanded]);
  });

  async function everything(): Promise<readonly Node[]> {
    const columns = await tree.getChildren();
    return [...columns, ...(await Promise.all(columns.map((column) => tree.getChildren(column)))).flat()];
  }
});

function labelOf({ label }: TreeItem): string {
  return typeof label === 'string' ? label : (label?.label ?? '');
}
