import assert from 'node:assert/strict';
import type { TreeItem } from 'vscode';
import { LazyTree } from '../../../src/host/lazyHost.ts';
import type { Node } from '../../../src/views/tickets/tree/nodes.ts';
import type { TicketsTree } from '../../../src/views/tickets/tree/ticketsTree.ts';
import { EventEmitter } from '../../support/fakes/fakeEditor.ts';

const node = (name: string): Node => ({ name }) as unknown as Node;
const [top, below] = [node('top'), node('below')];

class Rows {
  readonly changed = new EventEmitter<Node | Node[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  getChildren(of?: Node): Node[] {
    return of === undefined ? [top] : [below];
  }
  getTreeItem(of: Node): TreeItem {
    return { id: of === top ? 'item of top' : 'item of below' };
  }
  resolveTreeItem(item: TreeItem, of: Node): TreeItem {
    return { id: item.id ?? '', tooltip: of === top ? 'about top' : 'about below' };
  }
  getParent(of: Node): Node | undefined {
    return of === below ? top : undefined;
  }
}

describe('the tree of tickets', () => {
  let rows: Rows;
  let loaded: number;
  let lazy: LazyTree;
  beforeEach(() => {
    rows = new Rows();
    loaded = 0;
    lazy = new LazyTree(() => {
      loaded++;
      const tree = rows as unknown as TicketsTree;
      lazy.follow(tree);
      return Promise.resolve(tree);
    });
  });
  afterEach(() => lazy.dispose());

  it('is loaded with its first rows, and once', async () => {
    assert.equal(loaded, 0);
    assert.deepEqual(await lazy.getChildren(), [top]);
    assert.deepEqual(await lazy.getChildren(top), [below]);
    assert.equal(loaded, 1);
  });

  it('has no row that could be asked about before', () => {
    for (const ask of [
      () => lazy.getTreeItem(top),
      () => lazy.resolveTreeItem({}, top),
      () => lazy.getParent(below),
    ]) {
      assert.throws(ask, /no rows yet/);
    }
    assert.equal(loaded, 0);
  });

  it('hands on what is asked about its rows', async () => {
    await lazy.getChildren();
    assert.deepEqual(
      [
        lazy.getTreeItem(below),
        lazy.resolveTreeItem({ id: 'x' }, top),
        lazy.getParent(below),
        lazy.getParent(top),
      ],
      [{ id: 'item of below' }, { id: 'x', tooltip: 'about top' }, top, undefined],
    );
  });

  it('tells the editor which rows changed, until it ends', async () => {
    const told: unknown[] = [];
    lazy.onDidChangeTreeData((nodes) => told.push(nodes));
    await lazy.getChildren();
    rows.changed.fire(top);
    rows.changed.fire(undefined);
    assert.deepEqual(told, [top, undefined]);
    lazy.dispose();
    rows.changed.fire(below);
    assert.equal(told.length, 2);
  });
});
