import * as z from 'zod';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { settingName } from '../../../domain/settings/rows.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { AgentFailure } from '../../../engine/ports/ports.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { canonicalJson } from '../../../base/json.ts';
import { isRefusal } from '../structured/answerParts.ts';
import { endedByStop, AnswerParts } from '../structured/whole.ts';
import { isExample, quoted } from '../structured/notQuoted.ts';
import type { Repair } from '../structured/text/repair.ts';
import type { ToolPolicy, Usage } from '../../../domain/usage/promptPlan.ts';
import { budgetReached } from '../../../domain/usage/budgets.ts';
import {
  type Answer,
  type AnswerForm,
  type Call,
  type AskScope,
  type Parse,
  type Parsed,
  type CallFrame,
  type Read,
  OpenSession,
} from '../structured/askTypes.ts';
import {
  assemblePrompt,
  type Assembled,
  continuePrompt,
  repairPrompt,
  restPrompt,
  shorterPrompt,
} from './assemblePrompt.ts';
import { memberNow } from './memberNow.ts';
import { Conversation, type Exchange, type Outgoing } from './conversation.ts';
import { providerError } from './providerError.ts';
import {
  budgetsOf,
  callEnded,
  tellNearBudgets,
  TimeWatch,
  boundsOfCall,
  phaseCapReached,
} from './budgets.ts';
import { withoutOldTurns } from './longConversation.ts';
import { saveCall } from './saveCall.ts';
import { parseApart } from '../structured/readApart.ts';

/**
 * Makes one call to one model, as one step. A session is found again and checked before anything is sent,
 * so that no prompt is sent twice (docs/decisions/002-no-prompt-is-sent-twice.md). Throws
 * CONTEXT_OVER_BUDGET, BUDGET_EXHAUSTED, COST_CAP_REACHED, TIME_CAP_REACHED, or with `cap` PHASE_CAP_REACHED,
 * RESPONSE_INVALID, OUTPUT_TRUNCATED, LIMIT_EXPIRED, SESSION_LOST (only with `session`), CONTEXT_OVERFLOW,
 * AGENT_LOOP, PROVIDER_AUTH, PROVIDER_QUOTA, PROVIDER_ERROR, MODEL_UNKNOWN, OPENCODE_GONE. A `continuable`
 * one leaves the step open.
 */
export function ask<T>(run: Run, ticket: TicketSnapshot, call: Call<T>): Promise<Answer<T>> {
  return run.step(
    call.key,
    z.object({ value: call.result, session: OpenSession }),
    (io) =>
      watchingForRestart(io, call.restartsOn, async (restart) => {
        const time = new TimeWatch(io, run.runId);
        const scope = { runId: run.runId, limits: run.limits, ticket };
        try {
          return await askInStep(io, scope, call, { timeUp: time.signal, restart });
        } finally {
          time.end();
        }
      }),
    { activeMs: call.activeMs },
  );
}

const resendable: readonly AgentFailure['kind'][] = ['garbage', 'truncated', 'gone'];

type Verdict<T> =
  | { readonly kind: 'accepted'; readonly value: T; readonly repairs: readonly Repair[] }
  | {
      readonly kind: 'unusable';
      readonly problem: string;
      readonly output: string;
      readonly fresh: boolean;
      readonly insisted?: Read<T> | undefined;
      readonly fallback?: T | undefined;
    }
  | { readonly kind: 'failed'; readonly failure: AgentFailure };

