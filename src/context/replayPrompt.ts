import { type ContextKey, contextKeys } from '../domain/workflow/contextKeys.ts';
import type { Persona } from '../domain/personas/persona.ts';
import { tokensIn } from '../domain/promptCache/prefix.ts';
import type { PromptPart, PromptPlan } from '../domain/usage/promptPlan.ts';
import type { ReplayGap, ReplayReason, ReplayVerdict } from '../domain/usage/replay.ts';
import type { Settings } from '../domain/settings/settings.ts';
import { slicesOf } from './allowlists.ts';
import { shrink } from './buildMinimalContext.ts';
import { type PromptFile, readInputs, withoutClosing, titleOf } from './promptFile.ts';
import { classRank, framedAt, laterClass, partRow } from './partRow.ts';
import { samePersonas } from './personaFile.ts';
import { inOrderOfSettings, planPrompt } from './planPrompt.ts';
import { promptUse } from './promptInventory.ts';
import { sectionAllowed, sectionNames, sectionRow } from './sections.ts';
import { sha256 } from '../base/sha256.ts';

/** `promptOrder`: of the ticket's settings. */
export interface RecordedCall {
  readonly ticket: string;
  readonly bead: string | null;
  readonly plan: PromptPlan;
  readonly input: string;
  readonly promptOrder: Settings['promptOrder'];
}

export interface TodaysPrompts {
  /** Undefined if it is gone. */
  file(name: string): Promise<PromptFile | undefined>;
  personas(): Promise<readonly Persona[]>;
  count(text: string): Promise<number>;
}

/** `today`: null if unknown or none. */
export interface ReplayedPrompt {
  readonly verdict: ReplayVerdict;
  readonly reasons: readonly ReplayReason[];
  readonly gap: ReplayGap | null;
  readonly today: string | null;
}

type Layout = Pick<RecordedCall, 'ticket' | 'bead' | 'plan' | 'promptOrder'> & {
  readonly key: ContextKey;
  readonly sent: SentPrompt;
};

/**
 * Builds a recorded prompt again with today's files and tables (docs/decisions/153-replays.md). Shrunk or
 * dropped parts stay as sent.
 */
export async function replayPrompt(call: RecordedCall, today: TodaysPrompts): Promise<ReplayedPrompt> {
  const { plan, input } = call;
  const key = contextKeys.find((one) => one === plan.contextKey);
  const file = key && (await today.file(plan.prompt));
  if (!file) return differs([{ kind: 'prompt-gone', part: null }], null);
  const { text, advice, isAdvised } = await withoutAdvice(input, today);
  const sent = readPlanned(text, plan);
  if (typeof sent === 'string') {
    const isContinued = input !== '' && input === (await today.file('continue'))?.body;
    return isContinued ? same(input) : { verdict: 'unknown', reasons: [], gap: sent, today: null };
  }
  const layout: Layout = { ...call, key, sent };
  const inputs = readInputs(file, sent.instructions);
  const kept = await partsToday(layout, file, today);
  const asWritten = written(
    layout,
    { ...file, inputs: ['all'], body: '{{all}}' },
    { all: sent.instructions },
    sent.parts,
  );
  const bare = withoutClosing(asWritten);
  const reasons: readonly ReplayReason[] = [
    ...(promptUse(plan.prompt).keys !== 'any' && file.policy !== plan.policy
      ? [{ kind: 'policy', part: null } as const]
      : []),
    ...(inputs && bare.closing === sent.closing ? [] : [{ kind: 'instructions', part: null } as const]),
    ...(sent.tail === '' ? [] : [{ kind: 'instructions', part: 'shorter-answer' } as const]),
    ...kept.reasons,
    ...(`${bare.text}${sent.tail}` === withoutClosing(text).text
      ? []
      : [{ kind: 'order', part: null } as const]),
  ];
  if (reasons.length === 0) return same(input);
  const holes = Object.fromEntries(file.inputs.map((name) => [name, `{{${name}}}`]));
  // Over the budget, it is unknown what would give way.
  if (reasons.some(({ kind, part }) => kind === 'over-cap' && part === null)) return differs(reasons, null);
  return differs(
    reasons,
    `${written(layout, file, inputs ?? holes, kept.parts)}${isAdvised || sent.tail !== '' ? advice : ''}`,
  );
}

