import type { FoundHook } from '../../domain/environment/gitHooks.ts';
import type { ForgeRepository, Remote } from '../../domain/forge/forgePlace.ts';

/** The repository and the person's checkout. */
export interface Repository {
  readonly root: string;
  /** Identifies the repository. */
  readonly commonDir: string;
  readonly hasCommits: boolean;
  readonly headBranch: string | null;
  readonly headCommit: string | null;
  readonly dirty: number;
}

/** A base branch, as of the last fetch. */
export interface BaseBranch {
  /** Without `origin/`. */
  readonly branch: string;
  readonly commit: string;
  /** The source of `commit`. */
  readonly side: 'local' | 'origin';
  /** Commits that only the local branch has; `behind`: only origin. */
  readonly ahead: number;
  readonly behind: number;
}

/**
 * Work on another base. `none`: no change. `tree`: with conflict markers; `parents`: of the resolving commit.
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
  /** A compiled file (see `Git.programs`). */
  readonly program?: boolean;
}

/** Traits that make worktrees differ from the person's checkout. */
export interface RepositoryTraits {
  readonly submodules: readonly string[];
  readonly lfs: boolean;
  /** Partial checkout; shortened history; objects fetched on demand. */
  readonly sparse: boolean;
  readonly shallow: boolean;
  readonly partial: boolean;
  /** Not printable on one line. */
  readonly oddPaths: readonly string[];
  /** Equal but for letter case, and whether git ignores case here. */
  readonly namesakes: readonly (readonly string[])[];
  readonly foldsCase: boolean;
  /** In bytes. */
  readonly longestPath: number;
}

/** A file that differs between two commits. */
export interface ComparedFile {
  readonly path: string;
  readonly oldPath: string | null;
  readonly change: 'added' | 'modified' | 'deleted' | 'renamed';
  readonly binary: boolean;
  /** Lines; absent for a binary file. */
  readonly added?: number | undefined;
  readonly deleted?: number | undefined;
  /** Git's name of its new content. */
  readonly blob?: string | undefined;
}

/**
 * Changed paths, and what `Git.status` omits: inner repositories, changed paths that aren't UTF-8 (with
 * U+FFFD), ignored paths (whole folders as one).
 */
export interface InspectedWorktree {
  readonly changes: readonly FileChange[];
  readonly repositories: readonly string[];
  readonly unreadable: readonly string[];
  readonly ignored: readonly string[];
}

/**
 * `start` with `paths` as in `from` (removed where missing), and files replaced by `texts`. Full commit
 * hashes.
 */
export interface GraftWork {
  readonly start: string;
  readonly from: string;
  readonly paths: readonly string[];
  readonly texts: Readonly<Record<string, string>>;
}

interface CommitText {
  readonly message: string;
  readonly trailers: Readonly<Record<string, string>>;
}

/** `to`: the remote must lead there, or PUSH_REFUSED. `signal` ends it. */
export interface Reach {
  readonly to?: ForgeRepository;
  readonly signal?: AbortSignal;
}

/**
 * git through argument arrays only (docs/decisions/012-git-calls.md). Methods that change a worktree refuse
 * other places with OUTSIDE_WORKTREE. Other errors: NOT_A_REPOSITORY, NO_COMMITS, BASE_BRANCH_MISSING,
 * BRANCH_EXISTS, WORKTREE_EXISTS, WORKTREE_FAILED, WORKTREE_LOST, GIT_FAILED, GIT_LOCKED, MERGE_REFUSED,
 * REVISION_UNKNOWN, SIGNING_FAILED.
 */
