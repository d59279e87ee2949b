import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { Client } from '../../../protocol/api.ts';
import { type ReplayedCall, replaySum } from '../../../protocol/replays.ts';
import type { Command, CommandContext } from '../../base/command.ts';
import { Session } from '../../drive/session.ts';
import { type ExitCode, exitCodes } from '../../base/exitCodes.ts';
import { commonOptions, ticketIdOf } from '../../options/options.ts';
import { printable } from '../../base/output.ts';
import { promptPatch } from '../../output/promptPatch.ts';
import { replayedText, replayText } from '../../output/replayText.ts';

/**
 * `replay`: which recorded calls of a ticket would be sent another prompt today
 * (docs/decisions/153-replays.md).
 */
export const replay: Command = {
  name: 'replay',
  words: 'ABC-12 [CALL]',
  about:
    'say which recorded calls would be sent another prompt today, or with CALL (a number, or "last") what differs; asks no model; exit code 1 if one differs',
  takes: [1, 2],
  changes: 'nothing',
  options: commonOptions,
  run: (context, args) => {
    const [ticketWord, word] = args.positionals;
    const ticket = ticketIdOf(ticketWord);
    return Session.with(context, args, { purpose: 'file' }, async ({ app: { client } }) => {
      const exit =
        word === undefined ? await all(context, client, ticket) : await one(context, client, ticket, word);
      context.output.event({
        type: 'end',
        exit,
        ticket,
        status: (await client.ticket(ticket)).ticket.status,
      });
      return exit;
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
    return signal.reason === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated;
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
    const known = length === 0 ? 'no model was asked yet' : `there are calls 1 to ${String(length)}`;
    throw new BeadsmithError('INVALID_INPUT', { what: `The call ${word.slice(0, 100)}`, reason: known });
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
