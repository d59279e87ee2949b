import { sha256 } from '../base/sha256.ts';
import type { PromptPart, PromptPlan } from '../domain/promptPlan.ts';
import type { ReplayGap } from '../domain/replay.ts';
import { titleOf } from './promptFile.ts';

/** A prompt that was sent, taken apart. `tail`: what was added behind its last part. */
export interface SentPrompt {
  readonly instructions: string;
  /** In the order in which they were sent. */
  readonly parts: readonly PromptPart[];
  readonly tail: string;
}

/** A part's heading, the line that says what it is, and its fence. */
const opening = /## [^\n]*\n[^\n]*\n\n(`{3,})\n/y;
/** Marks that stand in the place of secrets (src/base/outputSecrets.ts). */
const mark = /\(redacted [a-z-]+\)|<secret>/;
/** What a person wrote may look like the beginning of a part. It is no part of theirs to search for long. */
const mostPlaces = 20;

/**
 * Takes the text of a prompt apart again, by its plan, which has the parts in their order and the hash of each. What is answered is exactly what was
 * sent, whatever the headings were; a text in which something else stands is a gap.
 */
export function readPlanned(text: string, plan: PromptPlan): SentPrompt | ReplayGap {
  if (text === '') return 'no-text';
  const spans = spansOf(text, plan.parts);
  const instructions = spans && instructionsIn(text, plan, spans);
  if (!spans || instructions === undefined) return mark.test(text) ? 'secrets' : 'other-text';
  const { at = 0 } = plan.instructions ?? {};
  const last = spans.at(-1);
  const endsWithPart = last !== undefined && at < spans.length && plan.ahead !== spans.length;
  return {
    instructions,
    parts: plan.parts.map(({ sha256: _hash, ...part }, index) => ({ ...part, content: spans[index]?.content ?? '' })),
    tail: endsWithPart ? text.slice(last.end) : '',
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

/** The first place from an offset on where a part of this name and hash stands. No content has the run of backticks that ends it. */
function spanOf(text: string, { name, sha256: hash }: PromptPlan['parts'][number], from: number): Span | undefined {
  const heading = `## ${name}\n`;
  let start = text.indexOf(heading, from);
  for (let tries = 0; start >= 0 && tries < mostPlaces; tries++) {
    opening.lastIndex = start;
    const [head = '', fence = ''] = opening.exec(text) ?? [];
    const begin = start + head.length;
    const close = head === '' ? -1 : text.indexOf(`\n${fence}`, begin);
    const content = text.slice(begin, close);
    if (close >= 0 && sha256(content) === hash) return { start, end: close + 1 + fence.length, content };
    start = text.indexOf(heading, start + 1);
  }
  return undefined;
}

/** The task's own text: between the parts that stand around it, without what `planPrompt` writes there. */
function instructionsIn(text: string, { prompt, instructions, ahead }: PromptPlan, spans: readonly Span[]): string | undefined {
  const { at = 0 } = instructions ?? {};
  const next = spans[at];
  const before = text.slice(spans[at - 1]?.end ?? 0, next?.start ?? text.length);
  const begun = at === 0 ? before : before.replace(/^\n\n---\n\n/, '');
  const ended = next ? begun.replace(/\n\n$/, '') : begun;
  // Without a part that goes ahead, the title follows at once, which begins the message behind it.
  const again = ended.lastIndexOf(`\n\n${titleOf(prompt)}\n\n`);
  const found = ahead === 0 && again >= 0 ? ended.slice(0, again) : ended;
  return instructions && sha256(found) !== instructions.sha256 ? undefined : found;
}
