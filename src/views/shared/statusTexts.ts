import { l10n } from 'vscode';
import { stageExitLabel, stageLabel } from '../../domain/beads/beadStages.ts';
import { holdLabel, passesByItself } from '../../domain/ticket/ticket.ts';
import { roleOf } from '../../domain/workflow/roles.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import type { RepositoryView, TicketView } from '../../protocol/api.ts';
import type { PastStage } from '../../domain/beads/iteration.ts';
import type { IterationView, RunView } from '../../protocol/history.ts';
import { noSandbox } from '../../domain/environment/sandbox.ts';
import { clockText, countdownText } from './plainText.ts';
import { errorText } from './errorText.ts';

export function holdName(kind: string): string {
  return l10n.t(holdLabel(kind));
}

/** Three words at most: what a ticket needs now, or what is done for it. */
export function stateText(
  view: Pick<TicketView, 'status' | 'label' | 'hold' | 'preparing' | 'damaged'>,
): string {
  const { status, label, hold, damaged } = view;
  const { short = label } = rowOf(status);
  if (isInItsStatus(view)) return damaged === undefined ? l10n.t(short) : l10n.t(label);
  if (hold === null) return l10n.t('Preparing');
  if (hold === 'question') return l10n.t('Answer question');
  if (hold === 'permission') return l10n.t('Allow or deny');
  return hold === 'queue' ? l10n.t('Queued') : holdName(hold);
}

/** Nothing but its status says what is next. */
export function isInItsStatus({
  status,
  hold,
  preparing,
  damaged,
}: Pick<TicketView, 'status' | 'hold' | 'preparing' | 'damaged'>): boolean {
  // A block is worse than a pause.
  return damaged !== undefined || roleOf(status) === 'blocked' || (hold === null && !preparing);
}

/** The bead in work with its iteration, else how many are done. Empty without a plan. */
export function workText({ coding, beadsDone, beadsTotal, beadsSkipped = 0 }: TicketView): string {
  if (coding) {
    const place = [coding.number, beadsTotal, coding.iteration] as const;
    if (coding.stage === null) return l10n.t('{0}/{1}, iteration {2}', ...place);
    return l10n.t('{0}/{1}, iteration {2}: {3}', ...place, l10n.t(stageLabel(coding.stage)));
  }
  if (beadsSkipped > 0) return l10n.t('{0}/{1} beads, {2} skipped', beadsDone, beadsTotal, beadsSkipped);
  return beadsTotal === 0 ? '' : l10n.t('{0}/{1} beads', beadsDone, beadsTotal);
}

export function stageOutcome({
  exit,
  error,
  interrupted,
}: Pick<PastStage, 'exit' | 'error' | 'interrupted'>): string {
  if (interrupted) return l10n.t('interrupted');
  if (error) return l10n.t('failed: {0}', error.message);
  return exit === null ? runStateTexts().open : l10n.t(stageExitLabel(exit));
}

/** With the time an agent still waits, or when it continues. Empty when it doesn't pause. */
export function holdText(
  { hold, holdUntil, waitsFor }: Pick<TicketView, 'hold' | 'holdUntil' | 'waitsFor'>,
  now: number,
): string {
  if (hold === null) return '';
  if (waitsFor !== null) return l10n.t('Waiting for {0} to finish coding', waitsFor);
  if (holdUntil === null) return holdName(hold);
  const left = countdownText(holdUntil, now);
  if (left === '' && !passesByItself(hold)) return holdName(hold);
  if (hold === 'question') return l10n.t('{0} left, has a question', left);
  if (hold === 'permission') return l10n.t('{0} left, requests a permission', left);
  if (passesByItself(hold)) return l10n.t('{0}, continues at {1}', holdName(hold), clockText(holdUntil, now));
  return holdName(hold);
}

/** The rest of a hold beside `stateText`: for how long, or for which ticket. */
export function holdDetail(
  { hold, holdUntil, waitsFor }: Pick<TicketView, 'hold' | 'holdUntil' | 'waitsFor'>,
  now: number,
): string {
  if (hold === null) return '';
  if (waitsFor !== null) return l10n.t('Waiting for {0} to finish coding', waitsFor);
  if (holdUntil === null) return '';
  if (passesByItself(hold)) return l10n.t('continues at {0}', clockText(holdUntil, now));
  const left = countdownText(holdUntil, now);
  return left === '' ? '' : l10n.t('{0} left', left);
}

function runStateTexts(): Readonly<Record<RunView['state'], string>> {
  return {
    open: l10n.t('in progress'),
    closed: l10n.t('finished'),
    superseded: l10n.t('superseded'),
    archived: l10n.t('archived'),
  };
}

/** Only exits that say more than that the run ended. */
function runExitTexts() {
  return {
    skip_all: l10n.t('the remaining questions were skipped'),
    gaps: l10n.t('gaps were found'),
    limit: l10n.t('gaps remain'),
    passed_by_policy: l10n.t('passed by policy'),
    regenerate: l10n.t('regenerated'),
    full: l10n.t('too much to decide, so it’s planned in full'),
    reused: l10n.t('the last approved setup still works'),
    stale: l10n.t('the last approved setup no longer works'),
    changes: l10n.t('changes were requested'),
    merge: l10n.t('merged'),
    close: l10n.t('closed without merging'),
    undone: l10n.t('the merge was undone'),
    accepted: l10n.t('accepted'),
    rejected: l10n.t('rejected'),
  } as const;
}

export function runOutcome({ state, exit }: Pick<RunView, 'state' | 'exit'>): string {
  const exits: Readonly<Record<string, string>> = runExitTexts();
  return (exit === null ? undefined : exits[exit]) ?? runStateTexts()[state];
}

/** One that was interrupted was taken back, too, but nobody rejected it. */
export function iterationOutcome({
  state,
  exit,
  stages,
}: Pick<IterationView, 'state' | 'exit' | 'stages'>): string {
  return exit !== 'accepted' && stages.some(({ interrupted }) => interrupted)
    ? l10n.t('interrupted')
    : runOutcome({ state, exit });
}

export function scriptedText(): string {
  return l10n.t('Scripted model: recorded answers, no AI');
}

/** Empty where agents and commands run in a sandbox. */
export function noSandboxText({ unsandboxed }: Pick<RepositoryView, 'unsandboxed'>): string {
  if (unsandboxed === undefined) return '';
  const { message, nextStep } = errorText(noSandbox(unsandboxed));
  return `${message} ${nextStep}`;
}
