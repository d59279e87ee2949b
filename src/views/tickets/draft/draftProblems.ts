import { Diagnostic, DiagnosticSeverity, l10n, languages, Range, type TextDocument, workspace } from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import type { TicketTextProblem } from '../../../domain/ticket/ticketDocument.ts';
import { parseDraftAddress, isUnwritten, readDraft } from './draftDocument.ts';

/** Shows at its line what is missing or too long. An untouched template has no problems before its start. */
export class DraftProblems implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #shown = languages.createDiagnosticCollection('beadsmith-draft');
  /** Documents that a person tried to start or to save. */
  readonly #tried = new Set<string>();

  constructor() {
    const look = (document: TextDocument): void => this.#look(document);
    this.#lifetime.add(this.#shown);
    this.#lifetime.add(workspace.onDidOpenTextDocument(look));
    this.#lifetime.add(workspace.onDidChangeTextDocument(({ document }) => look(document)));
    this.#lifetime.add(
      workspace.onDidCloseTextDocument(({ uri }) => {
        this.#tried.delete(uri.toString());
        this.#shown.delete(uri);
      }),
    );
    workspace.textDocuments.forEach(look);
  }

  /** The first problem, from now on shown even in a template. */
  find(document: TextDocument): TicketTextProblem | undefined {
    this.#tried.add(document.uri.toString());
    this.#look(document);
    return readDraft(document.getText()).problems[0];
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #look(document: TextDocument): void {
    const { uri } = document;
    if (!parseDraftAddress(uri)) return;
    const text = document.getText();
    const isUntouched = isUnwritten(text) && !this.#tried.has(uri.toString());
    const problems = isUntouched ? [] : readDraft(text).problems;
    this.#shown.set(
      uri,
      problems.map(({ line, message }) => {
        const range = new Range(line, 0, line, document.lineAt(line).text.length);
        const found = new Diagnostic(range, l10n.t(message), DiagnosticSeverity.Error);
        found.source = 'Beadsmith';
        return found;
      }),
    );
  }
}
