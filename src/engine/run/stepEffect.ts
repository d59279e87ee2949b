import type * as z from 'zod';
import type { Json } from '../../base/json.ts';
import type { RequestDecision } from '../../domain/ticket/agentRequest.ts';
import { BeadsmithError, errorRecord, isStoreError, toBeadsmithError } from '../../domain/core/errors.ts';
import type { AskedRequest } from '../ports/ports.ts';
import type { Change, StepRow } from '../ports/storePort.ts';
import { isTerminal } from '../../domain/workflow/workflow.ts';
import { ActiveTimer } from './activeTimer.ts';
import { refuseAltered } from './alteredRows.ts';
import { askPerson, waitOut, type WaitPlace } from './waits.ts';
import type { AskOptions, HoldOptions, StepIo, StepLimits } from './run.ts';
import { RunStopped, releaseStaleHold, type RunScope } from './runScope.ts';

const keptOnFailure: readonly Change['type'][] = ['call', 'usage', 'session', 'session.state'];

/**
 * Runs one effect between intent and receipt (docs/decisions/001-journal-and-replay.md). A failure is a
 * receipt too; a stop or a continuable error leaves the intent open. `intent: false`: an interruption leaves
 * nothing behind.
 */
export async function runEffect<T>(
  scope: RunScope,
  key: string,
  result: z.ZodType<T>,
  effect: (io: StepIo) => Promise<T>,
  limits: StepLimits & { readonly intent?: boolean },
): Promise<T> {
  scope.control.check();
  const run = scope.row.id;
  const known = scope.steps.get(key);
  if (known || limits.intent === false) await scope.journal.settle();
  else await scope.journal.commit([{ kind: 'step.intent', run, key }]);
  emitStep(scope, key, 'started');

  const expired = new AbortController();
  const timer = timerFor(scope, key, known, limits, expired);
  const io = new EffectIo(scope, key, expired.signal, timer);
  const ticking = timer?.start();
  try {
    const value = result.parse(await scope.atWork.during(() => effect(io)));
    // Nothing starts, ends or waits before this is stored. If it is lost, the effect is entered again and
    // checks whether it ran.
    scope.journal.later(
      [{ kind: 'step.done', run, key, result: value as Json }],
      [...io.changes, ...releaseStaleHold(scope)],
    );
    emitStep(scope, key, 'done');
    return value;
  } catch (thrown) {
    throw await recordFailure(scope, key, thrown, io, limits);
  } finally {
    timer?.end();
    await ticking;
  }
}

async function recordFailure(
  scope: RunScope,
  key: string,
  thrown: unknown,
  io: EffectIo,
  limits: StepLimits,
): Promise<Error> {
  if (thrown instanceof RunStopped) return thrown;
  if (scope.control.reason) return new RunStopped(scope.control.reason);
  const error =
    io.isExpired && !(thrown instanceof BeadsmithError && thrown.code === 'LIMIT_EXPIRED')
      ? limitExpired(key, limits)
      : toBeadsmithError(thrown);
  if (isStoreError(error)) return error;
  const run = scope.row.id;
  const changes = io.changes.filter((change) => keptOnFailure.includes(change.type));
  await scope.journal.commit(
    error.continuable ? [] : [{ kind: 'step.failed', run, key, error: errorRecord(error) }],
    [...changes, ...releaseStaleHold(scope)],
  );
  emitStep(scope, key, 'failed');
  return error;
}

class EffectIo implements StepIo {
  readonly changes: Change[] = [];
  readonly signal: AbortSignal;
  readonly resume: StepIo['resume'];
  readonly earlier: readonly Json[];
  readonly #scope: RunScope;
  readonly #key: string;
  readonly #expired: AbortSignal;
  readonly #timer: ActiveTimer | undefined;

  constructor(scope: RunScope, key: string, expired: AbortSignal, timer: ActiveTimer | undefined) {
    const known = scope.steps.get(key);
    this.#scope = scope;
    this.#key = key;
    this.#expired = expired;
    this.#timer = timer;
    this.signal = AbortSignal.any([scope.control.signal, expired]);
    this.earlier = known?.notes ?? [];
    this.resume = !known ? 'first' : known.intentSeq < scope.row.continuedSeq ? 'continue' : 'recover';
  }

  get key(): string {
    return `${this.#scope.row.id}/${this.#key}`;
  }

  get ticket(): string {
    return this.#scope.row.ticket;
  }

  get ports(): RunScope['ports'] {
    return this.#scope.ports;
  }

  get isExpired(): boolean {
    return this.#expired.aborted;
  }

  aborted(): 'limit' | 'cancel' | 'stop' | undefined {
    return this.#scope.control.reason ?? (this.isExpired ? 'limit' : undefined);
  }

  async note(...references: readonly Json[]): Promise<void> {
    const { row, journal } = this.#scope;
    await journal.commit(
      references.map((note) => ({ kind: 'step.note', run: row.id, key: this.#key, note })),
    );
  }

  save(change: Change): void {
    this.changes.push(change);
  }

  ask(request: AskedRequest, options: AskOptions): Promise<RequestDecision | undefined> {
    return this.#paused((place) => askPerson(place, request, options));
  }

  hold(options: HoldOptions): Promise<void> {
    return this.#paused((place) => waitOut(place, options));
  }

  #paused<T>(wait: (place: WaitPlace) => Promise<T>): Promise<T> {
    const place = { scope: this.#scope, key: this.#key, earlier: this.earlier, signal: this.signal };
    return this.#timer ? this.#timer.paused(() => wait(place)) : wait(place);
  }

  async fence(): Promise<void> {
    await this.#scope.journal.commit([]);
    // Ending a ticket has to work whatever happened to it.
    if (!isTerminal(this.#scope.row.status)) await refuseAltered(this.#scope.ports.store, this.ticket);
  }
}

function timerFor(
  scope: RunScope,
  key: string,
  known: StepRow | undefined,
  limits: StepLimits,
  expired: AbortController,
): ActiveTimer | undefined {
  if (limits.activeMs === undefined) return undefined;
  return new ActiveTimer({
    clock: scope.ports.clock,
    limitMs: limits.activeMs,
    alreadyMs: known?.activeMs ?? 0,
    onExpire: () => {
      expired.abort(limitExpired(key, limits));
    },
    save: (ms) => scope.ports.store.addActive(scope.row.id, key, ms),
  });
}

function limitExpired(key: string, limits: StepLimits): BeadsmithError {
  return new BeadsmithError('LIMIT_EXPIRED', {
    what: key,
    seconds: Math.round((limits.activeMs ?? 0) / 1_000),
  });
}

/** Tells live views of a step. */
export function emitStep(
  scope: RunScope,
  key: string,
  state: 'started' | 'done' | 'failed' | 'replayed',
): void {
  scope.ports.events.emit({
    type: 'step',
    ticket: scope.row.ticket,
    at: scope.ports.clock.now(),
    run: scope.row.id,
    key,
    state,
  });
}
