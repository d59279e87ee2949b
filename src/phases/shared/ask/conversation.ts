import { withoutSecretsInValue } from '../../../base/outputSecrets.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { ToolPolicy } from '../../../domain/usage/promptPlan.ts';
import type {
  AgentActivity,
  AgentCallOptions,
  AgentFailure,
  AnswerSchema,
  AskedRequest,
  AgentReply,
  SessionLook,
  SessionRef,
} from '../../../engine/ports/ports.ts';
import type { SessionRow } from '../../../engine/ports/storePort.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { remakeWorktree } from '../worktree/worktree.ts';
import { askForAgent } from './askForAgent.ts';
import type { AskScope, CallFrame } from '../structured/askTypes.ts';
import { memberNow } from './memberNow.ts';
import { type PromptNote, readNotes, type SessionNote, sessionTitle } from './sessionNotes.ts';
import type { CallBounds } from './budgets.ts';
import { nextWait, readWaits, type WaitNote } from './providerError.ts';

export interface Exchange {
  readonly number: number;
  readonly purpose: PromptNote['purpose'];
  readonly input: string;
  readonly startedAt: number;
  readonly found: boolean;
  readonly reply: AgentReply;
}

export interface Outgoing {
  readonly purpose: PromptNote['purpose'];
  readonly text: string;
  readonly stable?: string;
}

/** The session of one step. Prompts are counted from 1; those up to `base` belong to earlier steps. */
export class Conversation {
  readonly #io: StepIo;
  readonly #scope: AskScope;
  readonly #call: CallFrame;
  readonly #policy: ToolPolicy;
  readonly #timeUp: AbortSignal;
  readonly #sessions: SessionNote[];
  readonly #prompts: Map<string, PromptNote>;
  readonly #waits: WaitNote[];
  #session: SessionRef | undefined;
  bounds: CallBounds = { tokens: undefined, dollars: undefined };
  schema: AnswerSchema | undefined;
  restart: AbortSignal | undefined;
  /** The model of the last prompt. */
  member: string;
  /** A higher limit would have let the ticket wait longer for its provider. */
  capped = false;
  #unnoted: SessionNote | undefined;

  constructor(
    io: StepIo,
    scope: AskScope,
    call: CallFrame,
    { policy, timeUp }: { readonly policy: ToolPolicy; readonly timeUp: AbortSignal },
  ) {
    this.#io = io;
    this.#scope = scope;
    this.#call = call;
    this.#policy = policy;
    this.#timeUp = timeUp;
    const { sessions, prompts } = readNotes(io.earlier);
    this.#sessions = sessions;
    this.#waits = readWaits(io.earlier);
    this.#prompts = new Map(prompts.map((note) => [`${note.session}#${note.number}`, note]));
    this.#session = call.session ?? sessions.at(-1);
    this.member = call.member;
  }

