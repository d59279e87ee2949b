import { type Bead, reasonWithoutProof } from '../../domain/beads/bead.ts';
import { loadedBy } from '../../domain/guarded/guardedChanges.ts';
import { linksOf } from '../../domain/links/links.ts';
import { isProving } from '../../domain/proof/provingFiles.ts';
import { isSource } from '../../domain/proof/testDetection.ts';
import { prdBody, prdDocument } from '../../domain/requirements/prd.ts';
import type { GateRule } from '../../domain/workflow/receipts.ts';
import type { StoreIo } from '../shared/ticket/artifacts.ts';
import { approvedChecks } from '../shared/approvedSetup.ts';
import { linkedPrd } from '../shared/ticket/linkedPrd.ts';
import { approvalOf } from '../shared/ticket/receipts.ts';

const mostFiles = 3;

/**
 * The rule for a bead plan: one bead of a few source files that meets a PRD which a person approved without
 * gaps, proved by commands that a person approved with an earlier setup. A plan agrees to changes of the
 * files that it names, so tests, and files that something else loads, are a person's decision.
 */
export async function smallPlan(
  io: StoreIo,
  [bead, ...others]: readonly Bead[],
): Promise<GateRule | undefined> {
  if (!bead || others.length > 0 || bead.targetFiles.length > mostFiles) return undefined;
  if (!bead.targetFiles.every(isPlain) || reasonWithoutProof(bead) !== '') return undefined;
  const known = await approvedChecks(io.ports.store, io.ticket);
  if (bead.testCommands.length === 0 || !bead.testCommands.every((command) => known.includes(command)))
    return undefined;
  const approval = await approvalOf(io, prdDocument.kind);
  const [prd, stored] = [await linkedPrd(io), await io.ports.store.artifact(io.ticket, prdDocument.kind)];
  if (!prd || approval?.approved_by !== 'user' || approval.with_gaps.length > 0) return undefined;
  if (approval.stored_content_sha256 !== stored?.info.sha256) return undefined;
  const { holes } = linksOf({ questions: [], prd: prdBody(prd), beads: [bead] });
  return holes.some(({ kind }) => planHoles.includes(kind)) ? undefined : 'one_bead';
}

/** Holes of the PRD itself were decided with it. */
const planHoles: readonly string[] = ['criterion', 'bead', 'command', 'unknownName'];

function isPlain(path: string): boolean {
  return isSource(path) && !isProving(path) && loadedBy(path) === undefined;
}
