import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import { type Completion, paced } from '../../../src/demo/completion.ts';
import type { MarkedUsage, OtherForm, Sending } from '../../../src/demo/scriptedServer.ts';
import type { ChatRequest } from '../../../src/demo/script/parsedChat.ts';

const Text = z.looseObject({ type: z.string(), text: z.string().optional() });
const Block = Text.extend({
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  content: z.union([z.string(), z.array(Text)]).optional(),
  cache_control: z.looseObject({ type: z.string() }).optional(),
});
type Block = z.infer<typeof Block>;

/** The fields of a messages API request that are read. */
export const MessagesRequest = z.object({
  model: z.string().max(300),
  system: z.union([z.string(), z.array(Block)]).default([]),
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(Block)]) })).min(1),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
  stream: z.boolean().default(false),
});
export type MessagesRequest = z.infer<typeof MessagesRequest>;

/** As a chat completions request. */
export function chatOf({ model, system, messages, tools, stream }: MessagesRequest): ChatRequest {
  return {
    model,
    stream,
    tools: tools.map(({ name }) => ({ function: { name } })),
    messages: [
      ...blocksOf(system).map(({ text = '' }) => ({ role: 'system', content: text })),
      ...messages.flatMap(({ role, content }) => messagesOf(role, blocksOf(content))),
    ],
  };
}

export function blocksOf(content: string | readonly Block[]): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function messagesOf(role: string, blocks: readonly Block[]): ChatRequest['messages'] {
  const results = blocks
    .filter(({ type }) => type === 'tool_result')
    .map(({ tool_use_id: id = '', content = '' }) => ({ role: 'tool', tool_call_id: id, content }));
  const calls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id = '', name = '', input }) => ({ id, function: { name, arguments: JSON.stringify(input) } }));
  const texts = blocks.filter(({ type }) => type === 'text').map(({ text = '' }) => ({ type: 'text', text }));
  if (texts.length === 0 && calls.length === 0) return results;
  return [...results, { role, content: texts, ...(calls.length === 0 ? {} : { tool_calls: calls }) }];
}

/** The messages API. `cache`: what it finds, and what it keeps. */
export function messagesApi(cache: { read(request: MessagesRequest, now: number): MarkedUsage }): OtherForm {
  return {
    path: '/v1/messages',
    read: (body) => {
      const { success, data, error } = MessagesRequest.safeParse(body);
      if (!success) return z.prettifyError(error);
      return { chat: chatOf(data), marked: cache.read(data, Date.now()) };
    },
    send: sendMessage,
  };
}

async function sendMessage(
  response: ServerResponse,
  completion: Completion,
  { usage, stream, rate, signal }: Sending,
): Promise<void> {
  const { prompt_tokens: prompt, completion_tokens: said } = completion.usage;
  const counted = {
    input_tokens: prompt - usage.read - usage.written,
    cache_creation_input_tokens: usage.written,
    cache_read_input_tokens: usage.read,
  };
  const call = callOf(completion);
  const message = { id: completion.id, type: 'message', role: 'assistant', model: completion.model };
  const stop = { stop_reason: stopReasons[completion.finish], stop_sequence: null };
  const written = completion.pieces.join('');
  if (!stream) {
    const block = call
      ? { type: 'tool_use', ...call, input: JSON.parse(written) as unknown }
      : { type: 'text', text: written };
    const whole = { ...message, content: [block], ...stop, usage: { ...counted, output_tokens: said } };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const event = (type: string, rest: Readonly<Record<string, unknown>> = {}): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`);
  };
  const first = {
    ...message,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...counted, output_tokens: 1 },
  };
  event('message_start', { message: first });
  event('content_block_start', {
    index: 0,
    content_block: call ? { type: 'tool_use', ...call, input: {} } : { type: 'text', text: '' },
  });
  for await (const text of paced(completion, rate, signal)) {
    const delta = call ? { type: 'input_json_delta', partial_json: text } : { type: 'text_delta', text };
    event('content_block_delta', { index: 0, delta });
  }
  if (signal.aborted) return;
  event('content_block_stop', { index: 0 });
  event('message_delta', { delta: stop, usage: { output_tokens: said } });
  event('message_stop');
  response.end();
}

const stopReasons = { stop: 'end_turn', tool_calls: 'tool_use', length: 'max_tokens' } as const;

const Called = z.object({
  tool_calls: z.array(z.object({ id: z.string(), function: z.object({ name: z.string() }) })),
});

function callOf({ message }: Completion): { readonly id: string; readonly name: string } | undefined {
  const [call] = Called.safeParse(message).data?.tool_calls ?? [];
  return call && { id: call.id, name: call.function.name };
}
