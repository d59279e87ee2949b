import {
  CodeLens,
  type CodeLensProvider,
  commands as editor,
  EventEmitter,
  l10n,
  languages,
  Range,
  TabInputText,
  type TextDocument,
  window,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import {
  importEdit,
  importLabel,
  importTexts,
  isDue,
  type PlannedImport,
} from '../../../domain/import/importPlan.ts';
import type { Client } from '../../../protocol/api.ts';
import type { ReadImport } from '../../../domain/import/ticketSources.ts';
import { supportScheme } from '../../../protocol/schemes.ts';
import { commandId } from '../../commands/commands.ts';
import { saveDocument } from '../../documents/saveDocument.ts';
import { withoutLinks } from '../../shared/plainText.ts';
import type { OpenRepository, Repositories } from '../../shared/repositories.ts';
import { tellSent } from '../../shared/sendAction.ts';
import { RefusedAction, words } from '../../shared/errorText.ts';
import { withCancel } from '../../shared/withCancel.ts';
import type { Support, TicketImports, Workbench } from '../../shared/workbench.ts';
import { ticketsViewId } from '../ticketsViewId.ts';
import { pickSource, pickTickets } from './pickSource.ts';
import { previewText } from './previewText.ts';

const documentName = 'import.md';
/** Milliseconds for the driver; then an edit stays in the inbox. */
const saveLimitMs = 60_000;

interface Shown {
  readonly repository: OpenRepository;
  readonly plan: readonly PlannedImport[];
}

/**
 * Tickets of files, shown in a document before anything is stored
 * (docs/decisions/206-an-import-is-previewed.md).
 */
export class ImportPreviews implements TicketImports, CodeLensProvider, Disposable {
  readonly #repositories: Pick<Repositories, 'trusted'>;
  readonly #support: Pick<Support, 'show'>;
  readonly #openPage: Workbench['openPage'];
  readonly #changed = new EventEmitter<void>();
  readonly #lifetime = new DisposableStore();
  #shown: Shown | undefined;

  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(
    repositories: Pick<Repositories, 'trusted'>,
    support: Pick<Support, 'show'>,
    openPage: Workbench['openPage'],
  ) {
    this.#repositories = repositories;
    this.#support = support;
    this.#openPage = openPage;
    this.#lifetime.add(this.#changed);
    this.#lifetime.add(languages.registerCodeLensProvider({ scheme: supportScheme }, this));
    this.#lifetime.add(
      workspace.onDidCloseTextDocument((document) => {
        if (isPreview(document)) this.#show(undefined);
      }),
    );
  }

  async preview(repository: OpenRepository): Promise<void> {
    const { sources, root } = repository;
    const found = await withCancel(l10n.t('Looking for tickets to import…'), (signal) =>
      sources.find({ signal }),
    );
    const source = found && (await pickSource(root, found));
    if (!source) return;
    const read = await withCancel(l10n.t('Reading tickets…'), (signal, tell) =>
      sources.read(source.words, { comments: source.comments, signal, tell }),
    );
    const chosen: ReadImport | undefined = read && (await pickTickets(read));
    if (!chosen) return;
    this.#show(undefined);
    await this.#support.show(documentName, previewText(chosen));
    // Not before: the document of an earlier preview may only now be closed.
    this.#show({ repository, plan: chosen.plan.filter(isDue) });
  }

  async importShown(): Promise<void> {
    const shown = this.#shown;
    if (!shown || shown.plan.length === 0)
      throw new BeadsmithError('INVALID_INPUT', {
        what: l10n.t('The import'),
        reason: l10n.t('no preview with tickets is open'),
      });
    // A second click imports nothing twice.
    this.#show(undefined);
    const { repository, plan } = shown;
    const imported: string[] = [];
    const refused: string[] = [];
    try {
      await withCancel(importLabel(plan, words), async (signal, tell) => {
        for (const planned of plan) {
          signal.throwIfAborted();
          const { id, problem } = await store(repository.client, planned);
          if (problem === '') imported.push(id);
          else refused.push(problem);
          tell(imported.length);
        }
      });
    } catch (error) {
      // A ticket that was created is found again by its key.
      this.#show(shown);
      throw error;
    }
    await closePreview();
    const [first] = imported;
    if (imported.length === 1 && first !== undefined) this.#openPage({ repository, ticket: first });
    else if (imported.length > 1) await editor.executeCommand(`${ticketsViewId}.focus`);
    const left = plan.length - imported.length - refused.length;
    const [problem = ''] = refused;
    if (refused.length > 1)
      void window.showWarningMessage(
        l10n.t('{0} tickets weren’t updated. {1}', refused.length, withoutLinks(problem)),
      );
    else if (problem !== '') void window.showWarningMessage(withoutLinks(problem));
    else if (left > 0)
      void window.showInformationMessage(
        l10n.t('{0} of {1} tickets imported. To continue, import again.', imported.length, plan.length),
      );
    else if (imported.length > 1)
      window.setStatusBarMessage(l10n.t('{0} tickets imported.', imported.length), 5_000);
  }

  provideCodeLenses(document: TextDocument): CodeLens[] {
    const label = importLabel(this.#shown?.plan ?? [], words);
    if (label === '' || !this.#repositories.trusted || !isPreview(document)) return [];
    const lens = (title: string, command: string): CodeLens =>
      new CodeLens(new Range(0, 0, 0, 0), { title, command });
    return [
      lens(`$(check) ${label}`, commandId('importShown')),
      lens(l10n.t('Cancel'), 'workbench.action.closeActiveEditor'),
    ];
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #show(shown: Shown | undefined): void {
    this.#shown = shown;
    this.#changed.fire();
  }
}

/** `problem`: why the draft isn't updated; empty if it is stored. */
async function store(
  client: Client,
  planned: PlannedImport,
): Promise<{ readonly id: string; readonly problem: string }> {
  const { title, description, key, ticket: id, imported } = planned;
  if (id === null) {
    const { priority, origin } = imported;
    const from = origin ? { origin } : {};
    const created = await client.create({ title, description, priority, key, ...from });
    return { id: created.id, problem: '' };
  }
  const edit = importEdit(planned, (await client.ticket(id)).ticket);
  if (!edit) return { id, problem: l10n.t(importTexts.changed, id) };
  try {
    const state = await saveDocument(client, id, { ...edit, base: edit.baseSha256 }, saveLimitMs);
    tellSent(id, state === 'saved' ? 'consumed' : 'pending', '');
    return { id, problem: '' };
  } catch (error) {
    if (error instanceof RefusedAction) return { id, problem: `${id}: ${error.message}` };
    throw error;
  }
}

function isPreview({ uri }: Pick<TextDocument, 'uri'>): boolean {
  return uri.scheme === supportScheme && uri.path === `/${documentName}`;
}

async function closePreview(): Promise<void> {
  const tabs = window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof TabInputText && isPreview(input));
  if (tabs.length > 0) await window.tabGroups.close([...tabs]);
}
