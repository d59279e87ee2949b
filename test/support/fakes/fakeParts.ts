/**
 * Part of the fake `vscode` (fakeEditor.ts): what is made for the editor to show, and does nothing by itself.
 */
export class CodeAction {
  readonly title: string;
  readonly kind: unknown;
  constructor(title: string, kind: unknown) {
    this.title = title;
    this.kind = kind;
  }
}

export class FileDecoration {
  readonly badge: string | undefined;
  readonly tooltip: string | undefined;
  constructor(badge?: string, tooltip?: string) {
    this.badge = badge;
    this.tooltip = tooltip;
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
