import { stringify } from 'yaml';
import type * as z from 'zod';
import type { Section } from '../../context/sections.ts';
import type { GapResolution } from '../../domain/prd.ts';

export type Resolution = z.infer<typeof GapResolution>;

/** What a revision is told: the gaps to close, and what earlier extra fixes did. */
export function gapSections(gaps: readonly string[], history: readonly Resolution[]): readonly Section[] {
  const sections: Section[] = [{ name: 'gaps', content: stringify([...gaps], { lineWidth: 0 }) }];
  if (history.length > 0) sections.push({ name: 'extra_fix_history', content: stringify([...history], { lineWidth: 0 }) });
  return sections;
}

/** Why a revision's account of the gaps is no use: every gap needs one resolution. Differences in quoting and spacing don't matter. */
export function resolutionsProblem(gaps: readonly string[], resolutions: readonly Resolution[]): string | undefined {
  const dealtWith = resolutions.map((resolution) => bare(resolution.gap));
  const missing = gaps.filter((gap) => !dealtWith.includes(bare(gap)));
  return missing.length === 0 ? undefined : missing.map((gap) => `gap_resolutions: none for the gap "${gap}".`).join('\n');
}

function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
