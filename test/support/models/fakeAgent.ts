import type {
  Agent,
  AgentCallOptions,
  AgentFailure,
  AgentReply,
  AgentRequest,
  AskedRequest,
  SessionLook,
  SessionRef,
  Touched,
} from '../../../src/engine/ports/ports.ts';
import type { OfferedModel } from '../../../src/domain/usage/offeredModel.ts';
import type { RequestDecision } from '../../../src/domain/ticket/agentRequest.ts';
import type { SessionMessage } from '../../../src/domain/conversation/turns.ts';
import type { ModelFacts, ToolPolicy } from '../../../src/domain/usage/promptPlan.ts';
import { readPrompt } from '../../../src/demo/script/promptParts.ts';
import { noncePart, withNonce } from '../../../src/demo/answer.ts';
import { endMark } from '../../../src/context/promptFile.ts';
import { sampleUsage } from '../samples.ts';

/** `number`, `turn`: the session's and the task's prompts from 1; `task`: the name in its title line. */
export interface FakeCall extends AgentRequest {
  readonly session: string;
  readonly title: string;
  readonly number: number;
  readonly task: string;
  readonly turn: number;
  /** `stable` and `text`. */
  readonly whole: string;
}

/** The persona that a call asks. */
export function speakerOf({ whole }: FakeCall): string {
  return /^> You are (\w+),/m.exec(whole)?.[1] ?? 'nobody';
}

export type FakeAnswer = string | AgentFailure | AgentReply;
/** Work until aborted or finished by the test; take the prompt and be gone, as a killed server is. */
export const hang = '(hang)';
export const die = '(die)';

export const quota = { kind: 'quota', message: 'slow down', statusCode: 429, continuable: true } as const;
export const unavailable = { kind: 'provider', message: 'down', statusCode: 503, continuable: true } as const;

interface FakeSession extends SessionRef {
  readonly title: string;
  readonly policy: ToolPolicy;
  readonly prompts: {
    call: FakeCall;
    reply: AgentReply | 'busy' | 'orphaned';
    settle: PromiseWithResolvers<AgentReply>;
  }[];
}

/** Answers follow from the prompt. Sessions outlive their process, as on a real server. */
export class FakeAgent implements Agent {
  readonly calls: FakeCall[] = [];
  readonly sessions = new Map<string, FakeSession>();
  readonly aborted: string[] = [];
  /** Awaits of answers that another caller had asked for. */
  awaited = 0;
  known: readonly string[] = ['demo/main', 'demo/second', 'demo/third'];
  /** Models that write by a schema. */
  readonly writers = new Set<string>();
  answer: (call: FakeCall) => FakeAnswer | Promise<FakeAnswer>;
  /** Whether its reports repeat the nonce of their prompt. */
  repeatsNonce = true;

  constructor(answer: (call: FakeCall) => FakeAnswer | Promise<FakeAnswer> = () => 'OK') {
    this.answer = answer;
  }

  /** Asked before it answers a prompt, and what was decided; `not offered` where it can't ask. */
  asks: (call: FakeCall) => AskedRequest | undefined = () => undefined;
  readonly decided: (RequestDecision | undefined | 'not offered')[] = [];

  /** By default nobody knows, as of a session that is gone. */
  touched: (session: SessionRef) => Promise<Touched | undefined> = async () => undefined;

  get tasks(): string[] {
    return this.calls.map((call) => call.task);
  }

  async createSession(options: {
    directory: string;
    title: string;
    policy: ToolPolicy;
  }): Promise<SessionRef> {
    const session: FakeSession = { id: `ses_${String(this.sessions.size + 1)}`, prompts: [], ...options };
    this.sessions.set(session.id, session);
    return { id: session.id, directory: session.directory };
  }

  async takesSchema({ member }: { readonly member: string }): Promise<boolean> {
    return this.writers.has(member);
  }

  readonly facts = new Map<string, ModelFacts>();

  async modelFacts({ member }: { readonly member: string }): Promise<ModelFacts> {
    return this.facts.get(member) ?? {};
  }

  async findSession(directory: string, title: string): Promise<SessionRef | undefined> {
    return [...this.sessions.values()].find(
      (session) => session.directory === directory && session.title === title,
    );
  }

  async look({ id }: SessionRef): Promise<SessionLook> {
    const session = this.sessions.get(id);
    if (!session) return { state: 'missing' };
    const last = session.prompts.at(-1);
    const prompts = session.prompts.length;
    if (!last) return { state: 'fresh' };
    if (last.reply === 'busy') return { state: 'busy', prompts };
    if (last.reply === 'orphaned') return { state: 'orphaned', prompts };
    return { state: 'answered', prompts, reply: last.reply };
  }

  /** Without tools; undefined if the session isn't there. */
  async transcript({ id }: SessionRef): Promise<readonly SessionMessage[] | undefined> {
    return this.sessions
      .get(id)
      ?.prompts.flatMap(({ call, reply }): SessionMessage[] => [
        { role: 'user', text: call.whole, calls: [], results: [] },
        ...(typeof reply === 'object' && reply.ok
          ? [{ role: 'assistant' as const, text: reply.text, calls: [], results: [] }]
          : []),
      ]);
  }

