import { setTimeout as pause } from 'node:timers/promises';
import type { RequestContent, RequestDecision } from '../../domain/ticket/agentRequest.ts';
import type { AgentCallOptions, SessionRef } from '../../engine/ports/ports.ts';
import type { Called, OpencodeClient } from './client/opencodeClient.ts';
import {
  type OpenPermission,
  type OpenQuestion,
  permissionContent,
  questionContent,
} from './client/openRequests.ts';

/** An agent reads this as its answer: a rejection without a message ends its turn. */
const refusal = 'This is not allowed here. Continue without it.';
const unanswered =
  'The question timed out. Decide yourself, continue, and say in your report what you decided and why.';

/** Failures in a row before a request counts as gone, or the server as unreachable. */
const patience = 3;

type Open =
  | { readonly kind: 'permission'; readonly request: OpenPermission }
  | { readonly kind: 'question'; readonly request: OpenQuestion };

interface DeskOptions {
  readonly onRequest: AgentCallOptions['onRequest'];
  /** Milliseconds between checks whether a request is open. */
  readonly pollMs: number;
}

export class RequestService {
  readonly #client: OpencodeClient;
  readonly #session: SessionRef;
  readonly #options: DeskOptions;
  /** Decisions by the request's id: a lost reply is sent again, and nobody is asked twice. */
  readonly #decided = new Map<string, RequestDecision>();

  constructor(client: OpencodeClient, session: SessionRef, options: DeskOptions) {
    this.#client = client;
    this.#session = session;
    this.#options = options;
  }

  async settle(): Promise<boolean> {
    const open = await this.#open();
    for (const one of open ?? []) {
      const decision = this.#decided.get(one.request.id) ?? (await this.#decide(one));
      if (!decision) break;
      this.#decided.set(one.request.id, decision);
      await this.#reply(one, decision);
    }
    return open !== undefined && open.length > 0;
  }

  async #open(): Promise<readonly Open[] | undefined> {
    const { directory, id } = this.#session;
    const [permissions, questions] = await Promise.all([
      this.#client.permissions(directory),
      this.#client.questions(directory),
    ]);
    if (!permissions.ok || !questions.ok) return undefined;
    const all: Open[] = [
      ...permissions.value.map((request) => ({ kind: 'permission' as const, request })),
      ...questions.value.map((request) => ({ kind: 'question' as const, request })),
    ];
    return all.filter(({ request }) => request.sessionID === id);
  }

  async #decide(open: Open): Promise<RequestDecision | undefined> {
    const { onRequest } = this.#options;
    const content = onRequest && (await this.#content(open));
    if (!onRequest || !content) return { kind: 'none' };
    const [withdrawn, over] = [new AbortController(), new AbortController()];
    const watching = this.#watch(open.request.id, withdrawn, over.signal);
    try {
      return await onRequest({ asked: open.request.id, content }, withdrawn.signal);
    } finally {
      over.abort();
      await watching;
    }
  }

  async #content(open: Open): Promise<RequestContent | undefined> {
    if (open.kind === 'question') return questionContent(open.request);
    const messages = await this.#client.messages(this.#session.directory, this.#session.id);
    return permissionContent(open.request, messages.ok ? messages.value : []);
  }

  /** A request can end with its server or session, or be answered there. */
  async #watch(id: string, withdrawn: AbortController, over: AbortSignal): Promise<void> {
    for (let missed = 0; missed < patience;) {
      await pause(this.#options.pollMs, undefined, { signal: over }).catch(() => undefined);
      if (over.aborted) return;
      missed = (await this.#isOpen(id)) ? 0 : missed + 1;
    }
    withdrawn.abort();
  }

  /** A stopped session leaves its requests in the list. */
  async #isOpen(id: string): Promise<boolean> {
    const status = await this.#client.status(this.#session.directory, this.#session.id);
    if (!status.ok || status.value.type === 'idle') return false;
    return (await this.#open())?.some(({ request }) => request.id === id) ?? false;
  }

  #reply({ kind, request }: Open, decision: RequestDecision): Promise<Called<unknown>> {
    const { directory } = this.#session;
    if (kind === 'permission')
      return decision.kind === 'allow'
        ? this.#client.allowPermission(directory, request.id)
        : this.#client.rejectPermission(directory, request.id, refusal);
    const answers =
      decision.kind === 'answers' ? decision.answers : request.questions.map(() => [unanswered]);
    return request.questions.length === 0
      ? this.#client.rejectQuestion(directory, request.id)
      : this.#client.replyQuestion(directory, request.id, answers);
  }
}
