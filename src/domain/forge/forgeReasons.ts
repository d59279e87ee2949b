import { type ErrorArgs, filled } from '../core/errors.ts';

const tryAgain = 'Fix the cause, then try again.';
const rightsNeeded =
  'Check that you have access to the repository, and that the token may read it and write pull requests.';

/** Reasons of errors of forges and pushes, each with its remedy; views translate them. `said`: by others. */
export const forgeReasons = {
  noRemote: [
    'none of the remotes is on GitHub.',
    'Add a remote on GitHub, or set GH_HOST to the host of your GitHub Enterprise Server.',
  ],
  severalAddresses: [
    'the remote "{remote}" pushes to several addresses.',
    'Add a remote with one address on GitHub, and choose that one.',
  ],
  severalRemotes: [
    'several remotes are on GitHub: {known}.',
    'Choose the one that gets the pull request ({names}), with --remote, or for good with "gh repo set-default".',
  ],
  otherRemote: [
    'the remote "{wanted}" isn\'t on GitHub, or pushes to several addresses. On GitHub: {known}.',
    'Choose the one that gets the pull request ({names}), with --remote, or for good with "gh repo set-default".',
  ],
  noRemoteToVerify: [
    'no remote leads to {repository}.',
    'Verify in a clone of that repository, or add it as a remote.',
  ],
  noRemoteAnyMore: ['no remote leads to {repository} any more.', 'Add a remote for it, then try again.'],
  noPullRequest: ['the ticket has no pull request there.', 'Create it first.'],
  otherRepository: [
    'the branch would go to another repository than the pull request: {place}.',
    'Confirm that with --push-to {pushTo}.',
  ],
  remotesChanged: [
    'the remotes lead to {place}, not to {wanted}.',
    'Check them with "git remote -v", then try again.',
  ],
  archived: ['{place} is archived.', 'Unarchive it there, or choose another remote.'],
  noBase: [
    '{repository} has no branch "{base}".',
    'Push that branch first, with "git push {remote} {base}", then try again.',
  ],
  merged: ['the pull request is merged: {location}', 'Pull {base}, then close this ticket without merging.'],
  mergedEarlier: [
    'the pull request is merged, without the latest changes of this ticket: {location}',
    'Pull {base}, then close this ticket without merging. For the latest changes, create a new ticket.',
  ],
  closed: [
    'the pull request is closed: {location}',
    'Reopen it there, then try again. If its branch is gone there, restore that first.',
  ],
  openNotFound: [
    "the open pull request #{number} wasn't found there, so nothing was pushed.",
    'Check whether it is still there. If it is gone, updating it yourself creates another one.',
  ],
  baseWouldGo: [
    'commits of "{base}" that {repository} doesn\'t have would be published with it.',
    'Push that branch first, with "git push {target} {base}", then try again.',
  ],
  baseUnknown: [
    'it can\'t be told which commits of "{base}" {repository} has, because its tip isn\'t here.',
    'Get it with "git fetch {target}", then try again.',
  ],
  othersCommits: [
    "it has commits there that aren't of this ticket ({commit}).",
    'Delete or rename that branch there, or take its commits over, then try again.',
  ],
  noFailedCheck: ['no check of the latest commit has failed.', 'Check the pull request.'],
  notOfGitHub: [
    "these checks aren't GitHub's own, and can't be run again from here.",
    'Run them again where they ran.',
  ],
  isReport: ['"{check}" is a report, not a job.', 'Run the job that reports it again on GitHub.'],
  othersRun: ['other jobs of the workflow still run.', 'Try again once they end.'],
  textTooLong: [
    'the text of the pull request is longer than {most} characters.',
    'Shorten there what isn’t of Beadsmith.',
  ],
  otherPullRequest: [
    'the branch "{branch}" has another pull request: {location}',
    'Close that one, or merge it there.',
  ],
  headGone: [
    'the branch of {location} is "{head}" in a repository that is gone, not "{branch}" in {wanted}.',
    'Close that one there, then create a new ticket for more changes.',
  ],
  headRenamed: [
    'the branch of {location} is "{head}" in {is}, not "{branch}" in {wanted}.',
    'Rename the branch back there, then try again.',
  ],
  headElsewhere: [
    'the branch of {location} is "{head}" in {is}, not "{branch}" in {wanted}.',
    'Add a remote for {is}, set remote.pushDefault to it, then try again.',
  ],
  mergeByItself: [
    "the repository doesn't merge pull requests by itself.",
    'Turn on "Allow auto-merge" in its settings, or merge once all checks passed.',
  ],
  mergeUnknown: ["it doesn't say how the pull request is merged.", 'See there.'],
  mergeRights: ['{said}', 'Have someone with write access merge it, or use a token that may write contents.'],
  mergeNotReady: [
    '{said}',
    'See there what is missing, such as a review or a check. "Merge When Ready" waits for it.',
  ],
  mergeMoved: [
    '{said}',
    'Its branch or its base changed meanwhile. Check the pull request, then merge again.',
  ],
  mergeRefused: ['{said}', 'See there what is missing, then try again.'],
  mergeKind: ['the repository doesn\'t allow "{wanted}".', 'Choose one of these: {allowed}.'],
  mergeDraft: ['the pull request is a draft.', 'Mark it as ready for review there, then merge.'],
  mergeOther: ["it doesn't have the tested commit.", 'Check the pull request.'],
  commentGone: ['{issue} is gone, or you may not see it.', 'Tell people yourself.'],
  commentMoved: ['{issue} was transferred.', 'Comment on it where it is now.'],
  commentLocked: ['{issue} is locked.', 'Unlock it, or tell people yourself.'],
  notResolved: ['{said}', 'Resolve the thread there.'],
  issueMissing: [
    '{issue} isn’t there, or is private.',
    'Check the number and the repository, and that your account may read it.',
  ],
  issueGone: ['{issue} is gone: it was deleted, or issues are turned off.', 'Name another issue.'],
  issueIsPull: ['{issue} is a pull request.', 'Name the issue that it is for.'],
  issueRenamed: ['{issue} is in a repository that is called {is} now.', 'Import {target} instead.'],
  issueMoved: ['{issue} was transferred to {target}.', 'Import {target} instead.'],
  noToken: ['there is no token.', ''],
  badToken: ['the token has characters that no token has, such as a line break.', ''],
  expiredToken: ['the token is not valid, or has expired.', ''],
  expiredSource: ['the token of {source} is not valid, or has expired.', ''],
  notItsAnswer: ["its answer isn't GitHub's ({said}).", ''],
  rateLimit: ['its rate limit is used up; try again in {minutes} min.', ''],
  noRights: ['{said}', rightsNeeded],
  refused: ['{said}', tryAgain],
  pushedMeanwhile: ['someone else pushed to it.', 'Compare both branches, then try again.'],
  remoteMissing: ['there is no such remote.', 'Check "git remote -v".'],
  severalPushAddresses: [
    'it pushes to several addresses.',
    'Give the remote one address: see "git remote get-url --push --all {remote}".',
  ],
  leadsElsewhere: ['it no longer leads to {repository}.', 'Check "git remote -v", then try again.'],
  addressRewritten: [
    'its address for pushes is another one here.',
    'Give the remote one address: see "git remote get-url --push --all {remote}".',
  ],
  loginMissing: ['{said}', 'Check whether "git push --dry-run {remote} {branch}" works in a terminal.'],
  fetchRefused: ['{said}', 'Check whether "git fetch {remote} {ref}" works in a terminal.'],
} as const satisfies Readonly<Record<string, readonly [reason: string, remedy: string]>>;

/** A row of the reasons. */
export type ForgeReason = keyof typeof forgeReasons;

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

const reasons = { ...forgeReasons, ...mergeReasons };

/** The reason and remedy of an error, with their holes and the name of their row. */
export function because(name: keyof typeof reasons, holes: ErrorArgs = {}): ErrorArgs {
  const [reason, remedy] = reasons[name];
  return { ...holes, because: name, reason: filled(reason, holes), remedy: filled(remedy, holes) };
}

/** The row of an error's reason; undefined if it has none. */
export function reasonOf({
  because: name,
}: ErrorArgs): readonly [reason: string, remedy: string] | undefined {
  return typeof name === 'string' && Object.hasOwn(reasons, name)
    ? reasons[name as keyof typeof reasons]
    : undefined;
}
