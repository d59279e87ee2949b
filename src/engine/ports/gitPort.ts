import type { FoundHook } from '../../domain/environment/gitHooks.ts';

/** The repository and the person's checkout, as git sees them now. */
export interface Repository {
  /** The top folder of the checkout the user opened. */
  readonly root: string;
  /** The git common dir: the identity of the repository. */
  readonly commonDir: string;
  readonly hasCommits: boolean;
  readonly headBranch: string | null;
  readonly headCommit: string | null;
  /** Number of changed or untracked paths in the user's checkout. */
  readonly dirty: number;
}

/** A branch that a ticket can start from, as of the last fetch. */
export interface BaseBranch {
  /** Its name without `origin/`. */
  readonly branch: string;
  readonly commit: string;
  /** The source of `commit`: the local branch, or the one of origin. */
  readonly side: 'local' | 'origin';
  /**
   * Number of commits of the local branch that the one of origin doesn't have; `behind`: the other way
   * around. Both 0 if there is only one of them.
   */
  readonly ahead: number;
  readonly behind: number;
}

/**
 * The outcome of putting work on another base commit. `none`: it was on it already. With conflicts, `tree` is
 * the merged tree with conflict markers, and `parents` are those of the commit that resolves them.
 */
export type BaseTaken =
  | { readonly kind: 'taken'; readonly commit: string; readonly how: 'none' | 'rebase' | 'merge' }
  | {
      readonly kind: 'conflicts';
      readonly tree: string;
      readonly files: readonly string[];
      readonly parents: readonly string[];
    };

/** A changed path of a worktree, relative to it. */
export interface FileChange {
  readonly path: string;
  readonly state: 'modified' | 'added' | 'deleted' | 'renamed' | 'untracked';
  /** A compiler wrote it, by what it begins with (see `Git.programs`). */
  readonly program?: boolean;
}

/** The traits of a repository that make its worktrees differ from the person's checkout. */
export interface RepositoryTraits {
  /** Paths of submodules that are empty in the person's checkout, and so in worktrees. */
  readonly submodules: readonly string[];
  /** True if files are kept in Git LFS. */
  readonly lfs: boolean;
  /**
   * The person's checkout holds only a part of the files; the clone holds only the newest history, or fetches
   * objects when they are needed.
   */
  readonly sparse: boolean;
  readonly shallow: boolean;
  readonly partial: boolean;
  /** Paths that can't be named in a line of text. */
  readonly oddPaths: readonly string[];
  /**
   * Spellings that are one name where letter case doesn't count, and whether that is so here, as git found
   * it.
   */
  readonly namesakes: readonly (readonly string[])[];
  readonly foldsCase: boolean;
  /** Bytes of the longest path. */
  readonly longestPath: number;
}

/** A file that differs between two commits. */
export interface ComparedFile {
  readonly path: string;
  /** The previous path, if it was moved. */
  readonly oldPath: string | null;
  readonly change: 'added' | 'modified' | 'deleted' | 'renamed';
  readonly binary: boolean;
}

/**
 * The state of a worktree: changed paths as `Git.status` names them, and what it doesn't name: repositories
 * inside the worktree, changed paths whose names aren't UTF-8 (with U+FFFD for what can't be read), and
 * ignored paths, a folder that is ignored as a whole as one.
 */
export interface InspectedWorktree {
  readonly changes: readonly FileChange[];
  readonly repositories: readonly string[];
  readonly unreadable: readonly string[];
  readonly ignored: readonly string[];
}

/**
 * `start`, with `paths` as `from` has them (gone where it doesn't), and with whole files replaced by `texts`,
 * by path. Commits by their full hash.
 */
export interface GraftWork {
  readonly start: string;
  readonly from: string;
  readonly paths: readonly string[];
  readonly texts: Readonly<Record<string, string>>;
}

/**
 * git through argument arrays only (docs/decisions/012-git-calls.md). Every method that changes anything
 * takes the worktree it may change and refuses any other place with OUTSIDE_WORKTREE. Other errors:
 * NOT_A_REPOSITORY, NO_COMMITS, BASE_BRANCH_MISSING, BRANCH_EXISTS, WORKTREE_EXISTS, WORKTREE_FAILED,
 * WORKTREE_LOST, GIT_FAILED, GIT_LOCKED, MERGE_REFUSED, REVISION_UNKNOWN, SIGNING_FAILED.
 */
