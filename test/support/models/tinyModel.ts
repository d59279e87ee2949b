import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';

/** `body` is the exact text. */
export interface ModelRequest {
  readonly body: string;
  readonly model: string;
  readonly tools: readonly string[];
  readonly authorization: string;
  /** Of the last user message. */
  readonly last: string;
  readonly messages: readonly { readonly role: string; readonly text: string }[];
}

export type ModelAnswer =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly delayMs?: number;
      /** Null: the stream ends without saying why. */
      readonly finish?: 'stop' | 'length' | null;
      readonly reasoning?: string;
      /** Null: none is reported. */
      readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number } | null;
    }
  | { readonly kind: 'tool'; readonly tool: string; readonly input: unknown; readonly text?: string }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** HTTP 200 without a stream. */
  | { readonly kind: 'garbage' }
  /** Nothing more comes until the connection is closed. */
  | { readonly kind: 'hang'; readonly text?: string };

/**
 * OpenAI's streaming chat completions on loopback, with a log of every request. `answer` decides; default:
 * `OK`.
 */
export class TinyModel {
  readonly requests: ModelRequest[] = [];
  answer: (request: ModelRequest, index: number) => ModelAnswer = () => ({ kind: 'text', text: 'OK' });
  readonly #server = createServer((request, response) => void this.#handle(request, response));
  readonly #open = new Set<ServerResponse>();
  #port = 0;

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The model server has no port');
    this.#port = address.port;
    return this;
  }

  /** Makes this server the provider `tiny`. */
  config(models: readonly string[] = ['one', 'two']): Readonly<Record<string, unknown>> {
    return {
      provider: {
        tiny: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Tiny',
          options: { baseURL: `http://127.0.0.1:${this.#port}/v1`, apiKey: 'tiny-secret-key' },
          models: Object.fromEntries(
            models.map((name) => [
              name,
              { limit: { context: 200_000, output: 8_000 }, variants: { high: { reasoningEffort: 'high' } } },
            ]),
          ),
        },
      },
    };
  }

  reset(): void {
    this.requests.length = 0;
    this.answer = () => ({ kind: 'text', text: 'OK' });
  }

  async stop(): Promise<void> {
    for (const response of this.#open) response.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#open.add(response);
    response.on('close', () => this.#open.delete(response));
    const chunks: Uint8Array[] = [];
    for await (const chunk of incoming) if (chunk instanceof Uint8Array) chunks.push(chunk);
    const request = readRequest(Buffer.concat(chunks).toString('utf8'), incoming.headers.authorization ?? '');
    this.requests.push(request);
    await reply(this.answer(request, this.requests.length - 1), request, response);
  }
}

async function reply(answer: ModelAnswer, request: ModelRequest, response: ServerResponse): Promise<void> {
  if (answer.kind === 'status') {
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(
      JSON.stringify({ error: { message: answer.message ?? `status ${answer.status}`, type: 'error' } }),
    );
    return;
  }
  if (answer.kind === 'garbage') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('data: {"this is": not json\n\ndata: [DONE]\n\n');
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: unknown, finish: string | null = null, usage?: unknown) =>
    response.write(`data: ${JSON.stringify(chunkOf(request.model, delta, finish, usage))}\n\n`);
  if (answer.kind === 'hang') {
    if (answer.text) send({ role: 'assistant', content: answer.text });
    return; // the connection stays open
  }
  if (answer.kind === 'tool') {
    if (answer.text) send({ role: 'assistant', content: answer.text });
    const call = { name: answer.tool, arguments: JSON.stringify(answer.input) };
    send({
      role: 'assistant',
      tool_calls: [{ index: 0, id: `call_${Date.now()}`, type: 'function', function: call }],
    });
    send({}, 'tool_calls', usageOf({ input: 10, output: 5 }));
  } else {
    if (answer.reasoning) send({ role: 'assistant', reasoning_content: answer.reasoning });
    const half = Math.ceil(answer.text.length / 2);
    send({ role: 'assistant', content: answer.text.slice(0, half) });
    if (answer.delayMs) await new Promise((resolve) => setTimeout(resolve, answer.delayMs));
    if (half < answer.text.length) send({ content: answer.text.slice(half) });
    if (answer.finish !== null) {
      send(
        {},
        answer.finish ?? 'stop',
        answer.usage === null ? undefined : usageOf(answer.usage ?? { input: 10, output: 5 }),
      );
    }
  }
  response.end('data: [DONE]\n\n');
}

function chunkOf(model: string, delta: unknown, finish: string | null, usage: unknown) {
  return {
    id: 'tiny',
    object: 'chat.completion.chunk',
    created: 0,
    model,
    choices: [{ index: 0, delta, finish_reason: finish }],
    usage,
  };
}

function usageOf({ input, output, cached = 0 }: { input: number; output: number; cached?: number }) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

const Body = z.object({
  model: z.string(),
  messages: z.array(
    z.object({
      role: z.string(),
      content: z
        .union([
          z.string(),
          z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
          z.null(),
        ])
        .optional(),
    }),
  ),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).optional(),
});

function readRequest(body: string, authorization: string): ModelRequest {
  const parsed = Body.parse(JSON.parse(body));
  const messages = parsed.messages.map(({ role, content }) => ({
    role,
    text: typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n'),
  }));
  return {
    body,
    authorization,
    model: parsed.model,
    tools: (parsed.tools ?? []).map((tool) => tool.function.name),
    last: messages.findLast((message) => message.role === 'user')?.text ?? '',
    messages,
  };
}
