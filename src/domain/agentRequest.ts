import * as z from 'zod';

/**
 * One question of an agent. Everything in it is text of a model: it is shown as it is and never interpreted.
 */
export const AgentQuestion = z.object({
  /** A few words, for a tab or a title. */
  header: z.string(),
  text: z.string(),
  options: z.array(z.object({ label: z.string(), description: z.string() })),
  /** Whether several options may be chosen. */
  multiple: z.boolean(),
  /** Whether an answer may be free text instead of an option. */
  custom: z.boolean(),
});
export type AgentQuestion = z.infer<typeof AgentQuestion>;

/** What an agent asks of people in the middle of its work. */
export const RequestContent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('question'), questions: z.array(AgentQuestion).min(1) }),
  z.object({
    kind: z.literal('permission'),
    /** What is asked for, by OpenCode's name, for example `external_directory`. */
    permission: z.string(),
    patterns: z.array(z.string()),
    /** The command or the input of the tool that needs it; empty when that isn't known. */
    command: z.string(),
    /** A part of it is missing here. What nobody can read whole can't be allowed. */
    cut: z.literal(true).optional(),
  }),
]);
export type RequestContent = z.infer<typeof RequestContent>;

/**
 * A request that waits for a person. It is kept in the ticket's hold, so that followers can read it. The id
 * follows from step and content: what is asked again after a crash is the same request. `until`: when the
 * agent continues without an answer. Times are milliseconds since 1970.
 */
export const PendingRequest = z.object({
  id: z.string(),
  /** Who asks: a model, or the engine itself. */
  source: z.string(),
  since: z.number(),
  until: z.number(),
  content: RequestContent,
});
export type PendingRequest = z.infer<typeof PendingRequest>;

/**
 * The source of what the engine itself asks. No agent decides that, and the time for it is as long as a gate
 * may take.
 */
export const engineSource = 'Beadsmith';

/**
 * What the engine asks when a prompt holds what looks like a secret
 * (docs/decisions/131-secrets-in-prompts.md): the header by which the question is known, and what may be
 * chosen. Whatever else is answered leaves them out.
 */
export const promptSecrets = {
  header: 'Secrets in a prompt',
  leaveOut: 'Leave out',
  allow: 'Allow for this ticket',
  stop: 'Stop',
} as const;

/** Whether the engine asks about secrets in a prompt. An agent that writes the same header doesn't. */
export function asksAboutPrompt(request: PendingRequest): boolean {
  const { content } = request;
  return (
    isOfEngine(request) &&
    content.kind === 'question' &&
    content.questions[0]?.header === promptSecrets.header
  );
}

/**
 * What the engine asks before it sends a prompt that a person wants to see
 * (docs/decisions/148-prompts-are-shown-before-they-are-sent.md). Whatever else is answered sends nothing.
 */
export const promptPreview = {
  header: 'Next prompt',
  send: 'Send',
  leaveOut: (part: string): string => `Leave out ${part}`,
  stop: 'Stop',
} as const;

/**
 * Whether the engine itself asks. Nothing is left to an agent then, and nothing is decided that wasn't read
 * whole.
 */
export function isOfEngine({ source }: Pick<PendingRequest, 'source'>): boolean {
  return source === engineSource;
}

/** How a request was decided. `none`: a person left it to the agent, or the time ran out. */
export const RequestDecision = z.discriminatedUnion('kind', [
  /** One list per question: labels of options, or free text. */
  z.object({ kind: z.literal('answers'), answers: z.array(z.array(z.string())) }),
  z.object({ kind: z.literal('allow') }),
  z.object({ kind: z.literal('deny') }),
  z.object({ kind: z.literal('none') }),
]);
export type RequestDecision = z.infer<typeof RequestDecision>;

/** What a person decided, without their words. `left`: the agent decides itself. */
export const RequestVerdict = z.enum(['answered', 'left', 'allowed', 'denied']);
export type RequestVerdict = z.infer<typeof RequestVerdict>;

/** Whether a question takes free text. One without options always does. */
export function takesWords({ custom, options }: Pick<AgentQuestion, 'custom' | 'options'>): boolean {
  return custom || options.length === 0;
}

/** A request on one line, for lists and logs, which don't need to show the whole of a long one. */
export function requestLine(content: RequestContent): string {
  const text =
    content.kind === 'question'
      ? content.questions.map((question) => question.text).join(' · ')
      : [content.permission, content.command || content.patterns.join(', ')]
          .filter((part) => part !== '')
          .join(': ');
  const line = text.slice(0, 4_000).replace(/\s+/g, ' ').trim();
  return text.length > 4_000 ? `${line} …` : line;
}

/**
 * Whether a permission is asked for that can only be denied, because a part of what it is for can't be shown.
 */
export function isCut(content: RequestContent | undefined): boolean {
  return content?.kind === 'permission' && content.cut === true;
}
