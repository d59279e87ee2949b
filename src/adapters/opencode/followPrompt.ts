import type { AgentCallOptions, AgentFailure, AgentReply, SessionRef } from '../../engine/ports/ports.ts';
import { RunStopped } from '../../engine/run/runScope.ts';
import { ActivityFeed } from './activityFeed.ts';
import type { EventHub, Listening, SessionEvent } from './client/eventHub.ts';
import { failureOf, retryFailure } from './failures/failureOf.ts';
import { type OpencodeClient, stopSession, type SessionStatus } from './client/opencodeClient.ts';
import { RequestService } from './requestService.ts';
import { RunawayGuard } from './runaway.ts';
import { failed, readStoredSession, type StoredSession } from './messages/storedMessages.ts';

interface FollowTools {
  readonly client: OpencodeClient;
  readonly hub: EventHub;
  readonly limits: FollowLimits;
  readonly serverAlive: () => Promise<boolean>;
}

export interface FollowLimits {
  readonly quietMs: number;
  readonly hungMs: number;
  readonly pollMs: number;
}

const unreachable: AgentFailure = {
  kind: 'gone',
  message: 'OpenCode exited unexpectedly.',
  statusCode: null,
  continuable: true,
};

/**
 * Waits for the answer to a session's last prompt. Events say when to check; status and stored messages count
 * (docs/decisions/002-no-prompt-is-sent-twice.md). Every outcome is a value.
 */
export class PromptFollower {
  readonly #session: SessionRef;
  readonly #options: AgentCallOptions;
  readonly #tools: FollowTools;
  readonly #feed: ActivityFeed;
  readonly #runaway: RunawayGuard;
  readonly #requests: RequestService;
  #alarm = Promise.withResolvers<void>();
  #lastSign = performance.now();
  #quietTold = false;
  #retryingSince: number | undefined;
  #reported: AgentFailure | undefined;
  /** The agent may wait for a person: an event said so, or none came for a while. */
  #asked = false;
  #unanswered = 0;
  #missed = 0;
  #isEarly = false;
  /** Undefined if another process sent the prompt. */
  #sent: { readonly id: string; readonly at: number } | undefined;

  /** `text`: what this process sends, if it does. */
  constructor(session: SessionRef, options: AgentCallOptions, tools: FollowTools, text = '') {
    this.#session = session;
    this.#options = options;
    this.#tools = tools;
    const { mostTokens, mostCost, onRequest } = options;
    this.#runaway = new RunawayGuard({ mostTokens, mostCost, prompt: text });
    this.#feed = new ActivityFeed((activity) => options.onActivity?.(activity), session.directory);
    const { pollMs } = tools.limits;
    this.#requests = new RequestService(tools.client, session, { onRequest, pollMs });
  }

