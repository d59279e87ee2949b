import { isRecord } from '../../base/json.ts';
import { Interview } from '../../domain/documents/interview.ts';
import { Prd } from '../../domain/documents/prd.ts';
import { SetupPlan } from '../../domain/documents/setupPlan.ts';
import { readDocument } from '../../protocol/readDocument.ts';
import type { ArtifactText } from '../documents/artifactText.ts';

/** What an approval is about, in a few numbers. `document`: nothing more is known of it. */
export type GateSummary =
  | { readonly kind: 'interview'; readonly answered: number; readonly skipped: number }
  | { readonly kind: 'prd'; readonly epics: number; readonly stories: number; readonly problem: string }
  | { readonly kind: 'beads'; readonly titles: readonly string[] }
  | { readonly kind: 'setup'; readonly steps: number; readonly summary: string }
  | { readonly kind: 'document' };

export async function gateSummary({ type, content }: Pick<ArtifactText, 'type' | 'content'>): Promise<GateSummary> {
  if (type === 'beads') return { kind: 'beads', titles: await titlesOf(content) };
  const value = await readDocument(content);
  if (type === 'interview') {
    const interview = Interview.safeParse(value);
    if (!interview.success) return { kind: 'document' };
    const skipped = interview.data.questions.filter(({ answer }) => answer.skipped).length;
    return { kind: 'interview', answered: interview.data.questions.length - skipped, skipped };
  }
  if (type === 'prd') {
    const prd = Prd.safeParse(value);
    if (!prd.success) return { kind: 'document' };
    const { epics, product } = prd.data;
    return {
      kind: 'prd',
      epics: epics.length,
      stories: epics.reduce((sum, epic) => sum + epic.user_stories.length, 0),
      problem: product.problem_statement,
    };
  }
  if (type === 'execution_setup_plan') {
    const plan = SetupPlan.safeParse(value);
    return plan.success ? { kind: 'setup', steps: plan.data.steps.length, summary: plan.data.summary } : { kind: 'document' };
  }
  return { kind: 'document' };
}

/** One bead a line. */
async function titlesOf(lines: string): Promise<string[]> {
  const beads = await Promise.all(lines.split('\n').map(readDocument));
  return beads.flatMap((bead) => (isRecord(bead) && typeof bead['title'] === 'string' ? [bead['title']] : []));
}
