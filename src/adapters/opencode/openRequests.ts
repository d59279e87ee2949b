import * as z from 'zod';
import type { RequestContent } from '../../domain/agentRequest.ts';
import type { StoredMessage } from './storedMessages.ts';
import { readStoredSession } from './storedMessages.ts';

/** What a model writes may be long; nobody reads more than this in a question. */
const longest = 4_000;
const text = z.string().transform((value) => value.slice(0, longest));

/** A permission an agent waits for, as OpenCode lists it. */
export const OpenPermission = z.object({
  id: z.string(),
  sessionID: z.string(),
  permission: text,
  patterns: z.array(text).transform((patterns) => patterns.slice(0, 20)),
  tool: z.object({ messageID: z.string(), callID: z.string() }).optional(),
});
export type OpenPermission = z.infer<typeof OpenPermission>;

/** A question an agent waits for, as OpenCode lists it. */
export const OpenQuestion = z.object({
  id: z.string(),
  sessionID: z.string(),
  questions: z.array(
    z.object({
      question: text,
      header: text,
      options: z.array(z.object({ label: text, description: text.default('') })).transform((options) => options.slice(0, 20)),
      multiple: z.boolean().default(false),
      custom: z.boolean().default(true),
    }),
  ),
});
export type OpenQuestion = z.infer<typeof OpenQuestion>;

export function questionContent({ questions }: OpenQuestion): RequestContent | undefined {
  if (questions.length === 0) return undefined;
  return { kind: 'question', questions: questions.map(({ question, ...rest }) => ({ text: question, ...rest })) };
}

/** `messages`: the session's, which hold the command that needs the permission. */
export function permissionContent(request: OpenPermission, messages: readonly StoredMessage[]): RequestContent {
  const { permission, patterns, tool } = request;
  const call = readStoredSession(messages).toolCalls.find(({ id }) => id === tool?.callID);
  return { kind: 'permission', permission, patterns, command: call ? commandOf(call.input) : '' };
}

/** A command as it would be typed; any other input as JSON. */
function commandOf(input: unknown): string {
  const command = z.object({ command: z.string() }).safeParse(input).data?.command;
  return (command ?? (input === undefined ? '' : JSON.stringify(input))).slice(0, longest);
}
