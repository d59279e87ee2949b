import * as z from 'zod';

/** The subject of a question that the engine itself asks. */
export const EngineTopic = z.enum([
  'prompt_secrets',
  'prompt_preview',
  'foreign_commits',
  'weaker_tests',
  'edits',
  'guarded_changes',
  'base_update',
  'conflicts',
]);
export type EngineTopic = z.infer<typeof EngineTopic>;

/** One question of an agent: text of a model, which is shown as it is and never interpreted. */
export const AgentQuestion = z.object({
  /** Of the engine's own questions; see `isOfEngine`. */
  topic: EngineTopic.optional(),
  /** A few words, for a tab or a title. */
  header: z.string(),
  text: z.string(),
  /** `id`: of a choice of the engine's own question; its label is for people alone. */
  options: z.array(z.object({ id: z.string().optional(), label: z.string(), description: z.string() })),
  /** True if several options may be chosen. */
  multiple: z.boolean(),
  /** True if an answer may be free text instead of an option. */
  custom: z.boolean(),
});
export type AgentQuestion = z.infer<typeof AgentQuestion>;

/** The content of an agent's request to people in the middle of its work. */
export const RequestContent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('question'), questions: z.array(AgentQuestion).min(1) }),
  z.object({
    kind: z.literal('permission'),
    /** The permission that is asked for, by OpenCode's name, for example `external_directory`. */
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
  /** The source of the request: a model, or the engine itself. */
  source: z.string(),
  since: z.number(),
  until: z.number(),
  content: RequestContent,
});
export type PendingRequest = z.infer<typeof PendingRequest>;

/** The source of the engine's own questions. No agent decides them, and they wait as long as a gate. */
export const engineSource = 'Beadsmith';

/** Returns the engine's own question about a subject, if a request is that: an agent's never is. */
export function engineQuestion(request: PendingRequest, topic: EngineTopic): AgentQuestion | undefined {
  const { content } = request;
  if (!isOfEngine(request) || content.kind !== 'question') return undefined;
  return content.questions.find((question) => question.topic === topic);
}

/** Returns the ids of the options that an answer names, by their id or as people read them. */
export function chosenIds<I extends string>(
  options: readonly { readonly id: I; readonly label: string }[],
  said: readonly string[],
): readonly I[] {
  return options.filter(({ id, label }) => said.includes(id) || said.includes(label)).map(({ id }) => id);
}

/** Returns true if the engine asks: no agent decides it, and it is read whole before a decision. */
export function isOfEngine({ source }: Pick<PendingRequest, 'source'>): boolean {
  return source === engineSource;
}

/** The decision about a request. `none`: a person left it to the agent, or the time ran out. */
export const RequestDecision = z.discriminatedUnion('kind', [
  /** One list per question: labels of options, or free text. */
  z.object({ kind: z.literal('answers'), answers: z.array(z.array(z.string())) }),
  z.object({ kind: z.literal('allow') }),
  z.object({ kind: z.literal('deny') }),
  z.object({ kind: z.literal('none') }),
]);
export type RequestDecision = z.infer<typeof RequestDecision>;

/** A person's decision, without their words. `left`: the agent decides itself. */
export const RequestVerdict = z.enum(['answered', 'left', 'allowed', 'denied']);
export type RequestVerdict = z.infer<typeof RequestVerdict>;

/** Returns true if a question accepts free text. One without options always does. */
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

/** Returns true if a permission can only be denied, because a part of what it is for can't be shown. */
export function isCut(content: RequestContent | undefined): boolean {
  return content?.kind === 'permission' && content.cut === true;
}
