import * as z from 'zod';

/** Names the file with the orders. */
export const ordersVariable = 'BEADSMITH_HOST_ORDERS';

export const Orders = z.object({
  /** A folder of `test/host/`. */
  tests: z.string(),
  /** A file with a `HostResult` a line. */
  report: z.string(),
  cli: z.object({ node: z.string(), env: z.record(z.string(), z.string()) }),
  /** The address of the onlooker; absent where there is none. */
  onlooker: z.string().optional(),
});
export type Orders = z.infer<typeof Orders>;

export const HostResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('passed'), title: z.string(), ms: z.number() }),
  z.object({ kind: z.literal('skipped'), title: z.string() }),
  z.object({ kind: z.literal('failed'), title: z.string(), error: z.string() }),
  /** Without it the host ended too early. */
  z.object({ kind: z.literal('end') }),
]);
export type HostResult = z.infer<typeof HostResult>;
