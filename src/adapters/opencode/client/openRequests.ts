import * as z from 'zod';
import type { RequestContent } from '../../../domain/ticket/agentRequest.ts';
import { type StoredMessage, readStoredSession } from '../messages/storedMessages.ts';

/** Characters of a question; nobody reads more. */
const longest = 4_000;
const text = z.string().transform((value) => value.slice(0, longest));

/** Characters of a request that are shown. A longer one can only be denied. */
const longestRequest = 60_000;

export const OpenPermission = z.object({
  id: z.string(),
  sessionID: z.string(),
  permission: text,
  patterns: z.array(z.string()),
  tool: z.object({ messageID: z.string(), callID: z.string() }).optional(),
});
export type OpenPermission = z.infer<typeof OpenPermission>;

export const OpenQuestion = z.object({
  id: z.string(),
  sessionID: z.string(),
  questions: z.array(
    z.object({
      question: text,
      header: text,
      options: z
        .array(z.object({ label: text, description: text.default('') }))
        .transform((options) => options.slice(0, 20)),
      multiple: z.boolean().default(false),
      custom: z.boolean().default(true),
    }),
  ),
});
export type OpenQuestion = z.infer<typeof OpenQuestion>;

export function questionContent({ questions }: OpenQuestion): RequestContent | undefined {
  if (questions.length === 0) return undefined;
  return {
    kind: 'question',
    questions: questions.map(({ question, ...rest }) => ({ text: question, ...rest })),
  };
}

/** `messages` hold the command; without it the request is marked as cut. */
export function permissionContent(
  request: OpenPermission,
  messages: readonly StoredMessage[],
): RequestContent {
  const { permission, tool } = request;
  const call = readStoredSession(messages).toolCalls.find(({ id }) => id === tool?.callID);
  const whole = call ? commandOf(call.input) : '';
  const command = whole.slice(0, longestRequest);
  let left = longestRequest - command.length;
  const patterns = request.patterns.flatMap((pattern) =>
    pattern.length <= left && (left -= pattern.length + 1) >= -1 ? [pattern] : [],
  );
  const cut =
    command.length < whole.length ||
    patterns.length < request.patterns.length ||
    (tool !== undefined && !call);
  return { kind: 'permission', permission, patterns, command, ...(cut ? { cut } : {}) };
}

function commandOf(input: unknown): string {
  const command = z.object({ command: z.string() }).safeParse(input).data?.command;
  return command ?? (input === undefined ? '' : JSON.stringify(input));
}
