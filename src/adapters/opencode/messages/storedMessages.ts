import * as z from 'zod';
import type { Usage } from '../../../domain/usage/promptPlan.ts';
import type { AgentFailure, AgentReply, ToolUse } from '../../../engine/ports/ports.ts';
import { failureOf } from '../failures/failureOf.ts';
import type { SessionMessage } from '../../../domain/conversation/turns.ts';

const Tokens = z.object({
  input: z.number(),
  output: z.number(),
  reasoning: z.number(),
  cache: z.object({ read: z.number(), write: z.number() }),
});

const ToolState = z.object({
  status: z.string(),
  input: z.unknown(),
  title: z.string().optional(),
  output: z.string().optional(),
  error: z.string().optional(),
  time: z.object({ start: z.number(), end: z.number().optional() }).optional(),
});

const Part = z.object({
  type: z.string(),
  text: z.string().optional(),
  tool: z.string().optional(),
  callID: z.string().optional(),
  state: ToolState.optional(),
  metadata: z
    .object({ beadsmith: z.string().optional(), id: z.string().optional(), stable: z.string().optional() })
    .loose()
    .optional(),
});

const Info = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('user'),
    id: z.string(),
    time: z.object({ created: z.number().optional() }).default({}),
  }),
  z.object({
    role: z.literal('assistant'),
    id: z.string(),
    parentID: z.string(),
    providerID: z.string(),
    modelID: z.string(),
    time: z.object({ created: z.number().optional(), completed: z.number().optional() }),
    error: z.object({ name: z.string(), data: z.record(z.string(), z.unknown()).optional() }).optional(),
    finish: z.string().optional(),
    /** The value that the model wrote by a schema. OpenCode doesn't check it. */
    structured: z.unknown().optional(),
    cost: z.number(),
    tokens: Tokens,
  }),
]);

export const StoredMessages = z.array(z.object({ info: Info, parts: z.array(Part) }));
export type StoredMessage = z.infer<typeof StoredMessages>[number];
type AssistantMessage = StoredMessage & {
  readonly info: Extract<StoredMessage['info'], { role: 'assistant' }>;
};
export type StoredError = NonNullable<AssistantMessage['info']['error']>;

/** A session by its stored messages: the number of prompts, and the answer to the last if complete. */
export interface StoredSession {
  readonly prompts: number;
  /** The id in the last prompt's mark. */
  readonly last: string | undefined;
  /** Undefined while the answer isn't complete, or when it was cut off by the end of the server. */
  readonly reply: AgentReply | undefined;
  /** The text of the last ended request without a tool call: an answer, even if OpenCode asks again. */
  readonly said: AgentReply | undefined;
  readonly partial: Partial;
  readonly toolCalls: readonly {
    readonly id: string;
    readonly tool: string;
    readonly input: unknown;
    readonly running: boolean;
  }[];
}

/** The part of an answer that has arrived. */
export interface Partial {
  readonly text: string;
  readonly usage: Usage | null;
  readonly tools: readonly ToolUse[];
}

/**
 * Reads a session. Prompts are the messages that carry our mark: stable content isn't one, and what OpenCode
 * adds by itself isn't either. The answer's text is that of the last assistant message that says anything:
 * what comes before, between tool calls, is narration.
 */
export function readStoredSession(messages: readonly StoredMessage[]): StoredSession {
  const prompts = messages.filter((message) => markOf(message)?.kind === 'prompt');
  const last = prompts.at(-1);
  const answers = messages.filter((message): message is AssistantMessage => isAnswer(message, last));
  const partial = partialOf(answers);
  const toolCalls = answers.flatMap(({ parts }) =>
    parts.flatMap(({ callID, tool, state }) =>
      callID && tool && state
        ? [{ id: callID, tool, input: state.input, running: state.status === 'running' }]
        : [],
    ),
  );
  const ended = answers.findLast(({ info }) => info.time.completed !== undefined && info.error === undefined);
  const said = replyOf(ended, { ...partial, text: ended ? textOf(ended) : '' });
  return {
    prompts: prompts.length,
    last: last && markOf(last)?.id,
    reply: replyOf(answers.at(-1), partial),
    said,
    partial,
    toolCalls,
  };
}

/** Tells if stable content with this hash is in the session, ahead of a prompt or as its beginning. */
export function hasStable(messages: readonly StoredMessage[], hash: string): boolean {
  return messages.some((message) => {
    const mark = markOf(message);
    return mark?.stable === hash || (mark?.kind === 'stable' && mark.id === hash);
  });
}

export function failed(failure: AgentFailure, partial: Partial): AgentReply {
  return { ok: false, failure, partial: partial.text, usage: partial.usage, tools: partial.tools };
}

function markOf({
  info,
  parts,
}: StoredMessage): Readonly<Record<'kind' | 'id' | 'stable', string | undefined>> | undefined {
  const metadata =
    info.role === 'user' ? parts.find((part) => part.metadata?.beadsmith !== undefined)?.metadata : undefined;
  return metadata && { kind: metadata.beadsmith, id: metadata.id, stable: metadata.stable };
}

