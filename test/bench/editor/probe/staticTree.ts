import { type TreeDataProvider, TreeItem, TreeItemCollapsibleState } from 'vscode';

interface Row {
  readonly label: string;
  readonly below: readonly Row[];
}

/** As little as an extension can do for a tree: labels that never change. */
export class StaticTree implements TreeDataProvider<Row> {
  readonly #rows: readonly Row[];

  /** As many rows as numbers, each unfolded, with so many rows below it. */
  constructor(title: string, counts: readonly number[]) {
    this.#rows = counts.map((count, at) => ({
      label: `${title} ${String(at)}`,
      below: Array.from({ length: count }, (_, below) => ({
        label: `${title} ${String(at)}.${String(below)}`,
        below: [],
      })),
    }));
  }

  getChildren(row?: Row): Row[] {
    return [...(row?.below ?? this.#rows)];
  }

  getTreeItem({ label, below }: Row): TreeItem {
    return new TreeItem(
      label,
      below.length > 0 ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.None,
    );
  }
}
