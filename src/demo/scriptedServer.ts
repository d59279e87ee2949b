import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { jsonOf } from '../base/json.ts';
import { sha256 } from '../base/sha256.ts';
import { answer } from './answer.ts';
import { type Completion, complete, head, paced } from './completion.ts';
import { beadFacts } from './generic/execution.ts';
import type { Fault, ModelScript, Move } from './script/modelScript.ts';
import { ChatRequest, type ParsedChat, parseChat } from './script/parsedChat.ts';
import { scriptedModels } from './providerConfig.ts';

interface ScriptedServerOptions {
  /** 0: any free one. */
  readonly port?: number;
  /** Without it, answers are generic. */
  readonly script?: ModelScript;
  /** File for one JSON line per request. */
  readonly log?: string;
  /** Folder for the request bodies, named by number. */
  readonly bodies?: string;
  /** Milliseconds to the first token, also by task. */
  readonly latencyMs?: number | ((task: string) => number);
  /** Tokens a second; 0: as fast as possible. */
  readonly rate?: number;
  /** Reported instead of all before the newest message. */
  readonly cache?: PromptCache;
  readonly otherForm?: OtherForm;
  readonly disguise?: Disguise;
  readonly onRequest?: (request: Omit<RequestRecord, 'n'>, body: string) => void;
}

/** A provider's cache of prompts. */
interface PromptCache {
  /** Tokens of a request that are in it, with which the request joins it. */
  read(request: ChatRequest, now: number): number;
}

/** Tokens of a prompt. */
export interface MarkedUsage {
  readonly read: number;
  readonly written: number;
}

interface Asked {
  readonly chat: ChatRequest;
  readonly marked?: MarkedUsage;
}

export interface Sending {
  readonly usage: MarkedUsage;
  readonly stream: boolean;
  /** Tokens a second, 0 for all at once. */
  readonly rate: number;
  readonly signal: AbortSignal;
}

/** Another API at a path of its own. `read`: a request, or what is wrong with it. */
export interface OtherForm {
  readonly path: string;
  read(body: unknown): Required<Asked> | string;
  send(response: ServerResponse, completion: Completion, sending: Sending): Promise<void>;
}

/** `plain` undoes `write`. */
export interface Disguise {
  write(text: string, chat: ParsedChat): string;
  plain(said: string): string;
}

export interface ScriptedServer {
  /** `http://127.0.0.1:<port>/v1` */
  readonly url: string;
  readonly requests: readonly RequestRecord[];
  close(): Promise<void>;
}

export const RequestRecord = z.object({
  n: z.number().int(),
  at: z.string(),
  model: z.string(),
  task: z.string(),
  repair: z.boolean(),
  continuation: z.number().int(),
  bead: z.string().nullable(),
  iteration: z.number().int().nullable(),
  /** Tool calls since the last prompt. */
  step: z.number().int(),
  thread: z.string(),
  /** The client's name for it. */
  session: z.string().nullable(),
  tools: z.array(z.string()),
  userAgent: z.string(),
  bytes: z.number().int(),
  sha256: z.string(),
  reply: z.string(),
  /** The reported usage; 0 for a failure. */
  tokens: z.object({
    prompt: z.number().int(),
    completion: z.number().int(),
    cached: z.number().int(),
    written: z.number().int().optional(),
  }),
});
export type RequestRecord = z.infer<typeof RequestRecord>;

const largestBody = 64 * 1024 * 1024;

