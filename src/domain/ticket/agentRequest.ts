import * as z from 'zod';
import { filled, type Words } from '../core/errors.ts';

/** Subjects of the engine's questions. */
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

/** An agent's question: shown as it is, never interpreted. */
export const AgentQuestion = z.object({
  topic: EngineTopic.optional(),
  header: z.string(),
  text: z.string(),
  /** `id`: the engine's choice; labels are for people. */
  options: z.array(z.object({ id: z.string().optional(), label: z.string(), description: z.string() })),
  multiple: z.boolean(),
  custom: z.boolean(),
});
export type AgentQuestion = z.infer<typeof AgentQuestion>;

/** An agent's request to people during its work. */
export const RequestContent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('question'), questions: z.array(AgentQuestion).min(1) }),
  z.object({
    kind: z.literal('permission'),
    /** OpenCode's name, such as `external_directory`. */
    permission: z.string(),
    patterns: z.array(z.string()),
    /** Empty if unknown. */
    command: z.string(),
    /** Nobody can allow what can't be read whole. */
    cut: z.literal(true).optional(),
  }),
]);
export type RequestContent = z.infer<typeof RequestContent>;

/**
 * A waiting request, kept in the ticket's hold for followers. Its id follows from step and content, so a
 * repeated one is the same. `until`: the agent continues then. Times are milliseconds since 1970.
 */
export const PendingRequest = z.object({
  id: z.string(),
  source: z.string(),
  since: z.number(),
  until: z.number(),
  content: RequestContent,
});
export type PendingRequest = z.infer<typeof PendingRequest>;

/** The engine's source. No agent decides its questions, and they wait as long as a gate. */
export const engineSource = 'Beadsmith';

/** The engine's question about a subject, if the request is that. */
export function engineQuestion(request: PendingRequest, topic: EngineTopic): AgentQuestion | undefined {
  const { content } = request;
  if (!isOfEngine(request) || content.kind !== 'question') return undefined;
  return content.questions.find((question) => question.topic === topic);
}

/** The options of an answer, by id or label. */
export function chosenIds<I extends string>(
  options: readonly { readonly id: I; readonly label: string }[],
  said: readonly string[],
): readonly I[] {
  return options.filter(({ id, label }) => said.includes(id) || said.includes(label)).map(({ id }) => id);
}

/** True for the engine's request, which no agent decides and is read whole. */
export function isOfEngine({ source }: Pick<PendingRequest, 'source'>): boolean {
  return source === engineSource;
}

/** A decision. `none`: left to the agent, or timed out. */
export const RequestDecision = z.discriminatedUnion('kind', [
  /** Per question: option labels, or free text. */
  z.object({ kind: z.literal('answers'), answers: z.array(z.array(z.string())) }),
  z.object({ kind: z.literal('allow') }),
  z.object({ kind: z.literal('deny') }),
  z.object({ kind: z.literal('none') }),
]);
export type RequestDecision = z.infer<typeof RequestDecision>;

/** A decision without words. `left`: to the agent. */
export const RequestVerdict = z.enum(['answered', 'left', 'allowed', 'denied']);
export type RequestVerdict = z.infer<typeof RequestVerdict>;

/** True if free text is accepted, as without options. */
export function takesWords({ custom, options }: Pick<AgentQuestion, 'custom' | 'options'>): boolean {
  return custom || options.length === 0;
}

/** A request on one line, perhaps shortened. */
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

/** Sentences that complete “it may …”, by OpenCode's name of the permission. */
export const permissionTexts = {
  external_directory: 'access files outside its worktree',
  bash: 'run this',
  edit: 'change this',
  webfetch: 'fetch this from the web',
  other: 'use {0}',
} as const;

/** The words of a permission; OpenCode's own one where there is no better one. */
export function permissionText(
  { permission }: Pick<Extract<RequestContent, { kind: 'permission' }>, 'permission'>,
  words: Words = filled,
): string {
  const name = Object.keys(permissionTexts).find((one) => one === permission) ?? 'other';
  return words(permissionTexts[name as keyof typeof permissionTexts], { 0: permission });
}

/** True if a permission can only be denied, because it is cut. */
export function isCut(content: RequestContent | undefined): boolean {
  return content?.kind === 'permission' && content.cut === true;
}
