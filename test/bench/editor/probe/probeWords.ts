import * as z from 'zod';

/** What the probe finds in the file `orders.json` of its folder. */
export const ProbeOrders = z.object({
  /** The file in which it says where it listens. */
  place: z.string(),
  /** What its trees show: as many rows as numbers, each with so many rows below it. */
  rows: z.array(z.number()),
});
export type ProbeOrders = z.infer<typeof ProbeOrders>;

/** What it says there when its window has started. */
export const ProbePlace = z.object({ port: z.number(), pid: z.number() });
export type ProbePlace = z.infer<typeof ProbePlace>;

const nothing = z.object({});

/** What the probe can be asked. Times are milliseconds. */
export const probeQuestions = {
  /** Runs a command of the editor; answers when it has ended, with the time at which it began, since 1970. */
  run: {
    input: z.object({ command: z.string(), args: z.array(z.unknown()) }),
    answer: z.object({ startedAt: z.number() }),
  },
  /**
   * How long the product took to load its main file and to activate, by the editor's own marks; what the
   * editor itself did in between, for the product and for the probe; what of the thread's processor time the
   * loading took; and what the parts took that were loaded since.
   */
  activation: {
    input: nothing,
    answer: z.object({
      loadMs: z.number(),
      prepareMs: z.number(),
      activateMs: z.number(),
      ownPrepareMs: z.number(),
      processorMs: z.number(),
      laterMs: z.number(),
    }),
  },
  /**
   * What the product's tree provider was asked since it was last asked this, and how long that took in all.
   */
  provider: { input: nothing, answer: z.object({ ms: z.number(), children: z.number(), items: z.number() }) },
  /** The delay of the host's event loop, over so many milliseconds. */
  loopDelay: {
    input: z.object({ ms: z.number() }),
    answer: z.object({ p50: z.number(), p99: z.number(), max: z.number() }),
  },
  /** What the host's main thread holds, bytes, without what can be collected. */
  held: { input: nothing, answer: z.object({ bytes: z.number() }) },
  /** Begins to watch the product's timers; before the product is awake. */
  watchTimers: { input: nothing, answer: nothing },
  /**
   * The product's timers under a second within so many milliseconds from now on, and how many there were
   * before since they are watched.
   */
  shortTimers: {
    input: z.object({ ms: z.number() }),
    answer: z.object({ timers: z.array(z.string()), before: z.number() }),
  },
} as const;
export type ProbeQuestion = keyof typeof probeQuestions;
export type ProbeInput<Q extends ProbeQuestion> = z.infer<(typeof probeQuestions)[Q]['input']>;
export type ProbeAnswer<Q extends ProbeQuestion> = z.infer<(typeof probeQuestions)[Q]['answer']>;

/**
 * The views of the probe, trees of static rows: one to warm up the editor, one to compare with. Rows begin
 * with the view's title.
 */
export const probeViews = { warmUp: 'Warmup', empty: 'Static' } as const;
