import { l10n, Range, TabInputText, type TextDocument, Uri, window, workspace, WorkspaceEdit } from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/emitter.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { suggestDepth } from '../../../domain/estimate/suggestDepth.ts';
import type { PlannedDepth } from '../../../domain/settings/settings.ts';
import { ticketDocument } from '../../../domain/ticket/ticketDocument.ts';
import { repositoryOf } from '../../documents/documentUri.ts';
import { askInSteps, type Step } from '../../shared/quickInput.ts';
import type { OpenRepository, Repositories } from '../../shared/repositories.ts';
import type { DraftDocuments, Workbench } from '../../shared/workbench.ts';
import { knownOfDepths } from '../depthEstimate.ts';
import { ModelPicker } from '../pickModels.ts';
import { askBase, askCouncil, askDepth, askMain, once, type Plan } from '../startQuestions.ts';
import { startTicket } from '../startTicket.ts';
import { type DraftPlace, draftUri, parseDraftAddress, isUnwritten, readDraft } from './draftDocument.ts';
import { DraftProblems } from './draftProblems.ts';
import type { DraftChoices, KeptDrafts } from './keptDrafts.ts';

export interface OpenDraft {
  readonly document: TextDocument;
  readonly repository: OpenRepository;
  readonly of: DraftPlace['of'];
}

interface ShownChoices {
  readonly depth: PlannedDepth;
  readonly isSuggested: boolean;
  readonly given: Pick<Plan, 'baseBranch' | 'mainImplementer' | 'councilMembers'>;
}

/** New tickets and drafts in text editors (docs/decisions/193-a-new-ticket-is-a-document.md). */
export class TicketDrafts implements DraftDocuments, Disposable {
  readonly #repositories: Repositories;
  readonly #kept: KeptDrafts;
  readonly #openPage: Workbench['openPage'];
  readonly #lifetime = new DisposableStore();
  readonly #problems = this.#lifetime.add(new DraftProblems());
  readonly #chosen = new Emitter<void>();
  /** A second Ctrl+Enter files no second ticket. */
  readonly #busy = new Set<string>();

  readonly onDidChoose = this.#chosen.on;

  constructor(repositories: Repositories, kept: KeptDrafts, openPage: Workbench['openPage']) {
    this.#repositories = repositories;
    this.#kept = kept;
    this.#openPage = openPage;
  }

