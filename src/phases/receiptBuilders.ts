import { checked, wrongTicket } from '../domain/documents/base/check.ts';
import { ReceivedHandoff, receivedHandoffDocument } from '../domain/documents/receivedHandoff.ts';
import { readText, writeText } from '../domain/documents/base/text.ts';
import { BeadsmithError } from '../domain/core/errors.ts';
import { emptyHandoff } from '../domain/handoff/handoff.ts';
import type { InboxBody } from '../domain/ticket/inbox.ts';
import { usedIn } from '../domain/usage/budgets.ts';
import { limitsBehind } from '../domain/beads/limitsBehind.ts';
import { limitsHash, limitsOf, withChange } from '../domain/settings/limits.ts';
import type { BeadReview, LimitsReceipt } from '../domain/workflow/receipts.ts';
import type { Ticket } from '../domain/ticket/ticket.ts';
import type { ActionChanges } from '../engine/drive/control.ts';
import type { Ports } from '../engine/ports/ports.ts';
import type { Change } from '../engine/ports/storePort.ts';
import { editedContext, previewWish, promptRule, withdrawal } from './choiceReceipts.ts';

/** The receipt that each action of the effect `receipt` files. Leave one out and it doesn't compile. */
export const receiptBuilders: ActionChanges['receipts'] = {
  accept_bead: beadReview,
  withdraw_context: withdrawal,
  edit_context: editedContext,
  prompt_rule: promptRule,
  preview_prompt: previewWish,
  limits: limitsReceipt,
  edit_handoff: editedHandoff,
};

/**
 * The receipt of an accepted bead. Throws STALE_APPROVAL if the bead's diff isn't the one the person saw, or
 * if there is none yet.
 */
async function beadReview(
  ports: Pick<Ports, 'store' | 'clock'>,
  ticket: Ticket,
  body: InboxBody<'accept_bead'>,
): Promise<readonly Change[]> {
  const { bead, sha256, reason } = body;
  const diff = await ports.store.artifact(ticket.id, `bead_diff:${bead}`);
  if (diff?.info.sha256 !== sha256)
    throw new BeadsmithError('STALE_APPROVAL', { artifact: `The diff of ${bead}` });
  const receipt: BeadReview = {
    schema_version: 1,
    bead_id: bead,
    verdict: 'accepted',
    diff_sha256: sha256,
    reason,
    reviewed_by: 'user',
    reviewed_at: new Date(ports.clock.now()).toISOString(),
  };
  // Filed with CODING, which has no attempts, so that it isn't archived when the ticket goes back.
  const content = `${JSON.stringify(receipt, null, 2)}\n`;
  return [{ type: 'artifact', artifact: `bead_review:${bead}`, content, status: 'CODING', attempt: 1 }];
}

/**
 * The changes for new limits: the ticket, from which the next run takes them, and a receipt. An open run
 * keeps its own limits, so that it replays unchanged. Throws EDIT_CONFLICT if the limits aren't those the
 * person saw.
 */
function limitsReceipt(
  ports: Pick<Ports, 'clock'>,
  ticket: Ticket,
  body: InboxBody<'limits'>,
): readonly Change[] {
  const before = limitsOf(ticket);
  if (!before || !ticket.settings || limitsHash(before) !== body.baseSha256)
    throw new BeadsmithError('EDIT_CONFLICT', { artifact: `The limits of ${ticket.id}` });
  const [paused] =
    ticket.hold?.kind === 'budget' && ticket.error ? limitsBehind(ticket.error, ticket.previousStatus) : [];
  const raised = paused && body.limits[paused];
  const used = ticket.error ? usedIn(ticket.error) : 0;
  if (raised !== undefined && raised > 0 && raised <= used)
    throw new BeadsmithError('INVALID_INPUT', {
      what: 'The limit',
      reason: `${String(Math.ceil(used))} are used already. Give more, or 0 for no limit.`,
    });
  const after = withChange(before, body.limits);
  const { tokenBudget, ...limits } = after;
  const receipt: LimitsReceipt = {
    schema_version: 1,
    before,
    after,
    reason: body.reason,
    changed_by: 'user',
    changed_at: new Date(ports.clock.now()).toISOString(),
  };
  return [
    { type: 'ticket', set: { limits, settings: { ...ticket.settings, tokenBudget } } },
    // Filed with DRAFT, which froze the previous limits and is never archived.
    {
      type: 'artifact',
      artifact: 'limits_receipt',
      content: `${JSON.stringify(receipt, null, 2)}\n`,
      status: 'DRAFT',
      attempt: 1,
    },
  ];
}

/**
 * The received handoff as a person wants it (docs/decisions/139-retrospective-and-handoff.md); every later
 * call gets this version. Throws INVALID_INPUT if there is none, EDIT_CONFLICT if it isn't the one the person
 * saw, INVALID_ARTIFACT.
 */
async function editedHandoff(
  { store }: Pick<Ports, 'store'>,
  ticket: Ticket,
  { baseSha256, content }: InboxBody<'edit_handoff'>,
): Promise<readonly Change[]> {
  const { kind, subject, format } = receivedHandoffDocument;
  const stored = await store.artifact(ticket.id, kind);
  if (!stored)
    throw new BeadsmithError('INVALID_INPUT', {
      what: 'The edit',
      reason: `${ticket.id} has no received handoff`,
    });
  if (stored.info.sha256 !== baseSha256) throw new BeadsmithError('EDIT_CONFLICT', { artifact: subject });
  const present = ReceivedHandoff.parse(valueOf(subject, stored.content));
  const edited = content.trim() === '' ? { ...present, ...emptyHandoff } : valueOf(subject, content);
  const read = checked(ReceivedHandoff, edited);
  const problem = read.ok
    ? (wrongTicket(read.value, ticket.id) ??
      (read.value.from === present.from ? undefined : `from must be ${present.from}.`))
    : read.error;
  if (!read.ok || problem !== undefined)
    throw new BeadsmithError('INVALID_ARTIFACT', { artifact: subject, reason: problem ?? '' });
  const { status, attempt } = stored.info;
  return [{ type: 'artifact', artifact: kind, content: writeText(format, read.value), status, attempt }];
}

function valueOf(subject: string, content: string): unknown {
  const read = readText(receivedHandoffDocument.format, content);
  if (read.ok) return read.value;
  throw new BeadsmithError('INVALID_ARTIFACT', { artifact: subject, reason: read.error });
}
