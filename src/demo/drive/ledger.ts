import type { RequestRecord } from '../scriptedServer.ts';

/**
 * The usage of a ticket as its ledger has it, in tokens: `tokens` is all of it, and `cacheRead` the part that
 * caches gave.
 */
export interface Booked {
  readonly tokens: number;
  readonly cacheRead: number;
}

interface LedgerCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/**
 * The ledger of a ticket holds what the scripted model itself counted for its requests, to the token
 * (docs/decisions/144-usage-ledger.md).
 */
export function ledgerCheck(
  ticket: string,
  booked: Booked | undefined,
  requests: readonly Pick<RequestRecord, 'tokens'>[],
): LedgerCheck {
  const sum = (pick: (tokens: RequestRecord['tokens']) => number): number =>
    requests.reduce((total, { tokens }) => total + pick(tokens), 0);
  const counted = {
    tokens: sum(({ prompt, completion }) => prompt + completion),
    cacheRead: sum(({ cached }) => cached),
  };
  const ok =
    booked?.tokens === counted.tokens && booked.cacheRead === counted.cacheRead && counted.tokens > 0;
  const said = (of: Booked | undefined): string =>
    of ? `${String(of.tokens)} tokens, ${String(of.cacheRead)} of them from a cache` : 'nothing';
  return {
    name: `the ledger of ${ticket} holds what the model counted, to the token`,
    ok,
    detail: ok ? said(booked) : `the ledger: ${said(booked)}; the model: ${said(counted)}`,
  };
}
