/** Part of the fake `vscode` (fakeEditor.ts): what rows and the status bar are made of. */
export class ThemeColor {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeIcon {
  readonly id: string;
  readonly color: ThemeColor | undefined;
  constructor(id: string, color?: ThemeColor) {
    this.id = id;
    this.color = color;
  }
}

/** Text that the editor renders as Markdown; what is appended as text shows its marks as they are. */
export class MarkdownString {
  value: string;
  readonly supportThemeIcons: boolean;
  constructor(value = '', supportThemeIcons = false) {
    this.value = value;
    this.supportThemeIcons = supportThemeIcons;
  }

  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }

  appendText(text: string): this {
    this.value += text.replaceAll(/[\\`*_{}[\]()#+\-!~$<>]/g, '\\$&').replaceAll('\n', '\n\n');
    return this;
  }
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };

/** A row of a tree, with what the tree says of it. */
export class TreeItem {
  readonly label: string;
  collapsibleState: number;
  id?: string;
  description?: string;
  contextValue?: string;
  resourceUri?: unknown;
  iconPath?: ThemeIcon;
  command?: { readonly command: string };
  accessibilityInformation?: { readonly label: string };
  constructor(label: string, collapsibleState: number) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}

/** The item of the status bar. */
export class StatusBarItem {
  name = '';
  text = '';
  tooltip = '';
  command: string | undefined;
  accessibilityInformation: { readonly label: string } | undefined;
  backgroundColor: ThemeColor | undefined;
  isShown = false;

  show(): void {
    this.isShown = true;
  }

  hide(): void {
    this.isShown = false;
  }

  dispose(): void {
    this.isShown = false;
  }
}

/** Lines and characters from 0. */
export class Range {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };

  constructor(line: number, character: number, endLine: number, endCharacter: number) {
    this.start = { line, character };
    this.end = { line: endLine, character: endCharacter };
  }
}
