import { l10n } from 'vscode';
import { DismissalReason } from '../../domain/findings/dismissal.ts';
import type { FindingVerdict } from '../../domain/findings/decision.ts';
import { writeText } from '../shared/quickInput.ts';
import { sendAndTell } from '../shared/sendAction.ts';
import type { TicketPlace } from '../shared/workbench.ts';
import { isUndecided, type ListedFinding } from '../../protocol/findings/findingStates.ts';
import { chooseFinding, type FindingTarget } from './showFinding.ts';
import { plainNotification } from '../shared/plainText.ts';

/** Whatever its severity, and whether the engine believes it or not. */
export async function acceptFinding(place: TicketPlace, target: FindingTarget): Promise<void> {
  const found = await chooseFinding(place, target, l10n.t('Select a finding to accept'), isUndecided);
  const done = `$(check) ${l10n.t('{0}: finding accepted.', place.ticket)}`;
  if (found) await decide(place, found, 'accept', done);
}

/** It is never fixed, and later reviews of the repository are told so. */
export async function dismissFinding(place: TicketPlace, target: FindingTarget): Promise<void> {
  const found = await chooseFinding(place, target, l10n.t('Select a finding to dismiss'), isUndecided);
  if (!found) return;
  const reason = await writeText({
    title: l10n.t('Dismiss finding'),
    prompt: plainNotification(found.finding.claim).text,
    placeholder: l10n.t('Why shouldn’t it be fixed? Later reviews receive the reason.'),
    check: reasonProblem,
  });
  const done = `$(circle-slash) ${l10n.t('{0}: finding dismissed.', place.ticket)}`;
  if (reason.kind === 'given') await decide(place, found, 'dismiss', done, reason.value.trim());
}

export async function makeBeadOfFinding(place: TicketPlace, target: FindingTarget): Promise<void> {
  const title = l10n.t('Select a finding to make into a bead');
  const found = await chooseFinding(place, target, title, isUndecided);
  const done = `$(add) ${l10n.t('{0}: the finding becomes a bead.', place.ticket)}`;
  if (found) await decide(place, found, 'bead', done);
}

export function reasonProblem(text: string): string | undefined {
  return DismissalReason.safeParse(text).success
    ? undefined
    : l10n.t('Enter a reason of up to 4,000 characters.');
}

/** A decision carries the hash of what the person saw. */
async function decide(
  place: TicketPlace,
  { finding, sha256 }: ListedFinding,
  verdict: FindingVerdict,
  done: string,
  reason = '',
): Promise<void> {
  await sendAndTell(place, 'finding', { finding: finding.id, verdict, reason, sha256 }, done);
}
