import { TabInputText, Uri, ViewColumn, window, workspace, type TextDocumentContentProvider } from 'vscode';
import { z } from 'zod';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { TicketId } from '../domain/ids.ts';
import { type ArtifactText, artifactText } from '../views/artifactText.ts';
import type { OpenRepository, Repositories } from '../views/repositories.ts';

const scheme = 'beadsmith';
/** What an address says besides its path. `sha256` makes another version another document. */
const Address = z.object({ root: z.string(), type: z.string(), version: z.number().int().positive().optional(), sha256: z.string() });

/**
 * Documents of tickets as `beadsmith:/ABC-12/prd.yaml?…`: read-only, and each version its own document, so that what a person looks at while
 * they decide never changes under their eyes.
 */
export class ArtifactDocuments implements TextDocumentContentProvider, Disposable {
  readonly #repositories: Repositories;
  readonly #shown = new Map<string, string>();
  readonly #lifetime = new DisposableStore();

  constructor(repositories: Repositories) {
    this.#repositories = repositories;
    this.#lifetime.add(workspace.registerTextDocumentContentProvider(scheme, this));
    this.#lifetime.add(workspace.onDidCloseTextDocument(({ uri }) => this.#shown.delete(uri.toString())));
  }

  async show(repository: OpenRepository, ticket: string, document: ArtifactText): Promise<void> {
    const { type, version, sha256 } = document;
    const address = { root: repository.root, type, sha256, ...(version === undefined ? {} : { version }) } satisfies z.infer<
      typeof Address
    >;
    const uri = Uri.from({ scheme, path: `/${ticket}/${document.file}`, query: JSON.stringify(address) });
    this.#shown.set(uri.toString(), document.content);
    const opened = await workspace.openTextDocument(uri);
    await window.showTextDocument(opened, { viewColumn: freeColumn(), preview: true, preserveFocus: true });
  }

  /** After a reload of the window the editor asks for what was open. */
  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const known = this.#shown.get(uri.toString());
    if (known !== undefined) return known;
    const [, ticket] = uri.path.split('/');
    const id = TicketId.parse(ticket);
    const { root, type, version } = Address.parse(JSON.parse(uri.query));
    await this.#repositories.open();
    const entry = this.#repositories.entries.find((candidate) => candidate.root === root);
    if (entry?.kind !== 'open') return '';
    return (await artifactText(entry.repository.client, id, type, version))?.content ?? '';
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}

/** Where a document of ours is shown already; else beside what the person works on; and if that is nothing, in its place. */
function freeColumn(): ViewColumn {
  const groups = window.tabGroups.all;
  const ours = groups.find(({ tabs }) => tabs.some(({ input }) => input instanceof TabInputText && input.uri.scheme === scheme));
  if (ours) return ours.viewColumn;
  return groups.some(({ tabs }) => tabs.length > 0) ? ViewColumn.Beside : ViewColumn.Active;
}
