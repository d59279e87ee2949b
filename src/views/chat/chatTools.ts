import {
  l10n,
  LanguageModelTextPart,
  type LanguageModelTool,
  LanguageModelToolResult,
  MarkdownString,
  type PreparedToolInvocation,
} from 'vscode';
import * as z from 'zod';
import { joined } from '../../base/joined.ts';
import type { Json } from '../../base/json.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { TicketId } from '../../domain/core/ids.ts';
import { TicketInput } from '../../domain/ticket/ticket.ts';
import type { TicketView } from '../../protocol/api.ts';
import type { Board, BoardRow } from '../tickets/board.ts';
import type { Workbench } from '../shared/workbench.ts';
import { artifactText } from '../documents/artifactText.ts';
import { documentTypes } from '../documents/documentTypes.ts';
import type { OpenRepository } from '../shared/repositories.ts';
import { everything, matches } from '../tickets/tree/ticketFilter.ts';
import type { ToolName } from './toolNames.ts';

/** The inputs of each tool. package.json has the same as JSON schemas; a test keeps them in sync. */
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

export function ticketsAnswer(rows: Board['rows'], { text, needsPerson }: Input<'beadsmith_tickets'>): Json {
  const isWanted = matches({ ...everything, text, needsPerson });
  const found = rows.flatMap((row) => row.tickets.filter(isWanted).map((view) => ({ row, view })));
  const shown = found.toSorted((a, b) => b.view.updatedAt - a.view.updatedAt).slice(0, mostTickets);
  return {
    total: found.length,
    tickets: shown.map(({ row, view }) => ({ repository: row.name, ...brief(view) })),
  };
}

/** Throws TICKET_UNKNOWN, INVALID_INPUT. */
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

/** Throws INVALID_INPUT, naming the repositories there are. */
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

/**
 * Tools for the editor's chat: they read tickets, and file drafts once the person agrees. Gates are for
 * people. Their input comes from a model, and is checked here.
 */
export function chatTools(workbench: Workbench): Readonly<Record<ToolName, LanguageModelTool<object>>> {
  const { board, repositories } = workbench;
  const rows = async (): Promise<Board['rows']> => {
    await repositories.open();
    await board.refresh();
    return board.rows;
  };
  return {
    beadsmith_tickets: tool(
      async (input) => ticketsAnswer(await rows(), toolInputs.beadsmith_tickets.parse(input)),
      () => ({ invocationMessage: l10n.t('Reading tickets') }),
    ),
    beadsmith_ticket: tool(
      async (input) => ticketAnswer(await rows(), toolInputs.beadsmith_ticket.parse(input)),
      () => ({ invocationMessage: l10n.t('Reading a ticket') }),
    ),
    beadsmith_new_ticket: tool(async (input) => {
      const { title, description, repository } = toolInputs.beadsmith_new_ticket.parse(input);
      if (!repositories.trusted)
        throw new BeadsmithError('DATABASE_READ_ONLY', { reason: 'the workspace is in Restricted Mode' });
      const { id } = await repositoryFor(await rows(), repository).client.create({ title, description });
      return { id, status: 'Draft', next: 'A person starts it in the view of tickets.' };
    }, confirmDraft),
  };
}

function tool(
  answer: (input: object) => Promise<Json>,
  prepare: (input: object) => PreparedToolInvocation,
): LanguageModelTool<object> {
  return {
    prepareInvocation: ({ input }) => prepare(input),
    invoke: async ({ input }) =>
      new LanguageModelToolResult([new LanguageModelTextPart(JSON.stringify(await answer(input)))]),
  };
}

/** The texts are a model's, so they are shown as text. */
function confirmDraft(input: object): PreparedToolInvocation {
  const { data } = toolInputs.beadsmith_new_ticket.safeParse(input);
  const message = new MarkdownString();
  message.appendText(data ? joined([data.title, data.description], '\n\n') : JSON.stringify(input));
  return {
    invocationMessage: l10n.t('Creating a draft'),
    confirmationMessages: {
      title: l10n.t('Create this as a draft? Nothing runs until you start it.'),
      message,
    },
  };
}