  get session(): SessionRef {
    if (!this.#session) throw new BeadsmithError('SESSION_LOST', { model: this.member });
    return this.#session;
  }

  /** Since the call was started over. */
  get repairsUsed(): number {
    const restart = this.#sessions.findIndex((note) => note.reason === 'restart');
    const sessions = this.#sessions.slice(Math.max(0, restart));
    const isIn = new Set([...sessions.map(({ id }) => id), this.#call.session?.id]);
    const repairs = [...this.#prompts.values()].filter(
      (note) => note.purpose === 'repair' && isIn.has(note.session),
    ).length;
    return repairs + sessions.filter((note) => note.reason === 'resend').length;
  }

  get hasRestarted(): boolean {
    return this.#sessions.some((note) => note.reason === 'restart');
  }

  /** Once the model was asked for text instead, that stands. */
  get #form(): { readonly schema?: AnswerSchema } {
    return this.schema && !this.#sessions.some((note) => note.reason === 'text')
      ? { schema: this.schema }
      : {};
  }

  get continues(): boolean {
    return this.#call.session !== undefined;
  }

  /**
   * The newest answer; sends `first` if nothing was sent. `orphaned`: the server that worked on a prompt is
   * gone. Throws SESSION_LOST if a session that must be kept is missing.
   */
  async resume(first: Outgoing): Promise<Exchange | 'orphaned'> {
    if (!this.#session) await this.open('first');
    const look = await this.#look();
    const base = this.#call.session?.prompts ?? 0;
    const number = look.state === 'missing' || look.state === 'fresh' ? 0 : look.prompts;
    // A prompt that was noted and never arrived wasn't sent.
    for (const [key, note] of this.#prompts)
      if (note.session === this.session.id && note.number > number) this.#prompts.delete(key);
    if (look.state === 'missing' || number < base) {
      if (this.continues) throw new BeadsmithError('SESSION_LOST', { model: this.member });
      await this.replace('lost');
      return this.send(first);
    }
    if (number === base) return this.send(first);
    if (look.state === 'orphaned') return 'orphaned';
    const note = this.#prompts.get(`${this.session.id}#${number}`);
    const startedAt = note?.at ?? this.#io.ports.clock.now();
    this.member = note?.member ?? this.#call.member;
    const reply =
      look.state === 'answered'
        ? look.reply
        : await this.#io.ports.agent.await(
            this.session,
            { member: this.member, policy: this.#policy },
            this.#options(),
          );
    // Notes don't say with which text an earlier process repaired or continued.
    return {
      number,
      purpose: note?.purpose ?? 'ask',
      input: '',
      startedAt,
      found: true,
      reply: withoutSecretsInValue(reply),
    };
  }

  /** False if a failure doesn't pass by itself, or if nobody waits for this call. */
  async waitFor({ reply, number }: Exchange): Promise<boolean> {
    if (reply.ok || !waits(this.#call, reply.failure)) return false;
    const { failure } = reply;
    const now = this.#io.ports.clock.now();
    const wait = nextWait(failure, { waits: this.#waits, now, capMs: this.#scope.limits.providerWait });
    if (wait === 'capped') this.capped = true;
    if (typeof wait === 'string') return false;
    const { until } = wait;
    const note = await this.#noteWait({ number, failure: failure.kind, at: now, until });
    if (until > 0) await this.#hold(note, failure.message);
    return true;
  }

  get losses(): number {
    return this.#waits.filter(({ failure }) => failure === 'gone').length + 1;
  }

  async noteLoss(): Promise<void> {
    const number = this.#sent(this.session.id);
    await this.#noteWait({ number, failure: 'gone', at: this.#io.ports.clock.now(), until: 0 });
  }

  async #noteWait(wait: Omit<WaitNote, 'type' | 'session'>): Promise<WaitNote> {
    const note: WaitNote = { type: 'wait', session: this.session.id, ...wait };
    await this.#io.note(note);
    this.#waits.push(note);
    return note;
  }

  async waitForRest(): Promise<void> {
    const last = this.#waits.at(-1);
    if (!last || last.until === 0 || last.session !== this.#session?.id) return;
    if (this.#sent(last.session) <= last.number) await this.#hold(last, '');
  }

  waitedOn(found: Exchange | 'orphaned'): boolean {
    const last = this.#waits.at(-1);
    return (
      last !== undefined &&
      last.session === this.session.id &&
      (found === 'orphaned' || found.number === last.number)
    );
  }

  #hold({ session, number, failure, until }: WaitNote, detail: string): Promise<void> {
    return this.#io.hold({
      id: `${session}#${number}`,
      kind: failure === 'quota' ? 'quota' : 'offline',
      until,
      detail,
    });
  }

  #sent(session: string): number {
    return Math.max(
      0,
      ...[...this.#prompts.values()].filter((note) => note.session === session).map((note) => note.number),
    );
  }

  async send(outgoing: Outgoing): Promise<Exchange> {
    const { agent, clock } = this.#io.ports;
    const base = this.#call.session?.prompts ?? 0;
    const number = Math.max(base, this.#sent(this.session.id)) + 1;
    this.member = await memberNow(this.#io, this.#scope.ticket, this.#call);
    const note: PromptNote = {
      type: 'prompt',
      session: this.session.id,
      number,
      purpose: outgoing.purpose,
      at: clock.now(),
      ...(this.member === this.#call.member ? {} : { member: this.member }),
    };
    // The commit of the notes proves that this process still drives.
    await this.#io.note(...(this.#unnoted ? [this.#unnoted] : []), note);
    this.#unnoted = undefined;
    this.#prompts.set(`${this.session.id}#${number}`, note);
    const reply = await agent.prompt(
      this.session,
      {
        member: this.member,
        policy: this.#policy,
        text: outgoing.text,
        ...(outgoing.stable ? { stable: outgoing.stable } : {}),
        ...(outgoing.purpose === 'ask' ? this.#form : {}),
      },
      this.#options(),
    );
    return {
      number,
      purpose: outgoing.purpose,
      input: outgoing.text,
      startedAt: note.at,
      found: false,
      // From here on it is read, stored and shown, so here its secrets are taken out.
      reply: withoutSecretsInValue(reply),
    };
  }

  async replace(reason: Exclude<SessionNote['reason'], 'first'>): Promise<void> {
    await this.#io.ports.agent.abort(this.session);
    this.close('abandoned');
    await this.#call.beforeFreshSession?.(this.#io);
    await this.open(reason);
  }

  async open(reason: SessionNote['reason']): Promise<void> {
    const { agent } = this.#io.ports;
    const directory = await this.#place();
    const title = sessionTitle(this.#io.ticket, this.#io.key, this.#sessions.length);
    const found = this.#io.resume === 'first' ? undefined : await agent.findSession(directory, title);
    const session =
      found ??
      (await agent.createSession({
        directory,
        title,
        policy: this.#policy,
        asks: this.#asks,
        structured: 'schema' in this.#form,
      }));
    const note: SessionNote = { type: 'session', id: session.id, directory, title, reason };
    // An empty session is found again by its title, so it is noted with its first prompt.
    this.#unnoted = note;
    this.#sessions.push(note);
    this.#session = session;
  }

  async #place(): Promise<string> {
    if (this.#call.place) return this.#call.place(this.#io);
    const { ticket } = this.#scope;
    if (ticket.worktree === null) throw new BeadsmithError('WORKTREE_LOST', { path: '(none)' });
    await remakeWorktree(this.#io, ticket);
    return ticket.worktree;
  }

  close(state: SessionRow['state']): void {
    const { id, directory } = this.session;
    const note = this.#sessions.find((candidate) => candidate.id === id);
    if (!note) {
      this.#io.save({ type: 'session.state', id, state });
      return;
    }
    const { bead } = this.#call;
    this.#io.save({
      type: 'session',
      session: {
        id,
        ticket: this.#io.ticket,
        run: this.#scope.runId,
        step: this.#call.key,
        member: this.member,
        bead: bead?.id ?? null,
        iteration: bead?.iteration ?? null,
        directory,
        title: note.title,
        state,
      },
    });
  }

  #look(): Promise<SessionLook> | SessionLook {
    const note = this.#sessions.at(-1);
    const madeNow =
      this.#io.resume === 'first' && note?.id === this.#session?.id && this.#sessions.length === 1;
    return madeNow ? { state: 'fresh' } : this.#io.ports.agent.look(this.session);
  }

  /** While planning a model may not ask people: the interview has asked. */
  get #asks(): boolean {
    const mode = this.#scope.ticket.settings?.agentQuestions ?? 'deny';
    return mode !== 'deny' && (this.#policy === 'default' || this.#policy === 'execution_setup_online');
  }

  #options(): AgentCallOptions {
    const { opencodeRetryLimit, opencodeRetryDelay } = this.#scope.limits;
    const about = { source: this.member, bead: this.#call.bead };
    return {
      ...(this.#asks
        ? {
            onRequest: (request: AskedRequest, withdrawn: AbortSignal) =>
              askForAgent(this.#io, this.#scope.ticket, withoutSecretsInValue(request), {
                ...about,
                withdrawn,
              }),
          }
        : {}),
      signal: AbortSignal.any([this.#io.signal, this.#timeUp, ...(this.restart ? [this.restart] : [])]),
      retryLimit: opencodeRetryLimit,
      retryGraceMs: opencodeRetryDelay,
      ...(this.bounds.tokens === undefined ? {} : { mostTokens: this.bounds.tokens }),
      ...(this.bounds.dollars === undefined ? {} : { mostCost: this.bounds.dollars }),
      onActivity: (activity) => {
        const { bead } = this.#call;
        const { kind } = activity;
        this.#io.ports.events.emit({
          type: 'activity',
          ticket: this.#io.ticket,
          at: this.#io.ports.clock.now(),
          source: this.member,
          kind,
          text: textOf(activity),
          ...(bead ? { bead: bead.id, iteration: bead.iteration } : {}),
          ...partOf(activity),
        });
      },
    };
  }
}

/** A council continues without a member, unless that can be asked again at a known time. */
function waits({ onProviderFailure }: CallFrame, { kind, retryAfterMs }: AgentFailure): boolean {
  if (onProviderFailure === 'member') return kind === 'quota' && retryAfterMs !== undefined;
  return onProviderFailure !== 'fail';
}

function textOf(activity: AgentActivity): string {
  switch (activity.kind) {
    case 'tool':
      return `${activity.tool} ${activity.state} ${activity.title}`.trim();
    case 'retry':
      return activity.message;
    case 'text':
    case 'reasoning':
      return activity.text;
  }
}

function partOf(activity: AgentActivity) {
  if (activity.kind === 'retry') return {};
  const { part, offset, call } = { offset: undefined, call: undefined, ...activity };
  return {
    ...(part === undefined ? {} : { part }),
    ...(offset === undefined ? {} : { offset }),
    ...(call === undefined ? {} : { call }),
  };
}