async function askInStep<T>(
  io: StepIo,
  scope: AskScope,
  wanted: Call<T>,
  { timeUp, restart }: { readonly timeUp: AbortSignal; readonly restart: AbortSignal | undefined },
): Promise<Answer<T>> {
  const { call, keep } = await withoutOldTurns(io, scope, wanted);
  const member = await memberNow(io, scope.ticket, call);
  const main = await assemblePrompt(io, scope.ticket, { ...call, member }, scope.runId);
  const parse = typeof call.parse === 'function' ? call.parse : await call.parse.inStep(io);
  const conversation = new Conversation(io, scope, call, { policy: main.policy, timeUp });
  conversation.schema = await schemaFor(io, scope.ticket, { ...call, member }, parse.form, main.policy);
  conversation.restart = restart;
  const spent: Usage[] = [];
  const place = { runId: scope.runId, own: spent };
  conversation.bounds = await boundsOfCall(io, place, call.cap);
  const repairs = call.repairs ?? scope.ticket.settings?.structuredRetryCount ?? 1;
  let plan: Assembled = main;
  let asked: Assembled = main;
  const record = async (
    exchange: Exchange,
    problem: string,
    repairs: readonly Repair[] = [],
  ): Promise<void> => {
    const { session, member } = conversation;
    keep(session.id);
    const usage = await saveCall(
      io,
      scope,
      { ...call, member },
      {
        plan: { ...plan.plan, model: member },
        session,
        exchange,
        main: textOf(asked),
        allowed: asked.allowed,
        problem,
        repairs,
      },
    );
    if (!usage) return;
    await tellNearBudgets(io, place, usage);
    spent.push(usage);
  };
  let exchange = await begin(io, conversation, main, call, record);
  const tell = async (purpose: 'rest' | 'repair' | 'continue', prompt: Assembled): Promise<void> => {
    plan = prompt;
    exchange = await conversation.send({ purpose, text: prompt.text });
  };
  const askAnew = async (prompt: Assembled): Promise<void> => {
    plan = prompt;
    asked = prompt;
    exchange = await conversation.send(outgoing(prompt));
  };
  const accepted = async (value: T): Promise<Answer<T>> => {
    await call.accept?.(io, value);
    conversation.close('completed');
    const { id, directory } = conversation.session;
    return { value, session: { id, directory, prompts: exchange.number } };
  };
  let before: Read<T> | undefined;
  let fallback: T | undefined;
  const parts = new AnswerParts();
  const { prompt, inFreshSession } = call;
  const prompts = inFreshSession ? [prompt, inFreshSession.prompt] : [prompt];
  for (;;) {
    const verdict = await doubted(
      io,
      call,
      exchange,
      await judge(io, parse, exchange, { before, prompts, parts }),
      repairs - conversation.repairsUsed,
    );
    await record(exchange, problemOf(verdict), verdict.kind === 'accepted' ? verdict.repairs : []);
    if (verdict.kind === 'accepted') return accepted(verdict.value);
    if (io.aborted()) throw await ended(io, conversation, call);
    if (restart?.aborted === true) {
      await io.ports.agent.abort(conversation.session);
      conversation.close('abandoned');
      throw new BeadsmithError('CONTEXT_RESTART');
    }
    const failure = verdict.kind === 'failed' ? verdict.failure : undefined;
    if (failure && (failure.kind === 'capped' || timeUp.aborted)) {
      if (timeUp.aborted) await io.ports.agent.abort(conversation.session);
      conversation.close(call.cap ? 'abandoned' : 'active');
      const uses = await budgetsOf(io, place);
      throw call.cap ? phaseCapReached(call.cap, budgetReached(uses)?.message) : callEnded(uses);
    }
    conversation.bounds = await boundsOfCall(io, place, call.cap);
    before = verdict.kind === 'unusable' ? verdict.insisted : undefined;
    fallback = (verdict.kind === 'unusable' ? verdict.fallback : undefined) ?? fallback;
    const left = repairs - conversation.repairsUsed;
    const cut =
      exchange.reply.ok && exchange.reply.truncated && !conversation.continues
        ? exchange.reply.text
        : undefined;
    if (cut === undefined) parts.clear();
    if (cut !== undefined && left > 0 && parts.keep(cut)) {
      await tell('rest', await restPrompt(io, main, parts.lastLine));
    } else if (verdict.kind === 'unusable' && left > 0 && (conversation.continues || !verdict.fresh)) {
      await tell('repair', await repairPrompt(io, main, verdict.problem, verdict.output));
    } else if (failure?.kind === 'truncated' && left > 0 && conversation.continues) {
      const problem = `${failure.message} Answer in fewer words.`;
      await tell('repair', await repairPrompt(io, main, problem, ''));
    } else if (failure?.kind === 'unformatted' && conversation.schema) {
      await conversation.replace('text');
      conversation.schema = undefined;
      await askAnew(asked);
    } else if (left > 0 && !conversation.continues && (!failure || mayResend(call, failure))) {
      await conversation.replace('resend');
      await askAnew(failure?.kind === 'truncated' ? await shorterPrompt(io, main) : main);
    } else if (verdict.kind === 'unusable' && fallback !== undefined) {
      return accepted(fallback);
    } else if (verdict.kind === 'unusable' && repairs > 0 && mayRestart(call, conversation)) {
      await conversation.replace('restart');
      await askAnew(main);
    } else if (failure?.kind === 'gone' && call.endsWhenLost && conversation.losses >= mostLosses) {
      throw lostForGood(conversation, main.model);
    } else if (failure && (await conversation.waitFor(exchange))) {
      await tell('continue', await continuePrompt(io, main));
    } else throw await refusal(io, conversation, call, verdict, exchange.number);
  }
}

