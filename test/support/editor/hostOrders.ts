import * as z from 'zod';

/** The environment variable that names the file with the orders for tests inside an extension host. */
export const ordersVariable = 'BEADSMITH_HOST_ORDERS';

/** Which tests a window runs, and where it writes what comes of them. */
export const Orders = z.object({
  /** A folder of `test/host/`. */
  tests: z.string(),
  /** A file with a `HostResult` a line. */
  report: z.string(),
  /** Runs the command line beside the editor, as another program of the same user. */
  cli: z.object({ node: z.string(), env: z.record(z.string(), z.string()) }),
  /**
   * The address of the process that has the browser and checks windows for the tests; absent where there is
   * none.
   */
  onlooker: z.string().optional(),
});
export type Orders = z.infer<typeof Orders>;

export const HostResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('passed'), title: z.string(), ms: z.number() }),
  z.object({ kind: z.literal('skipped'), title: z.string() }),
  z.object({ kind: z.literal('failed'), title: z.string(), error: z.string() }),
  /** All tests have run. Without it the host ended too early. */
  z.object({ kind: z.literal('end') }),
]);
export type HostResult = z.infer<typeof HostResult>;
