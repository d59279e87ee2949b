import { l10n, ProgressLocation, type QuickInputButton, ThemeIcon, Uri, window } from 'vscode';
import { joined } from '../../base/joined.ts';
import { MemberText } from '../../domain/council/council.ts';
import type { OfferedModel } from '../../domain/usage/offeredModel.ts';
import { plainLabel } from '../shared/plainText.ts';
import {
  askInSteps,
  changed,
  type Choice,
  divider,
  type List,
  pickMany,
  pickOne,
  type Question,
  type Reply,
  writeText,
} from '../shared/quickInput.ts';
import type { OpenRepository } from '../shared/repositories.ts';

/** Rows that aren't models; the ID of a model has a slash. */
const byHand = 'byHand';
const logIn = 'logIn';

/** The latest tickets, whose models are likely wanted again. */
const recentTickets = 5;

interface Known {
  readonly offered: readonly OfferedModel[];
  readonly recent: readonly string[];
}

/** Asks OpenCode for its models once, and people for theirs. */
export class ModelPicker {
  readonly #repository: OpenRepository;
  #known: Promise<Known | undefined> | undefined;

  constructor(repository: OpenRepository) {
    this.#repository = repository;
  }

  /** `present`: comes first. */
  async main(question: Question, present?: string): Promise<Reply<string>> {
    const { placeholder = l10n.t('Select the model that plans and codes') } = question;
    for (;;) {
      const known = await this.#ask();
      if (!known) return typeOne({ ...question, placeholder });
      const isNone = known.offered.length === 0;
      const recent = [...(present === undefined ? [] : [present]), ...known.recent];
      const reply = await pickOne({
        ...question,
        placeholder: isNone ? l10n.t('OpenCode isn’t logged in to a provider') : placeholder,
        ...this.#choices(() => [
          ...modelRows({ ...known, recent }, this.#starred, []),
          divider(l10n.t('more')),
          ...(this.#repository.isDemo ? [] : [logInRow()]),
          byHandRow(),
        ]),
      });
      if (reply.kind !== 'given' || (reply.value !== byHand && reply.value !== logIn)) return reply;
      if (reply.value === logIn) {
        if (!(await openLogin(this.#repository))) return { kind: 'left' };
        this.#known = undefined;
        continue;
      }
      const typed = await typeOne({ ...question, placeholder, back: true });
      if (typed.kind !== 'back') return typed;
    }
  }

  /** `main` sits in the council anyway. */
  async council(
    question: Question,
    main: string | undefined,
    chosen: readonly string[],
  ): Promise<Reply<readonly string[]>> {
    const known = await this.#ask();
    if (!known) return { kind: 'given', value: chosen };
    const rows = (): readonly Choice<string>[] => modelRows(known, this.#starred, [main ?? ''], chosen);
    if (rows().length === 0) return { kind: 'given', value: [] };
    const { placeholder = l10n.t('Select additional council members (none to plan solo)') } = question;
    for (;;) {
      const choices = this.#choices(() => [...rows(), divider(l10n.t('more')), byHandRow()]);
      const reply = await pickMany({ ...question, placeholder, ...choices });
      if (reply.kind !== 'given' || !reply.value.includes(byHand)) return reply;
      const picked = reply.value.filter((value) => value !== byHand);
      const typed = await typeMany({ ...question, placeholder, back: true });
      if (typed.kind !== 'back')
        return changed(typed, (more) => [...new Set([...picked, ...more])].filter((one) => one !== main));
    }
  }

  get #starred(): readonly string[] {
    return this.#repository.starred.all();
  }

  /** Their buttons are stars. */
  #choices(rows: () => readonly Choice<string>[]): Pick<List<string>, 'choices' | 'press'> {
    const press = async (model: string): Promise<readonly Choice<string>[]> => {
      await this.#repository.starred.toggle(model);
      return rows();
    };
    return { choices: rows(), press };
  }

  /** Undefined for a person who doesn't want to wait. */
  async #ask(): Promise<Known | undefined> {
    this.#known ??= this.#read();
    const known = await this.#known.catch((error: unknown) => {
      this.#known = undefined;
      throw error;
    });
    return known;
  }

  async #read(): Promise<Known | undefined> {
    const [offered, recent] = await Promise.all([
      offeredBy(this.#repository),
      recentModels(this.#repository),
    ]);
    return offered && { offered, recent };
  }
}

