import {
  CodeLens,
  type CodeLensProvider,
  type Command,
  EventEmitter,
  l10n,
  languages,
  Range,
  type TextDocument,
  window,
} from 'vscode';
import { joined } from '../../../base/joined.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { effortText, estimateText } from '../../../domain/estimate/estimateText.ts';
import { draftScheme } from '../../../protocol/schemes.ts';
import { commandId, type CommandName } from '../../commands/commands.ts';
import { words } from '../../shared/errorText.ts';
import { openOf, type OpenRepository, type Repositories } from '../../shared/repositories.ts';
import { estimatesIn, type KnownOfDepths } from '../depthEstimate.ts';
import { depthChoices, isBaseInDoubt } from '../startQuestions.ts';
import type { OpenDraft, TicketDrafts } from './ticketDrafts.ts';

interface Known {
  readonly branches: Awaited<ReturnType<OpenRepository['branches']>>;
  readonly estimates: KnownOfDepths['estimates'];
}

/** The choices for the start, above the title. Nothing in Restricted Mode. */
export class DraftCodeLenses implements CodeLensProvider, Disposable {
  readonly #repositories: Repositories;
  readonly #drafts: TicketDrafts;
  readonly #changed = new EventEmitter<void>();
  readonly #lifetime = new DisposableStore();
  /** By the top of the checkout; read again when a person comes back to an editor. */
  readonly #known = new Map<string, Promise<Known>>();

  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(repositories: Repositories, drafts: TicketDrafts) {
    this.#repositories = repositories;
    this.#drafts = drafts;
    const again = (): void => {
      this.#known.clear();
      this.#changed.fire();
    };
    this.#lifetime.add(this.#changed);
    this.#lifetime.add(drafts.onDidChoose(() => this.#changed.fire()));
    this.#lifetime.add(repositories.onDidChange(again));
    this.#lifetime.add(window.onDidChangeActiveTextEditor(again));
    this.#lifetime.add(languages.registerCodeLensProvider({ scheme: draftScheme }, this));
  }

  async provideCodeLenses(document: TextDocument): Promise<CodeLens[]> {
    if (!this.#repositories.trusted) return [];
    await this.#repositories.open();
    const draft = this.#drafts.find(document);
    if (!draft) return [];
    return (await this.#commands(draft)).map((command) => new CodeLens(new Range(0, 0, 0, 0), command));
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  async #commands(draft: OpenDraft): Promise<readonly Command[]> {
    const { repository, of, document } = draft;
    const run = (name: CommandName, title: string, tooltip = ''): Command => ({
      command: commandId(name),
      title,
      tooltip,
      arguments: [document.uri],
    });
    if ('ticket' in of && !(await isDraft(repository, of.ticket)))
      return [
        {
          command: commandId('openTicket'),
          title: l10n.t('{0} isn’t a draft anymore', of.ticket),
          arguments: [{ root: repository.root, ticket: of.ticket }],
        },
      ];
    const several = openOf(this.#repositories).length > 1;
    const { branches, estimates } = await this.#knownOf(repository);
    const { depth, isSuggested, given } = await this.#drafts.choices(draft);
    const label = depthChoices().find(({ value }) => value === depth)?.label ?? depth;
    const estimate = estimates.find((one) => one.depth === depth);
    const base = given.baseBranch ?? (isBaseInDoubt(branches) ? undefined : branches.usual);
    return [
      ...(several ? [{ command: '', title: `$(repo) ${repository.client.repository.name}` }] : []),
      run('startDraft', `$(play) ${l10n.t('Start')}`),
      run(
        'chooseDepth',
        joined([
          isSuggested ? l10n.t('{0} (suggested)', label) : label,
          estimate ? effortText(estimate, words) : '',
        ]),
        estimate && estimateText(estimate, words),
      ),
      run('chooseBase', base === undefined ? l10n.t('Choose Base Branch…') : `$(git-branch) ${base}`),
      run('chooseDraftModels', modelsText(repository, given, depth)),
      ...('number' in of ? [run('saveDraft', `$(save) ${l10n.t('Save as Draft')}`)] : []),
    ];
  }

  #knownOf(repository: OpenRepository): Promise<Known> {
    const { root, client } = repository;
    const known =
      this.#known.get(root) ??
      Promise.all([repository.branches(), estimatesIn(client).catch(() => ({ estimates: [] }))]).then(
        ([branches, { estimates }]) => ({ branches, estimates }),
      );
    this.#known.set(root, known);
    known.catch(() => this.#known.delete(root));
    return known;
  }
}

function modelsText(
  repository: OpenRepository,
  given: {
    readonly mainImplementer: string | undefined;
    readonly councilMembers: readonly string[] | undefined;
  },
  depth: string,
): string {
  const preset = repository.startSettings();
  const main = given.mainImplementer ?? preset.mainImplementer;
  if (main === undefined) return l10n.t('Choose Models…');
  const others = (given.councilMembers ?? preset.councilMembers ?? []).length;
  return depth === 'full' && others > 0
    ? `$(hubot) ${l10n.t('{0} and {1} more', main, others)}`
    : `$(hubot) ${main}`;
}

async function isDraft({ client }: OpenRepository, ticket: string): Promise<boolean> {
  return (await client.ticket(ticket)).view.actions.includes('start');
}
