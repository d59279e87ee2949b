import * as z from 'zod';

/** The file `orders.json` of the probe's folder. */
export const ProbeOrders = z.object({
  place: z.string(),
  /** As many rows as numbers, each with so many rows below it. */
  rows: z.array(z.number()),
});
export type ProbeOrders = z.infer<typeof ProbeOrders>;

export const ProbePlace = z.object({ port: z.number(), pid: z.number() });
export type ProbePlace = z.infer<typeof ProbePlace>;

const nothing = z.object({});

/** Times are milliseconds. */
export const probeQuestions = {
  /** Answers when the command has ended, with the time at which it began, since 1970. */
  run: {
    input: z.object({ command: z.string(), args: z.array(z.unknown()) }),
    answer: z.object({ startedAt: z.number() }),
  },
  /**
   * By the editor's own marks, with what the editor did in between; the thread's processor time that loading
   * took; and what the parts took that were loaded since.
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
  /** Since it was last asked. */
  provider: { input: nothing, answer: z.object({ ms: z.number(), children: z.number(), items: z.number() }) },
  loopDelay: {
    input: z.object({ ms: z.number() }),
    answer: z.object({ p50: z.number(), p99: z.number(), max: z.number() }),
  },
  /** Bytes, without what can be collected. */
  held: { input: nothing, answer: z.object({ bytes: z.number() }) },
  /** Before the product is awake. */
  watchTimers: { input: nothing, answer: nothing },
  /** Under a second, from now on, and how many there were before. */
  shortTimers: {
    input: z.object({ ms: z.number() }),
    answer: z.object({ timers: z.array(z.string()), before: z.number() }),
  },
} as const;
export type ProbeQuestion = keyof typeof probeQuestions;
export type ProbeInput<Q extends ProbeQuestion> = z.infer<(typeof probeQuestions)[Q]['input']>;
export type ProbeAnswer<Q extends ProbeQuestion> = z.infer<(typeof probeQuestions)[Q]['answer']>;

/** One view to warm up the editor, one to compare with. Rows begin with the view's title. */
export const probeViews = { warmUp: 'Warmup', empty: 'Static' } as const;
