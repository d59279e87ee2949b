import type { Bead } from '../../../domain/beads/bead.ts';
import { beadLines, planHash } from '../../../domain/beads/beadPlan.ts';
import type { Status } from '../../../domain/workflow/workflow.ts';
import { sized } from '../ticket/receipts.ts';
import { placeOfBeads, saveBeads } from '../ticket/saveBeads.ts';
import type { GateDocument } from '../coverage/gateDocument.ts';

const setupStatuses: readonly Status[] = [
  'GENERATING_EXECUTION_SETUP_PLAN',
  'WAITING_EXECUTION_SETUP_APPROVAL',
  'PREPARING_EXECUTION_ENV',
];

export const storedBeads = {
  present: async (io) => {
    const beads = await io.ports.store.beads(io.ticket);
    if (beads.length === 0) return undefined;
    const { bytes } = sized(beadLines(beads));
    return { document: beads, sha256: planHash(beads), bytes, ...(await placeOfBeads(io)) };
  },
  save: (io, beads, place) => {
    const { bytes } = sized(saveBeads(io, beads, { ...place, byPerson: true }));
    return { sha256: planHash(beads), bytes };
  },
  invalidate: async (io) => {
    const current = await io.ports.store.artifacts(io.ticket, { archived: false });
    io.save({ type: 'artifacts.archive', statuses: setupStatuses });
    return [
      ...new Set(current.filter((info) => setupStatuses.includes(info.status)).map((info) => info.type)),
    ];
  },
} satisfies GateDocument<readonly Bead[]>;