  async prompt({ id }: SessionRef, request: AgentRequest, options: AgentCallOptions): Promise<AgentReply> {
    const session = this.sessions.get(id);
    if (!session)
      return failed({ kind: 'gone', message: 'no such session', statusCode: 404, continuable: false });
    const whole = request.stable ? `${request.stable}\n\n${request.text}` : request.text;
    const task = /^# Beadsmith task: (\S+)/m.exec(whole)?.[1] ?? request.text.slice(0, 40);
    const call: FakeCall = {
      ...request,
      session: id,
      title: session.title,
      number: session.prompts.length + 1,
      task,
      turn: this.calls.filter((call) => call.task === task).length + 1,
      whole,
    };
    const settle = Promise.withResolvers<AgentReply>();
    const prompt: FakeSession['prompts'][number] = { call, reply: 'busy', settle };
    session.prompts.push(prompt);
    this.calls.push(call);
    options.onActivity?.({ kind: 'text', text: 'thinking' });
    const asked = this.asks(call);
    if (asked)
      this.decided.push(
        options.onRequest ? await options.onRequest(asked, new AbortController().signal) : 'not offered',
      );
    const answer = await this.answer(call);
    if (answer === die) {
      prompt.reply = 'orphaned';
      return failed({ kind: 'gone', message: 'the server ended', statusCode: null, continuable: true });
    }
    if (answer === hang) return hanging(settle, options.signal, prompt);
    const said =
      typeof answer === 'string' && this.repeatsNonce ? withNonce(answer, nonceOf(session)) : answer;
    prompt.reply = replyOf(said, `msg_${id}_${String(call.number)}`, request.member);
    settle.resolve(prompt.reply);
    return prompt.reply;
  }

  async await({ id }: SessionRef, _request: unknown, options: AgentCallOptions): Promise<AgentReply> {
    this.awaited++;
    const prompt = this.sessions.get(id)?.prompts.at(-1);
    if (!prompt) return failed({ kind: 'gone', message: 'no prompt', statusCode: null, continuable: false });
    return hanging(prompt.settle, options.signal, prompt);
  }

  finish(id: string, answer: FakeAnswer): void {
    const prompt = this.sessions.get(id)?.prompts.at(-1);
    if (!prompt) throw new Error(`Session ${id} has no prompt`);
    const nonce = nonceOf(this.sessions.get(id));
    const said = typeof answer === 'string' ? withNonce(answer, nonce) : answer;
    prompt.reply = replyOf(said, `msg_${id}_${String(prompt.call.number)}`, prompt.call.member);
    prompt.settle.resolve(prompt.reply);
  }

  async abort({ id }: SessionRef): Promise<void> {
    this.aborted.push(id);
  }

  async forget({ id }: SessionRef): Promise<void> {
    this.sessions.delete(id);
  }

  async release(): Promise<void> {}

  prepare(): void {}

  async models(): Promise<readonly string[]> {
    return this.known;
  }

  async offers(): Promise<readonly OfferedModel[]> {
    return this.known.map((id) => ({ id, provider: 'Fake' }));
  }

  async health(): Promise<{ version: string; url: string }> {
    return { version: 'fake', url: 'http://localhost' };
  }

  async stop(): Promise<void> {}
}

export function nonceOf(
  session: { readonly prompts: readonly { readonly call: FakeCall }[] } | undefined,
): string | undefined {
  const told =
    session?.prompts.flatMap(({ call }) => readPrompt(call.whole).parts.get(noncePart) ?? []) ?? [];
  return told.at(-1)?.trim();
}

function replyOf(answer: FakeAnswer, messageId: string, model: string): AgentReply {
  if (typeof answer !== 'string') return 'ok' in answer ? answer : failed(answer);
  const usage = sampleUsage({ messageId, model });
  return { ok: true, text: whole(answer), messageId, usage, tools: [], truncated: false };
}

/** With the end mark; a tag or fence shows by itself where it ends. */
function whole(answer: string): string {
  const isBare = /^(?:[\w-]+:|\{)/m.test(answer) && !/^(?:`{3}|<[A-Z_]+>)/m.test(answer);
  return isBare && !answer.includes(endMark) ? `${answer.trimEnd()}\n${endMark}` : answer;
}

function failed(failure: AgentFailure): AgentReply {
  return { ok: false, failure, partial: '', usage: null, tools: [] };
}

async function hanging(
  settle: PromiseWithResolvers<AgentReply>,
  signal: AbortSignal,
  prompt: { reply: AgentReply | 'busy' | 'orphaned' },
): Promise<AgentReply> {
  const aborted = Promise.withResolvers<AgentReply>();
  const abort = (): void =>
    aborted.resolve(failed({ kind: 'aborted', message: 'aborted', statusCode: null, continuable: false }));
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  const reply = await Promise.race([settle.promise, aborted.promise]);
  prompt.reply = reply;
  return reply;
}
