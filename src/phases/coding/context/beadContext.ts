import type { Section } from '../../../context/sections.ts';
import type { Bead } from '../../../domain/beads/bead.ts';
import { placeInPlan } from '../../../domain/beads/placeInPlan.ts';
import { type PrdParts, prdParts } from '../../../domain/links/prdParts.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { yamlText } from '../../shared/ticket/artifacts.ts';
import { linkedPrd } from '../../shared/ticket/linkedPrd.ts';
import { describeFiles } from './targetFiles.ts';

/**
 * Returns the sections that everyone who works on a bead or judges it gets beside it
 * (docs/decisions/172-what-a-bead-refers-to.md): its place in the plan, the parts of the PRD that it names,
 * and its files as `commit` has them. None of them mentions attempts. Without a PRD there is no part of one.
 */
export async function beadSections(
  io: StepIo,
  ticket: TicketSnapshot,
  bead: Bead,
  { commit, stories = true }: { readonly commit: string; readonly stories?: boolean },
): Promise<readonly Section[]> {
  const [plan, prd, files] = await Promise.all([
    io.ports.store.beads(ticket.id),
    linkedPrd(io),
    describeFiles(io.ports.git, commit, bead.targetFiles),
  ]);
  return [
    { name: 'place_in_plan', content: placeInPlan(ticket, bead, plan) },
    { name: 'prd_parts', content: prd ? partsText(prdParts(prd, stories ? bead.prdRefs : [])) : '' },
    { name: 'target_files', content: files },
  ];
}

function partsText(parts: PrdParts): string {
  return Object.keys(parts).length === 0 ? '' : yamlText(parts);
}
