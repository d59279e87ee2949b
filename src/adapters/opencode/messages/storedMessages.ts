import * as z from 'zod';
import type { Usage } from '../../../domain/usage/promptPlan.ts';
import type { AgentFailure, AgentReply, ToolUse } from '../../../engine/ports/ports.ts';
import { failureOf } from '../failures/failureOf.ts';
import type { SessionMessage } from '../../../domain/conversation/turns.ts';

export const Tokens = z.object({
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
    /** A value by a schema that OpenCode doesn't check. */
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

export interface StoredSession {
  readonly prompts: number;
  readonly last: string | undefined;
  /** Undefined if incomplete, or cut off by the server's end. */
  readonly reply: AgentReply | undefined;
  /** The last ended request's text without a tool call, even if OpenCode asks again. */
  readonly said: AgentReply | undefined;
  readonly partial: Partial;
  readonly toolCalls: readonly {
    readonly id: string;
    readonly tool: string;
    readonly input: unknown;
    readonly running: boolean;
  }[];
}

interface Partial {
  readonly text: string;
  readonly usage: Usage | null;
  readonly tools: readonly ToolUse[];
}

/**
 * Prompts are messages with our mark, except stable content. The answer is the last assistant message that
 * says anything; what comes before is narration.
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
  // Text instead of the schema.
  if (error?.name === 'StructuredOutputError' && partial.text.trim() !== '')
    return { ok: true, text: partial.text, ...rest, truncated: false };
  if (error) return failed(failureOf(error), partial);
  // The agent continues after tool calls: a session idle there was cut off.
  if (finish === 'tool-calls') return undefined;
  // Aborted between two tries.
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

/** One answer's messages together under the last id: booked once. */
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
