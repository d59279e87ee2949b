import { setTimeout as pause } from 'node:timers/promises';
import { sha256 } from '../base/sha256.ts';
import { type ChatRequest, textOf } from './script/parsedChat.ts';
import type { Move } from './script/modelScript.ts';

/** An answer of the chat completions API. The same request gives the same bytes: no clock, no counter. */
export interface Completion {
  readonly id: string;
  readonly model: string;
  readonly message: Record<string, unknown>;
  readonly finish: 'stop' | 'tool_calls' | 'length';
  readonly usage: Usage;
  /** About one token each. */
  readonly pieces: readonly string[];
  readonly delta: (text: string, first: boolean) => Record<string, unknown>;
}

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number };
}

export const charactersPerToken = 4;

/** `body`: the request, whose hash names the answer. `cached`: tokens. */
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

export function head(
  completion: Completion,
  object: 'chat.completion' | 'chat.completion.chunk',
): Record<string, unknown> {
  return { id: completion.id, object, created: 0, model: completion.model, system_fingerprint: 'scripted' };
}

/** Groups of pieces at `rate` tokens a second (0: no pauses), with 50 ms each, so that timers stay few. */
export async function* paced(
  { pieces }: Completion,
  rate: number,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const atOnce = rate > 0 ? Math.max(1, Math.floor(rate / 20)) : 500;
  for (let at = 0; at < pieces.length && !signal.aborted; at += atOnce) {
    const group = pieces.slice(at, at + atOnce);
    yield group.join('');
    if (rate > 0) await pause((group.length / rate) * 1000, undefined, { signal }).catch(() => undefined);
  }
}

/** All before the newest message counts as cached once there was an answer. */
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
