import { inboxBodies, type InboxEntry, type InboxKind } from './inbox.ts';

/** True for a decision after which the ticket proposes more than the fix. */
export function changesProposal({ kind, state, body }: InboxEntry): boolean {
  if (state !== 'consumed') return false;
  if (kind === 'finding') return inboxBodies.finding.safeParse(body).data?.verdict !== 'dismiss';
  if (kind !== 'qa') return proposalKinds.includes(kind);
  const results = Object.values(inboxBodies.qa.safeParse(body).data?.results ?? {});
  return results.some(({ result }) => result === 'fail');
}

const proposalKinds: readonly InboxKind[] = [
  'changes',
  'fix_comment',
  'suggest_edit',
  'update_base',
  'edit',
  'plan_in_full',
  'undo_merge',
];
