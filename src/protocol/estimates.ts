import { type Effort, type Estimate, estimates, type FinishedTicket, type Range } from '../domain/estimate/estimate.ts';
import { type ReviewEstimate, type ReviewedTicket, reviewEstimates } from '../domain/estimate/reviewEstimate.ts';
import { roleOf } from '../domain/workflow/roles.ts';
import { rowOf } from '../domain/workflow/workflow.ts';
import { tokensOf } from '../domain/usage/budgets.ts';
import type { Client, TicketView } from './api.ts';

/** Of so many tickets it is read what they took. */
const newest = 20;

/** What each depth will probably take, from the tickets that were completed in this repository on this machine. */
export async function readEstimates(client: Client): Promise<readonly Estimate[]> {
  const finished: FinishedTicket[] = [];
  for (const { id } of await latest(client)) {
    const { settings } = (await client.ticket(id)).ticket;
    const effort = settings && (await effortOf(client, id));
    if (settings && effort && effort.calls > 0) finished.push({ depth: settings.depth, ...effort });
  }
  return estimates(finished);
}

/** What reviews will probably add to each bead, from the tickets that were completed in this repository on this machine. */
export async function readReviewEstimates(client: Client): Promise<readonly ReviewEstimate[]> {
  const reviewed: ReviewedTicket[] = [];
  for (const { id, beadsTotal } of await latest(client)) {
    const mode = (await client.ticket(id)).ticket.settings?.review;
    if (mode !== 'standard' && mode !== 'party') continue;
    const calls = new Set((await client.history.calls(id)).filter(({ prompt }) => isOfReview(prompt)).map((call) => call.id));
    const usage = (await client.usage(id)).filter(({ call }) => call !== null && calls.has(call));
    reviewed.push({ mode, beads: beadsTotal, calls: calls.size, tokens: usage.reduce((sum, one) => sum + tokensOf(one), 0) });
  }
  return reviewEstimates(reviewed);
}

/** Whether a prompt belongs to the review of a bead: it asks a reviewer, a member of a party, or the fixer. */
function isOfReview(prompt: string): boolean {
  return prompt === 'fix' || /^(?:review|party)(?:-|$)/.test(prompt);
}

async function latest(client: Client): Promise<readonly TicketView[]> {
  const completed = (await client.tickets()).filter(({ status }) => roleOf(status) === 'completed');
  return completed.toSorted((one, other) => other.updatedAt - one.updatedAt).slice(0, newest);
}

/** What a ticket took so far. */
export async function effortOf(client: Client, ticket: string): Promise<Effort> {
  const [calls, usage, runs] = [await client.history.calls(ticket), await client.usage(ticket), await client.history.runs(ticket)];
  const cost = usage.reduce((sum, one) => sum + one.cost, 0);
  const worked = runs.filter(({ status }) => rowOf(status).kind === 'auto');
  return {
    calls: calls.length,
    tokens: usage.reduce((sum, one) => sum + tokensOf(one), 0),
    minutes: worked.reduce((sum, { startedAt, endedAt }) => sum + Math.max(0, (endedAt ?? startedAt) - startedAt), 0) / 60_000,
    money: cost > 0 ? cost : null,
  };
}

/** A range in numbers that can be read at a glance: `5–40`, `30k–1.5M`. */
export function rangeText({ low, high }: Range): string {
  const [from, to] = [shortNumber(low), shortNumber(high)];
  return from === to ? from : `${from}–${to}`;
}

function shortNumber(value: number): string {
  if (value >= 1_000_000) return `${rounded(value / 1_000_000)}M`;
  if (value >= 1_000) return `${rounded(value / 1_000)}k`;
  return rounded(value);
}

/** Two digits that count. */
function rounded(value: number): string {
  return String(Number(value.toPrecision(value >= 100 ? 3 : 2)));
}
