import { sha256 } from '../base/sha256.ts';
import type { ChatRequest } from './script/parsedChat.ts';
import { textOf } from './script/parsedChat.ts';
import type { Move } from './script/modelScript.ts';

/**
 * One answer in the form of the chat completions API. Nothing in it comes from a clock or a counter: the same
 * request gives the same bytes.
 */
export interface Completion {
  readonly id: string;
  readonly model: string;
  readonly message: Record<string, unknown>;
  readonly finish: 'stop' | 'tool_calls' | 'length';
  readonly usage: Usage;
  /** The message cut into pieces of about one token. */
  readonly pieces: readonly string[];
  /** Some of the pieces as a `delta` of a stream; the first one says what kind of message it is. */
  readonly delta: (text: string, first: boolean) => Record<string, unknown>;
}

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number };
}

const charactersPerToken = 4;

/** Puts a move into the API's words. The hash of `body`, the request, names the answer. `cached`: tokens. */
export function complete(
  request: ChatRequest,
  body: string,
  move: Move,
  { finish, cached }: { readonly finish?: 'length'; readonly cached?: number | undefined } = {},
): Completion {
  const digest = sha256(body).slice(0, 24);
  const written = move.kind === 'text' ? move.text : JSON.stringify(move.call.args);
  const pieces = written.match(new RegExp(`[\\s\\S]{1,${String(charactersPerToken)}}`, 'gu')) ?? [];
  const call =
    move.kind === 'call'
      ? { id: `call_${digest}`, type: 'function', function: { name: move.call.tool, arguments: written } }
      : undefined;
  return {
    id: `scripted-${digest}`,
    model: request.model,
    message: call
      ? { role: 'assistant', content: null, tool_calls: [call] }
      : { role: 'assistant', content: written },
    finish: finish ?? (call ? 'tool_calls' : 'stop'),
    usage: usageOf(request, pieces.length, cached),
    pieces,
    delta: (text, first) => {
      const role = first ? { role: 'assistant' } : {};
      if (!call) return { ...role, content: text };
      const part = first
        ? { ...call, function: { name: call.function.name, arguments: text } }
        : { function: { arguments: text } };
      return { ...role, tool_calls: [{ index: 0, ...part }] };
    },
  };
}

/** Head of every chunk and of a whole answer. The fingerprint says what wrote it. */
export function head(
  completion: Completion,
  object: 'chat.completion' | 'chat.completion.chunk',
): Record<string, unknown> {
  return { id: completion.id, object, created: 0, model: completion.model, system_fingerprint: 'scripted' };
}

/** The usage as a provider would report it: after an answer, all before the newest message is cached. */
function usageOf(request: ChatRequest, completion: number, cached?: number): Usage {
  const size = (messages: ChatRequest['messages']): number =>
    messages.reduce(
      (sum, message) => sum + textOf(message).length + JSON.stringify(message.tool_calls ?? '').length,
      0,
    );
  const prompt = Math.ceil(size(request.messages) / charactersPerToken);
  const repeated = request.messages.some(({ role }) => role === 'assistant');
  const usual = repeated ? Math.floor(size(request.messages.slice(0, -1)) / charactersPerToken) : 0;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: Math.min(prompt, cached ?? usual) },
  };
}
