import {
  CancellationError,
  FileChangeType,
  FilePermission,
  FileSystemError,
  FileType,
  l10n,
  TextDocumentSaveReason,
  workspace,
  commands as editor,
  window,
  type FileChangeEvent,
  type FileStat,
  type TextDocument,
  type TextDocumentWillSaveEvent,
  type Uri,
} from 'vscode';
import { toBeadsmithError } from '../../domain/core/errors.ts';
import { documentsAt, type TicketDetail } from '../../protocol/api.ts';
import { fileOf, type DocumentPlace } from '../../protocol/documents.ts';
import { artifactText, type ArtifactText } from '../../views/documents/artifactText.ts';
import { placeOf, repositoryOf } from '../../views/documents/documentUri.ts';
import {
  editable,
  saveDocument,
  savedText,
  type Editable,
  type EditedArtifact,
} from '../../views/documents/saveDocument.ts';
import { errorText } from '../../views/shared/errorText.ts';
import type { OpenRepository, Repositories } from '../../views/shared/repositories.ts';
import { setDocumentsAtGate } from '../../views/tickets/contextKeys.ts';
import { OwnFiles } from './ownFiles.ts';
import { DocumentStates, type DocumentChange } from './documentStates.ts';
import { documentOfType } from '../../domain/documents/documents.ts';
import { TicketChanges, type MayHaveChanged } from '../repositories/ticketChanges.ts';

/** Milliseconds for the driver; then the edit stays in the inbox, the text unsaved. */
const saveLimitMs = 60_000;
/**
 * After a save the editor reads once and takes the content for its own; only then the stored text can be
 * shown.
 */
const settleMs = 300;

/** Least time between checks of open documents, because the engine writes many times a second. */
const pauseMs = 150;

interface Loaded {
  readonly repository: OpenRepository;
  readonly place: DocumentPlace;
  readonly text: ArtifactText;
  readonly bytes: Uint8Array;
  readonly edit: Editable;
}

/**
 * Tickets' documents as files (docs/decisions/047-documents-and-projections.md). A save is an edit of the
 * version it was made from. Stored versions (`?version=`) never change.
 */
export class DocumentFiles extends OwnFiles {
  readonly #repositories: Repositories;
  readonly #logError: (what: string, error: unknown) => void;
  readonly #states = new DocumentStates(() => Date.now());
  readonly #atGate = new Set<string>();
  /** Read by the editor while it had its own text. */
  readonly #seen = new Map<string, string>();
  /** Saved by the editor without a person's command. */
  readonly #byItself = new Set<string>();

