import { l10n, window } from 'vscode';
import {
  commandsOf,
  isSigned,
  type Verification,
  type Verifier,
  type Words,
} from '../../protocol/verification/verification.ts';
import { conclusionText, ranText, verdictText } from '../../protocol/verification/verificationText.ts';
import { isConfirmed, pickOne, valueOf } from '../shared/quickInput.ts';
import { withCancel } from '../shared/withCancel.ts';
import type { TicketPlace, Workbench } from '../shared/workbench.ts';
import { plain } from './setupState.ts';

/** A verification has a scratch worktree of its ticket for itself. */
const running = new Set<string>();

/** See docs/decisions/061-verify-repeats-the-evidence.md. Throws NO_EVIDENCE and what verifying throws. */
export async function verifyEvidence(
  workbench: Workbench,
  { repository, ticket }: TicketPlace,
): Promise<void> {
  const place = `${repository.root}\n${ticket}`;
  if (running.has(place)) {
    void window.showInformationMessage(l10n.t('{0} is already being verified.', ticket));
    return;
  }
  running.add(place);
  try {
    const verifier = await repository.verifier(ticket);
    const all = await pickScope(ticket, verifier);
    if (all === undefined || !(await mayRun(ticket, verifier))) return;
    const result = await withCancel(l10n.t('Verifying {0}…', ticket), (signal, tell) =>
      verifier.verify({
        all,
        signal,
        onProgress: ({ command, number, total }) =>
          tell(l10n.t('{0} of {1}: {2}', number, total, shortLine(command))),
      }),
    );
    if (result) void tellResult(workbench, result);
  } finally {
    running.delete(place);
  }
}

/** True for every commit, false for only the last one. */
async function pickScope(ticket: string, { evidence }: Verifier): Promise<boolean | undefined> {
  if (evidence.evidence.length === 1) return false;
  const reply = await pickOne({
    title: l10n.t('{0}: Verify Evidence', ticket),
    placeholder: l10n.t('Select the commits to verify'),
    choices: [
      {
        label: l10n.t('Last Commit'),
        detail: l10n.t('Runs the recorded commands on the branch as it will be merged.'),
        value: false,
      },
      {
        label: l10n.t('Every Commit'),
        detail: l10n.t('Checks out each commit of the branch. This takes longer.'),
        value: true,
      },
    ],
  });
  return valueOf(reply);
}

/** Evidence may come from anyone: its commands are shown before they run. */
async function mayRun(ticket: string, verifier: Verifier): Promise<boolean> {
  if (verifier.isApproved) return true;
  const question = l10n.t(
    'The evidence of {0} has commands that were not approved on this machine, and no trusted key signed them. Run them?',
    ticket,
  );
  const detail = commandsOf(verifier.evidence).map(plain).join('\n');
  return isConfirmed(question, detail, l10n.t('Run Commands'));
}

/** A difference is shown at once; an equal result only on request. */
async function tellResult(workbench: Workbench, result: Verification): Promise<void> {
  const lines = [conclusionText(result, words), '', ranText(result, words), ''].join('\n').split('\n');
  const text = lines.map(withoutControls).join('\n');
  const isEqual = result.differences.length === 0;
  const show = l10n.t('Show Result');
  if (!isEqual) await workbench.support.show('verification.txt', text);
  const answer =
    isEqual && isSigned(result)
      ? await window.showInformationMessage(verdictText(result, words), show)
      : await window.showWarningMessage(verdictText(result, words), show);
  if (answer === show) await workbench.support.show('verification.txt', text);
}

const words: Words = (text, args) => l10n.t(text, { ...args });

function shortLine(text: string): string {
  const line = plain(text);
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}

/** Keeps the indentation, without what an editor would obey. */
function withoutControls(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}]/gu, ' ');
}
