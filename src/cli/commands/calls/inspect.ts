import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { notIncluded } from '../../../context/notIncluded.ts';
import { EarlierTurns, turnText } from '../../../domain/conversation/turns.ts';
import { BeadsmithError, invalidInput } from '../../../domain/core/errors.ts';
import type { Client } from '../../../protocol/api.ts';
import { exportInspection, inspectionFormats } from '../../../protocol/export/exportInspection.ts';
import type { CallTexts } from '../../../protocol/history.ts';
import type { InspectedCall } from '../../../protocol/inspection.ts';
import { readArtifact } from '../../../protocol/readDocument.ts';
import { type Command, type CommandContext, endCommand } from '../../base/command.ts';
import { Session } from '../../drive/session.ts';
import type { ExitCode } from '../../base/exitCodes.ts';
import { UsageError, type Args } from '../../base/args.ts';
import { ticketIdOf } from '../../options/options.ts';
import { callsText, callText, promptPatch } from '../../output/inspectionText.ts';
import { printable, type Output } from '../../base/output.ts';
import { engineQuestion } from '../../../domain/ticket/agentRequest.ts';
import type { CliEvent } from '../../../protocol/cliEvents.ts';
import { actionCommand } from '../../drive/actionCommand.ts';

const wish = actionCommand({
  name: 'context',
  kind: 'preview_prompt',
  about: 'show the next prompt before it is sent',
  body: () => ({}),
});

/** The options of `context --preview`: it drives the ticket. */
const previewOptions = wish.options;

/** `context`: what each model call was sent, and what a cache knew of it (docs/prompt-cache.md). */
export const inspectContext: Command = {
  name: 'context',
  words: 'ABC-12 [CALL]',
  about: 'show what was sent to models, and what was cached; CALL is a number from the list, or "last"',
  takes: [1, 2],
  changes: ['preview'],
  options: {
    ...previewOptions,
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
    return Session.with(context, args, { purpose: 'file' }, async ({ app: { client } }) => {
      const calls = await client.history.inspect(ticket);
      const { output } = context;
      if (args.text('export') !== undefined) {
        const asked = word === undefined ? calls : [callOf(calls, word)];
        const content = exportInspection(asked, args.oneOf('export', inspectionFormats, 'json'));
        await write(context, { ticket, content, out: args.text('out') });
      } else if (word === undefined) {
        for (const [index, call] of calls.entries())
          output.event({ type: 'inspection', ticket, number: index + 1, ...shown(call) });
        output.text(callsText(calls));
      } else {
        const call = callOf(calls, word);
        output.event({ type: 'inspection', ticket, number: calls.indexOf(call) + 1, ...shown(call) });
        if (other !== undefined) {
          const [before, now] = [
            await textsOf(client, ticket, callOf(calls, other)),
            await textsOf(client, ticket, call),
          ];
          const patch = promptPatch(before, now);
          output.event({ type: 'document', ticket, name: 'difference', sha256: null, content: patch });
          output.text(printable(patch));
        } else if (args.flag('text')) {
          const { input } = await textsOf(client, ticket, call);
          output.event({ type: 'document', ticket, name: 'prompt', sha256: null, content: input });
          output.text(printable(input));
        } else if (args.flag('turns')) {
          const content = await turnsOf(client, ticket, call);
          output.event({ type: 'document', ticket, name: 'turns', sha256: null, content });
          output.text(printable(content));
        } else output.text(callText(call));
      }
      return endCommand(context, { ticket, status: (await client.ticket(ticket)).ticket.status });
    });
  },
};

/** To the file that a person named, or as a document to the output. */
async function write(
  { cwd, output }: CommandContext,
  {
    ticket,
    content,
    out,
  }: { readonly ticket: string; readonly content: string; readonly out: string | undefined },
): Promise<void> {
  if (out === undefined) {
    output.event({ type: 'document', ticket, name: 'inspection', sha256: null, content });
    output.text(printable(content));
    return;
  }
  const file = resolve(cwd, out);
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
  const known =
    calls.length === 0 ? 'there are no model calls yet' : `there are calls 1 to ${String(calls.length)}`;
  throw invalidInput(`The call ${word.slice(0, 100)}`, known);
}

async function textsOf(client: Client, ticket: string, { id }: InspectedCall): Promise<CallTexts> {
  const texts = await client.history.call(ticket, id);
  if (!texts) throw new BeadsmithError('STATUS_CONFLICT');
  return texts;
}

/** The turns that were taken out of a conversation (docs/decisions/156-long-conversations.md). */
async function turnsOf(client: Client, ticket: string, { session }: InspectedCall): Promise<string> {
  const earlier = await readArtifact(client, ticket, `earlier_turns:${session}`, EarlierTurns);
  if (!earlier) return 'Nothing was removed from this conversation.';
  return earlier.turns.map((turn, index) => turnText(turn, index + 1, { masked: false })).join('\n\n');
}

/**
 * `context --preview`: the ticket continues until its next prompt, which is printed whole and waits for a
 * person (docs/decisions/157-people-choose-what-later-prompts-hold.md). Answers the exit code.
 */
async function previewPrompt(context: CommandContext, args: Args, ticket: string): Promise<ExitCode> {
  const output = new UntilEnd(context.output);
  const exit = await wish.run({ ...context, output }, args);
  const text = await Session.with(context, args, { purpose: 'file' }, async ({ app: { client } }) => {
    const { hold } = (await client.ticket(ticket)).ticket;
    return hold?.request && engineQuestion(hold.request, 'prompt_preview')?.text;
  });
  if (text === undefined)
    context.output.text('No prompt is waiting. The next one will wait, if the ticket still needs one.');
  else {
    context.output.event({ type: 'document', ticket, name: 'prompt', sha256: null, content: text });
    context.output.text(printable(text));
  }
  if (output.end) context.output.event(output.end);
  return exit;
}

/** Keeps the last line of a command, so that something can stand before it. */
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
