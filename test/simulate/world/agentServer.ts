import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import type {
  AgentFailure,
  AgentReply,
  AgentRequest,
  SessionLook,
  SessionRef,
} from '../../../src/engine/ports/ports.ts';
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';
import { sampleUsage } from '../../support/samples.ts';

/** `identity`: the step it is for, as its text says. */
export interface ReceivedPrompt {
  readonly session: string;
  readonly number: number;
  readonly identity: string | undefined;
  readonly purpose: 'ask' | 'repair' | 'continue';
  readonly member: string;
  /** Waits for a person's decision. */
  asking: boolean;
  state: 'busy' | 'orphaned' | 'answered';
  reply: AgentReply | undefined;
  readonly ended: PromiseWithResolvers<AgentReply>;
}

interface Session extends SessionRef {
  readonly title: string;
  readonly prompts: ReceivedPrompt[];
}

/** How likely each way is in which a prompt goes wrong. */
export interface AgentFaults {
  readonly garbage: number;
  readonly quota: number;
  readonly gone: number;
  readonly failed: number;
}

/** `work`: what the agent did to the worktree before. */
export interface Answered {
  readonly text: string;
  readonly work?: () => void;
}

/** Sessions outlive the drivers; when the server ends, what it was working on is orphaned. */
export class SimulatedServer {
  readonly sessions = new Map<string, Session>();
  readonly received: ReceivedPrompt[] = [];
  /** Prompts that must not have been sent. */
  readonly problems: string[] = [];
  faults: AgentFaults = { garbage: 0, quota: 0, gone: 0, failed: 0 };
  readonly #timeline: Timeline;
  readonly #random: Random;
  readonly #answer: (prompt: ReceivedPrompt, session: SessionRef) => Answered;

  constructor(
    timeline: Timeline,
    random: Random,
    answer: (prompt: ReceivedPrompt, session: SessionRef) => Answered,
  ) {
    this.#timeline = timeline;
    this.#random = random;
    this.#answer = answer;
  }

  create(directory: string, title: string): SessionRef {
    const session: Session = { id: `ses_${String(this.sessions.size + 1)}`, directory, title, prompts: [] };
    this.sessions.set(session.id, session);
    return { id: session.id, directory };
  }

  find(directory: string, title: string): SessionRef | undefined {
    const found = [...this.sessions.values()].find(
      (session) => session.directory === directory && session.title === title,
    );
    return found && { id: found.id, directory };
  }

  look(id: string): SessionLook {
    const session = this.sessions.get(id);
    if (!session) return { state: 'missing' };
    const last = session.prompts.at(-1);
    if (!last) return { state: 'fresh' };
    if (last.reply) return { state: 'answered', prompts: last.number, reply: last.reply };
    return { state: last.state === 'orphaned' ? 'orphaned' : 'busy', prompts: last.number };
  }

  /** `ended` resolves with what comes of the prompt, whether a driver waits or not. */
  receive(id: string, request: AgentRequest, asking: boolean): ReceivedPrompt {
    const session = this.sessions.get(id);
    if (!session) throw new BeadsmithError('SESSION_LOST', { model: request.member });
    const purpose =
      request.text.trim() === 'continue please'
        ? 'continue'
        : request.text.includes('structured-repair')
          ? 'repair'
          : 'ask';
    const identity = purpose === 'ask' ? /^identity: (.+)$/m.exec(request.text)?.[1] : undefined;
    const prompt: ReceivedPrompt = {
      session: id,
      number: session.prompts.length + 1,
      identity,
      purpose,
      member: request.member,
      asking,
      state: 'busy',
      reply: undefined,
      ended: Promise.withResolvers<AgentReply>(),
    };
    this.#judge(session, prompt);
    session.prompts.push(prompt);
    this.received.push(prompt);
    if (!asking) this.#work(prompt);
    return prompt;
  }

  decide(id: string): void {
    const last = this.last(id);
    if (last?.state !== 'busy' || !last.asking) return;
    last.asking = false;
    this.#work(last);
  }

  /** Worked on, or over. */
  last(id: string): ReceivedPrompt | undefined {
    return this.sessions.get(id)?.prompts.at(-1);
  }

