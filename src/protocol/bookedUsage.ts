import { dayOf } from '../base/days.ts';
import { partShares } from '../domain/usage/partShares.ts';
import type { BookedUsage } from '../domain/usage/usageLedger.ts';
import type { Client } from './api.ts';

/** Reads the usage of a ticket's answers, oldest first. */
export async function readBookedUsage(client: Client, ticket: string): Promise<readonly BookedUsage[]> {
  const [usage, calls, runs] = [
    await client.usage(ticket),
    await client.history.calls(ticket),
    await client.history.runs(ticket),
  ];
  const byId = new Map(calls.map((call) => [call.id, call]));
  const places = new Map<string, Pick<BookedUsage, 'phase' | 'bead' | 'iteration'>>();
  for (const { id, label, iterations } of runs) {
    places.set(id, { phase: label, bead: null, iteration: null });
    for (const { run, bead, iteration } of iterations)
      places.set(run, { phase: label, bead, iteration: `${bead} #${String(iteration)}` });
  }
  return usage.map(({ run, call: id, ...one }) => {
    const call = id === null ? undefined : byId.get(id);
    const place = places.get(run) ?? { phase: null, bead: null, iteration: null };
    return { ...one, ticket, ...place, call: id, part: null, day: call ? dayOf(call.endedAt) : null };
  });
}

/** The same by parts of prompts, as far as providers counted. */
export async function readUsageOfParts(client: Client, ticket: string): Promise<readonly BookedUsage[]> {
  const [booked, calls] = [await readBookedUsage(client, ticket), await client.history.inspect(ticket)];
  const byId = new Map(calls.map((call) => [call.id, call]));
  return booked.flatMap((one) => {
    const call = one.call === null ? undefined : byId.get(one.call);
    return call ? partShares(one, { parts: call.parts, price: call.plan.price }) : [one];
  });
}
