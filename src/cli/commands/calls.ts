import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { notIncluded } from '../../context/notIncluded.ts';
import { EarlierTurns, turnText } from '../../domain/conversation/turns.ts';
import { BeadsmithError, invalidInput } from '../../domain/core/errors.ts';
import { engineQuestion } from '../../domain/ticket/agentRequest.ts';
import type { Client } from '../../protocol/api.ts';
import type { CliEvent } from '../../protocol/cliEvents.ts';
import { exportInspection, inspectionFormats } from '../../protocol/export/exportInspection.ts';
import type { CallTexts } from '../../protocol/history.ts';
import type { InspectedCall } from '../../protocol/inspection.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { type ReplayedCall, replaySum } from '../../protocol/replays.ts';
import {
  replayFollowsText,
  replaySumText,
  replayVerdictText,
  replayWhyText,
} from '../../protocol/replays/replayText.ts';
import { type Args, UsageError } from '../base/args.ts';
import { type Command, type CommandContext, endCommand, printDocument } from '../base/command.ts';
import { type ExitCode, exitCodes, exitOfSignal } from '../base/exitCodes.ts';
import { oneLine, type Output, tableText } from '../base/output.ts';
import { actionCommand } from '../drive/actionCommand.ts';
import { onTickets, ownOrTeam } from '../drive/team.ts';
import { ticketIdOf } from '../options/options.ts';
import { callsText, callText, placeText, promptPatch } from '../output/inspectionText.ts';

const wish = actionCommand({
  name: 'context',
  kind: 'preview_prompt',
  about: 'show the next prompt before it is sent',
  body: () => ({}),
});

/** Prompts, and what a cache knew of them (docs/prompt-cache.md). */
export const inspect: Command = {
  name: 'context',
  words: 'ABC-12 [CALL]',
  about: 'show what was sent to models, and what was cached; CALL is a number from the list, or "last"',
  takes: [1, 2],
  changes: ['preview'],
  options: {
    ...wish.options,
    preview: {
      about: 'continue until the next prompt, and show it before it is sent: it waits for "beadsmith reply"',
    },
    diff: { value: 'CALL', about: 'compare with the prompt of another call' },
    text: { about: 'print the full text of the prompt' },
    turns: { about: 'print the turns that were removed from its conversation, in full' },
    export: {
      value: inspectionFormats.join('|'),
      about: 'export the parts with their tokens and costs in this format, without texts',
    },
    out: { value: 'FILE', about: 'with --export: write to this file' },
  },
  run: (context, args) => {
    const [ticketWord, word] = args.positionals;
    const ticket = ticketIdOf(ticketWord);
    const other = args.text('diff');
    if (args.flag('preview')) {
      if (word !== undefined) throw new UsageError('The next prompt has no number yet. Omit CALL.');
      return previewPrompt(context, args, ticket);
    }
    if (args.text('out') !== undefined && args.text('export') === undefined)
      throw new UsageError('--out needs --export.');
    if (word === undefined && (other !== undefined || args.flag('text') || args.flag('turns')))
      throw new UsageError('Specify the number of a call, or "last".');
    return onTickets(context, args, async ({ client }) => {
      const calls = await client.history.inspect(ticket);
      const { output } = context;
      if (args.text('export') !== undefined) {
        const asked = word === undefined ? calls : [callOf(calls, word)];
        const content = exportInspection(asked, args.oneOf('export', inspectionFormats, 'json'));
        const out = args.text('out');
        if (out === undefined) printDocument(context, { ticket, name: 'inspection', content });
        else await write(context, content, resolve(context.cwd, out));
      } else if (word === undefined) {
        for (const [index, call] of calls.entries())
          output.event({ type: 'inspection', ticket, number: index + 1, ...shown(call) });
        output.text(callsText(calls));
      } else {
        const call = callOf(calls, word);
        output.event({ type: 'inspection', ticket, number: calls.indexOf(call) + 1, ...shown(call) });
        if (other !== undefined) {
          const before = await textsOf(client, ticket, callOf(calls, other));
          const content = promptPatch(before, await textsOf(client, ticket, call));
          printDocument(context, { ticket, name: 'difference', content });
        } else if (args.flag('text')) {
          const { input } = await textsOf(client, ticket, call);
          printDocument(context, { ticket, name: 'prompt', content: input });
        } else if (args.flag('turns')) {
          printDocument(context, { ticket, name: 'turns', content: await turnsOf(client, ticket, call) });
        } else output.text(callText(call));
      }
      return endCommand(context, { ticket, status: (await client.ticket(ticket)).ticket.status });
    });
  },
};

async function write({ output }: CommandContext, content: string, file: string): Promise<void> {
  await writeFile(file, content).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidInput(`The file ${file}`, reason);
  });
  output.event({ type: 'note', message: `Written to ${file}.` });
}

function shown({ plan, parts, cost, ...call }: InspectedCall) {
  return {
    ...call,
    cost: cost && { ...cost },
    parts: parts.map((part) => ({ ...part })),
    budget: plan.budget,
    reductions: plan.reductions,
    left: notIncluded(plan),
  };
}

