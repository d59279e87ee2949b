import {
  replayFollowsText,
  replaySumText,
  replayVerdictText,
  replayWhyText,
} from '../../protocol/replays/replayText.ts';
import type { ReplayedCall } from '../../protocol/replays.ts';
import { oneLine } from '../base/output.ts';
import { tableText } from './tableText.ts';

/** The calls of a ticket, one a line, with what today's prompts would change of them. */
export function replayText(calls: readonly ReplayedCall[]): string {
  if (calls.length === 0) return replaySumText(calls);
  const table = [
    ['call', 'prompt', 'model', 'in', 'today', 'why'],
    ...calls.map((call) => [
      String(call.number),
      oneLine(call.prompt, 40),
      oneLine(call.member, 40),
      oneLine(call.bead === null ? call.label : `${call.label}, ${call.bead} #${String(call.iteration)}`, 50),
      replayVerdictText(call),
      oneLine(replayWhyText(call), 160),
    ]),
  ];
  const follows = replayFollowsText(calls);
  return [
    tableText(table, [0]),
    '',
    oneLine(replaySumText(calls)),
    ...(follows === '' ? [] : [follows]),
  ].join('\n');
}

/** One call, where there are no two texts to compare. */
export function replayedText(call: ReplayedCall): string {
  const why = replayWhyText(call);
  const about = `Call ${String(call.number)}, ${oneLine(call.prompt, 60)}: ${replayVerdictText(call)}`;
  return why === '' ? `${about}.` : `${about}: ${oneLine(why, 400)}.`;
}
