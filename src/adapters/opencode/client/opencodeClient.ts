import { setTimeout as pause } from 'node:timers/promises';
import type { OpencodeClient as Sdk } from '@opencode-ai/sdk/v2/client';
import * as z from 'zod';
import type { Rule } from './agents.ts';
import type { AnswerSchema, SessionRef } from '../../../engine/ports/ports.ts';
import { basicAuth } from '../sandbox/serverHealth.ts';
import { type KnownModel, Providers } from '../models/catalogue.ts';
import { OpenPermission, OpenQuestion } from './openRequests.ts';
import { StoredMessages, type StoredMessage } from '../messages/storedMessages.ts';

/** `status` null: no connection, or no answer in time. */
export type Called<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly status: number | null; readonly message: string };

export type SessionStatus =
  | { readonly type: 'idle' }
  | { readonly type: 'busy' }
  | { readonly type: 'retry'; readonly attempt: number; readonly message: string; readonly next: number };

export interface PromptInput {
  readonly session: string;
  readonly agent: string | undefined;
  readonly system?: string;
  readonly model: { readonly providerID: string; readonly modelID: string };
  readonly variant?: string;
  readonly text: string;
  readonly schema?: AnswerSchema;
  /**
   * Kept with the message, never sent to the model: tells our messages from OpenCode's. The id is a hash for
   * stable content, and unique for a prompt. `stable`: the hash of what a prompt begins with.
   */
  readonly mark: { readonly kind: 'prompt' | 'stable'; readonly id: string; readonly stable?: string };
}

interface Result {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response?: Response | undefined;
}

const Status = z.discriminatedUnion('type', [
  z.object({ type: z.literal('idle') }),
  z.object({ type: z.literal('busy') }),
  /** `next`: OpenCode's next try, in milliseconds since 1970. */
  z.object({
    type: z.literal('retry'),
    attempt: z.number(),
    message: z.string(),
    next: z.number().default(0),
  }),
]);
const Session = z.object({ id: z.string(), title: z.string() });
const anything = z.unknown();

export class OpencodeClient {
  readonly url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #limitMs: number;
  readonly #byDirectory = new Map<string, Sdk>();
  readonly #outside: string | undefined;

  /** `outside`: a folder of no repository. */
  constructor(options: {
    readonly url: string;
    readonly password: string | undefined;
    readonly outside?: string | undefined;
    readonly limitMs?: number;
  }) {
    this.url = options.url;
    this.#headers = options.password === undefined ? {} : { authorization: basicAuth(options.password) };
    this.#limitMs = options.limitMs ?? 30_000;
    this.#outside = options.outside;
  }

  health(): Promise<Called<{ readonly version: string }>> {
    return this.#call(z.object({ version: z.string() }), undefined, (sdk, how) => sdk.global.health(how));
  }

