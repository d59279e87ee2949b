import { type CommentThread, l10n } from 'vscode';
import { DismissalReason } from '../../domain/findings/dismissal.ts';
import type { FindingVerdict } from '../../domain/findings/decision.ts';
import { writeText } from '../shared/quickInput.ts';
import { sendAndTell } from '../shared/sendAndTell.ts';
import type { TicketPlace } from '../shared/workbench.ts';
import { type ListedFinding, overStates } from './findingState.ts';
import { chooseFinding, type FindingTarget } from './showFinding.ts';
import { plainNotice } from '../shared/plainText.ts';

/** Has a finding fixed, whatever its severity, and whether the engine believes it or not. */
export async function acceptFinding(place: TicketPlace, target: FindingTarget): Promise<void> {
  const found = await chooseFinding(place, target, l10n.t('Select a finding to accept'), isUndecided);
  if (found)
    await decide(place, found, 'accept', '', `$(check) ${l10n.t('{0}: finding accepted.', place.ticket)}`);
}

/** Dismisses a finding with a reason: it is never fixed, and later reviews of the repository are told so. */
export async function dismissFinding(place: TicketPlace, target: FindingTarget): Promise<void> {
  const found = await chooseFinding(place, target, l10n.t('Select a finding to dismiss'), isUndecided);
  if (!found) return;
  const reason = await writeText({
    title: l10n.t('Dismiss finding'),
    prompt: plainNotice(found.finding.claim).text,
    placeholder: l10n.t('Why shouldn’t it be fixed? Later reviews receive the reason.'),
    check: reasonProblem,
  });
  if (reason.kind === 'given')
    await decide(
      place,
      found,
      'dismiss',
      reason.value.trim(),
      `$(circle-slash) ${l10n.t('{0}: finding dismissed.', place.ticket)}`,
    );
}

/** Makes a bead of its own of a finding, so that the reviewed one isn't held up by it. */
export async function makeBeadOfFinding(place: TicketPlace, target: FindingTarget): Promise<void> {
  const found = await chooseFinding(
    place,
    target,
    l10n.t('Select a finding to make into a bead'),
    isUndecided,
  );
  if (found)
    await decide(
      place,
      found,
      'bead',
      '',
      `$(add) ${l10n.t('{0}: the finding becomes a bead.', place.ticket)}`,
    );
}

/** Returns the problem with a reason; undefined if there is none. */
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
  reason: string,
  done: string,
): Promise<void> {
  await sendAndTell(place, 'finding', { finding: finding.id, verdict, reason, sha256 }, done);
}

function isUndecided({ decision, pending, state }: ListedFinding): boolean {
  return decision === null && pending === null && !overStates.has(state);
}

/** A thread of the editor, as a command is called with it. */
export function isThread(argument: unknown): argument is CommentThread {
  return typeof argument === 'object' && argument !== null && 'comments' in argument && 'uri' in argument;
}
