import {
  CodeAction,
  CodeActionKind,
  type Diagnostic,
  DiagnosticSeverity,
  l10n,
  languages,
  type Range,
  type TextDocument,
  type TextEditor,
  window,
} from 'vscode';
import { joined } from '../../base/joined.ts';
import type { Disposable } from '../../base/disposable.ts';
import { fenceFor } from '../../base/markdown.ts';
import { oneLine } from '../../base/oneLine.ts';
import { cleanedText, titleFrom } from '../../domain/description/ticketText.ts';
import { readTicketDocument } from '../../domain/ticket/ticketDocument.ts';
import { commandId } from '../commands/commands.ts';
import type { Target } from '../commands/ticketTarget.ts';
import type { Repositories } from '../shared/repositories.ts';
import type { Workbench } from '../shared/workbench.ts';

export interface TicketSeed {
  readonly title: string;
  readonly description: string;
}

/** Path from the top of the checkout, line from 1. */
interface CodePlace {
  readonly path: string;
  readonly line: number;
}

const longestTitle = 120;
const longestQuote = 20_000;

export function fromSelection(text: string, place: CodePlace): TicketSeed {
  return { title: '', description: `${placeText(place)}\n\n${quoted(text)}` };
}

const todo = /(?:\/\/|#|\/\*|^\s*\*|--|;|<!--|%|""").*?\b(TODO|FIXME)\b[\s:(\-]*(.*)$/;

/** Undefined without a TODO or FIXME. Who it is for, as in `TODO(ada):`, is left out of the title. */
export function fromTodo(line: string, place: CodePlace): TicketSeed | undefined {
  const [, word, rest = ''] = todo.exec(line) ?? [];
  if (word === undefined) return undefined;
  const said = rest.replace(/^\w+\)[\s:-]*/, '').replace(/\s*(?:\*\/|-->|""")\s*$/, '');
  return { title: titleLine(said), description: `${word}: ${placeText(place)}\n\n${quoted(line.trim())}` };
}

export function fromProblem(
  problem: { readonly message: string; readonly source: string; readonly code: string },
  line: string,
  place: CodePlace,
): TicketSeed {
  const source = joined([problem.source, problem.code], ' ');
  const said = `${printable(problem.message)}${source === '' ? '' : ` (${source})`}`;
  return {
    title: titleLine(problem.message),
    description: `${placeText(place)}\n\n${said}\n\n${quoted(line.trim())}`,
  };
}

/** A specification or an issue that was saved as a file: its heading is the title. */
export function fromFile(text: string): TicketSeed {
  const { text: clean } = cleanedText(text);
  const read = /^\s*#\s/u.test(clean) ? readTicketDocument(clean) : undefined;
  if (read?.problems.length === 0) return { title: read.title, description: read.description };
  return { title: titleLine(titleFrom(clean, { prefer: 'heading' })), description: clean.trim() };
}

function placeText({ path, line }: CodePlace): string {
  return `${printable(path)}:${String(line)}`;
}

function titleLine(text: string): string {
  return oneLine(text.replace(/\p{C}+/gu, ' '), longestTitle);
}

function quoted(text: string): string {
  const fence = fenceFor(text);
  return `${fence}\n${printable(text).slice(0, longestQuote)}\n${fence}`;
}

function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/gu, ' ');
}

/** Undefined without a selection, a TODO or a problem, and in a file with code. */
export function seedFromEditor({
  repositories,
}: Pick<Workbench, 'repositories'>): (TicketSeed & { readonly root: string | undefined }) | undefined {
  const editor = window.activeTextEditor;
  if (!editor) return undefined;
  const root = rootOf(repositories, editor.document);
  const seed = seedOf(editor, root);
  return seed && { ...seed, root };
}

/** Nothing in Restricted Mode. */
export function ticketCodeActions({ repositories }: Pick<Workbench, 'repositories'>): Disposable {
  const kind = CodeActionKind.QuickFix.append('beadsmith');
  return languages.registerCodeActionsProvider(
    { scheme: 'file' },
    {
      provideCodeActions: (document, range, { diagnostics }) => {
        if (!repositories.trusted) return [];
        const root = rootOf(repositories, document);
        const line = document.lineAt(range.start.line).text;
        const found = fromTodo(line, placeOf(document, range, root));
        const problems = diagnostics.filter(({ severity }) => severity <= DiagnosticSeverity.Warning);
        return [
          ...(found ? [action(l10n.t('Create ticket from this comment'), found)] : []),
          ...problems.map((diagnostic) => {
            const made = action(
              l10n.t('Create ticket from this problem'),
              seedOfProblem(document, diagnostic, root),
            );
            made.diagnostics = [diagnostic];
            return made;
          }),
        ];

        function action(title: string, { title: name, description }: TicketSeed): CodeAction {
          const made = new CodeAction(title, kind);
          const target: Target = { ...(root === undefined ? {} : { root }), title: name, description };
          made.command = { command: commandId('newTicket'), title, arguments: [target] };
          return made;
        }
      },
    },
    { providedCodeActionKinds: [kind] },
  );
}

function seedOf({ document, selection }: TextEditor, root: string | undefined): TicketSeed | undefined {
  const place = placeOf(document, selection, root);
  if (!selection.isEmpty) return fromSelection(document.getText(selection), place);
  const [problem] = languages
    .getDiagnostics(document.uri)
    .filter(({ range }) => range.contains(selection.active));
  const isText = ['markdown', 'plaintext'].includes(document.languageId);
  return (
    fromTodo(document.lineAt(selection.active.line).text, place) ??
    (problem && seedOfProblem(document, problem, root)) ??
    (isText ? fromFile(document.getText()) : undefined)
  );
}

function seedOfProblem(
  document: TextDocument,
  { message, source, code, range }: Diagnostic,
  root: string | undefined,
): TicketSeed {
  const named = typeof code === 'object' ? code.value : code;
  const problem = { message, source: source ?? '', code: named === undefined ? '' : String(named) };
  return fromProblem(problem, document.lineAt(range.start.line).text, placeOf(document, range, root));
}

function placeOf({ uri }: TextDocument, { start }: Range, root: string | undefined): CodePlace {
  const path = root === undefined ? uri.fsPath : uri.fsPath.slice(root.length + 1);
  return { path: path.replaceAll('\\', '/'), line: start.line + 1 };
}

/** The innermost, if one repository lies in another. */
function rootOf({ entries }: Repositories, { uri }: TextDocument): string | undefined {
  const roots = entries
    .map(({ root }) => root)
    .filter((root) => uri.fsPath.startsWith(root) && /^[\\/]/.test(uri.fsPath.slice(root.length)));
  return roots.toSorted((a, b) => b.length - a.length)[0];
}
