import { l10n } from 'vscode';
import { loopEnds, PassEntry, passOutcomes } from '../../domain/beads/passes.ts';
import { beadRecordsDocument } from '../../domain/documents/beadRecords.ts';
import { BeadRecord } from '../../domain/records/records.ts';
import type { Client } from '../../protocol/api.ts';
import type { PassRow } from '../../protocol/pages/reviews.ts';

/**
 * Returns the outcomes of the passes of iterations (docs/decisions/140-passes.md), oldest first. Entries of
 * another kind are skipped.
 */
export async function passRows(client: Client, ticket: string): Promise<PassRow[]> {
  const stored = await client.artifact(ticket, beadRecordsDocument.kind);
  return (stored?.content ?? '').split('\n').flatMap((line): readonly PassRow[] => {
    const record = BeadRecord.safeParse(jsonOf(line)).data;
    const entry = record?.kind === 'gate' ? PassEntry.safeParse(record.payload).data : undefined;
    if (!record || !entry) return [];
    const { pass, max, outcome, end } = entry;
    const ended = end === null ? '' : l10n.t('The loop ended: {0}.', l10n.t(loopEnds[end].label));
    const label = [l10n.t(passOutcomes[outcome]), ended].filter((part) => part !== '').join(' ');
    const at = Date.parse(record.at);
    const passed = outcome === 'passed';
    return [
      {
        bead: record.bead,
        iteration: record.iteration,
        pass,
        most: max,
        passed,
        label,
        at: Number.isNaN(at) ? null : at,
      },
    ];
  });
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
