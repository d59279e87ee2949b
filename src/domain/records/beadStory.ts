import { writeText } from '../documents/base/text.ts';
import type { BeadRecord } from './records.ts';

/** Outcomes of a bead. */
export const beadOutcomes = ['completed', 'failed', 'skipped'] as const;

/** A bead at its ticket's end. `records`: oldest first. */
export interface BeadStory {
  readonly id: string;
  readonly title: string;
  readonly outcome: (typeof beadOutcomes)[number];
  readonly iterations: number;
  readonly summary: string;
  readonly records: readonly BeadRecord[];
}

/** A summary's most tokens. */
export const summaryTokens = 250;
/** The most tokens of a model's text about all beads. */
export const storyTokens = 20_000;

type Count = (text: string) => Promise<number> | number;

/**
 * Text about beads within `cap` tokens: incomplete ones first, with all records if those fit, then summaries
 * of others. Beads without room are named.
 */
export async function tellBeads(
  stories: readonly BeadStory[],
  { cap, count }: { readonly cap: number; readonly count: Count },
): Promise<string> {
  const failed = stories.filter(({ outcome }) => outcome !== 'completed');
  const passed = stories.filter(({ outcome }) => outcome === 'completed');
  const parts: string[] = [];
  const unnamed: string[] = [];
  // Joining texts may cost a token each.
  let left = cap - (await count(restText(stories.map(({ id }) => id))));
  const add = async (text: string): Promise<boolean> => {
    const tokens = (await count(text)) + 2;
    if (tokens > left) return false;
    parts.push(text);
    left -= tokens;
    return true;
  };
  for (const story of failed) {
    if (await add(wholeText(story))) continue;
    if (!(await add(await shortText(story, count)))) unnamed.push(story.id);
  }
  for (const story of passed) if (!(await add(await shortText(story, count)))) unnamed.push(story.id);
  return [...parts, ...(unnamed.length === 0 ? [] : [restText(unnamed)])].join('\n\n');
}

/** Cuts a text's end until it fits `cap` tokens. */
export async function cutTo(text: string, cap: number, count: Count): Promise<string> {
  let cut = text;
  for (let tokens = await count(cut); tokens > cap && cut !== ''; tokens = await count(cut)) {
    const keep = Math.min(cut.length - 1, Math.floor((cut.length * cap * 0.95) / tokens));
    // Never between the halves of a surrogate pair.
    cut = `${cut
      .slice(0, keep)
      .replace(/[\uD800-\uDBFF]$/u, '')
      .trimEnd()
      .replace(/…$/u, '')}…`;
    if (keep <= 1) return '';
  }
  return cut;
}

function titleOf({ id, title, outcome, iterations }: BeadStory): string {
  const tries = iterations === 1 ? '1 iteration' : `${String(iterations)} iterations`;
  return `### ${id}: ${title.slice(0, 200)} (${outcome}, ${tries})`;
}

function wholeText(story: BeadStory): string {
  const records = story.records.map(({ kind, iteration, payload }) => {
    return `#### ${kind}, iteration ${String(iteration)}\n\n${writeText('yaml', payload).trimEnd()}`;
  });
  return [titleOf(story), ...(records.length > 0 ? records : [story.summary])].join('\n\n');
}

async function shortText(story: BeadStory, count: Count): Promise<string> {
  return cutTo(`${titleOf(story)}\n\n${story.summary}`.trimEnd(), summaryTokens, count);
}

function restText(ids: readonly string[]): string {
  const shown = ids.slice(0, 100).join(', ');
  return `Not told, because there is no room: ${shown}${ids.length > 100 ? ` and ${String(ids.length - 100)} more` : ''}.`;
}
