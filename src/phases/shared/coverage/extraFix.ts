import * as z from 'zod';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run } from '../../../engine/run/run.ts';
import { saveEditReceipt } from '../ticket/receipts.ts';
import { type AuditedAtGate, auditAtGate, beforeAudit, savePass, sizeOf } from './checkAgain.ts';
import type { Resolution } from './coverageLoop.ts';

/** One revision at a gate and one fresh audit. `key`: prefix of the steps. */
export async function extraFix(
  run: Run,
  ticket: TicketSnapshot,
  key: string,
  {
    revise,
    ...document
  }: AuditedAtGate & { readonly revise: (winner: string) => Promise<readonly Resolution[]> },
): Promise<readonly Resolution[]> {
  const before = await beforeAudit(run, key, document);
  const resolutions = await revise(before.winner);
  const audit = await auditAtGate(run, ticket, key, { document, before });
  await run.record(`${key}-record`, z.null(), async (io) => {
    const after = await sizeOf(io, document.present);
    await savePass(io, document, { audit, pass: before.pass, candidate: after.sha256, by: 'fix_gaps' });
    saveEditReceipt(io, ticket, {
      artifact: document.domain,
      action: 'fix_gaps',
      surface: 'unknown',
      statusBefore: ticket.status,
      before: { sha256: before.sha256, bytes: before.bytes },
      after,
      invalidated: [],
    });
    return null;
  });
  return resolutions;
}
