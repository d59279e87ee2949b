import { l10n, window } from 'vscode';
import { joined } from '../../base/joined.ts';
import {
  replayFollowsText,
  replaySumText,
  replayVerdictText,
  replayWhyText,
} from '../../protocol/replays/replayText.ts';
import type { ReplayedCall } from '../../protocol/replays.ts';
import { words } from '../shared/errorText.ts';
import { withCancel } from '../shared/withCancel.ts';
import type { TicketPlace, Workbench } from '../shared/workbench.ts';
import { plain } from './setupState.ts';

/** See docs/decisions/153-replays.md. No model is asked. */
export async function replayPrompts(
  { support }: Workbench,
  { repository, ticket }: TicketPlace,
): Promise<void> {
  const calls = await withCancel(l10n.t('Replaying prompts of {0}…', ticket), (signal, tell) =>
    repository.client.history.replay(ticket, {
      signal,
      onCall: (done, total) => tell(l10n.t('{0} of {1}', done, total)),
    }),
  );
  if (!calls) return;
  if (calls.length === 0) {
    void window.showInformationMessage(replaySumText(calls, words));
    return;
  }
  const follows = replayFollowsText(calls, words);
  const lines = [
    l10n.t('{0}: recorded prompts compared with the current prompts', ticket),
    '',
    replaySumText(calls, words),
    ...(follows === '' ? [] : [follows]),
    '',
    ...calls.map(lineOf),
    '',
    l10n.t('To see what differs in a call, run: {0}', `beadsmith replay ${ticket} N`),
    '',
  ];
  await support.show('replay.txt', lines.map(plain).join('\n'));
}

function lineOf(call: ReplayedCall): string {
  const why = replayWhyText(call, words);
  const place =
    call.bead === null
      ? l10n.t(call.label)
      : `${l10n.t(call.label)}, ${call.bead} #${String(call.iteration)}`;
  const verdict = joined([replayVerdictText(call, words), why], ': ');
  return `${String(call.number)}. ${call.prompt} (${call.member}, ${place}): ${verdict}`;
}