  constructor(repositories: Repositories, logError: (what: string, error: unknown) => void) {
    super();
    this.#repositories = repositories;
    this.#logError = logError;
    this.lifetime.add(workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri.toString())));
    this.lifetime.add(workspace.onDidChangeTextDocument(({ document }) => this.#noteDiscard(document)));
    this.lifetime.add(workspace.onWillSaveTextDocument((save) => this.#noteReason(save)));
    this.lifetime.add(
      new TicketChanges(repositories, pauseMs, (changed) => {
        this.#look(openDocuments(changed)).catch((error: unknown) => logError('documents', error));
      }),
    );
  }

  override async stat(uri: Uri): Promise<FileStat> {
    if (!placeOf(uri)) return this.#folderStat(uri);
    const { bytes, edit } = await this.#load(uri);
    const mtime = this.#states.mtime(uri.toString());
    const readOnly = edit.kind === 'no' ? { permissions: FilePermission.Readonly } : {};
    return { type: FileType.File, ctime: 0, mtime, size: bytes.length, ...readOnly };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    const { bytes, text } = await this.#load(uri);
    const key = uri.toString();
    if (!workspace.textDocuments.some((document) => document.isDirty && document.uri.toString() === key))
      this.#states.wasRead(key);
    else {
      // The person's text is still based on its old version, unless it is discarded.
      this.#states.wasSeen(key);
      this.#seen.set(key, text.content);
    }
    return bytes;
  }

  override async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    try {
      await this.#save(uri, content);
    } catch (error) {
      if (error instanceof FileSystemError) throw error;
      if (error instanceof CancellationError)
        throw new FileSystemError(l10n.t('Canceled. Your text is kept.'));
      this.#logError('saving', error);
      const { message, nextStep } = errorText(error);
      throw new FileSystemError(`${message} ${nextStep}`.trim());
    }
  }

  override async readDirectory(uri: Uri): Promise<[string, FileType][]> {
    const children = await this.#children(uri);
    if (!children) throw FileSystemError.FileNotFound(uri);
    return [...children].map(([name, kind]) => [name, kind === 'file' ? FileType.File : FileType.Directory]);
  }

  async #save(uri: Uri, bytes: Uint8Array): Promise<void> {
    const key = uri.toString();
    const { repository, place, text, edit } = await this.#load(uri);
    if (edit.kind === 'no') throw new FileSystemError(l10n.t('{0} is read-only now.', text.file));
    const content = savedText(bytes, text.file);
    if (content === text.content) return;
    if (this.#states.replacesUnseen(key) && !(await askToOverwrite(text.file, uri, text.version)))
      throw new CancellationError();
    if (edit.kind === 'ungated' && this.#byItself.has(key))
      throw new FileSystemError(l10n.t('Changes of {0} take effect at once. Save it manually.', text.file));
    if (edit.kind === 'rewind' && this.#byItself.has(key))
      throw new FileSystemError(
        l10n.t('{0} is approved. Save it manually: saving rewinds planning.', text.file),
      );
    if (edit.kind === 'rewind' && !(await askToRewind(place.ticket, text.file, edit.artifact)))
      throw new CancellationError();
    const sent = { artifact: edit.artifact, content, base: text.sha256 };
    if ((await saveDocument(repository.client, place.ticket, sent, saveLimitMs)) === 'pending')
      throw new FileSystemError(
        l10n.t(
          '{0} was queued, but the process that works on {1} hasn’t picked it up yet. Your text is kept.',
          text.file,
          place.ticket,
        ),
      );
    const stored = await this.#load(uri);
    this.#states.wasRead(key);
    if (stored.text.content !== content) setTimeout(() => this.#showStored(uri), settleMs);
  }

  /** The engine fills in ids and removes comments. */
  #showStored(uri: Uri): void {
    this.#states.touch(uri.toString());
    this.tell([{ type: FileChangeType.Changed, uri }]);
  }

  async #load(uri: Uri): Promise<Loaded> {
    const place = placeOf(uri);
    const repository = place && (await this.#repository(place.repository));
    const text = repository && (await this.#read(repository, place));
    if (!place || !repository || !text) throw FileSystemError.FileNotFound(uri);
    const detail = await repository.client.ticket(place.ticket);
    const edit = this.#editable(repository, detail, place);
    const bytes = new TextEncoder().encode(text.content);
    this.#states.note(uri.toString(), {
      sha256: text.sha256,
      size: bytes.length,
      changedAt: text.changedAt,
      readOnly: edit.kind === 'no',
    });
    const atGate =
      place.version === undefined && documentsAt(detail.gate).some(({ artifact }) => artifact === place.type);
    this.#setAtGate(uri.toString(), atGate);
    return { repository, place, text, bytes, edit };
  }

  #editable(repository: OpenRepository, detail: TicketDetail, place: DocumentPlace): Editable {
    if (place.version !== undefined || !this.#repositories.trusted) return { kind: 'no' };
    return editable(detail, place.type, repository.client.repository.mode);
  }

  async #read(
    { client }: OpenRepository,
    { ticket, type, version }: DocumentPlace,
  ): Promise<ArtifactText | undefined> {
    try {
      return await artifactText(client, ticket, type, version);
    } catch (error) {
      if (toBeadsmithError(error).code === 'TICKET_UNKNOWN') return undefined;
      throw error;
    }
  }

  async #repository(key: string): Promise<OpenRepository | undefined> {
    await this.#repositories.open();
    return repositoryOf(this.#repositories, key);
  }

  async #folderStat(uri: Uri): Promise<FileStat> {
    if (!(await this.#children(uri))) throw FileSystemError.FileNotFound(uri);
    return { type: FileType.Directory, ctime: 0, mtime: 0, size: 0, permissions: FilePermission.Readonly };
  }

  async #children({ authority, path }: Uri): Promise<ReadonlyMap<string, 'file' | 'folder'> | undefined> {
    const client = (await this.#repository(authority))?.client;
    const [ticket = '', ...rest] = path.split('/').filter((part) => part !== '');
    const tickets = await client?.tickets();
    if (!client || !tickets) return undefined;
    if (ticket === '') return new Map(tickets.map(({ id }) => [id, 'folder']));
    if (!tickets.some(({ id }) => id === ticket)) return undefined;
    const present = (await client.artifacts(ticket)).filter(({ archived }) => !archived);
    const files = [...new Set(present.map(({ type }) => fileOf(type)))].filter((file) => file !== undefined);
    return childrenOf(files, rest.join('/'));
  }

  async #look(uris: readonly Uri[]): Promise<void> {
    const events: FileChangeEvent[] = [];
    for (const uri of uris) {
      await this.#noteAgain(uri);
      const type = eventTypes[this.#states.tell(uri.toString())];
      if (type !== undefined) events.push({ type, uri });
    }
    this.tell(events);
  }

  async #noteAgain(uri: Uri): Promise<void> {
    try {
      await this.#load(uri);
    } catch (error) {
      if (!(error instanceof FileSystemError)) throw error;
      this.#setAtGate(uri.toString(), false);
      this.#states.note(uri.toString(), undefined);
    }
  }

  #setAtGate(key: string, atGate: boolean): void {
    if (this.#atGate.has(key) === atGate) return;
    if (atGate) this.#atGate.add(key);
    else this.#atGate.delete(key);
    setDocumentsAtGate([...this.#atGate]).catch((error: unknown) => this.#logError('context', error));
  }

  #noteReason({ document: { uri }, reason }: TextDocumentWillSaveEvent): void {
    if (reason === TextDocumentSaveReason.Manual) this.#byItself.delete(uri.toString());
    else if (placeOf(uri)) this.#byItself.add(uri.toString());
  }

  /** Reported for discarded changes too. After a complete undo the text is the old one. */
  #noteDiscard(document: TextDocument): void {
    const key = document.uri.toString();
    const seen = document.isDirty ? undefined : this.#seen.get(key);
    if (seen === undefined) return;
    this.#seen.delete(key);
    if (document.getText() === seen) this.#states.wasTaken(key);
  }

  #forget(key: string): void {
    this.#states.forget(key);
    this.#seen.delete(key);
    this.#byItself.delete(key);
    this.#setAtGate(key, false);
  }
}