/** Sets the models of later tickets. */
export async function chooseModels(repository: OpenRepository): Promise<void> {
  const { mainImplementer, councilMembers = [] } = repository.startSettings();
  const models = new ModelPicker(repository);
  const title = l10n.t('Models of New Tickets');
  const chosen = await askInSteps<{ readonly main: string; readonly council: readonly string[] }>(
    { main: mainImplementer ?? '', council: councilMembers },
    [
      async (known, place) => changed(await models.main({ ...place, title }), (main) => ({ ...known, main })),
      async (known, place) =>
        changed(await models.council({ ...place, title }, known.main, councilMembers), (council) => ({
          ...known,
          council,
        })),
    ],
  );
  if (!chosen) return;
  const { main, council } = chosen;
  await repository.rememberModels({ mainImplementer: main, councilMembers: council });
  window.setStatusBarMessage(l10n.t('New tickets use {0}.', [main, ...council].join(', ')), 5_000);
}

async function offeredBy(repository: OpenRepository): Promise<readonly OfferedModel[] | undefined> {
  const progress = {
    location: ProgressLocation.Notification,
    title: l10n.t('Getting models from OpenCode…'),
    cancellable: true,
  };
  return window.withProgress(progress, (_progress, token) => {
    const left = Promise.withResolvers<undefined>();
    token.onCancellationRequested(() => left.resolve(undefined));
    return Promise.race([repository.models(), left.promise]);
  });
}

/** Those that the settings name, then those of the latest tickets. */
async function recentModels(repository: OpenRepository): Promise<readonly string[]> {
  const { client } = repository;
  const { mainImplementer = '', councilMembers = [] } = repository.startSettings();
  const started = (await client.tickets())
    .filter(({ status }) => status !== 'DRAFT')
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
    .slice(0, recentTickets);
  const used = await Promise.all(
    started.map(async ({ id }) => {
      // It is a help, and no reason to choose nothing.
      const settings = (await client.ticket(id).catch(() => undefined))?.ticket.settings;
      return settings ? [settings.mainImplementer, ...settings.councilMembers] : [];
    }),
  );
  return [...new Set([mainImplementer, ...councilMembers, ...used.flat()])].filter((model) => model !== '');
}

function modelRows(
  { offered, recent }: Known,
  starred: readonly string[],
  apart: readonly string[],
  picked: readonly string[] = [],
): readonly Choice<string>[] {
  const byId = new Map(offered.map((model) => [model.id, model]));
  const factsOf = (id: string): OfferedModel | undefined => byId.get(id) ?? byId.get(withoutVariant(id));
  const isUsable = (id: string): boolean => factsOf(id)?.usesTools ?? factsOf(id) !== undefined;
  const row = (id: string): Choice<string> => {
    const facts = factsOf(id);
    const description = facts ? aboutModel(facts) : l10n.t('not offered now: log in to its provider');
    return {
      label: plainLabel(id),
      description,
      value: id,
      picked: picked.includes(id),
      buttons: [starButton(starred.includes(id))],
    };
  };
  const group = (label: string, ids: readonly string[]): readonly Choice<string>[] =>
    ids.length === 0 ? [] : [divider(label), ...ids.map(row)];
  const all = [...new Set([...starred, ...recent, ...picked, ...offered.map(({ id }) => id)])].filter(
    (id) => !apart.includes(id),
  );
  const usable = all.filter(isUsable);
  const favorites = usable.filter((id) => starred.includes(id));
  const first = usable.filter((id) => recent.includes(id) && !starred.includes(id));
  const others = usable.filter((id) => !recent.includes(id) && !starred.includes(id)).toSorted();
  const providers = [...new Set(others.map((id) => factsOf(id)?.provider ?? ''))].toSorted();
  return [
    ...group(l10n.t('favorites'), favorites),
    ...group(l10n.t('recently used'), first),
    ...providers.flatMap((provider) =>
      group(
        plainLabel(provider),
        others.filter((id) => factsOf(id)?.provider === provider),
      ),
    ),
    ...group(
      l10n.t('not recommended'),
      all.filter((id) => !isUsable(id)),
    ),
  ];
}

