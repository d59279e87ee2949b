import { type Command, type MarkdownString, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState, Uri } from 'vscode';

/** What a row shows. `context` is what menus match (`viewItem`); `folded` is left out where nothing lies below. */
export interface ItemParts {
  readonly label: string;
  readonly description?: string;
  readonly icon?: string;
  readonly color?: string;
  readonly tooltip?: MarkdownString | string;
  readonly spoken?: string;
  readonly context: string;
  readonly folded?: boolean;
  readonly command?: Command;
  readonly uri?: Uri;
}

/** Rows are named in an address of their own, by which decorations find them. */
export const itemScheme = 'beadsmith-item';

export function item(id: string, parts: ItemParts): TreeItem {
  const { Collapsed, Expanded, None } = TreeItemCollapsibleState;
  const made = new TreeItem(parts.label, parts.folded === undefined ? None : parts.folded ? Collapsed : Expanded);
  const spoken = [parts.label, parts.description ?? ''].filter((part) => part !== '').join(', ');
  made.id = id;
  made.contextValue = parts.context;
  made.tooltip = parts.tooltip ?? spoken;
  made.accessibilityInformation = { label: parts.spoken ?? spoken };
  made.resourceUri = parts.uri ?? Uri.from({ scheme: itemScheme, path: `/${encodeURIComponent(id)}` });
  if (parts.description !== undefined) made.description = parts.description;
  if (parts.icon !== undefined)
    made.iconPath = new ThemeIcon(parts.icon, parts.color === undefined ? undefined : new ThemeColor(parts.color));
  if (parts.command) made.command = parts.command;
  return made;
}
