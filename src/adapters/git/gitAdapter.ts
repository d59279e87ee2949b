import { realpath } from 'node:fs/promises';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { ScratchName, TicketId } from '../../domain/core/ids.ts';
import { because } from '../../domain/forge/forgeReasons.ts';
import type { CheckedOut } from '../../domain/team/checkedOut.ts';
import type {
  BaseBranch,
  BaseTaken,
  ComparedFile,
  FileChange,
  Git,
  GraftWork,
  InspectedWorktree,
  Reach,
} from '../../engine/ports/ports.ts';
import type { Repository, RepositoryTraits } from '../../engine/ports/gitPort.ts';
import { BaseBranches, Revisions, durable } from './cli/revisions.ts';
import type { BaseRequest } from './merge/baseUpdate.ts';
import { CommitReader } from './commits/commitReader.ts';
import { Commits, graft, Notes, treeWithText } from './commits/commits.ts';
import { changeTimes, programsAmong } from './worktrees/filesOnDisk.ts';
import { GitCli, type Place } from './cli/gitCli.ts';
import { type PushRequest, Remotes } from './cli/remotes.ts';
import type { ForgeRepository, Remote } from '../../domain/forge/forgePlace.ts';
import { hooksIn, repositoryNow, repositoryTraits } from './repositoryTraits.ts';
import type { MergeProposal, MergeRequest, UndoRequest } from './merge/mergeBranch.ts';
import { openRepository, type OpenedRepository } from './openRepository.ts';
import { type CandidateWork, type GitParts, OwnBranch, refuseRefOf } from './commits/ownBranch.ts';
import { type LoggedCommit, refusePathsOutside, toFileChanges } from './cli/parseGit.ts';
import { TicketRefs } from './mirror/ticketRefs.ts';
import { LeftFiles, ResetWorktree } from './checkouts/resetWorktree.ts';
import { removeStaleLock } from './cli/staleLock.ts';
import { fillWorktree, removeLinksAbove } from './worktrees/fillWorktree.ts';
import type { AddedWorktree, WorktreeRequest } from './checkouts/ticketWorktrees.ts';
import { WorktreeIndex, placeOf } from './worktrees/worktreeIndex.ts';
import type { OwnWorktree, WorktreeChoice } from './worktrees/worktreePlaces.ts';
import type { Environment } from '../system/commandEnvironment.ts';

export interface GitAdapterOptions {
  readonly folder: string;
  /** `beside` (default): in `<repository>.worktrees/`. `inside`: in `<repository>/.beadsmith/worktrees/`. */
  readonly worktrees?: WorktreeChoice;
  /** Wait for locks of other gits, in milliseconds. Default: 15 s. */
  readonly lockPatienceMs?: number;
  readonly environment?: Environment;
}

/** The port `Git` over the installed git (2.38 or newer). The repository is looked up on first use. */
export class GitAdapter implements Git {
  readonly #options: GitAdapterOptions;
  readonly #parts: GitParts;
  readonly #reset: ResetWorktree;
  readonly #reader: CommitReader;
  readonly #bases: BaseBranches;
  readonly #notes: Notes;
  readonly #remotes: Remotes;
  #opened: Promise<OpenedRepository> | undefined;

  constructor(options: GitAdapterOptions) {
    const { folder, environment = process.env, lockPatienceMs = 15_000 } = options;
    this.#options = options;
    const cli = new GitCli({ environment, folder, lockPatienceMs, removeStaleLock });
    const revisions = new Revisions(cli);
    const index = new WorktreeIndex(cli);
    const commits = new Commits(cli, environment);
    const branch = new OwnBranch(cli, revisions, index, commits);
    this.#parts = { cli, revisions, index, commits, branch };
    this.#reset = new ResetWorktree(this.#parts, new LeftFiles(cli, index));
    this.#reader = new CommitReader(cli, revisions);
    this.#bases = new BaseBranches(cli, revisions);
    this.#notes = new Notes(cli, commits);
    this.#remotes = new Remotes(cli);
  }

