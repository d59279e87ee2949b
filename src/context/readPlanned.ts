import { sha256 } from '../base/sha256.ts';
import type { PromptPart, PromptPlan } from '../domain/usage/promptPlan.ts';
import type { ReplayGap } from '../domain/usage/replay.ts';
import { titleOf, withoutClosing } from './promptFile.ts';
import { framedAt } from './partRow.ts';

/**
 * A prompt that was sent, taken apart. `tail`: what was added behind its last part. `closing`: its last line,
 * if it has one.
 */
export interface SentPrompt {
  readonly instructions: string;
  /** In the order in which they were sent. */
  readonly parts: readonly PromptPart[];
  readonly tail: string;
  readonly closing: string;
}

/** Marks that stand in the place of secrets (src/base/outputSecrets.ts). */
const mark = /\(redacted [a-z-]+\)|<secret>/;
/**
 * Limit of the places that are tried for a part. Text that a person wrote may look like the beginning of a
 * part, and must not make the search long.
 */
const mostPlaces = 20;

/**
 * Takes the text of a prompt apart again, by its plan, which has the parts in their order and the hash of
 * each. What is answered is exactly what was sent, whatever the headings were; a text in which something else
 * stands is a gap.
 */
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

/** The first place from an offset on where a part of this name and hash stands. */
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

/** The task's own text: between the parts that stand around it, without what `planPrompt` writes there. */
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
  // Without a part that goes ahead, the title follows at once, which begins the message behind it.
  const again = ended.lastIndexOf(`\n\n${titleOf(prompt)}\n\n`);
  const found = at === 0 && ahead === 0 && again >= 0 ? ended.slice(0, again) : ended;
  return instructions && sha256(found) !== instructions.sha256 ? undefined : found;
}
