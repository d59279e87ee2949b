import { sha256 } from '../../base/sha256.ts';
import { voteCategories } from '../../domain/council/council.ts';
import { readDocument, yamlFence } from '../script/documentText.ts';
import type { ParsedChat } from '../script/parsedChat.ts';
import { type PromptParts, labelledBlocks } from '../script/promptParts.ts';

/** Scores come from the draft's text alone, so that every voter agrees. */
export function vote({ parts }: ParsedChat): string {
  const drafts = labelledBlocks(parts.get('drafts') ?? '').filter(({ label }) => /^Draft \d+$/i.test(label));
  const scores: Record<string, object> = {};
  for (const { label, content } of drafts) {
    const digest = sha256(content);
    const points: Record<string, number> = {};
    const reasons: Record<string, string> = {};
    for (const [index, category] of voteCategories.entries()) {
      points[category] = 12 + (Number.parseInt(digest.charAt(index), 16) % 8);
      reasons[category] = `The scripted model read "${lineAt(content, digest.charCodeAt(index))}".`;
    }
    scores[label] = { ...points, reasons };
  }
  return yamlFence({ draft_scores: scores });
}

function lineAt(content: string, number: number): string {
  const lines = content
    .split('\n')
    .map((line) => line.replace(/^[-\s]*(?:[\w]+:)?[>|-]*\s*/, '').replaceAll(/["'`]/g, ' '));
  const said = lines.map((line) => line.trim()).filter((line) => /\w \w/.test(line));
  return (said[number % Math.max(1, said.length)] ?? content).slice(0, 80).trim();
}

/** The labelled winner, else the first draft that can be read. */
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
