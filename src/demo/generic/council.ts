import { sha256 } from '../../base/sha256.ts';
import { voteCategories } from '../../domain/council.ts';
import { readDocument, yamlFence } from '../documentText.ts';
import type { ParsedChat } from '../parsedChat.ts';
import { type PromptParts, labelledBlocks } from '../promptParts.ts';

/** A score for every draft shown. It comes from the draft's text alone, so that every voter and every order give the same winner. */
export function vote({ parts }: ParsedChat): string {
  const drafts = labelledBlocks(parts.get('drafts') ?? '').filter(({ label }) => /^Draft \d+$/i.test(label));
  return yamlFence({
    draft_scores: Object.fromEntries(
      drafts.map(({ label, content }) => {
        const digest = sha256(content);
        const scores = voteCategories.map((category, index) => [category, 12 + (Number.parseInt(digest.charAt(index), 16) % 8)] as const);
        return [label, { ...Object.fromEntries(scores), reason: 'A scripted score, computed from the text.' }];
      }),
    ),
  });
}

/** The draft a refinement starts from: the one that is labelled the winner, else the first that can be read. */
export function winningDraft<T>(parts: PromptParts, read: (value: unknown) => T | undefined): T | undefined {
  const blocks = [...labelledBlocks(parts.get('winner') ?? ''), ...labelledBlocks(parts.get('drafts') ?? '')];
  const named = winnersLabel(parts.get('labels'));
  const first = blocks.filter(({ label }) => /winner/i.test(label) || label === named);
  for (const { content } of [...first, ...blocks]) {
    const value = read(readDocument(content));
    if (value !== undefined) return value;
  }
  return read(readDocument(parts.get('drafts')));
}

function winnersLabel(labels: string | undefined): string | undefined {
  const line = (labels ?? '').split('\n').find((text) => /winner|winning/i.test(text));
  return line === undefined ? undefined : /Draft \d+/.exec(line)?.[0];
}