function isAnswer(message: StoredMessage, prompt: StoredMessage | undefined): boolean {
  return message.info.role === 'assistant' && message.info.parentID === prompt?.info.id;
}

function replyOf(last: AssistantMessage | undefined, partial: Partial): AgentReply | undefined {
  if (last?.info.time.completed === undefined && last?.info.error === undefined) return undefined;
  const { error, finish, id, structured } = last.info;
  const usage = partial.usage ?? usageOf([last]);
  const rest = { messageId: id, usage, tools: partial.tools };
  if (structured !== undefined)
    return {
      ok: true,
      text: JSON.stringify(structured, null, 2),
      ...rest,
      truncated: false,
      structured: true,
    };
  if (error?.name === 'StructuredOutputError' && finish === 'length')
    return failed(failureOf({ name: 'MessageOutputLengthError' }), partial);
  // It was asked to write by a schema, and wrote a text.
  if (error?.name === 'StructuredOutputError' && partial.text.trim() !== '')
    return { ok: true, text: partial.text, ...rest, truncated: false };
  if (error) return failed(failureOf(error), partial);
  // After tool calls the agent continues, so a session that is idle there was cut off.
  if (finish === 'tool-calls') return undefined;
  // Closed without a word: a call that was aborted between two tries.
  if (finish === undefined) return failed(failureOf({ name: 'MessageAbortedError' }), partial);
  const truncated = finish === 'length';
  if (truncated && partial.text.trim() === '')
    return failed(failureOf({ name: 'MessageOutputLengthError' }), partial);
  return {
    ok: true,
    text: partial.text,
    ...rest,
    truncated,
    ...(finish === 'stop' ? { stopped: true } : {}),
  };
}

function partialOf(answers: readonly AssistantMessage[]): Partial {
  const texts = answers.map(textOf);
  const usage = answers.length === 0 ? null : usageOf(answers);
  const spent =
    usage !== null && usage.input + usage.output + usage.reasoning + usage.cacheRead + usage.cacheWrite > 0;
  return {
    text: texts.findLast((text) => text.trim() !== '') ?? '',
    usage: spent ? usage : null,
    tools: answers.flatMap(toolsOf),
  };
}

function textOf({ parts }: AssistantMessage): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text ?? ''] : [])).join('');
}

/** All messages of one answer together, under the id of the last: booked once. */
function usageOf(answers: readonly [AssistantMessage] | readonly AssistantMessage[]): Usage {
  const last = answers.at(-1)?.info;
  const sum = (pick: (info: AssistantMessage['info']) => number) =>
    answers.reduce((total, { info }) => total + pick(info), 0);
  const tokens = (pick: (tokens: z.infer<typeof Tokens>) => number) =>
    Math.max(0, Math.round(sum((info) => pick(info.tokens))));
  return {
    messageId: last?.id ?? '',
    model: last ? `${last.providerID}/${last.modelID}` : '',
    input: tokens(({ input }) => input),
    output: tokens(({ output }) => output),
    reasoning: tokens(({ reasoning }) => reasoning),
    cacheRead: tokens(({ cache }) => cache.read),
    cacheWrite: tokens(({ cache }) => cache.write),
    cost: sum((info) => info.cost),
    ...firstOf(answers[0]),
  };
}

function firstOf(answer: AssistantMessage | undefined): Pick<Usage, 'first'> {
  if (!answer) return {};
  const { input, cache } = answer.info.tokens;
  const prompt = Math.max(0, Math.round(input + cache.read + cache.write));
  const [cacheRead, cacheWrite] = [Math.max(0, Math.round(cache.read)), Math.max(0, Math.round(cache.write))];
  return prompt === 0 ? {} : { first: { prompt, cacheRead, cacheWrite } };
}

const excerptLength = 320;

function toolsOf({ parts }: AssistantMessage): ToolUse[] {
  return parts.flatMap(({ tool, state }) => {
    if (tool === undefined || state === undefined) return [];
    const status = state.status === 'completed' || state.status === 'error' ? state.status : 'other';
    return [
      {
        tool,
        title: state.title ?? '',
        status,
        excerpt: (state.output ?? state.error ?? '').slice(0, excerptLength),
      },
    ];
  });
}

/** The messages of a session: texts, and tools with results. Reasoning isn't sent again. */
export function transcriptOf(messages: readonly StoredMessage[]): readonly SessionMessage[] {
  return messages.map(({ info, parts }) => {
    const tools = parts.flatMap(({ tool, callID, state }) =>
      tool === undefined || callID === undefined
        ? []
        : [{ id: callID, tool, about: state?.title ?? '', output: state?.output ?? state?.error }],
    );
    return {
      role: info.role,
      text: parts
        .flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []))
        .join('\n'),
      calls: tools.map(({ id, tool, about }) => ({ id, tool, about })),
      results: tools.flatMap(({ id, output }) => (output === undefined ? [] : [{ id, output }])),
    };
  });
}
