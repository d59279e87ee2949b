import * as z from 'zod';
import type { Json } from '../../base/json.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { TicketId } from '../../domain/core/ids.ts';
import { TicketInput } from '../../domain/ticket/ticket.ts';
import type { TicketView } from '../../protocol/api.ts';
import { artifactText } from '../documents/artifactText.ts';
import type { Board, BoardRow } from '../tickets/board.ts';
import { documentTypes } from '../documents/documentTypes.ts';
import type { OpenRepository } from '../shared/repositories.ts';
import { everything, matches } from '../tickets/tree/ticketFilter.ts';
import type { ToolName } from './toolNames.ts';

/**
 * The inputs that a model may call each tool with. package.json has the same as JSON schemas; a test keeps
 * them in sync.
 */
export const toolInputs = {
  beadsmith_tickets: z.strictObject({
    text: z.string().max(200).default(''),
    needsPerson: z.boolean().default(false),
  }),
  beadsmith_ticket: z.strictObject({
    ticket: TicketId,
    repository: z.string().max(200).optional(),
    document: z.enum(documentTypes).optional(),
  }),
  beadsmith_new_ticket: z.strictObject({
    title: TicketInput.shape.title,
    description: TicketInput.shape.description,
    repository: z.string().max(200).optional(),
  }),
} satisfies Record<ToolName, z.ZodType>;
type Input<N extends ToolName> = z.output<(typeof toolInputs)[N]>;

/** A model pays for what it reads. */
const mostTickets = 50;
const mostCharacters = 20_000;

/** The tickets that match, those that changed last first. */
export function ticketsAnswer(rows: Board['rows'], { text, needsPerson }: Input<'beadsmith_tickets'>): Json {
  const isWanted = matches({ ...everything, text, needsPerson });
  const found = rows.flatMap((row) => row.tickets.filter(isWanted).map((view) => ({ row, view })));
  const shown = found.toSorted((a, b) => b.view.updatedAt - a.view.updatedAt).slice(0, mostTickets);
  return {
    total: found.length,
    tickets: shown.map(({ row, view }) => ({ repository: row.name, ...brief(view) })),
  };
}

/** Returns the state of a ticket, its beads, and a document of it. Throws TICKET_UNKNOWN, INVALID_INPUT. */
export async function ticketAnswer(
  rows: Board['rows'],
  { ticket, repository, document }: Input<'beadsmith_ticket'>,
): Promise<Readonly<Record<string, Json>>> {
  const found = named(rows, repository).find((row) =>
    row.tickets.some(({ id }) => id === ticket),
  )?.repository;
  if (!found) throw new BeadsmithError('TICKET_UNKNOWN', { ticket });
  const { client } = found;
  const [detail, { beads }] = await Promise.all([client.ticket(ticket), client.beads(ticket)]);
  const text = document && (await artifactText(client, ticket, document));
  return {
    repository: client.repository.name,
    ...brief(detail.view),
    error: detail.error && {
      code: detail.error.code,
      message: detail.error.message,
      nextStep: detail.error.nextStep,
    },
    peopleCan: [...detail.view.actions],
    beads: beads.map(({ id, title, status, iteration }) => ({ id, title, status, iteration })),
    ...(document && { document: text ? shortened(text.content) : 'There is no such document yet.' }),
  };
}

/**
 * The repository a new ticket is for: the named one, or the only one. Throws INVALID_INPUT, naming those
 * there are.
 */
export function repositoryFor(rows: Board['rows'], repository: string | undefined): OpenRepository {
  const open = named(rows, repository).flatMap((row) => row.repository ?? []);
  const [only] = open;
  if (only && open.length === 1) return only;
  const names = rows.filter((row) => row.repository).map(({ name }) => name);
  const reason =
    names.length === 0 ? 'no repository is open' : `name one of these repositories: ${names.join(', ')}`;
  throw new BeadsmithError('INVALID_INPUT', { what: 'repository', reason });
}

function named(rows: Board['rows'], repository: string | undefined): readonly BoardRow[] {
  return rows.filter(({ name }) => repository === undefined || name === repository);
}

function brief(view: TicketView): Readonly<Record<string, Json>> {
  const { id, title, label, needsPerson, hold, beadsDone, beadsTotal, coding } = view;
  const work = coding && { bead: coding.title, number: coding.number, iteration: coding.iteration };
  return { id, title, status: label, needsPerson, hold, beadsDone, beadsTotal, coding: work };
}

function shortened(text: string): string {
  return text.length <= mostCharacters
    ? text
    : `${text.slice(0, mostCharacters)}\n… (${String(text.length - mostCharacters)} more)`;
}
