import { dayOf } from '../base/days.ts';
import type { BookedUsage } from '../domain/usage/usageLedger.ts';
import type { Client } from './api.ts';
import { callShares } from '../domain/usage/callCost.ts';
import type { ModelPrice } from '../domain/usage/modelPrice.ts';

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

interface Sent {
  readonly parts: readonly { readonly name: string; readonly tokens: number }[];
  readonly price: ModelPrice | undefined;
}

const rest = {
  frame: '(tools, agent and difference)',
  later: '(later requests)',
  answer: '(answer)',
} as const;

/**
 * Divides an answer among its prompt's parts (docs/prompt-cache.md); tokens and cost add up to it. The
 * answer's own share counts as it. Without a report it stays whole; without a price, its cost does.
 */
export function partShares(booked: BookedUsage, { parts, price }: Sent): readonly BookedUsage[] {
  const shares = callShares(
    parts.map(({ tokens }) => tokens),
    booked,
    price,
  );
  if (!shares) return [booked];
  const isPriced = booked.cost > 0;
  const cost = isPriced ? shares.cost : null;
  const none = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0, cost: 0 };
  const shareOf = (part: string, changes: Partial<BookedUsage>, isAnswer = false): BookedUsage => ({
    ...booked,
    ...none,
    part,
    share: { isAnswer, isPriced },
    ...changes,
  });
  const sent = [...shares.parts.map(({ tokens }) => tokens), shares.frame];
  const later = (kind: 'input' | 'cacheRead' | 'cacheWrite'): number =>
    booked[kind] - sent.reduce((sum, one) => sum + one[kind], 0);
  return [
    ...parts.map(({ name }, index) => {
      const share = shares.parts[index];
      return shareOf(name, { ...share?.tokens, cost: cost ? (share?.cost ?? 0) : 0 });
    }),
    shareOf(rest.frame, { ...shares.frame, cost: cost?.frame ?? 0 }),
    shareOf(rest.later, {
      input: later('input'),
      cacheRead: later('cacheRead'),
      cacheWrite: later('cacheWrite'),
      cost: cost?.later ?? 0,
    }),
    shareOf(
      rest.answer,
      { output: booked.output, reasoning: booked.reasoning, cost: cost ? cost.output : booked.cost },
      true,
    ),
  ];
}