export interface Git {
  repository(): Promise<Repository>;
  /** Of the person's checkout. Our own calls run none. */
  hooks(): Promise<readonly FoundHook[]>;
  branches(): Promise<readonly string[]>;
  defaultBranch(): Promise<string | undefined>;
  base(name: string): Promise<BaseBranch | undefined>;
  resolve(revision: string): Promise<string | undefined>;
  highestTicket(prefix: string): Promise<number>;
  worktreePath(ticket: string): Promise<string>;
  /**
   * Creates or takes over branch and worktree at `commit`; git ignores `.ticket/`. `setAside`: moves an
   * occupying folder to `aside` instead of WORKTREE_EXISTS.
   */
  addWorktree(options: {
    readonly ticket: string;
    readonly branch: string;
    readonly commit: string;
    readonly setAside?: boolean;
  }): Promise<{ readonly path: string; readonly aside?: string }>;
  /** Returns the folder with what no commit can keep (see `resetHard`), or null. */
  removeWorktree(path: string): Promise<string | null>;
  /** Frees the branch for other checkouts. Files and index stay. */
  detach(worktree: string): Promise<void>;
  head(worktree: string): Promise<string>;
  /**
   * Tries to sign (docs/decisions/079-signed-commits.md); `foreign`: only the repository names a program, so
   * unsigned. SIGNING_FAILED.
   */
  trySigning(worktree: string): Promise<'on' | 'off' | 'foreign'>;
  branchOf(worktree: string): Promise<string | null>;
  status(worktree: string): Promise<readonly FileChange[]>;
  inspect(worktree: string): Promise<InspectedWorktree>;
  /** The tree of all that would be committed. Index and HEAD stay. */
  writeTree(worktree: string): Promise<string>;
  /** The tree of what is staged, and files in conflict, which are in it as in HEAD. Nothing changes. */
  stagedTree(worktree: string): Promise<{ readonly tree: string; readonly conflicts: readonly string[] }>;
  treeWith(worktree: string, paths: readonly string[]): Promise<string>;
  commit(worktree: string, options: CommitText & { readonly paths: readonly string[] }): Promise<string>;
  /**
   * Resets the branch to `start`, so that an agent's commits become changes. Returns the old commit's ref
   * `refs/beadsmith/<ticket>/undone/<n>`; null if none was needed.
   */
  unfold(worktree: string, start: string): Promise<string | null>;
  /**
   * Commits these paths on HEAD (at `start`) under `ref`; null without changes. Branch, index and files stay.
   */
  candidate(
    worktree: string,
    options: CommitText & { readonly start: string; readonly paths: readonly string[]; readonly ref: string },
  ): Promise<string | null>;
  adopt(worktree: string, candidate: string, start: string): Promise<void>;
  /**
   * A scratch worktree (`ScratchName`) with exactly a commit's files. `keep`: paths whose ignored and
   * untracked files stay. `created`: just made.
   */
  checkOutScratch(
    name: string,
    commit: string,
    keep: readonly string[],
  ): Promise<{ readonly path: string; readonly created: boolean }>;
  scratchChanges(
    name: string,
  ): Promise<{ readonly changes: readonly FileChange[]; readonly ignored: readonly string[] }>;
  /** `folders`: folders of tools, whatever their names. */
  noteScratchTools(
    name: string,
    work: { readonly made: readonly string[]; readonly folders: readonly string[] },
  ): Promise<void>;
  alteredScratchTools(name: string): Promise<readonly string[] | undefined>;
  /** No ref keeps it. The same work gives the same tree. */
  graft(work: GraftWork): Promise<{ readonly commit: string; readonly tree: string }>;
  /** None there is no error. */
  removeScratch(name: string): Promise<void>;
  /**
   * Rebases, else merges, `start..head` onto `base` in the scratch worktree; no rewriting unless `linear`. No
   * branch moves.
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
  /** Writes a tree with conflict markers. Changes in the worktree are lost. */
  openConflicts(worktree: string, tree: string): Promise<void>;
  /** Commits a merged tree as resolved on the disk, with these untracked files, under `ref`. */
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
  treeOf(commit: string): Promise<string>;
  version(): Promise<string>;
  uncommitted(): Promise<readonly string[]>;
  readNote(ref: string, commit: string): Promise<string | undefined>;
  writeNote(ref: string, commit: string, text: string): Promise<void>;
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
  /** Short first lines of the newest commits, without merges. */
  subjects(commit: string, most: number): Promise<readonly string[]>;
  /**
   * Keeps the worktree's state under a ref, or under a free `<ref>-<n>` if that has another one. HEAD and
   * index stay.
   */
  keep(worktree: string, ref: string, message: string): Promise<string>;
  /**
   * `reset --hard` and `clean -fd`; `.ticket/` and ignored paths stay, but `clear`. Moves what no commit can
   * keep (ignored files, inner repositories, names that aren't UTF-8) to a folder and returns it, or null.
   */
  resetHard(worktree: string, commit: string, clear?: readonly string[]): Promise<string | null>;
  restore(worktree: string, paths: readonly string[]): Promise<void>;
  diff(worktree: string, from: string, to: string): Promise<string>;
  changedFiles(worktree: string, from: string, to: string): Promise<readonly FileChange[]>;
  programs(worktree: string, paths: readonly string[]): Promise<readonly string[]>;
  /** Last changes on the disk, in milliseconds since 1970; null if gone. */
  changeTimes(worktree: string, paths: readonly string[]): Promise<ReadonlyMap<string, number | null>>;
  /** Of commits, or trees by their full hashes. Without `.ticket/`. Needs no worktree. */
  compare(from: string, to: string): Promise<readonly ComparedFile[]>;
  /** Text files with one of these words, all or `within` these. Needs no worktree. */
  filesNaming(
    commit: string,
    words: readonly string[],
    within?: readonly string[],
  ): Promise<readonly string[]>;
  /**
   * Ignored paths of the person's checkout; whole folders end with a slash. `only`: untracked paths by
   * patterns or a file of them (`.gitignore` syntax), which may be missing; or those below any folder,
   * relative to it: none outside of a repository, and in a folder that is ignored itself.
   */
  ignored(
    only?: { readonly patterns: readonly string[] } | { readonly file: string } | { readonly below: string },
  ): Promise<readonly string[]>;
  traits(commit: string): Promise<RepositoryTraits>;
  /** `commit`: full hash, also of a tree. Needs no worktree. */
  blob(commit: string, path: string): Promise<Uint8Array | undefined>;
  /**
   * Files at these paths, or below those ending with a slash; default all. No links, nothing behind a link,
   * no submodules. `commit`: full hash. Needs no worktree.
   */
  regularFiles(commit: string, paths?: readonly string[]): Promise<readonly string[]>;
  blobs(commit: string, paths: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** A commit on HEAD with one new text. The branch stays (`adopt`). INVALID_INPUT without such a file. */
  commitText(
    worktree: string,
    options: CommitText & { readonly path: string; readonly text: string },
  ): Promise<string>;
  isAncestor(ancestor: string, commit: string): Promise<boolean>;
  mergeBase(worktree: string, a: string, b: string): Promise<string>;
  updateRef(ref: string, to: string, from?: string): Promise<void>;
  /** With the addresses that git pushes to. */
  remotes(): Promise<readonly Remote[]>;
  /** Asks the address that the remote pushes to. Throws as `push`. */
  remoteTip(remote: string, branch: string, reach?: Reach): Promise<string | undefined>;
  /**
   * Pushes a commit to a ticket's branch, which must be at `expected` (undefined: not there). PUSH_REFUSED,
   * FORGE_UNREACHABLE, GIT_SETTING_REFUSED.
   */
  push(
    request: Reach & {
      readonly remote: string;
      readonly branch: string;
      readonly commit: string;
      readonly expected: string | undefined;
    },
  ): Promise<void>;
  /**
   * Gets the commit of a pull request from the repository `to`, and no ref. FORGE_REFUSED, FORGE_UNREACHABLE,
   * GIT_SETTING_REFUSED.
   */
  fetchPull(to: ForgeRepository, number: number): Promise<void>;
  squash(worktree: string, options: CommitText & { readonly base: string }): Promise<string>;
  /**
   * Merges `commit` into `base` outside any checkout and moves the branch by compare-and-set. A clean
   * checkout is fast-forwarded; MERGE_REFUSED on conflict or a dirty one. `from`: the commit that `base` must
   * still be at.
   */
  merge(options: {
    readonly base: string;
    readonly commit: string;
    readonly message: string;
    readonly from?: string;
  }): Promise<string>;
  /**
   * Moves `base` from its merge `from` back to `to`, as `merge` does, once. UNDO_REFUSED if it moved, or if
   * anything but `branch` has the merge.
   */
  undoMerge(options: {
    readonly base: string;
    readonly branch: string;
    readonly from: string;
    readonly to: string;
  }): Promise<void>;
  /** Commits before and after `merge`. Throws as it. No branch moves. */
  proposeMerge(
    options: Omit<Parameters<Git['merge']>[0], 'from'>,
  ): Promise<{ readonly from: string; readonly to: string }>;
}