export interface Git {
  repository(): Promise<Repository>;
  /** The hooks that git would run in the person's checkout. Our own calls run none. */
  hooks(): Promise<readonly FoundHook[]>;
  branches(): Promise<readonly string[]>;
  /**
   * origin/HEAD's branch, else the current one; undefined on a detached HEAD, where any choice would be a
   * guess.
   */
  defaultBranch(): Promise<string | undefined>;
  /** A branch by its local name, or as `origin/<name>`. Undefined if there is none. */
  base(name: string): Promise<BaseBranch | undefined>;
  /** The full commit hash of a revision, or undefined. */
  resolve(revision: string): Promise<string | undefined>;
  /** The highest ticket number of `ticket/<prefix>-n` branches, local and remote; 0 if none. */
  highestTicket(prefix: string): Promise<number>;
  /** Returns the path of a ticket's worktree, whether it exists yet or not. */
  worktreePath(ticket: string): Promise<string>;
  /**
   * Creates the ticket's branch and worktree at `commit`, or takes them over if they exist. `.ticket/` is
   * excluded from git. `setAside`: a folder in its place that is no worktree is moved to `aside` instead of
   * WORKTREE_EXISTS.
   */
  addWorktree(options: {
    readonly ticket: string;
    readonly branch: string;
    readonly commit: string;
    readonly setAside?: boolean;
  }): Promise<{ readonly path: string; readonly aside?: string }>;
  /** Returns the folder that has what no commit can keep (see `resetHard`); null if there was nothing. */
  removeWorktree(path: string): Promise<string | null>;
  /**
   * Leaves the ticket's branch to any other checkout: HEAD of the worktree is its commit alone then. Files
   * and index stay.
   */
  detach(worktree: string): Promise<void>;
  head(worktree: string): Promise<string>;
  /**
   * Returns whether the person's git signs commits there (docs/decisions/079-signed-commits.md); `foreign`:
   * it would, with a program that the repository names, and so doesn't. Tries it, and throws SIGNING_FAILED
   * if it can't.
   */
  trySigning(worktree: string): Promise<'on' | 'off' | 'foreign'>;
  /** The branch a worktree is on, null when detached. */
  branchOf(worktree: string): Promise<string | null>;
  /** Changed paths, `.ticket/` never among them. */
  status(worktree: string): Promise<readonly FileChange[]>;
  /** As `status`, with what that doesn't name. */
  inspect(worktree: string): Promise<InspectedWorktree>;
  /** The tree hash of everything that would be committed, without touching the index or HEAD. */
  writeTree(worktree: string): Promise<string>;
  /** The tree of HEAD with these paths as they are on the disk. */
  treeWith(worktree: string, paths: readonly string[]): Promise<string>;
  /** Commits exactly these paths with trailers; answers the new commit. */
  commit(
    worktree: string,
    options: {
      readonly message: string;
      readonly trailers: Readonly<Record<string, string>>;
      readonly paths: readonly string[];
    },
  ): Promise<string>;
  /**
   * Brings the ticket's branch back to `start`, so that commits which an agent made since are changes of
   * files again. Files don't change. Returns the ref that keeps where the branch was,
   * `refs/beadsmith/<ticket>/undone/<n>`; null if it was there already.
   */
  unfold(worktree: string, start: string): Promise<string | null>;
  /**
   * A commit of exactly these paths on top of HEAD, which is at `start`, kept under `ref`; null if they
   * change nothing. Branch, index and files don't change.
   */
  candidate(
    worktree: string,
    options: {
      readonly start: string;
      readonly message: string;
      readonly trailers: Readonly<Record<string, string>>;
      readonly paths: readonly string[];
      readonly ref: string;
    },
  ): Promise<string | null>;
  /** Moves the ticket's branch from `start` to a candidate, if it isn't there yet. Files don't change. */
  adopt(worktree: string, candidate: string, start: string): Promise<void>;
  /**
   * A scratch worktree (`ScratchName`) with exactly the files of a commit. `keep`: paths whose ignored and
   * untracked files stay from the last time. `created`: it was just made.
   */
  checkOutScratch(
    name: string,
    commit: string,
    keep: readonly string[],
  ): Promise<{ readonly path: string; readonly created: boolean }>;
  /**
   * Returns what the scratch worktree has that its commit doesn't: changed and untracked paths, and ignored
   * ones.
   */
  scratchChanges(
    name: string,
  ): Promise<{ readonly changes: readonly FileChange[]; readonly ignored: readonly string[] }>;
  /**
   * Notes the tools that a bootstrap made in a scratch worktree. `made`: what it made. `folders`: where tools
   * are whatever the folders are called.
   */
  noteScratchTools(
    name: string,
    work: { readonly made: readonly string[]; readonly folders: readonly string[] },
  ): Promise<void>;
  /** The paths of tools that changed since, or came or went; undefined if none were noted. */
  alteredScratchTools(name: string): Promise<readonly string[] | undefined>;
  /**
   * A commit of one tree with files of another, which no ref keeps. Its tree is the same for the same work.
   * Needs no worktree.
   */
  graft(work: GraftWork): Promise<{ readonly commit: string; readonly tree: string }>;
  /** Removes a scratch worktree. None there is no error. */
  removeScratch(name: string): Promise<void>;
  /**
   * Puts the work `start..head` on the commit `base`, in the scratch worktree: rebased, else merged. Unless
   * `linear`, it is never rewritten. No branch moves.
   */
  takeBase(
    ticket: string,
    work: {
      readonly start: string;
      readonly head: string;
      readonly base: string;
      readonly message: string;
      readonly linear: boolean;
    },
  ): Promise<BaseTaken>;
  /** Writes a merged tree with its conflict markers into the worktree. What was changed there is lost. */
  openConflicts(worktree: string, tree: string): Promise<void>;
  /**
   * The commit of a merged tree as it was resolved in the worktree, kept under `ref`: tracked files as they
   * are on the disk, and these untracked ones.
   */
  resolvedConflicts(
    worktree: string,
    work: {
      readonly head: string;
      readonly tree: string;
      readonly parents: readonly string[];
      readonly untracked: readonly string[];
      readonly message: string;
      readonly ref: string;
    },
  ): Promise<string>;
  /** The tree of a commit. */
  treeOf(commit: string): Promise<string>;
  /** The version of git. */
  version(): Promise<string>;
  /** Tracked paths of the person's checkout that differ from its commit. */
  uncommitted(): Promise<readonly string[]>;
  /** The note on a commit under a ref of ours (`refs/notes/beadsmith`); undefined if there is none. */
  readNote(ref: string, commit: string): Promise<string | undefined>;
  /** Replaces a commit's note. Does nothing if it has that note already. */
  writeNote(ref: string, commit: string, text: string): Promise<void>;
  /** Every note under the ref, by the full hash of its commit. */
  notes(ref: string): Promise<ReadonlyMap<string, string>>;
  commits(
    worktree: string,
    from: string,
    to: string,
  ): Promise<
    readonly {
      readonly sha: string;
      readonly subject: string;
      readonly trailers: Readonly<Record<string, string>>;
    }[]
  >;
  /**
   * First lines of the newest commits up to this one, without merges, each cut to what a line needs. Needs no
   * worktree.
   */
  subjects(commit: string, most: number): Promise<readonly string[]>;
  /**
   * Keeps the worktree's current state, uncommitted changes included, as a commit under a ref. One that is
   * there with another state isn't overwritten: the first free `<ref>-<n>` gets it. HEAD and index don't
   * change.
   */
  keep(worktree: string, ref: string, message: string): Promise<string>;
  /**
   * `reset --hard` and `clean -fd` (not `.ticket/`, and no ignored paths but `clear`), in our worktrees only.
   * What no commit can keep is moved to a folder first: ignored files, repositories in the worktree, names
   * that aren't UTF-8. Returns that folder; null if there was nothing.
   */
  resetHard(worktree: string, commit: string, clear?: readonly string[]): Promise<string | null>;
  /** Restores these paths to HEAD, removing untracked ones. */
  restore(worktree: string, paths: readonly string[]): Promise<void>;
  diff(worktree: string, from: string, to: string): Promise<string>;
  changedFiles(worktree: string, from: string, to: string): Promise<readonly FileChange[]>;
  /**
   * Finds the compiled programs, libraries and objects among these paths of the worktree, by their first
   * bytes.
   */
  programs(worktree: string, paths: readonly string[]): Promise<readonly string[]>;
  /**
   * Returns the time at which these paths of the worktree last changed on the disk, in milliseconds since
   * 1970; null for one that is gone.
   */
  changeTimes(worktree: string, paths: readonly string[]): Promise<ReadonlyMap<string, number | null>>;
  /** Returns the differences between two commits of the repository, without `.ticket/`. Needs no worktree. */
  compare(from: string, to: string): Promise<readonly ComparedFile[]>;
  /**
   * Paths of text files in a commit that contain one of these words; with `within`, only of these files.
   * Needs no worktree.
   */
  filesNaming(
    commit: string,
    words: readonly string[],
    within?: readonly string[],
  ): Promise<readonly string[]>;
  /**
   * Ignored paths of the person's checkout; a folder that is ignored as a whole is one path with a slash at
   * its end. With `only`: the untracked paths that these patterns, or those of this file, name (written as in
   * `.gitignore`), whether ignored or not. A file that is missing names none.
   */
  ignored(
    only?: { readonly patterns: readonly string[] } | { readonly file: string },
  ): Promise<readonly string[]>;
  traits(commit: string): Promise<RepositoryTraits>;
  /**
   * A file's bytes in a commit, which is named by its full hash; undefined when there is no such file. Needs
   * no worktree.
   */
  blob(commit: string, path: string): Promise<Uint8Array | undefined>;
  /**
   * Finds the files of a commit at these paths, or below those that end with a slash; without paths all of
   * them. No links, nothing behind a link, no submodules. The commit is named by its full hash. Needs no
   * worktree.
   */
  regularFiles(commit: string, paths?: readonly string[]): Promise<readonly string[]>;
  /** As `blob`, for many files of one commit. */
  blobs(commit: string, paths: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>;
  /**
   * A commit on top of HEAD that replaces the text of one file, whatever else is changed in the worktree. The
   * branch doesn't move (`adopt`). INVALID_INPUT if there is no such file.
   */
  commitText(
    worktree: string,
    options: {
      readonly path: string;
      readonly text: string;
      readonly message: string;
      readonly trailers: Readonly<Record<string, string>>;
    },
  ): Promise<string>;
  /** Checks whether `ancestor` is `commit` or one of its ancestors. */
  isAncestor(ancestor: string, commit: string): Promise<boolean>;
  mergeBase(worktree: string, a: string, b: string): Promise<string>;
  updateRef(ref: string, to: string, from?: string): Promise<void>;
  /** One commit on top of `base` with the tree of HEAD. The branch doesn't move (`adopt`). */
  squash(
    worktree: string,
    options: {
      readonly base: string;
      readonly message: string;
      readonly trailers: Readonly<Record<string, string>>;
    },
  ): Promise<string>;
  /**
   * Merges `commit` into `base` (fast-forward if possible, else a merge commit made without touching any
   * checkout) and moves the branch by compare-and-set. MERGE_REFUSED on conflict, or when `base` is checked
   * out and dirty; a clean checkout of it is fast-forwarded. `from`: the commit that `base` must still be at.
   */
  merge(options: {
    readonly base: string;
    readonly commit: string;
    readonly message: string;
    readonly from?: string;
  }): Promise<string>;
  /**
   * The commit that `merge` would bring the base branch to, and the one it is at. No branch moves. Throws
   * what `merge` throws.
   */
  proposeMerge(
    options: Omit<Parameters<Git['merge']>[0], 'from'>,
  ): Promise<{ readonly from: string; readonly to: string }>;
}