function callOf(calls: readonly InspectedCall[], word: string): InspectedCall {
  const call =
    word === 'last' ? calls.at(-1) : (calls[Number(word) - 1] ?? calls.find(({ id }) => id === word));
  if (call) return call;
  throw noCall(word, calls.length);
}

function noCall(word: string, calls: number): BeadsmithError {
  const known = calls === 0 ? 'there are no model calls yet' : `there are calls 1 to ${String(calls)}`;
  return invalidInput(`The call ${word.slice(0, 100)}`, known);
}

async function textsOf(client: Client, ticket: string, { id }: InspectedCall): Promise<CallTexts> {
  const texts = await client.history.call(ticket, id);
  if (!texts) throw new BeadsmithError('STATUS_CONFLICT');
  return texts;
}

/** The turns that were removed from a conversation (docs/decisions/156-long-conversations.md). */
async function turnsOf(client: Client, ticket: string, { session }: InspectedCall): Promise<string> {
  const earlier = await readArtifact(client, ticket, `earlier_turns:${session}`, EarlierTurns);
  if (!earlier) return 'Nothing was removed from this conversation.';
  return earlier.turns.map((turn, index) => turnText(turn, index + 1, { masked: false })).join('\n\n');
}

/** The prompt waits for a person (docs/decisions/157-people-choose-what-later-prompts-hold.md). */
async function previewPrompt(context: CommandContext, args: Args, ticket: string): Promise<ExitCode> {
  const output = new UntilEnd(context.output);
  const exit = await wish.run({ ...context, output }, args);
  const text = await onTickets(context, args, async ({ client }) => {
    const { hold } = (await client.ticket(ticket)).ticket;
    return hold?.request && engineQuestion(hold.request, 'prompt_preview')?.text;
  });
  if (text === undefined)
    context.output.text('No prompt is waiting. The next one will wait, if the ticket still needs one.');
  else printDocument(context, { ticket, name: 'prompt', content: text });
  if (output.end) context.output.event(output.end);
  return exit;
}

/** Holds back the `end` event, so that the prompt comes before it. */
class UntilEnd implements Output {
  readonly #output: Output;
  end: Extract<CliEvent, { type: 'end' }> | undefined;

  constructor(output: Output) {
    this.#output = output;
  }

  event(event: CliEvent): void {
    if (event.type === 'end') this.end = event;
    else this.#output.event(event);
  }

  text(lines: string): void {
    this.#output.text(lines);
  }

  close(): void {
    this.#output.close();
  }
}

/** Compares prompts with those of today (docs/decisions/153-replays.md). */
export const replay: Command = {
  name: 'replay',
  words: 'ABC-12 [CALL]',
  about:
    'show which recorded calls would get a different prompt today or, with CALL (a number, or "last"), what differs; calls no model; exit code 1 if any differ',
  takes: [1, 2],
  changes: 'nothing',
  options: ownOrTeam,
  run: (context, args) => {
    const [ticketWord, word] = args.positionals;
    const ticket = ticketIdOf(ticketWord);
    return onTickets(context, args, async ({ client }) => {
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
    for (const call of calls) output.event({ type: 'replayed', ticket, ...replayed(call) });
    output.text(replayText(calls));
    output.event({ type: 'replay', ticket, ...sum });
    return sum.differ === 0 ? exitCodes.done : exitCodes.failed;
  } catch (error) {
    if (!signal.aborted) throw error;
    return exitOfSignal(signal);
  }
}

async function one(context: CommandContext, client: Client, ticket: string, word: string): Promise<ExitCode> {
  const { length } = await client.history.calls(ticket);
  const found = await client.history.replayed(ticket, word === 'last' ? length : Number(word));
  if (!found) throw noCall(word, length);
  const { call, sent, today } = found;
  const { output } = context;
  output.event({ type: 'replayed', ticket, ...replayed(call) });
  if (call.verdict === 'differs' && today !== null && today !== sent) {
    const { prompt } = call;
    const content = promptPatch({ prompt, input: sent }, { prompt, input: today });
    printDocument(context, { ticket, name: 'difference', content });
  }
  output.text(replayedText(call));
  return call.verdict === 'differs' ? exitCodes.failed : exitCodes.done;
}

function replayed({ label, reasons, ...call }: ReplayedCall) {
  return { ...call, phase: label, reasons: reasons.map((reason) => ({ ...reason })) };
}

export function replayText(calls: readonly ReplayedCall[]): string {
  if (calls.length === 0) return replaySumText(calls);
  const table = [
    ['call', 'prompt', 'model', 'in', 'today', 'why'],
    ...calls.map((call) => [
      String(call.number),
      oneLine(call.prompt, 40),
      oneLine(call.member, 40),
      oneLine(placeText(call), 50),
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

export function replayedText(call: ReplayedCall): string {
  const why = replayWhyText(call);
  const about = `Call ${String(call.number)}, ${oneLine(call.prompt, 60)}: ${replayVerdictText(call)}`;
  return why === '' ? `${about}.` : `${about}: ${oneLine(why, 400)}.`;
}
