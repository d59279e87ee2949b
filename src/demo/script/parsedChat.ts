import * as z from 'zod';
import { sha256 } from '../../base/sha256.ts';
import { type PromptParts, readPrompt } from './promptParts.ts';

export interface ToolResult {
  readonly tool: string;
  readonly args: string;
  readonly output: string;
}

/** Read from the messages alone: the same messages give the same result. */
export interface ParsedChat {
  /** Without its provider. */
  readonly model: string;
  /** `title` for a session title, `unknown` for anything else. */
  readonly task: string;
  /** The last prompt asks to correct an answer's form. */
  readonly repair: boolean;
  /** Number of keep-working prompts. */
  readonly continuation: number;
  /** Of all the task's prompts; later parts replace earlier ones. */
  readonly parts: PromptParts;
  readonly tools: ReadonlySet<string>;
  /** Since the last prompt. */
  readonly results: readonly ToolResult[];
  /** Since the task's first prompt. */
  readonly allResults: readonly ToolResult[];
  /** The model's texts since the task's first prompt. */
  readonly said: readonly string[];
  /** The folder of the tools, if the system prompt names it. */
  readonly directory: string | undefined;
  /** Hash of the first prompt: the same for all requests of a session. */
  readonly thread: string;
}

const followUps = new Set([
  'interview-answers',
  'coding-continue',
  'pivot',
  'coding-note',
  'setup-note',
  'final-test-note',
]);

export function parseChat(request: ChatRequest): ParsedChat {
  const system = request.messages.filter(({ role }) => role === 'system').map(textOf);
  const turns = turnsOf(request.messages);
  let state = { task: 'unknown', repair: false, continuation: 0, parts: new Map<string, string>(), from: 0 };
  turns.forEach((turn, index) => {
    const { task, parts } = readPrompt(turn.text);
    if (task === undefined) return;
    const merged = new Map([...state.parts, ...parts]);
    if (task === 'structured-repair') state = { ...state, repair: true, parts: merged };
    else if (task === 'coding-continue' || task === 'pivot')
      state = {
        ...state,
        task: 'coding',
        repair: false,
        continuation: state.continuation + 1,
        parts: merged,
      };
    else if (followUps.has(task)) state = { ...state, task, repair: false, parts: merged };
    else state = { task, repair: false, continuation: 0, parts: new Map(parts), from: index };
  });
  const since = turns.slice(state.from);
  return {
    model: request.model.slice(request.model.lastIndexOf('/') + 1),
    task:
      state.task === 'unknown' && system.some((text) => /title generator/i.test(text)) ? 'title' : state.task,
    repair: state.repair,
    continuation: state.continuation,
    parts: state.parts,
    tools: new Set(request.tools.map((tool) => tool.function.name)),
    results: turns.at(-1)?.results ?? [],
    allResults: since.flatMap((turn) => turn.results),
    said: since.flatMap((turn) => turn.said),
    directory: /^\s*Working directory: (\S.*?)\s*$/m.exec(system.join('\n'))?.[1],
    thread: sha256(turns[0]?.text ?? '').slice(0, 16),
  };
}

interface Turn {
  text: string;
  readonly results: ToolResult[];
  readonly said: string[];
}

/** A turn begins with a user message after an answer. */
function turnsOf(messages: readonly ChatMessage[]): Turn[] {
  const turns: Turn[] = [];
  const calls = new Map<string, { name: string; arguments: string }>();
  let open = false;
  for (const message of messages) {
    const turn = turns.at(-1);
    if (message.role === 'user') {
      if (open && turn) turn.text += `\n\n${textOf(message)}`;
      else turns.push({ text: textOf(message), results: [], said: [] });
      open = true;
    } else if (message.role === 'assistant') {
      open = false;
      const text = textOf(message);
      if (text.trim() !== '') turn?.said.push(text);
      for (const call of message.tool_calls ?? []) calls.set(call.id, call.function);
    } else if (message.role === 'tool') {
      open = false;
      const call = calls.get(message.tool_call_id ?? '');
      turn?.results.push({ tool: call?.name ?? '', args: call?.arguments ?? '', output: textOf(message) });
    }
  }
  return turns;
}

const Piece = z.object({ type: z.string(), text: z.string().optional() });
const Content = z.union([z.string(), z.array(Piece), z.null()]).optional();
const Message = z.object({
  role: z.string(),
  content: Content,
  tool_calls: z
    .array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
    .optional(),
  tool_call_id: z.string().optional(),
});
type ChatMessage = z.infer<typeof Message>;

export const ChatRequest = z.object({
  model: z.string().max(300),
  messages: z.array(Message).min(1),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
  stream: z.boolean().default(false),
});
export type ChatRequest = z.infer<typeof ChatRequest>;

export function textOf(message: ChatMessage): string {
  if (typeof message.content === 'string') return message.content;
  return (message.content ?? []).map((piece) => piece.text ?? '').join('\n');
}