  async repository(): Promise<Repository> {
    return repositoryNow(this.#parts.cli, await this.#open());
  }

  async hooks(): ReturnType<Git['hooks']> {
    const { root, commonDir } = await this.#open();
    return hooksIn(this.#parts.cli, root, commonDir);
  }

  async branches(): Promise<readonly string[]> {
    return this.#bases.all(await this.#root());
  }

  async defaultBranch(): Promise<string | undefined> {
    return this.#bases.usual(await this.#root());
  }

  async base(name: string): Promise<BaseBranch | undefined> {
    return this.#bases.find(await this.#root(), name);
  }

  async resolve(revision: string): Promise<string | undefined> {
    return this.#parts.revisions.find(await this.#root(), revision);
  }

  async highestTicket(prefix: string): Promise<number> {
    return this.#parts.revisions.highestTicket(await this.#root(), prefix);
  }

  async worktreePath(ticket: string): Promise<string> {
    return (await this.#open()).worktrees.pathOf(ticket);
  }

  async addWorktree(options: WorktreeRequest): Promise<AddedWorktree> {
    const { worktrees } = await this.#open();
    if ((await this.resolve(options.commit)) === undefined && (await this.branches()).length === 0)
      throw new BeadsmithError('NO_COMMITS');
    return worktrees.add(options);
  }

  async removeWorktree(path: string): Promise<string | null> {
    return (await this.#open()).worktrees.remove(path);
  }

  async detach(worktree: string): Promise<void> {
    await this.#parts.branch.detach(await this.#own(worktree));
  }

  async head(worktree: string): Promise<string> {
    return this.#parts.revisions.commit(await this.#readable(worktree), 'HEAD');
  }

  async trySigning(worktree: string): ReturnType<Git['trySigning']> {
    return this.#parts.commits.trySigning(await this.#readable(worktree));
  }

  async branchOf(worktree: string): Promise<string | null> {
    const args = ['symbolic-ref', '--quiet', '--short', 'HEAD'];
    const { stdout } = await this.#parts.cli.run(await this.#readable(worktree), { args, allow: [0, 1] });
    return stdout.trim() || null;
  }

  /** Brings HEAD back to the branch first: what was committed elsewhere shows as changes. */
  async status(worktree: string): Promise<readonly FileChange[]> {
    const own = await this.#own(worktree);
    await this.#parts.branch.attach(own);
    return toFileChanges(await this.#parts.index.changes(own));
  }

  async inspect(worktree: string): Promise<InspectedWorktree> {
    const own = await this.#own(worktree);
    await this.#parts.branch.attach(own);
    return this.#parts.index.inspect(own);
  }

  async writeTree(worktree: string): Promise<string> {
    return this.#parts.index.tree(await this.#own(worktree));
  }

  async stagedTree(worktree: string): ReturnType<Git['stagedTree']> {
    return this.#parts.index.staged(await this.#own(worktree));
  }

  async treeWith(worktree: string, paths: readonly string[]): Promise<string> {
    return this.#parts.index.treeWith(await this.#own(worktree), paths);
  }

  async commit(worktree: string, options: Parameters<Git['commit']>[1]): Promise<string> {
    const own = await this.#own(worktree);
    const place = placeOf(own);
    refusePathsOutside(options.paths);
    const head = await this.#parts.branch.attach(own);
    const changes = await this.#parts.index.unstagedChanges(own, options.paths);
    const ignored = options.paths.filter((path) => !changes.some((change) => change.path === path));
    const forced = ignored.map((path) => ({ path, inHead: true, onDisk: true, untracked: false }));
    await this.#parts.index.stage(own, [...changes, ...forced]);
    const { stdout } = await this.#parts.cli.run(place, { args: ['write-tree'], config: durable });
    const { message, trailers } = options;
    const made = { tree: stdout.trim(), parents: [head], message, trailers };
    const sha = await this.#parts.commits.make(place, made);
    await this.#parts.revisions.update(place, 'HEAD', sha, head);
    return sha;
  }

  async unfold(worktree: string, start: string): Promise<string | null> {
    return this.#parts.branch.takeBack(await this.#own(worktree), start);
  }

  async candidate(worktree: string, work: CandidateWork): Promise<string | null> {
    return this.#parts.branch.candidate(await this.#own(worktree), work);
  }

  async adopt(worktree: string, candidate: string, start: string): Promise<void> {
    await this.#parts.branch.adopt(await this.#own(worktree), candidate, start);
  }

  async checkOutScratch(
    ...[name, commit, keep]: Parameters<Git['checkOutScratch']>
  ): ReturnType<Git['checkOutScratch']> {
    return (await this.#open()).scratch.checkOut(ScratchName.parse(name), commit, keep);
  }

  async scratchChanges(name: string): ReturnType<Git['scratchChanges']> {
    return (await this.#open()).scratch.found(ScratchName.parse(name));
  }

  async noteScratchTools(...[name, work]: Parameters<Git['noteScratchTools']>): Promise<void> {
    await (await this.#open()).scratch.noteTools(ScratchName.parse(name), work);
  }

  async alteredScratchTools(name: string): Promise<readonly string[] | undefined> {
    return (await this.#open()).scratch.alteredTools(ScratchName.parse(name));
  }

  async graft(work: GraftWork): ReturnType<Git['graft']> {
    const { root, commonDir } = await this.#open();
    return graft(this.#parts, { cwd: root }, { ...work, folder: commonDir });
  }

  async removeScratch(name: string): Promise<void> {
    await (await this.#open()).scratch.remove(ScratchName.parse(name));
  }

  async treeOf(commit: string): Promise<string> {
    return this.#reader.treeOf(await this.#root(), commit);
  }

  async version(): Promise<string> {
    return this.#parts.cli.version(await this.#root());
  }

  async uncommitted(): Promise<readonly string[]> {
    return this.#reader.uncommitted(await this.#root());
  }

  async readNote(ref: string, commit: string): Promise<string | undefined> {
    return this.#notes.read(await this.#root(), ref, commit);
  }

  async writeNote(ref: string, commit: string, text: string): Promise<void> {
    const { root: cwd, locked } = await this.#open();
    await locked(() => this.#notes.write({ cwd }, ref, commit, text));
  }

  async notes(ref: string): Promise<ReadonlyMap<string, string>> {
    return this.#notes.all(await this.#root(), ref);
  }

  async takeBase(ticket: string, work: Omit<BaseRequest, 'ticket'>): Promise<BaseTaken> {
    const { root, updates } = await this.#open();
    const [start, head, base] = await Promise.all(
      [work.start, work.head, work.base].map((name) => this.#parts.revisions.commit({ cwd: root }, name)),
    );
    return updates.take({
      ...work,
      ticket: TicketId.parse(ticket),
      start: start ?? '',
      head: head ?? '',
      base: base ?? '',
    });
  }

  async openConflicts(worktree: string, tree: string): Promise<void> {
    await (await this.#open()).updates.open(await this.#own(worktree), tree);
  }

  async resolvedConflicts(worktree: string, work: Parameters<Git['resolvedConflicts']>[1]): Promise<string> {
    refusePathsOutside(work.untracked);
    return (await this.#open()).updates.close(await this.#own(worktree), work);
  }

  async commits(worktree: string, from: string, to: string): Promise<readonly LoggedCommit[]> {
    return this.#reader.commits(await this.#readable(worktree), from, to);
  }

  async programs(worktree: string, paths: readonly string[]): Promise<readonly string[]> {
    refusePathsOutside(paths);
    return programsAmong((await this.#own(worktree)).path, paths);
  }

  async changeTimes(worktree: string, paths: readonly string[]): ReturnType<Git['changeTimes']> {
    return changeTimes((await this.#own(worktree)).path, paths);
  }

  async keep(worktree: string, ref: string, message: string): Promise<string> {
    const own = await this.#own(worktree);
    refuseRefOf(own, ref);
    const head = await this.#parts.revisions.commit(placeOf(own), 'HEAD');
    return this.#parts.branch.keep(own, ref, message, head);
  }

  async resetHard(worktree: string, commit: string, clear: readonly string[] = []): Promise<string | null> {
    const [own, { main }] = [await this.#own(worktree), await this.#open()];
    await removeLinksAbove(this.#parts.cli, own);
    const left = await this.#reset.hard(own, commit, clear);
    await fillWorktree(this.#parts.cli, own, main);
    return left;
  }

  async restore(worktree: string, paths: readonly string[]): Promise<void> {
    const own = await this.#own(worktree);
    refusePathsOutside(paths);
    await this.#reset.paths(own, paths);
  }

  async diff(worktree: string, from: string, to: string): Promise<string> {
    return this.#reader.diff(await this.#readable(worktree), from, to);
  }

  async changedFiles(worktree: string, from: string, to: string): Promise<readonly FileChange[]> {
    return this.#reader.changedFiles(await this.#readable(worktree), from, to);
  }

  async subjects(commit: string, most: number): Promise<readonly string[]> {
    return this.#reader.subjects(await this.#root(), commit, most);
  }

  async compare(from: string, to: string): Promise<readonly ComparedFile[]> {
    return this.#reader.compare(await this.#root(), from, to);
  }

  async filesNaming(...args: Parameters<Git['filesNaming']>): Promise<readonly string[]> {
    return this.#reader.filesNaming(await this.#root(), ...args);
  }

  async ignored(only?: Parameters<Git['ignored']>[0]): Promise<readonly string[]> {
    if (only && 'below' in only) return this.#reader.ignored({ cwd: only.below });
    return this.#reader.ignored(await this.#root(), only);
  }

  async traits(commit: string): Promise<RepositoryTraits> {
    const { root } = await this.#open();
    return repositoryTraits(this.#parts.cli, root, await this.#parts.revisions.commit({ cwd: root }, commit));
  }

  async blob(commit: string, path: string): Promise<Uint8Array | undefined> {
    return this.#reader.blob(await this.#root(), commit, path);
  }

  async regularFiles(commit: string, paths?: readonly string[]): Promise<readonly string[]> {
    return this.#reader.regularFiles(await this.#root(), commit, paths);
  }

  async blobs(commit: string, paths: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    return this.#reader.blobs(await this.#root(), commit, paths);
  }

  async commitText(worktree: string, options: Parameters<Git['commitText']>[1]): Promise<string> {
    const own = await this.#own(worktree);
    refusePathsOutside([options.path]);
    const head = await this.#parts.branch.attach(own);
    const tree = await treeWithText(this.#parts.cli, own, head, options);
    return this.#parts.commits.make(placeOf(own), { ...options, tree, parents: [head] });
  }

  async isAncestor(ancestor: string, commit: string): Promise<boolean> {
    const place = await this.#root();
    const pair = await this.#parts.revisions.pair(place, ancestor, commit);
    return this.#parts.revisions.isAncestor(place, ...pair);
  }

  async mergeBase(worktree: string, a: string, b: string): Promise<string> {
    const place = await this.#readable(worktree);
    return this.#parts.cli.text(place, 'merge-base', ...(await this.#parts.revisions.pair(place, a, b)));
  }

  async updateRef(ref: string, to: string, from?: string): Promise<void> {
    await this.#parts.revisions.updateOwn(await this.#root(), ref, to, from);
  }

  async remotes(): Promise<readonly Remote[]> {
    return this.#remotes.all(await this.#root());
  }

  async remoteTip(remote: string, branch: string, reach?: Reach): Promise<string | undefined> {
    return this.#remotes.tip(await this.#root(), remote, branch, reach);
  }

  async fetchPull(to: ForgeRepository, number: number): Promise<void> {
    await this.#remotes.fetchPull(await this.#root(), to, number);
  }

  async push(request: PushRequest): Promise<void> {
    await this.#remotes.push(await this.#root(), request);
  }

  /** The commits of tickets on a team's remote, or at an address that it named. */
  async ticketRefs(url = ''): Promise<TicketRefs> {
    return TicketRefs.open({ ...this.#parts, remotes: this.#remotes }, await this.#root(), url);
  }

  /** Checks out what a team's ticket has there. Throws BRANCH_NOT_PUSHED, and as `ticketRefs`. */
  async checkOutOfTeam(ticket: string, url = ''): Promise<CheckedOut> {
    const tip = await (await this.ticketRefs(url)).fetchToRead(ticket);
    if (tip === undefined) throw new BeadsmithError('BRANCH_NOT_PUSHED', { ticket });
    return (await this.#open()).ofTeam.checkOut(ticket, tip);
  }

  /** A person's checkouts of a team's tickets. */
  async checkoutsOfTeam(): Promise<readonly OwnWorktree[]> {
    return (await this.#open()).ofTeam.all();
  }

  /** Keeps what would be lost under a ref. */
  async removeCheckoutOfTeam(ticket: string): Promise<void> {
    await (await this.#open()).ofTeam.remove(ticket);
  }

  async squash(worktree: string, options: Parameters<Git['squash']>[1]): Promise<string> {
    const own = await this.#own(worktree);
    const place = placeOf(own);
    const head = await this.#parts.branch.attach(own);
    const base = await this.#parts.revisions.commit(place, options.base);
    if (!(await this.#parts.revisions.isAncestor(place, base, head))) {
      throw new BeadsmithError('MERGE_REFUSED', { base: options.base, ...because('otherBegin') });
    }
    const tree = await this.#parts.revisions.tree(place, head);
    return this.#parts.commits.make(place, { ...options, tree, parents: [base] });
  }

  async merge(options: MergeRequest): Promise<string> {
    return (await this.#open()).merges.merge(options);
  }

  async undoMerge(options: UndoRequest): Promise<void> {
    return (await this.#open()).merges.undo(options);
  }

  async proposeMerge(options: Omit<MergeRequest, 'from'>): Promise<MergeProposal> {
    return (await this.#open()).merges.propose(options);
  }

  async #own(worktree: string): Promise<OwnWorktree> {
    return (await this.#open()).places.own(worktree);
  }

  async #readable(folder: string): Promise<Place> {
    const { root } = await this.#open();
    const path = await realpath(folder).catch(() => folder);
    return path === root ? { cwd: root } : placeOf(await this.#own(folder));
  }

  async #root(): Promise<Place> {
    return { cwd: (await this.#open()).root };
  }

  #open(): Promise<OpenedRepository> {
    this.#opened ??= openRepository(this.#parts, this.#options).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }
}
