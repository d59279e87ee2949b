import { l10n, window } from 'vscode';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { reviewEstimateFor } from '../../domain/estimate/reviewEstimate.ts';
import type { InboxBody } from '../../domain/ticket/inbox.ts';
import {
  completeSettings,
  Limits,
  type PlannedDepth,
  type Settings,
} from '../../domain/settings/settings.ts';
import { type OfferedHandoff, offeredHandoffs } from '../../protocol/handoffs.ts';
import type { OpenRepository } from '../shared/repositories.ts';
import { plainLabel } from '../shared/plainText.ts';
import { askInSteps, changed, pickOne, type Reply, type Step } from '../shared/quickInput.ts';
import { estimateText, type KnownOfDepths, knownOfDepths, reviewEstimateText } from './depthEstimate.ts';
import { ModelPicker } from './pickModels.ts';
import { sendAndTell } from '../shared/sendAction.ts';

export type Depth = PlannedDepth;

const mostHandoffs = 20;

interface Plan {
  readonly depth: Settings['depth'] | undefined;
  readonly baseBranch: string | undefined;
  readonly mainImplementer: string | undefined;
  readonly councilMembers: readonly string[] | undefined;
  readonly handoff?: string | undefined;
}

/** `given`: what was asked for before. */
export async function startTicket(
  repository: OpenRepository,
  ticket: string,
  depth?: Settings['depth'],
  given: { readonly settings?: Partial<Settings>; readonly loop?: InboxBody<'start'>['loop'] } = {},
): Promise<void> {
  const preset = repository.startSettings();
  const branches = await repository.branches();
  if (branches.all.length === 0) throw new BeadsmithError('NO_COMMITS');
  const known: Plan = {
    depth,
    baseBranch: undefined,
    mainImplementer: preset.mainImplementer,
    councilMembers: preset.councilMembers,
  };
  const title = l10n.t('Start {0}', ticket);
  const models = new ModelPicker(repository);
  const handoffs = await offeredHandoffs(repository.client);
  const steps: Step<Plan>[] = [
    ...(depth === undefined
      ? [
          askDepth(
            title,
            once(() => knownOfDepths(repository, ticket)),
            preset.settings,
          ),
        ]
      : []),
    ...(await baseSteps(title, repository, branches)),
    ...(preset.mainImplementer === undefined ? [askMain(title, models)] : []),
    ...(preset.councilMembers === undefined && (depth === undefined || depth === 'full')
      ? [askCouncil(title, models)]
      : []),
    ...(given.loop || handoffs.length === 0 ? [] : [askHandoff(title, handoffs)]),
  ];
  const plan = await askInSteps(known, steps);
  if (!plan) {
    window.setStatusBarMessage(l10n.t('{0} is still a draft.', ticket), 5_000);
    return;
  }
  const { mainImplementer } = plan;
  if (mainImplementer === undefined)
    throw new BeadsmithError('INVALID_INPUT', { what: 'The start', reason: 'no model was chosen' });
  const baseBranch = plan.baseBranch ?? branches.usual;
  await sendAndTell({ repository, ticket }, 'start', {
    settings: completeSettings({
      ...preset.settings,
      ...given.settings,
      depth: plan.depth ?? 'full',
      mainImplementer,
      councilMembers: [...(plan.councilMembers ?? [])],
    }),
    limits: Limits.parse(preset.limits),
    ...(baseBranch === undefined ? {} : { baseBranch }),
    ...(given.loop ? { loop: given.loop } : {}),
    ...(plan.handoff === undefined ? {} : { handoff: plan.handoff }),
  });
  if (preset.mainImplementer === undefined) void offerToRemember(repository, plan, mainImplementer);
}

function askHandoff(title: string, handoffs: readonly OfferedHandoff[]): Step<Plan> {
  return async (plan, place) => {
    const choices = handoffs.slice(0, mostHandoffs).map((handoff) => ({
      label: plainLabel(`${handoff.ticket} ${handoff.title}`),
      description: handoff.entries === 1 ? l10n.t('1 entry') : l10n.t('{0} entries', handoff.entries),
      value: handoff.ticket,
    }));
    const reply = await pickOne<string | undefined>({
      ...place,
      title,
      placeholder: l10n.t('Select the handoff of an earlier ticket to start with'),
      choices: [{ label: l10n.t('No Handoff'), value: undefined }, ...choices],
    });
    return changed(reply, (handoff) => ({ ...plan, handoff }));
  };
}

