import * as z from 'zod';
import { forgeText } from '../../base/forgeText.ts';
import type { Bead } from '../../domain/beads/bead.ts';
import { linksOf } from '../../domain/links/links.ts';
import type { StoreIo } from '../shared/ticket/artifacts.ts';
import { linkedPrd } from '../shared/ticket/linkedPrd.ts';

/** A criterion of the PRD with the beads that are for it. */
export const TracedCriterion = z.object({
  id: z.string(),
  text: z.string(),
  beads: z.array(z.object({ id: z.string(), commands: z.array(z.string()), done: z.boolean() })),
});
type TracedCriterion = z.infer<typeof TracedCriterion>;

/** More is in the ticket. */
const mostRows = 200;
const mostCommands = 3;
const longest = 200;

/** Links of the approved PRD and plan (docs/decisions/093-links.md); none without a PRD. */
export async function tracedCriteria(io: StoreIo, plan: readonly Bead[]): Promise<TracedCriterion[]> {
  const prd = await linkedPrd(io);
  if (!prd) return [];
  const links = linksOf({ questions: [], prd, beads: plan });
  const done = new Set(plan.filter(({ status }) => status === 'done').map(({ id }) => id));
  return links.criteria.map(({ id, text, beads }) => ({
    id,
    text,
    beads: beads.map((bead) => ({
      id: bead,
      commands: [...(links.beads.find((one) => one.id === bead)?.commands ?? [])],
      done: done.has(bead),
    })),
  }));
}

/** The criteria as a folded table. */
export function traceability(criteria: readonly TracedCriterion[] = []): string {
  if (criteria.length === 0) return '';
  const isMet = ({ beads }: TracedCriterion): boolean => beads.length > 0 && beads.every(({ done }) => done);
  const rows = criteria.slice(0, mostRows).map((criterion) => {
    const { id, text, beads } = criterion;
    const commands = [...new Set(beads.flatMap((bead) => bead.commands))];
    const shown = commands.slice(0, mostCommands).map((command) => forgeText.codeCell(short(command)));
    const more = commands.length - shown.length;
    const names = beads.map((bead) => `${forgeText.cell(bead.id)}${bead.done ? '' : ' (not done)'}`);
    return `| ${forgeText.cell(id)} | ${forgeText.cell(short(text))} | ${names.join(', ') || 'none'} | ${shown.join('<br>')}${more > 0 ? ` and ${String(more)} more` : ''} |`;
  });
  const left = criteria.length - rows.length;
  return [
    '## Traceability',
    '',
    `<details><summary>${String(criteria.filter(isMet).length)} of ${String(criteria.length)} acceptance criteria have all their beads done</summary>`,
    '',
    '| Criterion | Text | Beads | Commands |',
    '| --- | --- | --- | --- |',
    ...rows,
    ...(left > 0 ? ['', `${String(left)} more: see the ticket in Beadsmith.`] : []),
    '',
    '</details>',
  ].join('\n');
}

function short(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