  create(
    directory: string,
    input: { readonly title: string; readonly permission?: readonly Rule[] },
  ): Promise<Called<z.infer<typeof Session>>> {
    return this.#call(Session, directory, (sdk, how) =>
      sdk.session.create(
        { title: input.title, ...(input.permission ? { permission: [...input.permission] } : {}) },
        how,
      ),
    );
  }

  search(directory: string, title: string): Promise<Called<z.infer<typeof Session>[]>> {
    return this.#call(z.array(Session), directory, (sdk, how) =>
      sdk.session.list({ directory, search: title, limit: 50 }, how),
    );
  }

  async status(directory: string, session: string): Promise<Called<SessionStatus>> {
    const called = await this.#call(z.record(z.string(), Status), directory, (sdk, how) =>
      sdk.session.status({}, how),
    );
    // Only sessions at work are listed.
    return called.ok ? { ok: true, value: called.value[session] ?? { type: 'idle' } } : called;
  }

  messages(directory: string, session: string): Promise<Called<readonly StoredMessage[]>> {
    return this.#call(StoredMessages, directory, (sdk, how) =>
      sdk.session.messages({ sessionID: session }, how),
    );
  }

  /** The prompt is stored and being worked on when this answers. */
  async send(directory: string, input: PromptInput): Promise<Called<unknown>> {
    return this.#call(anything, directory, (sdk, how) => sdk.session.promptAsync(parameters(input), how));
  }

  store(directory: string, input: PromptInput): Promise<Called<unknown>> {
    return this.#call(anything, directory, (sdk, how) =>
      sdk.session.prompt({ ...parameters(input), noReply: true }, how),
    );
  }

  remove(directory: string, session: string): Promise<Called<unknown>> {
    return this.#call(anything, directory, (sdk, how) => sdk.session.delete({ sessionID: session }, how));
  }

  abort(directory: string, session: string): Promise<Called<unknown>> {
    return this.#call(anything, directory, (sdk, how) => sdk.session.abort({ sessionID: session }, how));
  }

  dispose(directory: string): Promise<Called<unknown>> {
    return this.#call(anything, directory, (sdk, how) => sdk.instance.dispose({}, how));
  }

  permissions(directory: string): Promise<Called<OpenPermission[]>> {
    return this.#call(z.array(OpenPermission), directory, (sdk, how) => sdk.permission.list({}, how));
  }

  /** Allows it once; nothing is remembered. */
  allowPermission(directory: string, requestID: string): Promise<Called<unknown>> {
    return this.#call(anything, directory, (sdk, how) =>
      sdk.permission.reply({ requestID, reply: 'once' }, how),
    );
  }

  rejectPermission(directory: string, requestID: string, message: string): Promise<Called<unknown>> {
    return this.#call(anything, directory, (sdk, how) =>
      sdk.permission.reply({ requestID, reply: 'reject', message }, how),
    );
  }

  questions(directory: string): Promise<Called<OpenQuestion[]>> {
    return this.#call(z.array(OpenQuestion), directory, (sdk, how) => sdk.question.list({}, how));
  }

  replyQuestion(
    directory: string,
    requestID: string,
    answers: readonly (readonly string[])[],
  ): Promise<Called<unknown>> {
    const lists = answers.map((answer) => [...answer]);
    return this.#call(anything, directory, (sdk, how) =>
      sdk.question.reply({ requestID, answers: lists }, how),
    );
  }

  rejectQuestion(directory: string, requestID: string): Promise<Called<unknown>> {
    return this.#call(anything, directory, (sdk, how) => sdk.question.reject({ requestID }, how));
  }

  agents(directory: string): Promise<Called<{ readonly name: string }[]>> {
    return this.#call(z.array(z.object({ name: z.string() })), directory, (sdk, how) =>
      sdk.app.agents({}, how),
    );
  }

  /** Models of usable providers, by `provider/model`. (The list of all providers has 6 MB.) */
  async catalogue(directory = this.#outside): Promise<Called<ReadonlyMap<string, KnownModel>>> {
    const called = await this.#call(Providers, directory, (sdk, how) => sdk.config.providers({}, how));
    if (!called.ok) return called;
    const models = called.value.providers.flatMap(({ id, name: providerName = id, models }) =>
      Object.entries(models).map(([name, model]) => [`${id}/${name}`, { ...model, providerName }] as const),
    );
    return { ok: true, value: new Map(models) };
  }

  /** Events until the signal is aborted or the connection ends. Throws if there is none. */
  async events(signal: AbortSignal): Promise<AsyncIterable<unknown>> {
    const sdk = await this.#at();
    const { stream } = await sdk.global.event({ signal, sseMaxRetryAttempts: 1 });
    return stream;
  }

  /** The SDK is large, and loaded with the first request. */
  async #at(directory?: string): Promise<Sdk> {
    const { createOpencodeClient } = await import('@opencode-ai/sdk/v2/client');
    const key = directory ?? '';
    const known = this.#byDirectory.get(key);
    if (known) return known;
    const made = createOpencodeClient({
      baseUrl: this.url,
      headers: { ...this.#headers },
      ...(directory === undefined ? {} : { directory }),
    });
    this.#byDirectory.set(key, made);
    return made;
  }

  async #call<T>(
    schema: z.ZodType<T>,
    directory: string | undefined,
    request: (sdk: Sdk, how: { readonly signal: AbortSignal }) => Promise<Result>,
  ): Promise<Called<T>> {
    const signal = AbortSignal.timeout(this.#limitMs);
    let result: Result;
    try {
      result = await request(await this.#at(directory), { signal });
    } catch (error) {
      return { ok: false, status: null, message: textOf(error) };
    }
    const status = result.response?.status ?? null;
    if (!result.response?.ok) return { ok: false, status, message: textOf(result.error) };
    const parsed = schema.safeParse(result.data);
    if (parsed.success) return { ok: true, value: parsed.data };
    const message = `OpenCode answered something unknown: ${z.prettifyError(parsed.error)}`;
    return { ok: false, status, message };
  }
}

function parameters(input: PromptInput) {
  const { kind, ...mark } = input.mark;
  return {
    sessionID: input.session,
    model: input.model,
    ...(input.agent === undefined ? {} : { agent: input.agent }),
    ...(input.system === undefined ? {} : { system: input.system }),
    ...(input.variant === undefined ? {} : { variant: input.variant }),
    ...(input.schema === undefined
      ? {}
      : { format: { type: 'json_schema' as const, schema: { ...input.schema }, retryCount: 0 } }),
    parts: [{ type: 'text' as const, text: input.text, metadata: { beadsmith: kind, ...mark } }],
  };
}

const Failure = z.object({
  data: z.object({ message: z.string() }).optional(),
  message: z.string().optional(),
  name: z.string().optional(),
});

function textOf(error: unknown): string {
  const parsed = Failure.safeParse(error);
  const text = parsed.success
    ? (parsed.data.data?.message ?? parsed.data.message ?? parsed.data.name)
    : undefined;
  return (text ?? (typeof error === 'string' ? error : 'no answer')).slice(0, 1_000);
}

/** Aborts a session until it is idle. False if that couldn't be confirmed. */
export async function stopSession(
  client: OpencodeClient,
  session: SessionRef,
  patienceMs = 10_000,
): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    // An abort that arrives as a step starts can be missed.
    await client.abort(session.directory, session.id);
    const status = await client.status(session.directory, session.id);
    if (status.ok && status.value.type === 'idle') return true;
    await pause(100);
  }
  return false;
}