async function begin(
  io: StepIo,
  conversation: Conversation,
  main: Assembled,
  { endsWhenLost }: CallFrame,
  record: (exchange: Exchange, problem: string) => Promise<void>,
): Promise<Exchange> {
  await conversation.waitForRest();
  const found = await conversation.resume(outgoing(main));
  if (found !== 'orphaned' && !found.found) return found;
  if (conversation.waitedOn(found) && (found === 'orphaned' || (!found.reply.ok && !io.aborted()))) {
    if (found !== 'orphaned' && !found.reply.ok) await record(found, found.reply.failure.message);
    return conversation.send({ purpose: 'continue', text: (await continuePrompt(io, main)).text });
  }
  const failure = found === 'orphaned' || found.reply.ok ? undefined : found.reply.failure;
  if (found !== 'orphaned' && (!failure || io.aborted())) return found;
  // A found abort came from a pause, an edit or a lost server: no failure of the model, but it cost tokens.
  const cutOff = found !== 'orphaned' && failure?.kind === 'aborted';
  if (cutOff) await record(found, failure.message);
  if (io.resume === 'continue' || (cutOff && conversation.continues)) {
    const { text } = await continuePrompt(io, main);
    return conversation.send({ purpose: 'continue', text });
  }
  if (found !== 'orphaned' && !cutOff) return found;
  if (conversation.continues) throw new BeadsmithError('SESSION_LOST', { model: main.model });
  if (found === 'orphaned' && endsWhenLost === true) {
    if (conversation.losses >= mostLosses) throw lostForGood(conversation, main.model);
    await conversation.noteLoss();
  }
  await conversation.replace('lost');
  return conversation.send(outgoing(main));
}

/** `before`: what the model may insist on. */
async function judge<T>(
  io: StepIo,
  parse: Parse<T>,
  { reply, purpose, found }: Exchange,
  known: {
    readonly before: Read<T> | undefined;
    readonly prompts: readonly string[];
    readonly parts: AnswerParts;
  },
): Promise<Verdict<T>> {
  const { before, prompts, parts } = known;
  if (!reply.ok) return { kind: 'failed', failure: reply.failure };
  // The parts before it went with the process that had asked for the rest.
  if (reply.truncated || (purpose === 'rest' && found))
    return {
      kind: 'failed',
      failure: { kind: 'truncated', message: cutOff, statusCode: null, continuable: false },
    };
  if (reply.text.trim() === '')
    return { kind: 'unusable', problem: 'The answer was empty.', output: '', fresh: true };
  const said = reply.structured && parse.form ? parse.form.framed(reply.text) : reply.text;
  const whole = parts.whole(said);
  const text = reply.stopped ? endedByStop(whole) : whole;
  const read = await parseApart(io.ports.texts, parse, text, io.signal);
  const parsed: Parsed<T> =
    read.ok && (await isExample(io, parse, read.value, prompts)) ? { ok: false, problem: quoted } : read;
  if (parsed.ok) return { kind: 'accepted', value: parsed.value, repairs: parsed.repairs ?? [] };
  const { problem, insisted, fallback } = parsed;
  if (insisted && before && canonicalJson(insisted.value) === canonicalJson(before.value))
    return { kind: 'accepted', ...insisted };
  const refuses = isRefusal(reply.text);
  return {
    kind: 'unusable',
    problem: refuses ? `The model refuses to answer: ${reply.text.trim().slice(0, 300)}` : problem,
    output: whole,
    fresh: refuses,
    insisted,
    fallback,
  };
}

/** The schema to ask by, where session and model allow it (docs/decisions/034-structured-answers.md). */
async function schemaFor(
  io: StepIo,
  ticket: TicketSnapshot,
  { member, session }: CallFrame,
  form: AnswerForm | undefined,
  policy: ToolPolicy,
): Promise<AnswerForm['schema'] | undefined> {
  const wanted = ticket.settings?.structuredOutput ?? 'auto';
  const isPlanning = policy === 'disabled' || policy === 'read_only';
  if (wanted === 'off' || session || !form || !isPlanning) return undefined;
  const { worktree: directory } = ticket;
  return directory !== null && (await io.ports.agent.takesSchema({ member, directory }, wanted))
    ? form.schema
    : undefined;
}

async function doubted<T>(
  io: StepIo,
  { doubt }: Call<T>,
  { reply }: Exchange,
  verdict: Verdict<T>,
  repairsLeft: number,
): Promise<Verdict<T>> {
  if (verdict.kind !== 'accepted' || !doubt || repairsLeft <= 0 || !reply.ok) return verdict;
  const problem = await doubt(io, verdict.value);
  return problem === undefined ? verdict : { kind: 'unusable', problem, output: reply.text, fresh: false };
}

