/** Words about a pull request, translated by views. */
export const forgeTexts = {
  draft: 'draft',
  open: 'open',
  merged: 'merged',
  closed: 'closed',
  approved: 'approved',
  changes_requested: 'changes requested',
  passed: '{passed} of {total} checks passed',
  failed: '{failed} failed',
  pending: '{pending} pending',
  thread: '1 open comment thread',
  threads: '{open} open comment threads',
  onBase: '{reason} It also fails on {base}.',
  gone: 'a deleted account',
  stranger: '{name} (without write access)',
} as const;
