import { startOfDay } from '../../../base/days.ts';
import { stageOfStep } from '../../../domain/beads/beadStages.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { Usage } from '../../../domain/usage/promptPlan.ts';
import {
  broughtNear,
  type BudgetUse,
  budgetReached,
  budgetUses,
  hasBudget,
  hasBudgets,
  isNear,
  plus,
  type SpentByScope,
  spentOn,
  budgetUseText,
  unitNames,
  type Spent,
} from '../../../domain/usage/budgets.ts';
import { beadOf, spentIn } from '../../../domain/usage/spending.ts';
import type { RecordIo, StepIo } from '../../../engine/run/run.ts';
import { say } from '../ticket/artifacts.ts';
import type { PhaseCap } from '../structured/askTypes.ts';

const checkEveryMs = 15_000;

export interface BudgetPlace {
  readonly runId: string;
  readonly own: readonly Usage[];
}

/**
 * The budgets of a step and their use (docs/decisions/149-budgets-pause-the-work.md). The limits that hold
 * now count, not those of the run.
 */
export async function budgetsOf(io: RecordIo, { runId, own }: BudgetPlace): Promise<readonly BudgetUse[]> {
  const { store, clock } = io.ports;
  const limits = (await store.ticket(io.ticket))?.limits ?? null;
  if (!hasBudgets(limits)) return [];
  const runs = await store.spending(io.ticket);
  const here = runs.find(({ run }) => run === runId);
  const ofTicket = here ? spentIn(runs, { status: here.status, bead: beadOf(here) }) : {};
  const ofDay = hasBudget(limits, 'day') ? { day: await store.spendingSince(startOfDay(clock.now())) } : {};
  return budgetUses(limits, withOwn({ ...ofTicket, ...ofDay }, own));
}

function withOwn(spent: SpentByScope, own: readonly Usage[]): SpentByScope {
  const more = spentOn(own);
  return Object.fromEntries(Object.entries(spent).map(([scope, sums]) => [scope, plus(sums, more)]));
}

function leftOf(uses: readonly BudgetUse[]): CallBounds {
  const least = (wanted: BudgetUse['unit']): number | undefined => {
    const left = uses.filter(({ unit }) => unit === wanted).map(({ cap, used }) => cap - used);
    return left.length === 0 ? undefined : Math.min(...left);
  };
  const cents = least('cents');
  return { tokens: least('tokens'), dollars: cents === undefined ? undefined : cents / 100 };
}

/** The error of the budget that is used most. */
export function callEnded(uses: readonly BudgetUse[]): BeadsmithError {
  const [most] = uses.toSorted((one, other) => other.used / other.cap - one.used / one.cap);
  const reached = budgetReached(uses) ?? (most && budgetReached([{ ...most, used: most.cap }]));
  // Without a limit any more the ticket pauses all the same: only here is it known why.
  return reached ?? new BeadsmithError('BUDGET_EXHAUSTED', { used: 0, cap: 0 }, { continuable: true });
}

const scopes = {
  ticket: 'the ticket',
  phase: 'this phase',
  bead: 'the bead',
  day: 'today, for all tickets',
} as const;

export async function leftInWords(io: RecordIo, runId: string): Promise<readonly string[]> {
  const uses = await budgetsOf(io, { runId, own: [] });
  return uses.map(
    ({ scope, unit, cap, used }) =>
      `${Math.max(0, Math.floor(cap - used))} ${unitNames[unit]} of ${scopes[scope]}`,
  );
}

export async function tellNearBudgets(io: StepIo, { runId, own }: BudgetPlace, usage: Usage): Promise<void> {
  const after = await budgetsOf(io, { runId, own: [...own, usage] });
  if (!after.some(isNear)) return;
  for (const use of broughtNear(await budgetsOf(io, { runId, own }), after)) tell(io, use);
}

const toldOfTime = new WeakMap<StepIo['ports'], Set<string>>();