/** An answer that was too long is followed by this advice. */
async function withoutAdvice(
  input: string,
  today: TodaysPrompts,
): Promise<{ readonly text: string; readonly advice: string; readonly isAdvised: boolean }> {
  const body = (await today.file('shorter-answer'))?.body;
  const advice = body === undefined ? '' : `\n\n${body}`;
  const isAdvised = advice !== '' && input.endsWith(advice);
  return { text: isAdvised ? input.slice(0, -advice.length) : input, advice, isAdvised };
}

function same(today: string): ReplayedPrompt {
  return { verdict: 'same', reasons: [], gap: null, today };
}

function differs(reasons: readonly ReplayReason[], today: string | null): ReplayedPrompt {
  return { verdict: 'differs', reasons, gap: null, today };
}

async function partsToday(
  { plan, key, sent }: Layout,
  file: PromptFile,
  today: TodaysPrompts,
): Promise<{ readonly parts: readonly PromptPart[]; readonly reasons: readonly ReplayReason[] }> {
  const reasons: ReplayReason[] = [];
  const parts: PromptPart[] = [];
  const room = await roomToday(plan, file, sent, today);
  for (const part of sent.parts) {
    if (!isAllowed(part, key)) {
      reasons.push({ kind: 'not-allowed', part: part.name });
      continue;
    }
    const isCut = plan.reductions.some(({ name }) => name === part.name);
    const content = isCut ? part.content : await contentToday(part, file, today);
    if (content !== part.content) reasons.push({ kind: 'instructions', part: part.name });
    if (content === undefined) continue;
    const tokens = content === part.content ? part.tokens : await today.count(content);
    const limit =
      part.kind === 'section' && part.pinned !== true
        ? Math.min(capOf(part.name), room / 4)
        : Number.POSITIVE_INFINITY;
    if (tokens > limit) reasons.push({ kind: 'over-cap', part: part.name });
    const fitting =
      tokens > limit
        ? await shrink(content, tokens, Math.floor(limit), (text) => today.count(text))
        : { content, tokens };
    parts.push({ ...part, ...fitting });
  }
  if (tokensIn(parts) > room) reasons.push({ kind: 'over-cap', part: null });
  return { parts, reasons };
}

/** Limits the parts if today's file gives the prompt less. */
async function roomToday(
  plan: PromptPlan,
  file: PromptFile,
  sent: SentPrompt,
  today: TodaysPrompts,
): Promise<number> {
  if (file.budget >= plan.budget || sent.parts.length === 0) return Number.POSITIVE_INFINITY;
  return Math.max(0, Math.floor(file.budget / (plan.calibration ?? 1)) - (await today.count(file.body)));
}

function isAllowed({ name, kind }: PromptPart, key: ContextKey): boolean {
  if (kind === 'slice') return slicesOf(key).some((slice) => slice === name);
  return sectionNames.some((section) => section === name && sectionAllowed(section, key));
}

function capOf(name: string): number {
  const known = sectionNames.find((section) => section === name);
  return known ? sectionRow(known).cap : Number.POSITIVE_INFINITY;
}

/** Unchanged, unless a file of `prompts/` has it. */
async function contentToday(
  { name, content }: PromptPart,
  file: PromptFile,
  today: TodaysPrompts,
): Promise<string | undefined> {
  if (name === 'preamble') return (await today.file('preamble'))?.body;
  if (name === 'rules_digest') return (await today.file(`agent-${file.policy.replaceAll('_', '-')}`))?.rules;
  return name === 'persona' ? samePersonas(content, await today.personas()) : content;
}