  abort(id: string): void {
    const last = this.last(id);
    if (last?.state === 'busy') this.#settle(last, failure(last, { kind: 'aborted', message: 'aborted' }));
  }

  /** What it worked on will never be answered. */
  restart(): void {
    for (const prompt of this.received) if (prompt.state === 'busy') this.#orphan(prompt);
  }

  #work(prompt: ReceivedPrompt): void {
    this.#timeline.after(this.#random.between(100, 3_000), () => {
      const session = this.sessions.get(prompt.session);
      if (prompt.state === 'busy' && session) this.#end(prompt, session);
    });
  }

  #end(prompt: ReceivedPrompt, session: Session): void {
    const { garbage, quota, gone, failed } = this.faults;
    const drawn = this.#random.next();
    if (drawn < gone) this.#orphan(prompt);
    else if (drawn < gone + quota) {
      this.#settle(
        prompt,
        failure(prompt, { kind: 'quota', message: 'over quota', continuable: true, retryAfterMs: 60_000 }),
      );
    } else if (drawn < gone + quota + failed) {
      this.#settle(
        prompt,
        failure(prompt, { kind: 'provider', message: 'overloaded', statusCode: 529, continuable: true }),
      );
    } else if (drawn < gone + quota + failed + garbage)
      this.#settle(prompt, success(prompt, 'I would rather talk about something else.'));
    else {
      const { text, work } = this.#answer(originalOf(session, prompt), session);
      work?.();
      this.#settle(prompt, success(prompt, text));
    }
  }

  #settle(prompt: ReceivedPrompt, reply: AgentReply): void {
    prompt.state = 'answered';
    prompt.reply = reply;
    prompt.ended.resolve(reply);
  }

  #orphan(prompt: ReceivedPrompt): void {
    prompt.state = 'orphaned';
    // The connection ends; the session has no answer.
    prompt.ended.resolve(failure(prompt, { kind: 'gone', message: 'the server ended', continuable: true }));
  }

  /** None while another is worked on, and none with a good answer again (docs/ARCHITECTURE.md §5.3). */
  #judge(session: Session, prompt: ReceivedPrompt): void {
    const before = session.prompts.at(-1);
    if (before?.state === 'busy') this.problems.push(`${session.id} got a prompt while it worked on one`);
    if (prompt.purpose === 'continue' && before?.reply && isGood(before.reply))
      this.problems.push(`${session.id} was told to continue, and had answered`);
    if (prompt.identity === undefined) return;
    const earlier = this.received.filter(
      ({ identity, member }) => identity === prompt.identity && member === prompt.member,
    );
    const living = earlier.find(({ state, reply }) => state === 'busy' || (reply && isGood(reply)));
    if (living)
      this.problems.push(
        `the prompt of ${prompt.identity} was sent twice: ${living.session} has it (${living.state})`,
      );
  }
}

function isGood(reply: AgentReply): boolean {
  return reply.ok && reply.text.includes('answer:');
}

function originalOf(session: Session, prompt: ReceivedPrompt): ReceivedPrompt {
  return session.prompts.findLast(({ purpose }) => purpose === 'ask') ?? prompt;
}

function success(prompt: ReceivedPrompt, text: string): AgentReply {
  const messageId = `msg_${prompt.session}_${String(prompt.number)}`;
  const usage = sampleUsage({ messageId, model: prompt.member });
  return { ok: true, text, messageId, usage, tools: [], truncated: false };
}

function failure(
  prompt: ReceivedPrompt,
  {
    kind,
    message,
    statusCode = null,
    continuable = false,
    retryAfterMs,
  }: Partial<AgentFailure> & Pick<AgentFailure, 'kind' | 'message'>,
): AgentReply {
  const messageId = `msg_${prompt.session}_${String(prompt.number)}`;
  const usage = sampleUsage({ messageId, model: prompt.member, output: 0 });
  const details: AgentFailure = {
    kind,
    message,
    statusCode,
    continuable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
  return { ok: false, failure: details, partial: '', usage, tools: [] };
}
