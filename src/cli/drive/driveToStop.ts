import type { App } from '../../app/app.ts';
import { isIdle } from '../../app/idle.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { InboxBody, InboxKind } from '../../domain/ticket/inbox.ts';
import type { ActionOutcome, Client, TicketDetail } from '../../protocol/api.ts';
import type { Output } from '../base/output.ts';
import { type GatePolicy, gateAnswer } from './gatePolicy.ts';

/** `next` returns at once if it rang meanwhile. */
class Wakeup {
  #rung = false;
  #ring: (() => void) | undefined;

  readonly ring = (): void => {
    this.#rung = true;
    this.#ring?.();
  };

  async next(limitMs: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limitMs);
        this.#ring = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#rung = false;
    this.#ring = undefined;
  }
}

/** A follower whose driver ended may become the driver by reopening. */
export interface AppHolder {
  readonly app: App;
  reopen(): Promise<void>;
}

interface DriveOptions {
  readonly policy: GatePolicy;
  readonly signal: AbortSignal;
  readonly output: Output;
}

/** Per answer and per status, so that nothing repeats forever (docs/decisions/007-limits-and-caps.md). */
const sameAnswerLimit = 3;
const answersLimit = 100;
/** Interval at which a follower checks its driver, and a driver an older hold. */
const lookMs = 1_000;

/** Until the ticket is idle and the policy has no answer. Undefined: aborted. Throws why driving failed. */
export async function driveToStop(
  holder: AppHolder,
  ticket: string,
  options: DriveOptions,
): Promise<TicketDetail | undefined> {
  let given: { readonly status: string; readonly answers: string[] } = { status: '', answers: [] };
  for (;;) {
    if (!(await untilIdle(holder, ticket, options))) return undefined;
    const { client } = holder.app;
    const detail = await client.ticket(ticket);
    if (given.status !== detail.ticket.status) given = { status: detail.ticket.status, answers: [] };
    const answer = await gateAnswer(client, detail, options.policy);
    const key = JSON.stringify(answer);
    const before = given.answers.filter((one) => one === key).length;
    if (!answer || before >= sameAnswerLimit || given.answers.length >= answersLimit) return detail;
    given.answers.push(key);
    const id = await fileAction(client, options.output, ticket, answer.kind, answer.body);
    options.output.text(`${ticket}   ${answer.says}`);
    if (!(await untilIdle(holder, ticket, options))) return undefined;
    await reportOutcome(holder.app, options.output, ticket, answer.kind, id);
  }
}

/** Returns the ID of the inbox entry. */
export async function fileAction<K extends InboxKind>(
  client: Client,
  output: Output,
  ticket: string,
  action: K,
  body: InboxBody<K>,
): Promise<string> {
  const { id } = await client.act(ticket, action, body);
  output.event({ type: 'posted', ticket, action, id });
  return id;
}

/** Undefined while nobody took the action. */
export async function reportOutcome(
  app: App,
  output: Output,
  ticket: string,
  action: InboxKind,
  id: string,
): Promise<ActionOutcome | undefined> {
  const outcome = await app.client.outcome(ticket, id);
  if (outcome) output.event({ type: 'outcome', ticket, action, id, ...outcome });
  return outcome;
}

/** False if aborted. */
async function untilIdle(
  holder: AppHolder,
  ticket: string,
  { signal, output }: DriveOptions,
): Promise<boolean> {
  const wakeup = new Wakeup();
  let seen: string | undefined;
  signal.addEventListener('abort', wakeup.ring);
  try {
    for (;;) {
      const { app } = holder;
      const watches = watchesOf(app, ticket, wakeup.ring);
      try {
        for (;;) {
          if (signal.aborted) return false;
          if (app.lost()) break;
          const failure = app.failure(ticket);
          if (failure) throw failure;
          if (await isIdle(app, ticket)) return true;
          if (!app.engine) {
            if (await app.driverIsGone()) break;
            seen = await tellStatus(app, output, ticket, seen);
          }
          await wakeup.next(lookMs);
        }
      } finally {
        for (const watch of watches) watch.dispose();
      }
      await holder.reopen();
      // Another process that saw the driver end may have been faster.
      await wakeup.next(100);
    }
  } finally {
    signal.removeEventListener('abort', wakeup.ring);
  }
}

/** A driver needn't look after each of its own commits. */
function watchesOf({ client, engine }: App, ticket: string, ring: () => void): readonly Disposable[] {
  if (!engine) return [client.onDidChange(ring)];
  const holds = client.onEvent((event) => {
    if (event.type === 'hold' && event.ticket === ticket) ring();
  });
  return [engine.onDidBecomeIdle(ring), holds];
}

/** A follower gets no events, so it reports what the database says. */
async function tellStatus(
  app: App,
  output: Output,
  ticket: string,
  seen: string | undefined,
): Promise<string> {
  const { status } = (await app.client.ticket(ticket)).ticket;
  if (status !== seen && seen !== undefined)
    output.event({ type: 'status', ticket, at: app.ports.clock.now(), from: seen, to: status, by: 'driver' });
  return status;
}
