import { isOfEngine, promptPreview } from '../../../domain/ticket/agentRequest.ts';
import type { CliEvent } from '../../../protocol/cliEvents.ts';
import { actionCommand } from '../../drive/actionCommand.ts';
import type { CommandContext } from '../../base/command.ts';
import { Session } from '../../drive/session.ts';
import type { ExitCode } from '../../base/exitCodes.ts';
import type { Args } from '../../base/args.ts';
import { type Output, printable } from '../../base/output.ts';

const wish = actionCommand({
  name: 'context',
  kind: 'preview_prompt',
  about: 'show the next prompt before it is sent',
  body: () => ({}),
});

/** The options of `context --preview`: it drives the ticket. */
export const previewOptions = wish.options;

/**
 * `context --preview`: the ticket continues until its next prompt, which is printed whole and waits for a
 * person (docs/decisions/157-people-choose-what-later-prompts-hold.md). Answers the exit code.
 */
export async function previewPrompt(context: CommandContext, args: Args, ticket: string): Promise<ExitCode> {
  const output = new UntilEnd(context.output);
  const exit = await wish.run({ ...context, output }, args);
  const text = await Session.with(context, args, { purpose: 'file' }, async ({ app: { client } }) => {
    const { hold } = (await client.ticket(ticket)).ticket;
    const request = hold?.request;
    if (!request || !isOfEngine(request) || request.content.kind !== 'question') return undefined;
    return request.content.questions.find(({ header }) => header === promptPreview.header)?.text;
  });
  if (text === undefined)
    context.output.text('No prompt waits. The next one will, unless the ticket needs none any more.');
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
