import { sha256 } from '../../base/sha256.ts';
import { voteCategories } from '../../domain/council/council.ts';
import { readDocument, yamlFence } from '../script/documentText.ts';
import type { ParsedChat } from '../script/parsedChat.ts';
import { type PromptParts, labelledBlocks } from '../script/promptParts.ts';

/** A score for every draft, with a reason that quotes it, from the draft's text alone: every voter agrees. */
export function vote({ parts }: ParsedChat): string {
  const drafts = labelledBlocks(parts.get('drafts') ?? '').filter(({ label }) => /^Draft \d+$/i.test(label));
  return yamlFence({
    draft_scores: Object.fromEntries(
      drafts.map(({ label, content }) => {
        const digest = sha256(content);
        const scores = voteCategories.map(
          (category, index) => [category, 12 + (Number.parseInt(digest.charAt(index), 16) % 8)] as const,
        );
        const reasons = voteCategories.map(
          (category, index) =>
            [category, `The scripted model read "${lineAt(content, digest.charCodeAt(index))}".`] as const,
        );
        return [label, { ...Object.fromEntries(scores), reasons: Object.fromEntries(reasons) }];
      }),
    ),
  });
}

/** A line of a draft that says something, chosen by a number. */
function lineAt(content: string, number: number): string {
  const lines = content
    .split('\n')
    .map((line) => line.replace(/^[-\s]*(?:[\w]+:)?[>|-]*\s*/, '').replaceAll(/["'`]/g, ' '));
  const said = lines.map((line) => line.trim()).filter((line) => /\w \w/.test(line));
  return (said[number % Math.max(1, said.length)] ?? content).slice(0, 80).trim();
}

/** The draft a refinement starts from: the labelled winner, else the first that can be read. */
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
