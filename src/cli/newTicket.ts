import type { Client } from '../protocol/api.ts';
import type { Ticket } from '../domain/ticket.ts';
import type { Args } from './args.ts';
import type { CommandContext } from './commandContext.ts';
import { readText } from './readText.ts';
import { UsageError } from './usageError.ts';

/** What the options say a new ticket is. Throws UsageError when there is no title, INVALID_INPUT for a file that can't be read. */
export async function ticketInputOf(
  context: CommandContext,
  args: Args,
): Promise<{ readonly title: string; readonly description: string; readonly priority: number; readonly key?: string }> {
  const file = args.text('description-file');
  if (file !== undefined && args.text('description') !== undefined)
    throw new UsageError('Give --description or --description-file, not both.');
  const description = file === undefined ? (args.text('description') ?? '') : await readText(context, file);
  const title = args.text('title') ?? firstLine(description);
  if (title === '') throw new UsageError('A ticket needs --title TEXT (or a description whose first line can be one).');
  const key = args.text('key');
  return { title, description, priority: args.whole('priority') ?? 3, ...(key === undefined ? {} : { key }) };
}

/** Files the ticket and says so. */
export async function fileTicket(
  context: CommandContext,
  client: Client,
  input: Awaited<ReturnType<typeof ticketInputOf>>,
): Promise<Ticket> {
  const ticket = await client.create(input);
  context.output.event({ type: 'created', ticket: ticket.id, title: ticket.title, status: ticket.status });
  return ticket;
}

/** The first line that says something, without Markdown's heading marks, as long as a title may be. */
function firstLine(description: string): string {
  const line = description.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  return line
    .replace(/^#+\s*/, '')
    .trim()
    .slice(0, 200);
}