/** Listens on loopback; answers follow from each request alone. */
export async function startScriptedServer(options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
  const requests: RequestRecord[] = [];
  if (options.log !== undefined) mkdirSync(dirname(options.log), { recursive: true });
  if (options.bodies !== undefined) mkdirSync(options.bodies, { recursive: true });
  const record = (entry: RequestRecord, body: string): void => {
    requests.push(entry);
    if (options.bodies !== undefined) writeFileSync(join(options.bodies, `${String(entry.n)}.json`), body);
    if (options.log !== undefined) appendFileSync(options.log, `${JSON.stringify(entry)}\n`);
  };
  const server = createServer((request, response) => {
    serve(request, response, options, (entry, body) =>
      record({ n: requests.length + 1, ...entry }, body),
    ).catch((error: unknown) => {
      if (!response.headersSent)
        json(response, 500, { error: { message: error instanceof Error ? error.message : String(error) } });
      else response.destroy();
    });
  });
  const listening = Promise.withResolvers<undefined>();
  server.once('error', listening.reject);
  server.listen(options.port ?? 0, '127.0.0.1', () => listening.resolve(undefined));
  await listening.promise;
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${String(port)}/v1`,
    requests,
    close: async () => {
      const closed = Promise.withResolvers<undefined>();
      server.close(() => closed.resolve(undefined));
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  options: ScriptedServerOptions,
  record: (entry: Omit<RequestRecord, 'n'>, body: string) => void,
): Promise<void> {
  const path = (request.url ?? '').split('?')[0];
  if (request.method === 'GET' && path === '/v1/models') {
    json(response, 200, {
      object: 'list',
      data: scriptedModels.map((id) => ({ id, object: 'model', created: 0, owned_by: 'scripted' })),
    });
    return;
  }
  const form = options.otherForm?.path === path ? options.otherForm : undefined;
  if (request.method !== 'POST' || (path !== '/v1/chat/completions' && !form)) {
    json(response, 404, {
      error: { message: 'The scripted model serves /v1/models and /v1/chat/completions.' },
    });
    return;
  }
  const body = await bodyOf(request);
  const asked = form ? form.read(jsonOf(body)) : askedBy(jsonOf(body));
  if (typeof asked === 'string') {
    json(response, 400, { error: { message: `That is no request for an answer: ${asked}` } });
    return;
  }
  const { chat: sent, marked } = asked;
  const { disguise } = options;
  const asSent = parseChat(sent);
  const chat = disguise ? { ...asSent, said: asSent.said.map((text) => disguise.plain(text)) } : asSent;
  const meant = answer(chat, options.script);
  const move =
    disguise && meant.kind === 'text' ? { ...meant, text: disguise.write(meant.text, chat) } : meant;
  const cached = marked ? marked.read : options.cache?.read(sent, Date.now());
  const cutOff: Move = { kind: 'text', text: 'This scripted answer ends in the mid' };
  const completion =
    move.kind !== 'fault'
      ? complete(sent, body, move, { cached })
      : move.fault === 'cut-off'
        ? complete(sent, body, cutOff, { finish: 'length', cached })
        : undefined;
  const reply = move.kind === 'call' ? `call ${move.call.tool}` : move.kind === 'fault' ? move.fault : 'text';
  const { prompt_tokens: prompt = 0, completion_tokens: said = 0 } = completion?.usage ?? {};
  const read = completion?.usage.prompt_tokens_details.cached_tokens ?? 0;
  const written = completion && marked ? marked.written : 0;
  const line = {
    ...logLine(request, body, chat, reply),
    tokens: { prompt, completion: said, cached: read, ...(marked ? { written } : {}) },
  };
  record(line, body);
  options.onRequest?.(line, body);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (move.kind === 'fault' || !completion) {
    if (completion) await stream(response, completion, 0, gone.signal);
    else if (move.kind === 'fault') fail(response, move.fault);
    return;
  }
  const { latencyMs = 0, rate = 0 } = options;
  const latency = typeof latencyMs === 'number' ? latencyMs : latencyMs(chat.task);
  await pause(latency + (move.delayMs ?? 0), undefined, { signal: gone.signal }).catch(() => undefined);
  if (gone.signal.aborted) return;
  if (form && marked)
    await form.send(response, completion, {
      usage: marked,
      stream: sent.stream,
      rate,
      signal: gone.signal,
    });
  else if (sent.stream) await stream(response, completion, rate, gone.signal);
  else json(response, 200, whole(completion));
}

function askedBy(body: unknown): Asked | string {
  const { success, data, error } = ChatRequest.safeParse(body);
  return success ? { chat: data } : z.prettifyError(error);
}

function logLine(
  request: IncomingMessage,
  body: string,
  chat: ParsedChat,
  reply: string,
): Omit<RequestRecord, 'n' | 'tokens'> {
  const session = request.headers['x-session-id'];
  const bead = chat.parts.has('bead_data') ? beadFacts(chat) : undefined;
  return {
    at: new Date().toISOString(),
    model: chat.model,
    task: chat.task,
    repair: chat.repair,
    continuation: chat.continuation,
    bead: bead?.id ?? null,
    iteration: bead?.iteration ?? null,
    step: chat.results.length,
    thread: chat.thread,
    session: typeof session === 'string' ? session : null,
    tools: [...chat.tools],
    userAgent: request.headers['user-agent'] ?? '',
    bytes: Buffer.byteLength(body),
    sha256: sha256(body),
    reply,
  };
}

async function stream(
  response: ServerResponse,
  completion: Completion,
  rate: number,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const chunk = (rest: Record<string, unknown>): void => {
    response.write(`data: ${JSON.stringify({ ...head(completion, 'chat.completion.chunk'), ...rest })}\n\n`);
  };
  let first = true;
  for await (const text of paced(completion, rate, signal)) {
    chunk({ choices: [{ index: 0, delta: completion.delta(text, first), finish_reason: null }] });
    first = false;
  }
  if (signal.aborted) return;
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: completion.finish }] });
  chunk({ choices: [], usage: completion.usage });
  response.end('data: [DONE]\n\n');
}

function whole(completion: Completion): unknown {
  const choices = [{ index: 0, message: completion.message, finish_reason: completion.finish }];
  return { ...head(completion, 'chat.completion'), choices, usage: completion.usage };
}

function fail(response: ServerResponse, fault: Fault): void {
  if (fault === 'garbage')
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"scripted garbage\n\n');
  else if (fault !== 'hang')
    json(response, Number(fault.slice(5)), {
      error: { message: `A scripted failure: ${fault}.`, type: 'scripted' },
    });
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > largestBody) throw new Error('The request is larger than the scripted model takes.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
