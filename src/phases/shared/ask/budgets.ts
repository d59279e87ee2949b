import { BeadsmithError } from '../../../domain/errors.ts';
import type { Usage } from '../../../domain/promptPlan.ts';
import { broughtNear, type CapUse, capUses, isNear } from '../../../domain/usage/capUse.ts';
import type { Limits } from '../../../domain/settings.ts';
import type { RecordIo, StepIo } from '../../../engine/run/run.ts';
import { tokenBudget } from './saveCall.ts';

/** How often the time of a ticket is checked while a model works. */
const checkEveryMs = 15_000;
const minuteMs = 60_000;

/** US dollars at list prices that a ticket may still cost; undefined for no limit. `own`: what the step used that isn't stored yet. */
export async function costLeft(io: RecordIo, own: readonly Usage[] = []): Promise<number | undefined> {
  const { costCap } = await capsOf(io);
  return costCap === 0 ? undefined : costCap / 100 - (await costOf(io, own));
}

/**
 * The error of the limit of cost or time that a ticket has reached (docs/decisions/007-limits-and-caps.md): COST_CAP_REACHED or TIME_CAP_REACHED, both
 * continuable, so that the same step continues with a higher limit. Undefined while it may continue.
 */
export async function capReached(io: RecordIo, own: readonly Usage[] = []): Promise<BeadsmithError | undefined> {
  const { costCap, timeCap } = await capsOf(io);
  const cents = costCap === 0 ? 0 : (await costOf(io, own)) * 100;
  if (costCap > 0 && cents >= costCap)
    return new BeadsmithError('COST_CAP_REACHED', { used: cents.toFixed(1), cap: costCap }, { continuable: true });
  const ms = timeCap === 0 ? 0 : await activeMs(io);
  if (timeCap === 0 || ms < timeCap * minuteMs) return undefined;
  return new BeadsmithError('TIME_CAP_REACHED', { used: Math.floor(ms / minuteMs), cap: timeCap }, { continuable: true });
}

/** What is left to a ticket of the limits that it has, in words. */
export async function leftOfTicket(io: RecordIo): Promise<readonly string[]> {
  const [{ used, cap }, dollars, { timeCap }] = [await tokenBudget(io), await costLeft(io), await capsOf(io)];
  const minutes = timeCap === 0 ? 0 : timeCap - Math.floor((await activeMs(io)) / minuteMs);
  return [
    ...(cap === undefined ? [] : [`${String(Math.max(0, cap - used))} tokens of the ticket`]),
    ...(dollars === undefined ? [] : [`${String(Math.max(0, Math.floor(dollars * 100)))} US cents of the ticket`]),
    ...(timeCap === 0 ? [] : [`${String(Math.max(0, minutes))} minutes of the ticket`]),
  ];
}

/** The time of which tickets was told to be near, by the engine they run in: no answer brings it near, so that nothing else says whether it is new. */
const toldOfTime = new WeakMap<StepIo['ports'], Map<string, number>>();

/** Says in the log which limits of tokens and cost an answer brought near. `own`: what the step used before it that isn't stored yet. */
export async function tellNearCaps(io: StepIo, own: readonly Usage[], usage: Usage): Promise<void> {
  const limits = (await io.ports.store.ticket(io.ticket))?.limits;
  if (!limits || (limits.tokenCap === 0 && limits.costCap === 0)) return;
  const before = [...(await io.ports.store.usage(io.ticket)), ...own];
  for (const use of broughtNear(limits, { usage: before, activeMs: 0 }, { usage: [...before, usage], activeMs: 0 })) tell(io, use);
}

/** Says in the log that a ticket's time is near, once for each limit in this process. */
function tellNearTime(io: StepIo, timeCap: number, ms: number): void {
  const told = toldOfTime.get(io.ports) ?? new Map<string, number>();
  toldOfTime.set(io.ports, told);
  const [use] = capUses({ tokenCap: 0, costCap: 0, timeCap }, { usage: [], activeMs: ms });
  if (!use || !isNear(use) || told.get(io.ticket) === timeCap) return;
  told.set(io.ticket, timeCap);
  tell(io, use);
}

const units = { tokens: 'tokens', cents: 'US cents', minutes: 'minutes' } as const;

function tell({ ports: { clock, events }, ticket }: StepIo, { kind, used, cap }: CapUse): void {
  const share = Math.round((100 * used) / cap);
  const text = `The ticket used ${String(share)} % of its limit: ${String(Math.round(used))} of ${String(cap)} ${units[kind]}`;
  events.emit({ type: 'activity', ticket, at: clock.now(), source: 'engine', kind: 'info', text });
}

/** Checks, while a model works, whether the ticket has used its time, and says when it is near. `signal` is aborted once it has; without such a limit it never is. */
export class TimeWatch {
  readonly #reached = new AbortController();
  readonly #ended = new AbortController();

  constructor(io: StepIo) {
    void this.#watch(io);
  }

  get signal(): AbortSignal {
    return this.#reached.signal;
  }

  end(): void {
    this.#ended.abort();
  }

  async #watch(io: StepIo): Promise<void> {
    // A limit that is set while a model works holds from the next call on.
    const { timeCap } = await capsOf(io).catch(() => ({ timeCap: 0 }));
    if (timeCap === 0) return;
    // Commands and short calls bring it near, too. A database that can't be read now is the matter of the step itself.
    tellNearTime(io, timeCap, await activeMs(io).catch(() => 0));
    for (;;) {
      await io.ports.clock.sleep(checkEveryMs, this.#ended.signal);
      if (this.#ended.signal.aborted) return;
      const used = await this.#isUsed(io).catch(() => false);
      if (used) this.#reached.abort();
      if (used) return;
    }
  }

  async #isUsed(io: StepIo): Promise<boolean> {
    const { timeCap } = await capsOf(io);
    const ms = timeCap === 0 ? 0 : await activeMs(io);
    tellNearTime(io, timeCap, ms);
    return timeCap > 0 && ms >= timeCap * minuteMs;
  }
}

/** The limits that bound the whole ticket: those that hold now, not those of the run. */
async function capsOf(io: RecordIo): Promise<Pick<Limits, 'costCap' | 'timeCap'>> {
  const { costCap = 0, timeCap = 0 } = (await io.ports.store.ticket(io.ticket))?.limits ?? {};
  return { costCap, timeCap };
}

async function costOf(io: RecordIo, own: readonly Usage[]): Promise<number> {
  return [...(await io.ports.store.usage(io.ticket)), ...own].reduce((sum, { cost }) => sum + cost, 0);
}

/** The active milliseconds of all steps of a ticket that have a clock: those in which models and commands work. */
async function activeMs(io: RecordIo): Promise<number> {
  const { store } = io.ports;
  const steps = await Promise.all((await store.runs(io.ticket)).map(({ id }) => store.steps(id)));
  return steps.flat().reduce((sum, step) => sum + step.activeMs, 0);
}
