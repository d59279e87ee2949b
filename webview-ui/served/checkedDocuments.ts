import { jsonOf } from '../../src/base/json.ts';
import { sha256 } from '../../src/base/sha256.ts';
import type { Bead } from '../../src/domain/beads/bead.ts';
import { planHash } from '../../src/domain/beads/beadPlan.ts';
import { approvalHash } from '../../src/domain/documents/workDocuments.ts';
import type { ServedDetail } from '../../src/protocol/team/served.ts';

/**
 * The hash that an approval of these very texts carries, made from what is shown: a server that shows one
 * text and asks for the approval of another one gets none. Undefined if they differ.
 */
export function shownHash({
  documents,
  sha256: asked,
}: Pick<ServedDetail, 'documents' | 'sha256'>): string | undefined {
  const made = documents.length === 0 ? undefined : approvalHash(documents.map(hashOf));
  return made !== undefined && made === asked ? made : undefined;
}

function hashOf({ artifact, content }: ServedDetail['documents'][number]): string {
  if (artifact !== 'beads') return sha256(content);
  const beads = jsonOf(content);
  return Array.isArray(beads) ? planHash(beads as Bead[]) : '';
}
