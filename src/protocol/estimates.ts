import {
  completedTicket,
  type CompletedTicket,
  type Effort,
  effortOf,
  type CompletedTickets,
  type StoredEffort,
} from '../domain/estimate/completedTicket.ts';
import { rowOf } from '../domain/workflow/workflow.ts';
import { tokensOf } from '../domain/usage/budgets.ts';
import type { Client } from './api.ts';

const newest = 20;

/** Reads the effort of completed tickets, for estimates. */
export async function readCompleted(client: Client): Promise<CompletedTickets> {
  const here: CompletedTicket[] = [];
  for (const id of await client.history.completed(newest)) {
    const ticket = await completedBy(client, id);
    if (ticket) here.push(ticket);
  }
  return { here, elsewhere: await client.history.elsewhere() };
}

/** Reads a completed ticket's effort; undefined without calls. */
export async function completedBy(client: Client, id: string): Promise<CompletedTicket | undefined> {
  const { ticket, view } = await client.ticket(id);
  return ticket.settings
    ? completedTicket({
        settings: ticket.settings,
        beads: view.beadsTotal,
        ...(await storedEffort(client, id)),
      })
    : undefined;
}

/** Reads a ticket's effort so far. */
export async function readEffort(client: Client, ticket: string): Promise<Effort> {
  return effortOf(await storedEffort(client, ticket));
}

async function storedEffort(
  client: Client,
  ticket: string,
): Promise<Omit<StoredEffort, 'settings' | 'beads'>> {
  const [calls, usage, runs] = [
    await client.history.calls(ticket),
    await client.usage(ticket),
    await client.history.runs(ticket),
  ];
  return {
    calls,
    usage: usage.map((one) => ({ call: one.call, tokens: tokensOf(one), cost: one.cost })),
    runs: runs.map(({ status, startedAt, endedAt }) => ({
      isWork: rowOf(status).kind === 'auto',
      startedAt,
      endedAt,
    })),
  };
}
