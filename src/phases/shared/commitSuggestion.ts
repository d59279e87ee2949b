import * as z from 'zod';
import { sha256 } from '../../base/sha256.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { type InboxBody, inboxBodies, type InboxEntry } from '../../domain/ticket/inbox.ts';
import { CommitSha } from '../../domain/core/ids.ts';
import type { SuggestedEdit } from '../../domain/workflow/receipts.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { attempted } from './worktree/worktree.ts';
import { artifactChange, inCoding, isoNow } from './ticket/artifacts.ts';
import { recordTip } from './worktree/branchTip.ts';
import { refuseEntry } from './ticket/receipts.ts';
import { ticketParts } from './ticket/ticketParts.ts';

/**
 * Returns whether there is a new commit. Only while no bead is being coded. An edit of another version, or
 * over uncommitted changes, is refused.
 */
export async function commitSuggestion(
  io: StepIo,
  ticket: TicketSnapshot,
  entry: InboxEntry,
): Promise<boolean> {
  const body = inboxBodies.suggest_edit.parse(entry.body);
  const outcome = await attempted(io, () => commitOf(io, ticket, entry, body));
  if (!outcome.ok) {
    refuseEntry(io, entry, outcome.error.code, outcome.error.args);
    return false;
  }
  const receipt: SuggestedEdit = {
    schema_version: 1,
    commit: outcome.value,
    file: body.file,
    bead_id: body.bead ?? null,
    before_sha256: body.baseSha256,
    after_sha256: sha256(body.content),
    reason: body.reason,
    suggested_by: 'user',
    ...(body.answers ? { answers: body.answers } : {}),
    committed_at: isoNow(io),
  };
  io.save(artifactChange(inCoding, `suggested_edit:${entry.id}`, receipt));
  return true;
}

async function commitOf(
  io: StepIo,
  ticket: TicketSnapshot,
  entry: InboxEntry,
  { file, baseSha256, content, bead, reason }: InboxBody<'suggest_edit'>,
): Promise<string> {
  const { git } = io.ports;
  const { worktree } = ticketParts(ticket);
  const trailers = {
    Ticket: ticket.id,
    ...(bead === undefined ? {} : { Bead: bead }),
    'Suggested-by': 'user',
    Suggestion: entry.id,
  };
  // Reading the status brings the worktree back to its branch, if an agent left it.
  const pending = (await git.status(worktree)).some(({ path }) => path === file);
  const head = await git.head(worktree);
  const made = io.earlier
    .map((note) => Suggested.safeParse(note).data)
    .findLast((note) => note?.suggestion === entry.id);
  // Interrupted after the branch moved.
  if (made?.commit === head) return finish(io, made.commit, file, worktree);
  const present = await git.blob(head, file);
  if (!present || sha256(present) !== baseSha256)
    throw new BeadsmithError('EDIT_CONFLICT', { artifact: file });
  const problem = pending
    ? `${file} has changes in the worktree that nobody committed`
    : 'it changes nothing';
  if (pending || sha256(content) === baseSha256) {
    throw new BeadsmithError('INVALID_INPUT', { what: 'The suggested edit', reason: problem });
  }
  const commit = await git.commitText(worktree, {
    path: file,
    text: content,
    message: messageOf(file, reason),
    trailers,
  });
  await io.note({ suggestion: entry.id, commit });
  await io.fence();
  await git.adopt(worktree, commit, head);
  return finish(io, commit, file, worktree);
}

const Suggested = z.object({ suggestion: z.string(), commit: CommitSha });

async function finish(io: StepIo, commit: string, file: string, worktree: string): Promise<string> {
  await io.ports.git.restore(worktree, [file]);
  await recordTip(io, { commit, by: 'suggestion' });
  return commit;
}

function messageOf(file: string, reason: string): string {
  const [said = ''] = reason.trim().split('\n');
  return `edit(${file}): ${said.trim().slice(0, 60) || 'suggested in review'}`;
}
