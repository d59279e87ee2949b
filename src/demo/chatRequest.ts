import * as z from 'zod';

const Piece = z.object({ type: z.string(), text: z.string().optional() });
const Content = z.union([z.string(), z.array(Piece), z.null()]).optional();
const Message = z.object({
  role: z.string(),
  content: Content,
  tool_calls: z.array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) })).optional(),
  tool_call_id: z.string().optional(),
});
export type ChatMessage = z.infer<typeof Message>;

/** What the scripted model reads of a chat completion request. Everything else in it is ignored. */
export const ChatRequest = z.object({
  model: z.string().max(300),
  messages: z.array(Message).min(1),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
  stream: z.boolean().default(false),
});
export type ChatRequest = z.infer<typeof ChatRequest>;

/** The text of a message, whichever way a client wraps it. */
export function textOf(message: ChatMessage): string {
  if (typeof message.content === 'string') return message.content;
  return (message.content ?? []).map((piece) => piece.text ?? '').join('\n');
}
