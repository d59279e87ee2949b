import { l10n, window } from 'vscode';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { InboxBody } from '../../domain/ticket/inbox.ts';
import { completeSettings, Limits, type Settings } from '../../domain/settings/settings.ts';
import { offeredHandoffs } from '../../protocol/handoffs.ts';
import type { OpenRepository } from '../shared/repositories.ts';
import { askInSteps, type Step } from '../shared/quickInput.ts';
import { ModelPicker } from './pickModels.ts';
import { sendAndTell } from '../shared/sendAction.ts';
import { knownOfDepths } from './depthEstimate.ts';
import { askCouncil, askDepth, askHandoff, askMain, baseSteps, once, type Plan } from './startQuestions.ts';

/** Answers that were given before. */
interface Given extends Partial<Pick<Plan, 'baseBranch' | 'mainImplementer' | 'councilMembers'>> {
  readonly settings?: Partial<Settings>;
  readonly loop?: InboxBody<'start'>['loop'];
}

/** Asks what isn't known yet. False if the person left, and the ticket is still a draft. */
export async function startTicket(
  repository: OpenRepository,
  ticket: string,
  depth?: Settings['depth'],
  given: Given = {},
): Promise<boolean> {
  const preset = repository.startSettings();
  const branches = await repository.branches();
  if (branches.all.length === 0) throw new BeadsmithError('NO_COMMITS');
  const known: Plan = {
    depth,
    baseBranch: given.baseBranch,
    mainImplementer: given.mainImplementer ?? preset.mainImplementer,
    councilMembers: given.councilMembers ?? preset.councilMembers,
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
    ...(known.baseBranch === undefined ? await baseSteps(title, repository, branches) : []),
    ...(known.mainImplementer === undefined ? [askMain(title, models)] : []),
    ...(known.councilMembers === undefined && (depth === undefined || depth === 'full')
      ? [askCouncil(title, models)]
      : []),
    ...(given.loop || handoffs.length === 0 ? [] : [askHandoff(title, handoffs)]),
  ];
  const plan = await askInSteps(known, steps);
  if (!plan) {
    window.setStatusBarMessage(l10n.t('{0} is still a draft.', ticket), 5_000);
    return false;
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
  return true;
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
