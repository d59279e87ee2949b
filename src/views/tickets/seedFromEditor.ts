import {
  CodeActionKind,
  DiagnosticSeverity,
  languages,
  type Range,
  type TextDocument,
  type TextEditor,
  window,
  l10n,
  CodeAction,
  type Diagnostic,
} from 'vscode';
import { type Disposable } from '../../base/disposable.ts';
import { commandId } from '../commands/commands.ts';
import type { Target } from '../commands/ticketTarget.ts';
import type { Repositories } from '../shared/repositories.ts';
import type { Workbench } from '../shared/workbench.ts';
import { type CodePlace, fromProblem, fromSelection, fromTodo, type TicketSeed } from './ticketSeeds.ts';

/**
 * Returns the content that a ticket about the place in the active editor starts with: its selection, else a
 * TODO or a problem on the line; undefined when there is nothing.
 */
export function seedFromEditor({
  repositories,
}: Pick<Workbench, 'repositories'>): (TicketSeed & { readonly root: string | undefined }) | undefined {
  const editor = window.activeTextEditor;
  if (!editor) return undefined;
  const root = rootOf(repositories, editor.document);
  const seed = seedOf(editor, root);
  return seed && { ...seed, root };
}

/**
 * Offers a ticket for a TODO or FIXME comment and for each problem, where the editor offers its other fixes.
 * Nothing in Restricted Mode.
 */
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
  return (
    fromTodo(document.lineAt(selection.active.line).text, place) ??
    (problem && seedOfProblem(document, problem, root))
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

/** The repository a file lies in; the innermost, if one lies in another. */
function rootOf({ entries }: Repositories, { uri }: TextDocument): string | undefined {
  const roots = entries
    .map(({ root }) => root)
    .filter((root) => uri.fsPath.startsWith(root) && /^[\\/]/.test(uri.fsPath.slice(root.length)));
  return roots.toSorted((a, b) => b.length - a.length)[0];
}