  /** `send` hands the prompt over once events are heard, which come once; it answers why that failed. */
  async follow(prompt?: {
    readonly id: string;
    readonly send: () => Promise<AgentFailure | undefined>;
  }): Promise<AgentReply> {
    const listening = this.#tools.hub.listen(this.#session.id, (event) => this.#take(event));
    const wake = () => this.#alarm.resolve();
    this.#options.signal.addEventListener('abort', wake);
    try {
      if (prompt) await this.#heard(listening);
      if (this.#options.signal.aborted) return failed(failureOf({ name: 'MessageAbortedError' }), nothing);
      const refused = await prompt?.send();
      if (refused) return failed(refused, nothing);
      if (prompt) this.#sent = { id: prompt.id, at: performance.now() };
      for (;;) {
        const reply = await this.#look();
        if (reply) return reply;
        await this.#rest();
      }
    } finally {
      listening.dispose();
      this.#options.signal.removeEventListener('abort', wake);
      this.#feed.flush();
    }
  }

  async #heard({ heard }: Listening): Promise<void> {
    const timer = setTimeout(() => this.#alarm.resolve(), heardMs);
    await Promise.race([heard, this.#alarm.promise]);
    clearTimeout(timer);
  }

  async #look(): Promise<AgentReply | undefined> {
    const { client } = this.#tools;
    if (this.#options.signal.aborted) return this.#aborted();
    const status = await client.status(this.#session.directory, this.#session.id);
    if (!status.ok) return this.#unreached();
    this.#missed = 0;
    if (status.value.type === 'idle') return this.#settled();
    this.#unanswered = 0;
    this.#isEarly = false;
    if (status.value.type === 'retry') return this.#retrying(status.value);
    if (this.#runaway.failure) return this.#end(this.#runaway.failure);
    if (this.#asked) await this.#settleRequests();
    return this.#hungCheck();
  }

  async #settled(): Promise<AgentReply | undefined> {
    const stored = await this.#storedSession();
    if (!stored) return this.#unreached();
    this.#isEarly = stored === 'early';
    // An error before anything was stored comes by event only.
    if (stored === 'early') return this.#reported && failed(this.#reported, nothing);
    if (stored.reply) return stored.reply;
    if (this.#reported) return failed(this.#reported, stored.partial);
    // Checked again: status and messages are two reads.
    this.#unanswered += 1;
    if (this.#unanswered < 4) return undefined;
    const message = 'OpenCode stopped working on the prompt without an answer.';
    return failed({ ...unreachable, message }, stored.partial);
  }

  async #retrying(status: Extract<SessionStatus, { type: 'retry' }>): Promise<AgentReply | undefined> {
    this.#feed.retry(status.attempt, status.message);
    this.#lastSign = performance.now();
    this.#retryingSince ??= performance.now();
    const waited = performance.now() - this.#retryingSince;
    // OpenCode would wait for hours if a provider asks.
    const tooLong = Math.max(waited, status.next - Date.now()) > this.#options.retryGraceMs;
    if (status.attempt <= this.#options.retryLimit && !tooLong) return undefined;
    return this.#end(retryFailure(status.message, status.next));
  }

  async #hungCheck(): Promise<AgentReply | undefined> {
    const { quietMs, hungMs } = this.#tools.limits;
    const quiet = performance.now() - this.#lastSign;
    const isNews = quiet > quietMs && !this.#quietTold;
    if (!isNews && quiet <= hungMs) return undefined;
    const running = await this.#runningTool();
    if (isNews) {
      this.#quietTold = true;
      const what = running === undefined ? 'Nothing came' : `The tool ${running} has been running`;
      this.#feed.retry(0, `${what} for ${Math.round(quiet / 1_000)} s.`);
    }
    if (quiet <= hungMs) return undefined;
    if (running !== undefined) {
      // A silent command is work, which ends by its timeout or the call's.
      this.#lastSign = performance.now();
      return undefined;
    }
    const message = `Nothing came for ${Math.round(quiet / 1_000)} s; the call was ended.`;
    return this.#end({ kind: 'hung', message, statusCode: null, continuable: true });
  }

  async #runningTool(): Promise<string | undefined> {
    const stored = await this.#storedSession();
    return stored === 'early' ? undefined : stored?.toolCalls.find(({ running }) => running)?.tool;
  }

  async #settleRequests(): Promise<void> {
    this.#asked = false;
    if (await this.#requests.settle()) this.#lastSign = performance.now();
  }

  /** No answer is wanted. If this process merely stops, the session continues for the next. */
  async #aborted(): Promise<AgentReply> {
    const reason: unknown = this.#options.signal.reason;
    const message = 'The call was ended.';
    const failure: AgentFailure = { kind: 'aborted', message, statusCode: null, continuable: true };
    if (reason instanceof RunStopped && reason.reason === 'stop') return failed(failure, nothing);
    return this.#end(failure);
  }

  /** Stops the session. A complete answer counts, and the last words of a model in a loop. */
  async #end(failure: AgentFailure): Promise<AgentReply> {
    await stopSession(this.#tools.client, this.#session);
    const stored = await this.#storedSession();
    if (!stored || stored === 'early') return failed(failure, nothing);
    const answer = stored.reply?.ok === true || failure.kind !== 'loop' ? stored.reply : stored.said;
    return answer?.ok === true ? answer : failed(failure, stored.partial);
  }

  async #unreached(): Promise<AgentReply | undefined> {
    this.#missed += 1;
    if (this.#missed < 5 && (await this.#tools.serverAlive())) return undefined;
    return failed(unreachable, nothing);
  }

  async #storedSession(): Promise<StoredSession | 'early' | undefined> {
    const messages = await this.#tools.client.messages(this.#session.directory, this.#session.id);
    if (!messages.ok) return undefined;
    const stored = readStoredSession(messages.value);
    if (!this.#sent || stored.last === this.#sent.id) return stored;
    return performance.now() - this.#sent.at < arrivalMs ? 'early' : readStoredSession([]);
  }

  #take(event: SessionEvent): void {
    if (event.kind === 'delta' || event.kind === 'part') {
      this.#lastSign = performance.now();
      this.#quietTold = false;
      this.#retryingSince = undefined;
      this.#feed.add(event);
    }
    this.#runaway.add(event);
    if (event.kind === 'error') this.#reported = failureOf(event.error);
    if (event.kind === 'request') this.#asked = true;
    if (event.kind === 'look' || event.kind === 'request' || event.kind === 'error' || this.#runaway.failure)
      this.#alarm.resolve();
  }

  /** The machine's sleep isn't silence. */
  #passOver(restedMs: number): void {
    if (restedMs < this.#tools.limits.pollMs + sleepMs) return;
    this.#lastSign += restedMs;
    if (this.#retryingSince !== undefined) this.#retryingSince += restedMs;
  }

  async #rest(): Promise<void> {
    const uncertain = this.#unanswered > 0 || this.#missed > 0;
    const late = () => {
      this.#asked = true;
      this.#alarm.resolve();
    };
    const before = performance.now();
    const timer = setTimeout(late, this.#isEarly ? 100 : uncertain ? 500 : this.#tools.limits.pollMs);
    await this.#alarm.promise;
    clearTimeout(timer);
    this.#passOver(performance.now() - before);
    this.#alarm = Promise.withResolvers<void>();
  }
}

/** A pause so much longer than intended means sleep. */
const sleepMs = 30_000;

/** Milliseconds after which a prompt is sent although no event was heard. */
const heardMs = 5_000;

/** Milliseconds for a prompt to arrive: OpenCode may open the folder first. */
const arrivalMs = 60_000;

const nothing = { text: '', usage: null, tools: [] };