function askDepth(
  title: string,
  known: () => Promise<KnownOfDepths>,
  { review = 'auto', reviewer = '' }: Partial<Settings>,
): Step<Plan> {
  return async (plan, place) => {
    const { suggestion, estimates, reviews } = await known();
    const choices = depthChoices().map((choice) => {
      const estimate = estimates.find(({ depth }) => depth === choice.value);
      const added = reviewEstimateFor(review, choice.value === 'full' || reviewer !== '', reviews);
      const isSuggested = suggestion?.depth === choice.value;
      const reasons = suggestion?.reasons.map(({ text, args }) => l10n.t(text, ...args)) ?? [];
      return {
        ...choice,
        description: isSuggested
          ? l10n.t('{0}; suggested: {1}', choice.description, reasons.join(' '))
          : choice.description,
        ...(estimate
          ? { detail: [estimateText(estimate), ...(added ? [reviewEstimateText(added)] : [])].join('; ') }
          : {}),
      };
    });
    const ordered = choices.toSorted(
      (one, other) => Number(other.value === suggestion?.depth) - Number(one.value === suggestion?.depth),
    );
    const reply = await pickOne<Depth>({
      ...place,
      title,
      placeholder: l10n.t('How do you want to plan this ticket?'),
      choices: ordered,
    });
    return changed(reply, (depth) => ({ ...plan, depth }));
  };
}

function depthChoices(): readonly {
  readonly label: string;
  readonly description: string;
  readonly value: Depth;
}[] {
  return [
    {
      label: `$(organization) ${l10n.t('In council')}`,
      description: l10n.t('several models draft, vote and refine'),
      value: 'full',
    },
    { label: `$(person) ${l10n.t('Solo')}`, description: l10n.t('one model plans and codes'), value: 'solo' },
    {
      label: `$(zap) ${l10n.t('Quick')}`,
      description: l10n.t('small work: one plan, approved once'),
      value: 'quick',
    },
  ];
}

async function baseSteps(
  title: string,
  repository: OpenRepository,
  branches: Awaited<ReturnType<OpenRepository['branches']>>,
): Promise<readonly Step<Plan>[]> {
  const { all, usual } = branches;
  if (all.length > 1 || usual === undefined) return [askBase(title, repository, branches)];
  return (await differs(repository, usual))
    ? [(known, place) => askSide(title, repository, usual, known, place)]
    : [];
}

function askBase(
  title: string,
  repository: OpenRepository,
  branches: Awaited<ReturnType<OpenRepository['branches']>>,
): Step<Plan> {
  const sorted = branches.all.toSorted((a, b) => Number(b === branches.usual) - Number(a === branches.usual));
  const choices = sorted.map((value) => ({
    label: `$(git-branch) ${value}`,
    ...(value === branches.usual ? { description: l10n.t('default') } : {}),
    value,
  }));
  return async (known, place) => {
    for (;;) {
      const reply = await pickOne({
        ...place,
        title,
        placeholder: l10n.t('Select the base branch'),
        choices,
      });
      if (reply.kind !== 'given') return reply;
      if (!(await differs(repository, reply.value)))
        return { kind: 'given', value: { ...known, baseBranch: reply.value } };
      const side = await askSide(title, repository, reply.value, known, { ...place, back: true });
      if (side.kind !== 'back') return side;
    }
  };
}

async function differs(repository: OpenRepository, branch: string): Promise<boolean> {
  const { ahead, behind } = await repository.apart(branch);
  return ahead + behind > 0;
}

/** A start from an old commit is noticed late. */
async function askSide(
  title: string,
  repository: OpenRepository,
  branch: string,
  known: Plan,
  place: Parameters<Step<Plan>>[1],
): Promise<Reply<Plan>> {
  const { ahead, behind } = await repository.apart(branch);
  const choices = [
    {
      label: `$(git-branch) ${branch}`,
      description: l10n.t('{0} ahead of origin, {1} behind', ahead, behind),
      value: branch,
    },
    {
      label: `$(cloud) origin/${branch}`,
      description: l10n.t('as of the last fetch'),
      value: `origin/${branch}`,
    },
  ];
  const reply = await pickOne({
    ...place,
    title,
    placeholder: l10n.t('{0} differs from origin. Select where to start', branch),
    choices,
  });
  return changed(reply, (baseBranch) => ({ ...known, baseBranch }));
}

function askMain(title: string, models: ModelPicker): Step<Plan> {
  return async (known, place) =>
    changed(await models.main({ ...place, title }), (mainImplementer) => ({ ...known, mainImplementer }));
}

function askCouncil(title: string, models: ModelPicker): Step<Plan> {
  return async (known, place) => {
    if (known.depth !== undefined && known.depth !== 'full') return { kind: 'given', value: known };
    const reply = await models.council(
      { ...place, title },
      known.mainImplementer,
      known.councilMembers ?? [],
    );
    return changed(reply, (councilMembers) => ({ ...known, councilMembers }));
  };
}

async function offerToRemember(
  repository: OpenRepository,
  plan: Plan,
  mainImplementer: string,
): Promise<void> {
  const remember = l10n.t('Remember');
  const answer = await window.showInformationMessage(
    l10n.t('Use {0} for future tickets?', mainImplementer),
    remember,
  );
  if (answer !== remember) return;
  await repository.rememberModels({
    mainImplementer,
    ...(plan.depth === 'solo' || !plan.councilMembers ? {} : { councilMembers: plan.councilMembers }),
  });
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
