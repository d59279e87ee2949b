import { l10n } from 'vscode';
import { joined } from '../../base/joined.ts';
import { isTicketBranch } from '../../domain/core/ids.ts';
import { estimateText, reasonTexts, reviewEstimateText } from '../../domain/estimate/estimateText.ts';
import { reviewEstimateFor } from '../../domain/estimate/reviewEstimate.ts';
import type { PlannedDepth, Settings } from '../../domain/settings/settings.ts';
import type { OfferedHandoff } from '../../protocol/handoffs.ts';
import { words } from '../shared/errorText.ts';
import type { OpenRepository } from '../shared/repositories.ts';
import { plainLabel } from '../shared/plainText.ts';
import { changed, type Choice, pickOne, type Reply, type Step } from '../shared/quickInput.ts';
import type { KnownOfDepths } from './depthEstimate.ts';
import type { ModelPicker } from './pickModels.ts';

type Branches = Awaited<ReturnType<OpenRepository['branches']>>;

const mostHandoffs = 20;

export interface Plan {
  readonly depth: Settings['depth'] | undefined;
  readonly baseBranch: string | undefined;
  readonly mainImplementer: string | undefined;
  readonly councilMembers: readonly string[] | undefined;
  readonly handoff?: string | undefined;
}

export function askHandoff(title: string, handoffs: readonly OfferedHandoff[]): Step<Plan> {
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

export function askDepth(
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
      const reasons = suggestion ? reasonTexts(suggestion, words) : [];
      return {
        ...choice,
        description: isSuggested
          ? l10n.t('{0}; suggested: {1}', choice.description, reasons.join(' '))
          : choice.description,
        ...(estimate
          ? {
              detail: joined(
                [estimateText(estimate, words), added ? reviewEstimateText(added, words) : ''],
                '. ',
              ),
            }
          : {}),
      };
    });
    const ordered = choices.toSorted(
      (one, other) => Number(other.value === suggestion?.depth) - Number(one.value === suggestion?.depth),
    );
    const reply = await pickOne<PlannedDepth>({
      ...place,
      title,
      placeholder: l10n.t('How do you want to plan this ticket?'),
      choices: ordered,
    });
    return changed(reply, (depth) => ({ ...plan, depth }));
  };
}

export function depthChoices(): readonly {
  readonly label: string;
  readonly description: string;
  readonly value: PlannedDepth;
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

/**
 * True if the checkout doesn't say which branch is meant: it is on none or on one of a ticket, or on another
 * than the default.
 */
export function isBaseInDoubt({ usual, current }: Branches): boolean {
  return usual === undefined || isTicketBranch(usual) || (current !== undefined && current !== usual);
}

/** Without a doubt only where to start is asked, if the branch differs from the one of origin. */
export async function baseSteps(
  title: string,
  repository: OpenRepository,
  branches: Branches,
): Promise<readonly Step<Plan>[]> {
  const { usual } = branches;
  if (usual === undefined || isBaseInDoubt(branches)) return [askBase(title, repository, branches)];
  return (await differs(repository, usual))
    ? [(known, place) => askSide(title, repository, usual, known, place)]
    : [];
}

export function askBase(title: string, repository: OpenRepository, branches: Branches): Step<Plan> {
  const { all, usual, current } = branches;
  const rank = (name: string): number => (name === usual ? 0 : name === current ? 1 : 2);
  const sorted = all.toSorted((a, b) => rank(a) - rank(b));
  const own = sorted.filter((name) => !isTicketBranch(name));
  return async (known, place) => {
    let offered = own.length === 0 ? sorted : own;
    for (;;) {
      const choices: readonly Choice<string | undefined>[] = [
        ...offered.map((value) => ({
          label: `$(git-branch) ${value}`,
          ...(value === usual ? { description: l10n.t('default') } : {}),
          value,
        })),
        ...(offered.length < sorted.length
          ? [{ label: `$(ellipsis) ${l10n.t('Show Branches of Tickets…')}`, value: undefined }]
          : []),
      ];
      const reply = await pickOne<string | undefined>({
        ...place,
        title,
        placeholder: l10n.t('Select the base branch'),
        choices,
      });
      if (reply.kind !== 'given') return reply;
      const { value: branch } = reply;
      if (branch === undefined) {
        offered = sorted;
        continue;
      }
      if (!(await differs(repository, branch)))
        return { kind: 'given', value: { ...known, baseBranch: branch } };
      const side = await askSide(title, repository, branch, known, { ...place, back: true });
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

export function askMain(title: string, models: ModelPicker): Step<Plan> {
  return async (known, place) =>
    changed(await models.main({ ...place, title }), (mainImplementer) => ({ ...known, mainImplementer }));
}

export function askCouncil(title: string, models: ModelPicker): Step<Plan> {
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

export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
