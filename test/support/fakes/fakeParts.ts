/** Part of the fake `vscode` (fakeEditor.ts): things that do nothing by themselves. */
export class CodeAction {
  readonly title: string;
  readonly kind: unknown;
  constructor(title: string, kind: unknown) {
    this.title = title;
    this.kind = kind;
  }
}

export class DataTransferItem {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

export class DataTransfer extends Map<string, DataTransferItem> {}

export class FileDecoration {
  readonly badge: string | undefined;
  readonly tooltip: string | undefined;
  readonly color: ThemeColor | undefined;
  constructor(badge?: string, tooltip?: string, color?: ThemeColor) {
    this.badge = badge;
    this.tooltip = tooltip;
    this.color = color;
  }
}

export class LanguageModelTextPart {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

export class LanguageModelToolResult {
  readonly content: readonly unknown[];
  constructor(content: readonly unknown[]) {
    this.content = content;
  }
}

export class TabInputWebview {
  readonly viewType: string;
  constructor(viewType: string) {
    this.viewType = viewType;
  }
}

const kind = (value: string): { readonly value: string; append(part: string): unknown } => ({
  value,
  append: (part) => kind(`${value}.${part}`),
});

export const CodeActionKind = { QuickFix: kind('quickfix') };
export const CommentThreadCollapsibleState = { Collapsed: 0, Expanded: 1 };
export const CommentThreadState = { Unresolved: 0, Resolved: 1 };
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 };

export const comments = {
  createCommentController: (id: string, label: string): object => ({
    id,
    label,
    createCommentThread: (uri: unknown, range: unknown) => ({ uri, range, dispose: () => undefined }),
    dispose: () => undefined,
  }),
};

/** Part of the fake `vscode` (fakeEditor.ts): rows and the status bar. */
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

/** Appended text shows its marks as they are. */
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
export const TreeItemCheckboxState = { Unchecked: 0, Checked: 1 };

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

export class StatusBarItem {
  name = '';
  text = '';
  tooltip = '';
  command: unknown;
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

export class CodeLens {
  readonly range: unknown;
  readonly command: unknown;
  constructor(range: unknown, command: unknown) {
    this.range = range;
    this.command = command;
  }
}

export class Diagnostic {
  readonly range: unknown;
  readonly message: string;
  readonly severity: number;
  source?: string;
  constructor(range: unknown, message: string, severity: number) {
    this.range = range;
    this.message = message;
    this.severity = severity;
  }
}

/** From 0. */
export class Range {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };

  constructor(line: number, character: number, endLine: number, endCharacter: number) {
    this.start = { line, character };
    this.end = { line: endLine, character: endCharacter };
  }
}