const cutOff = 'The answer reached the limit of its length and was cut off.';

/** A server that ends this often with a session probably ends because of it. */
const mostLosses = 3;

function lostForGood(conversation: Conversation, model: string): BeadsmithError {
  const { losses } = conversation;
  conversation.close('abandoned');
  return new BeadsmithError(
    'SESSION_LOST',
    { model },
    { diagnostics: { session: conversation.session.id, losses } },
  );
}

/** Nobody continues a council member, so it is tried again; elsewhere the run stops. */
function mayResend(call: CallFrame, failure: AgentFailure): boolean {
  return resendable.includes(failure.kind) && (failure.kind !== 'gone' || !interrupts(call));
}

/** If files change, the stage starts over instead: it resets them first. */
function mayRestart(call: CallFrame, conversation: Conversation): boolean {
  return !conversation.continues && !conversation.hasRestarted && call.beforeFreshSession === undefined;
}

function interrupts({ onProviderFailure = 'interrupt' }: CallFrame): boolean {
  return onProviderFailure === 'interrupt';
}

async function refusal(
  io: StepIo,
  conversation: Conversation,
  call: CallFrame,
  verdict: Exclude<Verdict<unknown>, { kind: 'accepted' }>,
  prompts: number,
): Promise<BeadsmithError> {
  const what = call.prompt;
  if (verdict.kind === 'unusable') {
    conversation.close('abandoned');
    return new BeadsmithError(
      'RESPONSE_INVALID',
      { model: conversation.member, what, reason: verdict.problem },
      {
        diagnostics: {
          session: conversation.session.id,
          directory: conversation.session.directory,
          member: conversation.member,
          prompts,
        },
      },
    );
  }
  const error = providerError(verdict.failure, {
    member: conversation.member,
    what,
    session: conversation.session,
    interrupts: interrupts(call),
    models: verdict.failure.kind === 'unknown_model' ? await io.ports.agent.models() : [],
    limit: conversation.capped ? 'providerWait' : undefined,
  });
  conversation.close(error.continuable ? 'active' : 'abandoned');
  return error;
}

/** If this process merely stops, the session keeps running: the next one takes it over. */
async function ended(io: StepIo, conversation: Conversation, call: CallFrame): Promise<Error> {
  const why = io.aborted();
  if (why !== 'stop') {
    await io.ports.agent.abort(conversation.session);
    conversation.close('abandoned');
  }
  if (why !== 'limit')
    return io.signal.reason instanceof Error
      ? io.signal.reason
      : new BeadsmithError('UNEXPECTED', { reason: String(why) });
  const { limit } = call;
  const setting = limit ? ` (${settingName(limit.name)})` : '';
  const args = {
    what: `${call.prompt} by ${conversation.member}${setting}`,
    seconds: Math.round((limit?.ms ?? call.activeMs) / 1_000),
  };
  const diagnostics = {
    session: conversation.session.id,
    member: conversation.member,
    ...(limit ? { limit: limit.name } : {}),
  };
  return new BeadsmithError('LIMIT_EXPIRED', args, { diagnostics });
}

function problemOf(verdict: Verdict<unknown>): string {
  return verdict.kind === 'accepted'
    ? ''
    : verdict.kind === 'unusable'
      ? verdict.problem
      : verdict.failure.message;
}

function outgoing(prompt: Assembled): Outgoing {
  return { purpose: 'ask', text: prompt.text, ...(prompt.stable ? { stable: prompt.stable } : {}) };
}

function textOf(prompt: Assembled): string {
  return prompt.stable ? `${prompt.stable}\n\n${prompt.text}` : prompt.text;
}

/** Aborts the signal of `work` when a person wants the session ended. */
async function watchingForRestart<T>(
  io: StepIo,
  restartsOn: ((io: StepIo) => Promise<boolean>) | undefined,
  work: (restart: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (!restartsOn) return work(undefined);
  const restart = new AbortController();
  const check = async (): Promise<void> => {
    if (!restart.signal.aborted && (await restartsOn(io))) restart.abort();
  };
  const watch = io.ports.store.onDidChange((ticket, cause) => {
    // If the inbox can't be read now, the next change tries again.
    if (cause !== 'commit' && (ticket === undefined || ticket === io.ticket))
      void check().catch(() => undefined);
  });
  try {
    await check();
    return await work(restart.signal);
  } finally {
    watch.dispose();
  }
}