function tellNearTime(io: StepIo, use: BudgetUse, runId: string): void {
  const told = toldOfTime.get(io.ports) ?? new Set<string>();
  toldOfTime.set(io.ports, told);
  // Each bead and each phase has its own time.
  const place = use.scope === 'bead' || use.scope === 'phase' ? runId : io.ticket;
  const key = `${place} ${use.limit} ${use.cap}`;
  if (!isNear(use) || told.has(key)) return;
  told.add(key);
  tell(io, use);
}

function tell(io: StepIo, use: BudgetUse): void {
  if (use.used < use.cap) say(io, budgetUseText(use));
}

/** Logs when a budget of time is near, and aborts `signal` at its end. */
export class TimeWatch {
  readonly #reached = new AbortController();
  readonly #ended = new AbortController();

  constructor(io: StepIo, runId: string) {
    void this.#watch(io, runId);
  }

  get signal(): AbortSignal {
    return this.#reached.signal;
  }

  end(): void {
    this.#ended.abort();
  }

  async #watch(io: StepIo, runId: string): Promise<void> {
    // A limit set meanwhile holds from the next call on; a database that can't be read is the step's matter.
    const times = async (): Promise<readonly BudgetUse[]> =>
      (await budgetsOf(io, { runId, own: [] }).catch(() => [])).filter(({ unit }) => unit === 'minutes');
    if ((await times()).length === 0) return;
    for (;;) {
      const now = await times();
      for (const use of now) tellNearTime(io, use, runId);
      if (budgetReached(now)) this.#reached.abort();
      if (this.#reached.signal.aborted) return;
      await io.ports.clock.sleep(checkEveryMs, this.#ended.signal);
      if (this.#ended.signal.aborted) return;
    }
  }
}

/** Tokens, and US dollars at list prices; undefined for no bound. */
export interface CallBounds {
  readonly tokens: number | undefined;
  readonly dollars: number | undefined;
}

/**
 * Throws BUDGET_EXHAUSTED, COST_CAP_REACHED or TIME_CAP_REACHED, continuable; with `cap` PHASE_CAP_REACHED.
 */
export async function boundsOfCall(
  io: StepIo,
  place: BudgetPlace,
  cap: PhaseCap | undefined,
): Promise<CallBounds> {
  const uses = await budgetsOf(io, place);
  const reached = budgetReached(uses);
  if (reached) throw cap ? phaseCapReached(cap, reached.message) : reached;
  const left = leftOf(uses);
  if (!cap) return left;
  const { tokens, cents } = await usedByPhase(io, place);
  if (cap.cents > 0 && cents >= cap.cents)
    throw phaseCapReached(cap, `${cents.toFixed(1)} of ${cap.cents} ${unitNames.cents}`);
  if (cap.tokens === 0) return left;
  if (tokens >= cap.tokens) throw phaseCapReached(cap, `${tokens} of ${cap.tokens} tokens`);
  return { ...left, tokens: Math.min(cap.tokens - tokens, left.tokens ?? Number.POSITIVE_INFINITY) };
}

export function phaseCapReached({ phase, tokens }: PhaseCap, limit = `${tokens} tokens`): BeadsmithError {
  return new BeadsmithError('PHASE_CAP_REACHED', { phase, limit });
}

/** In an iteration the use of its stage, elsewhere that of its run. */
async function usedByPhase(io: StepIo, { runId, own }: BudgetPlace): Promise<Spent> {
  // Personas answer in branches of the same phase, and a branch's name has no number.
  const visit = stageOfStep(io.key.slice(runId.length + 1))?.visit;
  const start = `${runId}/${visit === undefined ? '' : `${visit}/`}`;
  const earlier = (await io.ports.store.usage(io.ticket)).filter(
    ({ run, call }) => run === runId && call?.startsWith(start),
  );
  return spentOn([...earlier, ...own]);
}