  /** Opens a new document with the seed, or the one with a person's unfinished text. */
  async open(repository: OpenRepository, seed = { title: '', description: '' }): Promise<void> {
    // OpenCode takes seconds to start; an error is said when the models are chosen.
    void repository.models().catch(() => undefined);
    const isSeeded = seed.title !== '' || seed.description !== '';
    const document = await workspace.openTextDocument(await this.#freePlace(repository, isSeeded));
    if (isSeeded) {
      const edit = new WorkspaceEdit();
      edit.replace(document.uri, new Range(0, 0, document.lineCount, 0), ticketDocument(seed));
      await workspace.applyEdit(edit);
    }
    await show(document, 0);
  }

  async openTicket({ root }: OpenRepository, ticket: string): Promise<void> {
    await show(await workspace.openTextDocument(draftUri(root, { ticket })), 0);
  }

  async start(argument: unknown): Promise<void> {
    await this.#once(argument, async (draft) => {
      const { depth, given } = await this.choices(draft);
      const ticket = await this.#file(draft);
      if (ticket === undefined) return;
      const { repository } = draft;
      let hasStarted = false;
      try {
        hasStarted = await startTicket(repository, ticket, depth, given);
      } finally {
        // Before the text is closed: a group whose last tab is closed goes, and with it the place.
        if (hasStarted) {
          this.#openPage({ repository, ticket });
          await close(draftUri(repository.root, { ticket }));
          await this.#kept.forget(repository.root, { ticket });
        } else await this.openTicket(repository, ticket);
        if ('number' in draft.of) await close(draft.document.uri);
      }
    });
  }

  async save(argument: unknown): Promise<void> {
    await this.#once(argument, async (draft) => {
      const ticket = await this.#file(draft);
      if (ticket === undefined || !('number' in draft.of)) return;
      await close(draft.document.uri);
      window.setStatusBarMessage(l10n.t('{0} created as a draft.', ticket), 5_000);
    });
  }

  async chooseDepth(argument: unknown): Promise<void> {
    const draft = this.#draftOf(argument);
    const { title, description } = readDraft(draft.document.getText());
    const known = once(() => knownOfDepths(draft.repository, { title, description }));
    const { settings } = draft.repository.startSettings();
    await this.#ask(draft, [askDepth(titleOf(draft), known, settings)], ({ depth }) =>
      depth === 'loop' ? {} : { depth },
    );
  }

  async chooseBase(argument: unknown): Promise<void> {
    const draft = this.#draftOf(argument);
    const branches = await draft.repository.branches();
    if (branches.all.length === 0) throw new BeadsmithError('NO_COMMITS');
    const asked = [askBase(titleOf(draft), draft.repository, branches)];
    await this.#ask(draft, asked, ({ baseBranch }) => ({ baseBranch }));
  }

  async chooseModels(argument: unknown): Promise<void> {
    const draft = this.#draftOf(argument);
    const models = new ModelPicker(draft.repository);
    const asked = [askMain(titleOf(draft), models), askCouncil(titleOf(draft), models)];
    await this.#ask(draft, asked, ({ mainImplementer, councilMembers }) => ({
      mainImplementer,
      ...(councilMembers ? { councilMembers: [...councilMembers] } : {}),
    }));
  }

  /** A depth that wasn't chosen is the suggested one, as it is shown. */
  async choices({ document, repository, of }: OpenDraft): Promise<ShownChoices> {
    const { depth, baseBranch, mainImplementer, councilMembers } = await this.#kept.read(repository.root, of);
    const isSuggested = depth === undefined;
    return {
      isSuggested,
      depth: isSuggested ? suggestDepth(readDraft(document.getText())).depth : depth,
      given: { baseBranch, mainImplementer, councilMembers },
    };
  }

  /** Undefined for another document, and where the repository isn't open. */
  find(document: TextDocument): OpenDraft | undefined {
    const place = parseDraftAddress(document.uri);
    const repository = place && repositoryOf(this.#repositories, place.repository);
    return repository && { document, repository, of: place.of };
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #draftOf(argument: unknown): OpenDraft {
    const uri = argument instanceof Uri ? argument : window.activeTextEditor?.document.uri;
    const document = workspace.textDocuments.find((one) => one.uri.toString() === uri?.toString());
    const draft = document && this.find(document);
    if (!draft) throw new BeadsmithError('INVALID_INPUT', { what: 'The draft', reason: 'it isn’t open' });
    return draft;
  }

  async #once(argument: unknown, work: (draft: OpenDraft) => Promise<void>): Promise<void> {
    const draft = this.#draftOf(argument);
    const key = draft.document.uri.toString();
    if (this.#busy.has(key)) return;
    this.#busy.add(key);
    try {
      await work(draft);
    } finally {
      this.#busy.delete(key);
    }
  }

  async #ask(
    draft: OpenDraft,
    steps: readonly Step<Plan>[],
    chosenIn: (plan: Plan) => DraftChoices,
  ): Promise<void> {
    const { depth, given } = await this.choices(draft);
    const plan = await askInSteps<Plan>({ ...given, depth }, steps);
    if (!plan) return;
    await this.#kept.keep(draft.repository.root, draft.of, chosenIn(plan));
    this.#chosen.emit();
  }

  /** Answers the ticket; undefined while the text can't be one, which its problem says at its line. */
  async #file({ document, repository, of }: OpenDraft): Promise<string | undefined> {
    const problem = this.#problems.find(document);
    if (problem) {
      await show(document, problem.line);
      window.setStatusBarMessage(l10n.t(problem.message), 5_000);
      return undefined;
    }
    if ('ticket' in of) return !document.isDirty || (await document.save()) ? of.ticket : undefined;
    const { root } = repository;
    const { title, description } = readDraft(document.getText());
    const { id } = await repository.client.create({ title, description });
    const { depth, baseBranch, mainImplementer, councilMembers } = await this.#kept.read(root, of);
    await this.#kept.keep(root, { ticket: id }, { depth, baseBranch, mainImplementer, councilMembers });
    // Saved text is closed without a question.
    await document.save();
    await this.#kept.forget(root, of);
    return id;
  }

  /** The first number without a text; without a seed also the first text that no editor shows. */
  async #freePlace({ root }: OpenRepository, isSeeded: boolean): Promise<Uri> {
    for (let number = 1; ; number += 1) {
      const uri = draftUri(root, { number });
      if (tabsOf(uri).length > 0) {
        const document = workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
        if (document && isUnwritten(document.getText())) return uri;
      } else {
        const { text } = await this.#kept.read(root, { number });
        if (text === undefined || !isSeeded) return uri;
      }
    }
  }
}

function titleOf({ repository, of }: OpenDraft): string {
  return 'ticket' in of
    ? l10n.t('Start {0}', of.ticket)
    : l10n.t('New ticket in {0}', repository.client.repository.name);
}

/** At the end of the line. */
async function show(document: TextDocument, line: number): Promise<void> {
  const { length } = document.lineAt(line).text;
  await window.showTextDocument(document, {
    preview: false,
    selection: new Range(line, length, line, length),
  });
}

function tabsOf(uri: Uri): (typeof window.tabGroups.all)[number]['tabs'] {
  return window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof TabInputText && input.uri.toString() === uri.toString());
}

async function close(uri: Uri): Promise<void> {
  const tabs = tabsOf(uri);
  if (tabs.length > 0) await window.tabGroups.close([...tabs]);
}
