import {
  FileChangeType,
  FilePermission,
  FileSystemError,
  FileType,
  l10n,
  workspace,
  type FileStat,
  type Uri,
} from 'vscode';
import { ticketDocument } from '../../domain/ticket/ticketDocument.ts';
import { ticketTextHash } from '../../domain/ticket/ticket.ts';
import type { TicketDetail } from '../../protocol/api.ts';
import { repositoryOf } from '../../views/documents/documentUri.ts';
import { saveDocument, savedText } from '../../views/documents/saveDocument.ts';
import { errorText } from '../../views/shared/errorText.ts';
import type { OpenRepository, Repositories } from '../../views/shared/repositories.ts';
import { tellSent } from '../../views/shared/sendAction.ts';
import {
  parseDraftAddress,
  draftTemplate,
  isUnwritten,
  readDraft,
} from '../../views/tickets/draft/draftDocument.ts';
import type { KeptDrafts } from '../../views/tickets/draft/keptDrafts.ts';
import { TicketChanges } from '../repositories/ticketChanges.ts';
import { OwnFiles } from './ownFiles.ts';

/** Milliseconds for the driver; then the edit stays in the inbox. */
const saveLimitMs = 60_000;

/** Least time between checks of open documents, because the engine writes many times a second. */
const pauseMs = 150;

/** A cleared document is a template again. */
const noText = { text: undefined, at: undefined };

interface Loaded {
  readonly text: string;
  /** Of a ticket's text. */
  readonly sha256?: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly readOnly: boolean;
  readonly save: (text: string) => Promise<void>;
}

/**
 * New tickets and drafts as text (docs/decisions/193-a-new-ticket-is-a-document.md). What isn't a ticket yet
 * is kept in the storage of the extension; a draft is edited where it is stored.
 */
export class TicketDraftFiles extends OwnFiles {
  readonly #repositories: Repositories;
  readonly #kept: KeptDrafts;
  readonly #logError: (what: string, error: unknown) => void;
  /** Hashes of the tickets' texts that the editor read last. */
  readonly #read = new Map<string, string>();

  constructor(
    repositories: Repositories,
    kept: KeptDrafts,
    logError: (what: string, error: unknown) => void,
  ) {
    super();
    this.#repositories = repositories;
    this.#kept = kept;
    this.#logError = logError;
    this.lifetime.add(workspace.onDidCloseTextDocument(({ uri }) => this.#read.delete(uri.toString())));
    this.lifetime.add(
      new TicketChanges(repositories, pauseMs, (changed) => {
        for (const { uri } of workspace.textDocuments) {
          const place = parseDraftAddress(uri);
          if (place && 'ticket' in place.of && changed(place.repository, place.of.ticket))
            this.#tellIfChanged(uri).catch((error: unknown) => logError('drafts', error));
        }
      }),
    );
  }

  override async stat(uri: Uri): Promise<FileStat> {
    const { text, at, readOnly } = await this.#load(uri);
    const { length: size } = new TextEncoder().encode(text);
    const permissions = readOnly ? { permissions: FilePermission.Readonly } : {};
    return { type: FileType.File, ctime: 0, mtime: at, size, ...permissions };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    const { text, sha256 } = await this.#load(uri);
    if (sha256 !== undefined) this.#read.set(uri.toString(), sha256);
    return new TextEncoder().encode(text);
  }

  override async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    try {
      const { readOnly, save } = await this.#load(uri);
      if (readOnly) throw FileSystemError.NoPermissions(uri);
      await save(savedText(content, uri.path));
    } catch (error) {
      if (error instanceof FileSystemError) throw error;
      this.#logError('saving', error);
      const { message, nextStep } = errorText(error);
      throw new FileSystemError(`${message} ${nextStep}`.trim());
    }
  }

  async #tellIfChanged(uri: Uri): Promise<void> {
    const { sha256 } = await this.#load(uri);
    if (sha256 !== this.#read.get(uri.toString())) this.tell([{ type: FileChangeType.Changed, uri }]);
  }

  async #load(uri: Uri): Promise<Loaded> {
    const place = parseDraftAddress(uri);
    if (!place) throw FileSystemError.FileNotFound(uri);
    await this.#repositories.open();
    const repository = repositoryOf(this.#repositories, place.repository);
    if (!repository)
      throw FileSystemError.Unavailable(l10n.t('The repository of this draft isn’t open in this window.'));
    if ('number' in place.of) return this.#loadNew(repository, place.of);
    return this.#loadDraft(uri, repository, await repository.client.ticket(place.of.ticket));
  }

  async #loadNew({ root }: OpenRepository, of: { readonly number: number }): Promise<Loaded> {
    const { text = draftTemplate(), at = 0 } = await this.#kept.read(root, of);
    const save = (changed: string): Promise<void> =>
      this.#kept.keep(root, of, isUnwritten(changed) ? noText : { text: changed, at: Date.now() });
    return { text, at, readOnly: false, save };
  }

  #loadDraft(uri: Uri, { client }: OpenRepository, { ticket, view }: TicketDetail): Loaded {
    const key = uri.toString();
    const sha256 = ticketTextHash(ticket);
    const save = async (changed: string): Promise<void> => {
      const { title, description, problems } = readDraft(changed);
      const [problem] = problems;
      if (problem) throw new FileSystemError(l10n.t(problem.message));
      const base = this.#read.get(key) ?? sha256;
      this.#read.set(key, sha256);
      if (base !== sha256)
        throw new FileSystemError(
          l10n.t('{0} was changed elsewhere. Save again to replace that change.', ticket.id),
        );
      const content = JSON.stringify({ title, description });
      const edit = { artifact: 'ticket', content, base, surface: 'structured' } as const;
      const state = await saveDocument(client, ticket.id, edit, saveLimitMs);
      this.#read.set(key, ticketTextHash({ title, description }));
      tellSent(ticket.id, state === 'saved' ? 'consumed' : 'pending', '');
    };
    return {
      text: ticketDocument(ticket),
      sha256,
      at: ticket.updatedAt,
      readOnly: client.repository.mode === 'readOnly' || !view.actions.includes('start'),
      save,
    };
  }
}