const eventTypes = {
  none: undefined,
  created: FileChangeType.Created,
  changed: FileChangeType.Changed,
  deleted: FileChangeType.Deleted,
} as const satisfies Record<DocumentChange, FileChangeType | undefined>;

/** Children of a folder ('' for the top); undefined if there is none. */
export function childrenOf(
  files: readonly string[],
  folder: string,
): ReadonlyMap<string, 'file' | 'folder'> | undefined {
  const prefix = folder === '' ? '' : `${folder}/`;
  const below = files.filter((file) => file.startsWith(prefix)).map((file) => file.slice(prefix.length));
  if (folder !== '' && below.length === 0) return undefined;
  return new Map(below.map((file) => [file.split('/')[0] ?? file, file.includes('/') ? 'folder' : 'file']));
}

/** Open documents that may have changed; stored versions never do. */
function openDocuments(changed: MayHaveChanged): readonly Uri[] {
  return workspace.textDocuments
    .map(({ uri }) => uri)
    .filter((uri) => {
      const place = placeOf(uri);
      return place !== undefined && place.version === undefined && changed(place.repository, place.ticket);
    });
}

/** Asks before an unseen version is replaced, or compares. Both texts are kept. */
async function askToOverwrite(file: string, uri: Uri, present: number | undefined): Promise<boolean> {
  const [overwrite, compare] = [l10n.t('Overwrite'), l10n.t('Compare')];
  const answer = await window.showWarningMessage(
    l10n.t('Someone else changed {0}.', file),
    {
      modal: true,
      detail: l10n.t('Overwrite it with your version? The other version stays in the history.'),
    },
    overwrite,
    ...(present === undefined ? [] : [compare]),
  );
  if (answer === compare && present !== undefined) {
    const left = uri.with({ query: `version=${String(present)}` });
    await editor.executeCommand('vscode.diff', left, uri, l10n.t('{0}: current version ↔ yours', file));
  }
  return answer === overwrite;
}

async function askToRewind(ticket: string, file: string, artifact: EditedArtifact): Promise<boolean> {
  const save = l10n.t('Save and Replan');
  const detail = l10n.t(documentOfType(artifact)?.approval?.rewindWarning ?? '');
  const question = l10n.t('Save {0} of {1} and rewind planning?', file, ticket);
  return (await window.showWarningMessage(question, { modal: true, detail }, save)) === save;
}
