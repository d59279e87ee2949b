import { type Command, type MarkdownString, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState, type Uri } from 'vscode';

/**
 * What a row shows. `context` is what menus match (`viewItem`); `folded` is left out where nothing lies below; `tooltip` where label and description
 * say it all; `uri` where no file stands behind the row.
 */
export interface ItemParts {
  readonly label: string;
  readonly description?: string;
  readonly icon?: string;
  readonly color?: string;
  readonly tooltip?: () => MarkdownString | string;
  readonly spoken?: string;
  readonly context: string;
  readonly folded?: boolean;
  readonly command?: Command;
  readonly uri?: Uri;
}

/**
 * The row without its tooltip, for which the editor asks when a person points at it. An address makes the editor ask every decoration of every
 * extension about the row, so only rows of files have one.
 */
export function toItem(id: string, parts: ItemParts): TreeItem {
  const { Collapsed, Expanded, None } = TreeItemCollapsibleState;
  const made = new TreeItem(parts.label, parts.folded === undefined ? None : parts.folded ? Collapsed : Expanded);
  made.id = id;
  made.contextValue = parts.context;
  // Left to itself the editor looks through all menus of a row for what it says of it.
  made.accessibilityInformation = { label: parts.spoken ?? shownText(parts) };
  if (parts.uri) made.resourceUri = parts.uri;
  if (parts.description !== undefined) made.description = parts.description;
  if (parts.icon !== undefined)
    made.iconPath = new ThemeIcon(parts.icon, parts.color === undefined ? undefined : new ThemeColor(parts.color));
  if (parts.command) made.command = parts.command;
  return made;
}

export function tooltipOf(parts: ItemParts): MarkdownString | string {
  return parts.tooltip?.() ?? shownText(parts);
}

function shownText({ label, description = '' }: ItemParts): string {
  return [label, description].filter((part) => part !== '').join(', ');
}
