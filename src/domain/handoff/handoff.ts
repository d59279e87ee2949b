import * as z from 'zod';
import { isRelativePath, RelativePath } from '../core/ids.ts';

/** Most useful first. */
const handoffLists = ['patterns', 'decisions', 'gotchas', 'files', 'test_patterns', 'risks'] as const;
type HandoffList = (typeof handoffLists)[number];

const HandoffEntry = z.object({
  text: z.string().min(1).max(1_000),
  evidence: z.array(RelativePath).min(1).max(10),
});
const entries = z.array(HandoffEntry).max(40).default([]);

/** A handoff's lists (docs/decisions/139-retrospective-and-handoff.md). */
export const HandoffLists = z.object({
  patterns: entries,
  decisions: entries,
  gotchas: entries,
  files: entries,
  test_patterns: entries,
  risks: entries,
});
export type HandoffLists = z.infer<typeof HandoffLists>;

const told = z
  .array(
    z.object({
      text: z.string().trim().min(1).max(1_000),
      evidence: z.array(z.string().max(1_000)).max(20).default([]),
    }),
  )
  .max(40)
  .default([]);

/** A model's handoff, with unchecked files. */
export const HandoffDraft = z.object({
  patterns: told,
  decisions: told,
  gotchas: told,
  files: told,
  test_patterns: told,
  risks: told,
});
type HandoffDraft = z.infer<typeof HandoffDraft>;

interface KeptHandoff {
  readonly lists: HandoffLists;
  readonly dropped: readonly string[];
}

/** The possible paths in a handoff, each once. */
export function evidenceOf(lists: HandoffDraft | HandoffLists): readonly string[] {
  const named = handoffLists.flatMap((list) => lists[list].flatMap(({ evidence }) => evidence));
  return [...new Set(named)].filter(isRelativePath);
}

/** Keeps entries with existing files. */
export function keepFound(lists: HandoffDraft | HandoffLists, present: readonly string[]): KeptHandoff {
  const known = new Set(present);
  const dropped: string[] = [];
  const kept = (list: HandoffList): HandoffLists[HandoffList] =>
    lists[list].flatMap(({ text, evidence }) => {
      const found = [...new Set(evidence)].filter((path) => known.has(path)).slice(0, 10);
      if (found.length > 0) return [{ text, evidence: found }];
      const why =
        evidence.length === 0
          ? 'it names no file'
          : `it names only files that don’t exist: ${evidence.slice(0, 5).join(', ')}`;
      dropped.push(`${text} (Left out: ${why}.)`);
      return [];
    });
  return { lists: everyList(kept), dropped };
}

/** Drops entries from the end until the text fits `cap` tokens. */
export async function withinTokens(
  lists: HandoffLists,
  { cap, count }: { readonly cap: number; readonly count: (text: string) => Promise<number> | number },
): Promise<KeptHandoff> {
  const dropped: string[] = [];
  let left = lists;
  while ((await count(handoffText(left))) > cap) {
    const list = handoffLists.findLast((one) => left[one].length > 0);
    const last = list && left[list].at(-1);
    if (!list || !last) break;
    dropped.unshift(`${last.text} (Left out: there is no room for it.)`);
    left = { ...left, [list]: left[list].slice(0, -1) };
  }
  return { lists: left, dropped };
}

const headings: Readonly<Record<HandoffList, string>> = {
  patterns: 'Patterns',
  decisions: 'Decisions',
  gotchas: 'Gotchas',
  files: 'Files to refer to',
  test_patterns: 'Test patterns',
  risks: 'Open risks',
};

/** A handoff for models; empty without entries. */
export function handoffText(lists: HandoffLists): string {
  return handoffLists
    .filter((list) => lists[list].length > 0)
    .map((list) => {
      const lines = lists[list].map(
        ({ text, evidence }) => `- ${text.replaceAll(/\s+/gu, ' ')} (${evidence.join(', ')})`,
      );
      return [`### ${headings[list]}`, '', ...lines].join('\n');
    })
    .join('\n\n');
}

/** The number of entries. */
export function entriesIn(lists: HandoffLists): number {
  return handoffLists.reduce((sum, list) => sum + lists[list].length, 0);
}

/** A handoff without entries. */
export const emptyHandoff: HandoffLists = everyList(() => []);

/** A handoff, list by list. */
export function everyList(entriesOf: (list: HandoffList) => HandoffLists[HandoffList]): HandoffLists {
  return Object.fromEntries(handoffLists.map((list) => [list, entriesOf(list)])) as HandoffLists;
}
