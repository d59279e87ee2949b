import { sha256 } from '../../../src/base/sha256.ts';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';

/** By path. */
type Files = ReadonlyMap<string, string>;

interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parent: string | null;
  readonly message: string;
  readonly trailers: Readonly<Record<string, string>>;
}

/** Objects by content, refs that move by compare-and-set, and worktrees. Outlives every driver. */
export class SimulatedRepository {
  readonly commits = new Map<string, Commit>();
  readonly trees = new Map<string, Files>();
  readonly refs = new Map<string, string>();
  /** On the disk. */
  readonly worktrees = new Map<string, { branch: string; files: Map<string, string> }>();
  /** The engine's own commands passed on them. */
  readonly tested = new Set<string>();
  /** What git itself would have let happen. */
  readonly problems: string[] = [];
  readonly root: string;

  constructor() {
    const files = new Map([['README.md', 'sample']]);
    this.root = this.write(files, null, 'first', {});
    this.refs.set('refs/heads/main', this.root);
  }

  write(
    files: Files,
    parent: string | null,
    message: string,
    trailers: Readonly<Record<string, string>>,
  ): string {
    const tree = this.treeOf(files);
    const sha = sha256(JSON.stringify([tree, parent, message, trailers])).slice(0, 40);
    this.commits.set(sha, { sha, tree, parent, message, trailers });
    return sha;
  }

  treeOf(files: Files): string {
    const tree = sha256(JSON.stringify([...files].sort())).slice(0, 40);
    this.trees.set(tree, new Map(files));
    return tree;
  }

  commit(sha: string): Commit {
    const found = this.commits.get(sha);
    if (!found) throw new BeadsmithError('REVISION_UNKNOWN', { revision: sha });
    return found;
  }

  filesOf(sha: string): Files {
    return this.trees.get(this.commit(sha).tree) ?? new Map();
  }

  /** From `sha` back to the first. */
  history(sha: string): readonly Commit[] {
    const line: Commit[] = [];
    for (let at: string | null = sha; at !== null; at = this.commit(at).parent) line.push(this.commit(at));
    return line;
  }

  worktree(path: string): { branch: string; files: Map<string, string> } {
    const found = this.worktrees.get(path);
    if (!found) throw new BeadsmithError('WORKTREE_LOST', { path });
    return found;
  }

  head(path: string): string {
    return this.refs.get(`refs/heads/${this.worktree(path).branch}`) ?? this.root;
  }

  addWorktree(path: string, branch: string, commit: string): void {
    const ref = `refs/heads/${branch}`;
    if (!this.refs.has(ref)) this.refs.set(ref, commit);
    if (!this.worktrees.has(path))
      this.worktrees.set(path, { branch, files: new Map(this.filesOf(this.refs.get(ref) ?? commit)) });
  }

  isDirty(path: string): boolean {
    return this.treeOf(this.worktree(path).files) !== this.commit(this.head(path)).tree;
  }

  keep(path: string, ref: string, message: string): string {
    const sha = this.write(this.worktree(path).files, this.head(path), message, {});
    this.refs.set(ref, sha);
    return sha;
  }

  /** Work that is on no ref is lost: a problem. */
  reset(path: string, commit: string): void {
    const worktree = this.worktree(path);
    const left = this.treeOf(worktree.files);
    const kept = [...this.refs.values()].some((sha) => this.history(sha).some(({ tree }) => tree === left));
    if (!kept) this.problems.push(`a reset of ${path} lost the tree ${left.slice(0, 8)}, which no ref keeps`);
    worktree.files = new Map(this.filesOf(commit));
    this.refs.set(`refs/heads/${worktree.branch}`, commit);
  }

  candidate(
    path: string,
    start: string,
    message: string,
    trailers: Readonly<Record<string, string>>,
    ref: string,
  ): string | null {
    if (this.head(path) !== start)
      throw new BeadsmithError('GIT_FAILED', { command: 'commit-tree', reason: 'HEAD moved' });
    if (!this.isDirty(path)) return null;
    const sha = this.write(this.worktree(path).files, start, message, trailers);
    this.refs.set(ref, sha);
    return sha;
  }

  /** By compare-and-set; to where it is already is no error. */
  move(ref: string, to: string, from: string): void {
    const at = this.refs.get(ref);
    if (at === to) return;
    if (at !== from)
      throw new BeadsmithError('GIT_FAILED', { command: 'update-ref', reason: `${ref} is at ${String(at)}` });
    for (const { sha, tree } of this.history(to)) {
      if (sha === from) break;
      if (!this.tested.has(tree))
        this.problems.push(`${ref} was moved to ${sha.slice(0, 8)}, whose tree was never tested`);
    }
    this.refs.set(ref, to);
  }

  /** Everything that was written badly fails. */
  test(tree: string): boolean {
    const passes = [...(this.trees.get(tree)?.values() ?? [])].every((content) => !content.startsWith('bad'));
    if (passes) this.tested.add(tree);
    return passes;
  }
}