function starButton(isStarred: boolean): QuickInputButton {
  return isStarred
    ? { iconPath: new ThemeIcon('star-full'), tooltip: l10n.t('Remove from Favorites') }
    : { iconPath: new ThemeIcon('star-empty'), tooltip: l10n.t('Add to Favorites') };
}

function withoutVariant(id: string): string {
  return id.replace(/@[^@/]*$/, '');
}

function aboutModel({ context, price, usesTools }: OfferedModel): string {
  return joined([
    context === undefined ? '' : l10n.t('{0} context', tokensText(context)),
    price
      ? l10n.t('${0} in, ${1} out per million tokens', priceText(price.input), priceText(price.output))
      : l10n.t('no price known'),
    usesTools === undefined
      ? ''
      : usesTools
        ? l10n.t('uses tools')
        : l10n.t('can’t use tools, so it can’t code'),
  ]);
}

function tokensText(tokens: number): string {
  const short = (value: number): string => String(Math.round(value * 10) / 10);
  return tokens >= 1_000_000 ? `${short(tokens / 1_000_000)}M` : `${short(tokens / 1_000)}K`;
}

function priceText(dollars: number): string {
  return String(Math.round(dollars * 10_000) / 10_000);
}

function logInRow(): Choice<string> {
  return {
    label: `$(key) ${l10n.t('Log In to a Provider…')}`,
    description: l10n.t('opens a terminal with OpenCode'),
    value: logIn,
  };
}

function byHandRow(): Choice<string> {
  return {
    label: `$(edit) ${l10n.t('Enter a Model…')}`,
    description: l10n.t('as provider/model or provider/model@variant'),
    value: byHand,
  };
}

async function typeOne(question: Question): Promise<Reply<string>> {
  const check = (text: string): string | undefined => problemOf([text.trim()]);
  const reply = await writeText({
    ...question,
    prompt: question.placeholder ?? '',
    placeholder: 'provider/model',
    check,
  });
  return changed(reply, (text) => text.trim());
}

async function typeMany(question: Question): Promise<Reply<readonly string[]>> {
  const namesIn = (text: string): readonly string[] => text.split(/[\s,]+/).filter((name) => name !== '');
  const reply = await writeText({
    ...question,
    prompt: question.placeholder ?? '',
    placeholder: 'provider/model, provider/model',
    check: (text) => problemOf(namesIn(text)),
  });
  return changed(reply, namesIn);
}

function problemOf(names: readonly string[]): string | undefined {
  for (const name of names) {
    const result = MemberText.safeParse(name);
    if (!result.success) return l10n.t(result.error.issues[0]?.message ?? '');
  }
  return undefined;
}

/** True once the program ended well. No shell reads its arguments, and it asks for everything else itself. */
async function openLogin(repository: OpenRepository): Promise<boolean> {
  const { program, args, folder } = await repository.logIn();
  const terminal = window.createTerminal({
    name: l10n.t('OpenCode Login'),
    shellPath: program,
    shellArgs: [...args],
    cwd: Uri.file(folder),
  });
  const ended = new Promise<boolean>((resolve) => {
    const listener = window.onDidCloseTerminal((closed) => {
      if (closed !== terminal) return;
      listener.dispose();
      resolve(closed.exitStatus?.code === 0);
    });
  });
  terminal.show();
  return ended;
}
