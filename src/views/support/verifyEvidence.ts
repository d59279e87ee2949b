import { l10n, window } from 'vscode';
import { joined } from '../../base/joined.ts';
import { countHidden, hiddenSentence } from '../../base/visible.ts';
import {
  isSigned,
  type RunRequest,
  type Verification,
  type Verifier,
} from '../../protocol/verification/verification.ts';
import {
  commandList,
  conclusionText,
  ranText,
  requestText,
  shownOf,
  variableLines,
  verdictText,
} from '../../protocol/verification/verificationText.ts';
import { words } from '../shared/errorText.ts';
import { askWhole } from '../shared/askWhole.ts';
import { pickOne, valueOf } from '../shared/quickInput.ts';
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
    if (all === undefined) return;
    const result = await withCancel(l10n.t('Verifying {0}…', ticket), (signal, tell) =>
      verifier.verify({
        all,
        signal,
        confirm: (request) => mayRun(workbench, request),
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
async function mayRun({ support }: Workbench, request: RunRequest): Promise<boolean> {
  const question = `${requestText(request, words)} ${l10n.t('Run them?')}`;
  const run = l10n.t('Run Commands');
  const count = countHidden(shownOf(request));
  const warning = count > 0 ? [l10n.t(hiddenSentence, count)] : [];
  const list = commandList(request.commands).join('\n');
  const detail = joined([...warning, list, variableLines(request, words).join('\n')], '\n\n');
  return (await askWhole(question, detail, [run], support)) === run;
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

function shortLine(text: string): string {
  const line = plain(text);
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}

/** Keeps the indentation, without what an editor would obey. */
function withoutControls(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}]/gu, ' ');
}
