const revert = 'Revert it in a commit of its own instead, with "git revert".';
const moveAway = 'Move those files away, then try again.';

/**
 * Reasons why a merge into a branch here, or its undoing, is refused, each with its remedy; views translate
 * them. `said`: by git.
 */
export const mergeReasons = {
  noText: ['there is no pull request.', 'Retry, or close the ticket.'],
  branchMoved: [
    "{branch} isn't at {tested}, which was tested, but at {found}.",
    'Update from base: you decide about the commits on the branch, and what you keep is tested.',
  ],
  checksFail: [
    'merged with it as it is now, these checks fail: {failed}.',
    'Update from base: an agent adapts the branch, or you do.',
  ],
  otherBegin: ["the branch doesn't begin there.", 'Update from base.'],
  filesConflict: [
    'these files conflict: {files}.',
    'Update from base: an agent resolves the conflicts, or you do.',
  ],
  checkoutDirty: [
    'it is checked out at {path} with changed files ({changed}).',
    'Commit or stash them there, then try again.',
  ],
  isRebased: ['a rebase of it is under way.', 'Finish or abort that rebase, then try again.'],
  baseMoved: ['it moved meanwhile, or its checkout changed.', 'Try again.'],
  untracked: ['these untracked working tree files would be overwritten: {files}.', moveAway],
  untrackedSaid: ['{said}', moveAway],
  unsigned: [
    "the signature of {commit} can't be verified. {said}",
    'The repository takes signed commits only (merge.verifySignatures). Set up signing in git and update from base, or merge the branch yourself.',
  ],
  gitRefused: ['{said}', 'Resolve the problem, then try again.'],
  notMerged: ["Beadsmith didn't merge it.", 'Undo it with git.'],
  undoGone: ['the branch is gone.', revert],
  undoMoved: ['it moved since.', revert],
  undoUsed: ['these already have it: {refs}.', revert],
} as const satisfies Readonly<Record<string, readonly [reason: string, remedy: string]>>;
