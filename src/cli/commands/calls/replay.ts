import { invalidInput } from '../../../domain/core/errors.ts';
import type { Client } from '../../../protocol/api.ts';
import { type ReplayedCall, replaySum } from '../../../protocol/replays.ts';
import { type Command, type CommandContext, endCommand } from '../../base/command.ts';
import { Session } from '../../drive/session.ts';
import { type ExitCode, exitCodes, exitOfSignal } from '../../base/exitCodes.ts';
import { commonOptions, ticketIdOf } from '../../options/options.ts';
import { printable, oneLine, tableText } from '../../base/output.ts';
import { promptPatch } from '../../output/inspectionText.ts';
import {
  replayFollowsText,
  replaySumText,
  replayVerdictText,
  replayWhyText,
} from '../../../protocol/replays/replayText.ts';

/** `replay`: which recorded calls would get another prompt today (docs/decisions/153-replays.md). */
export const replay: Command = {
  name: 'replay',
  words: 'ABC-12 [CALL]',
  about:
    'show which recorded calls would get a different prompt today or, with CALL (a number, or "last"), what differs; calls no model; exit code 1 if any differ',
  takes: [1, 2],
  changes: 'nothing',
  options: commonOptions,
  run: (context, args) => {
    const [ticketWord, word] = args.positionals;
    const ticket = ticketIdOf(ticketWord);
    return Session.with(context, args, { purpose: 'file' }, async ({ app: { client } }) => {
      const exit =
        word === undefined ? await all(context, client, ticket) : await one(context, client, ticket, word);
      return endCommand(context, { ticket, status: (await client.ticket(ticket)).ticket.status }, exit);
    });
  },
};

async function all({ output, signal }: CommandContext, client: Client, ticket: string): Promise<ExitCode> {
  try {
    const calls = await client.history.replay(ticket, {
      signal,
      onCall: (done, total) => output.event({ type: 'replaying', ticket, number: done, total }),
    });
    const sum = replaySum(calls);
    for (const call of calls) output.event({ type: 'replayed', ticket, ...shown(call) });
    output.text(replayText(calls));
    output.event({ type: 'replay', ticket, ...sum });
    return sum.differ === 0 ? exitCodes.done : exitCodes.failed;
  } catch (error) {
    if (!signal.aborted) throw error;
    return exitOfSignal(signal);
  }
}

async function one(
  { output }: CommandContext,
  client: Client,
  ticket: string,
  word: string,
): Promise<ExitCode> {
  const { length } = await client.history.calls(ticket);
  const replayed = await client.history.replayed(ticket, word === 'last' ? length : Number(word));
  if (!replayed) {
    const known = length === 0 ? 'there are no model calls yet' : `there are calls 1 to ${String(length)}`;
    throw invalidInput(`The call ${word.slice(0, 100)}`, known);
  }
  const { call, sent, today } = replayed;
  output.event({ type: 'replayed', ticket, ...shown(call) });
  if (call.verdict === 'differs' && today !== null && today !== sent) {
    const patch = promptPatch({ prompt: call.prompt, input: sent }, { prompt: call.prompt, input: today });
    output.event({ type: 'document', ticket, name: 'difference', sha256: null, content: patch });
    output.text(printable(patch));
  }
  output.text(replayedText(call));
  return call.verdict === 'differs' ? exitCodes.failed : exitCodes.done;
}

function shown({ label, reasons, ...call }: ReplayedCall) {
  return { ...call, phase: label, reasons: reasons.map((reason) => ({ ...reason })) };
}

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