/** By today's classes, then in the old order. */
function written(
  { plan, key, ticket, bead, promptOrder }: Layout,
  file: PromptFile,
  inputs: Readonly<Record<string, string>>,
  parts: readonly PromptPart[],
): string {
  const order = orderOf(plan, promptOrder);
  const now = parts.map((part): PromptPart => ({ ...part, stability: classOf(part) }));
  const { stable, text } = planPrompt({
    key,
    file,
    inputs,
    reductions: [],
    tokens: 0,
    budget: 0,
    model: plan.model,
    hashOf: () => '',
    parts: order === 'recency' ? now : now.toSorted((one, other) => classRank(one) - classRank(other)),
    seedOrder: order === 'seed' ? { ticket, bead: bead ?? '' } : undefined,
    asOrdered: order === 'recency',
  });
  return stable === '' ? text : `${stable}\n\n${text}`;
}

/** For a bead's code, only `seed` has parts before the task and only `stable` sends parts ahead. */
function orderOf(
  { prompt, instructions, ahead }: PromptPlan,
  wanted: RecordedCall['promptOrder'],
): RecordedCall['promptOrder'] {
  if (!inOrderOfSettings.includes(prompt)) return 'stable';
  if ((instructions?.at ?? 0) > 0) return 'seed';
  return ahead === undefined ? wanted : 'stable';
}

function classOf({ name, stability, demoted }: PromptPart): PromptPart['stability'] {
  const own = partRow(name)?.stability ?? stability;
  return demoted === true ? laterClass[own] : own;
}

/** `tail`: what follows the last part. `closing`: the last line. */
interface SentPrompt {
  readonly instructions: string;
  readonly parts: readonly PromptPart[];
  readonly tail: string;
  readonly closing: string;
}

/** Marks in the place of secrets (src/base/outputSecrets.ts). */
const mark = /\(redacted [a-z-]+\)|<secret>/;
/** Places tried for a part, because a person's text may imitate its beginning. */
const mostPlaces = 20;

/** Takes a prompt apart by its plan, whatever the headings were. */
export function readPlanned(whole: string, plan: PromptPlan): SentPrompt | ReplayGap {
  if (whole === '') return 'no-text';
  const { text, closing } = withoutClosing(whole);
  const spans = spansOf(text, plan.parts);
  const instructions = spans && instructionsIn(text, plan, spans);
  if (!spans || instructions === undefined) return mark.test(text) ? 'secrets' : 'other-text';
  const { at = 0 } = plan.instructions ?? {};
  const last = spans.at(-1);
  const endsWithPart = last !== undefined && at < spans.length && plan.ahead !== spans.length;
  return {
    instructions,
    parts: plan.parts.map(({ sha256: _hash, ...part }, index) => ({
      ...part,
      content: spans[index]?.content ?? '',
    })),
    tail: endsWithPart ? text.slice(last.end) : '',
    closing,
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly content: string;
}

function spansOf(text: string, parts: PromptPlan['parts']): readonly Span[] | undefined {
  const spans: Span[] = [];
  for (const part of parts) {
    const span = spanOf(text, part, spans.at(-1)?.end ?? 0);
    if (!span) return undefined;
    spans.push(span);
  }
  return spans;
}

function spanOf(
  text: string,
  { name, sha256: hash }: PromptPlan['parts'][number],
  from: number,
): Span | undefined {
  const heading = `## ${name}\n`;
  let start = text.indexOf(heading, from);
  for (let tries = 0; start >= 0 && tries < mostPlaces; tries++) {
    const found = framedAt(text, start);
    if (found && sha256(found.content) === hash) return { start, ...found };
    start = text.indexOf(heading, start + 1);
  }
  return undefined;
}

/** Without what `planPrompt` writes around it. */
function instructionsIn(
  text: string,
  { prompt, instructions, ahead }: PromptPlan,
  spans: readonly Span[],
): string | undefined {
  const { at = 0 } = instructions ?? {};
  const next = spans[at];
  const before = text.slice(spans[at - 1]?.end ?? 0, next?.start ?? text.length);
  const begun = at === 0 ? before : before.replace(/^\n\n(?:---\n\n)?/, '');
  const ended = next ? begun.replace(/\n\n$/, '') : begun;
  // Without a part ahead, the title follows at once, and begins the next message.
  const again = ended.lastIndexOf(`\n\n${titleOf(prompt)}\n\n`);
  const found = at === 0 && ahead === 0 && again >= 0 ? ended.slice(0, again) : ended;
  return instructions && sha256(found) !== instructions.sha256 ? undefined : found;
}
