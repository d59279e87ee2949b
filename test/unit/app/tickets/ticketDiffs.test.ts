import assert from 'node:assert/strict';
import { TicketDiffs } from '../../../../src/app/tickets/ticketDiffs.ts';
import { sha256 } from '../../../../src/base/sha256.ts';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import type { ArtifactType } from '../../../../src/domain/ticket/artifacts.ts';
import type { Bead } from '../../../../src/domain/beads/bead.ts';
import type { Ticket } from '../../../../src/domain/ticket/ticket.ts';
import type { DiffFile, DiffScope } from '../../../../src/protocol/review.ts';
import { testBead } from '../../../support/engine/executionWorld.ts';

const commit = (letter: string): string => letter.repeat(40);
const [base, first, second, tip, elsewhere] = ['a', 'b', 'c', 'd', 'e'].map(commit) as [
  string,
  string,
  string,
  string,
  string,
];
const changed: readonly DiffFile[] = [{ path: 'greet.txt', oldPath: null, change: 'added', binary: false }];
const ticketScope: DiffScope = { kind: 'ticket' };
const beadScope: DiffScope = { kind: 'bead', bead: 'greet' };
const iteration = (number: number): DiffScope => ({ kind: 'iteration', bead: 'greet', iteration: number });

class World {
  readonly refs = new Map<string, string>();
  readonly artifacts = new Map<ArtifactType, string>();
  readonly blobs = new Map<string, string>();
  readonly merged: string[] = [];
  /** As on the disk; undefined without a worktree. */
  tree: string | undefined;
  staged = { tree: '', conflicts: [] as readonly string[] };
  ticket: Partial<Ticket> | undefined = { branch: 'ticket/TST-1', baseCommit: base };
  beads: readonly Bead[] = [];
  /** Default: the first of the two commits. */
  mergeBase: string | undefined;

  get diffs(): TicketDiffs {
    const store = {
      ticket: async (id: string) =>
        id === 'TST-1' && this.ticket ? ({ id, ...this.ticket } as Ticket) : undefined,
      beads: async () => this.beads,
      artifact: async (_ticket: string, type: ArtifactType) => {
        const content = this.artifacts.get(type);
        return content === undefined
          ? undefined
          : { info: { sha256: sha256(`filed ${content}`) } as never, content };
      },
    };
    const git = {
      resolve: async (name: string) => this.refs.get(name),
      compare: async () => changed,
      blob: async (at: string, path: string) => {
        const content = this.blobs.get(`${at}:${path}`);
        return content === undefined ? undefined : new TextEncoder().encode(content);
      },
      diff: async (root: string, from: string, to: string) => `${root} ${from} ${to}`,
      treeOf: async (of: string) => `tree ${of}`,
      writeTree: async (path: string) => {
        if (this.tree === undefined) throw new BeadsmithError('WORKTREE_LOST', { path });
        return this.tree;
      },
      stagedTree: async (path: string) => {
        if (this.tree === undefined) throw new BeadsmithError('WORKTREE_LOST', { path });
        return this.staged;
      },
      mergeBase: async (root: string, one: string, other: string) => {
        this.merged.push(`${root} ${one} ${other}`);
        return this.mergeBase ?? one;
      },
    };
    return new TicketDiffs(store, git, '/repo');
  }

  bead(fields: Partial<Bead>): void {
    this.beads = [testBead({ id: 'other', status: 'pending' }), testBead(fields)];
  }

  finished(fields: Partial<Bead>, made: string | null): void {
    this.bead({ status: 'done', beadStartCommit: first, ...fields });
    const record = {
      schema_version: 1,
      beadId: 'greet',
      iteration: 1,
      commit: made,
      noop: made === null,
      leftOut: [],
    };
    this.artifacts.set('bead_commit:greet', JSON.stringify(record));
  }

  integrated(candidate: string, mergeBase: string): void {
    const kept = { strategy: 'keep', presquashRef: '', commitCount: 1, files: [] };
    this.artifacts.set(
      'integration_report',
      JSON.stringify({ schema_version: 1, candidate, mergeBase, ...kept }),
    );
  }

  async range(scope: DiffScope): Promise<readonly string[] | undefined> {
    const view = await this.diffs.diff('TST-1', scope);
    return view && [view.from, view.to];
  }
}

describe('the diff of a ticket', () => {
  let world: World;
  beforeEach(() => (world = new World()));

  describe('as a whole', () => {
    it('is what its branch has on top of its base commit', async () => {
      world.refs.set('refs/heads/ticket/TST-1', tip);
      assert.deepEqual(await world.diffs.diff('TST-1', ticketScope), {
        scope: ticketScope,
        from: base,
        to: tip,
        files: changed,
        sha256: sha256(`/repo ${base} ${tip}`),
      });
    });

    it('is what was integrated, also when the branch is gone', async () => {
      world.integrated(tip, elsewhere);
      assert.deepEqual(await world.range(ticketScope), [elsewhere, tip]);
      world.refs.set('refs/heads/ticket/TST-1', tip);
      assert.deepEqual(await world.range(ticketScope), [elsewhere, tip]);
    });

    it('begins at the base commit again when the branch has more commits than that', async () => {
      world.integrated(second, elsewhere);
      world.refs.set('refs/heads/ticket/TST-1', tip);
      assert.deepEqual(await world.range(ticketScope), [base, tip]);
    });

    it('is none before there is a branch, a base, or a commit', async () => {
      assert.equal(await world.range(ticketScope), undefined);
      world.refs.set('refs/heads/ticket/TST-1', base);
      assert.equal(await world.range(ticketScope), undefined);
      world.refs.set('refs/heads/ticket/TST-1', tip);
      for (const missing of [
        { branch: null, baseCommit: base },
        { branch: 'ticket/TST-1', baseCommit: null },
      ]) {
        world.ticket = missing;
        assert.equal(await world.range(ticketScope), undefined);
      }
    });
  });

  describe('with uncommitted work', () => {
    const open: DiffScope = { kind: 'worktree', since: 'base' };

    beforeEach(() => {
      world.ticket = { branch: 'ticket/TST-1', baseCommit: base, worktree: '/repo.worktrees/TST-1' };
      world.refs.set('refs/heads/ticket/TST-1', tip);
      world.tree = 'on disk';
    });

    it('ends at the files of the worktree, and has no hash to accept', async () => {
      assert.deepEqual(await world.range(open), [base, 'on disk']);
      assert.equal((await world.diffs.diff('TST-1', open))?.sha256, '');
    });

    it('is none where all is committed, and where the worktree is gone or was never there', async () => {
      world.tree = `tree ${tip}`;
      assert.equal(await world.range(open), undefined);
      world.tree = undefined;
      assert.equal(await world.range(open), undefined);
      world.tree = 'on disk';
      world.ticket = { branch: 'ticket/TST-1', baseCommit: base, worktree: null };
      assert.equal(await world.range(open), undefined);
    });
  });

  describe('of what is staged, and of what is not', () => {
    const staged: DiffScope = { kind: 'staged' };
    const unstaged: DiffScope = { kind: 'worktree', since: 'staged' };

    beforeEach(() => {
      world.ticket = { branch: 'ticket/TST-1', baseCommit: base, worktree: '/repo.worktrees/TST-1' };
      world.refs.set('refs/heads/ticket/TST-1', tip);
      world.tree = 'on disk';
      world.staged.tree = 'index';
    });

    it('meets in the index', async () => {
      assert.deepEqual(await world.range(staged), [tip, 'index']);
      assert.deepEqual(await world.range(unstaged), ['index', 'on disk']);
      world.bead({ status: 'in_progress', beadStartCommit: second });
      assert.deepEqual(await world.range(staged), [second, 'index'], 'an agent may commit by itself');
    });

    it('is none where nothing is staged, where all is, and where the worktree is gone', async () => {
      world.staged.tree = `tree ${tip}`;
      assert.equal(await world.range(staged), undefined);
      world.staged.tree = 'on disk';
      assert.equal(await world.range(unstaged), undefined);
      world.tree = undefined;
      assert.deepEqual([await world.range(staged), await world.range(unstaged)], [undefined, undefined]);
      world.ticket = { ...world.ticket, worktree: null };
      assert.deepEqual([await world.range(staged), await world.range(unstaged)], [undefined, undefined]);
    });

    it('names files in conflict, also one that is as in the last commit', async () => {
      world.staged = { tree: 'on disk', conflicts: ['greet.txt', 'kept.txt'] };
      const view = await world.diffs.diff('TST-1', unstaged);
      assert.deepEqual(view?.conflicts, ['greet.txt', 'kept.txt']);
      assert.deepEqual(
        view.files.map(({ path }) => path),
        ['greet.txt', 'kept.txt'],
      );
    });
  });

  describe('of a bead', () => {
    it('that is done is its commit, with the hash under which it was filed', async () => {
      world.finished({}, second);
      assert.equal((await world.diffs.diff('TST-1', beadScope))?.sha256, sha256(`/repo ${first} ${second}`));
      world.artifacts.set('bead_diff:greet', 'diff');
      const view = await world.diffs.diff('TST-1', beadScope);
      assert.deepEqual([view?.from, view?.to, view?.sha256], [first, second, sha256('filed diff')]);
    });

    it('that was done without a commit is empty, from its start to its start', async () => {
      world.finished({}, null);
      assert.deepEqual(await world.range(beadScope), [first, first]);
    });

    it('that is not done is what its newest kept iteration left', async () => {
      world.bead({ iteration: 3, status: 'in_progress', beadStartCommit: first });
      assert.equal(await world.range(beadScope), undefined);
      world.refs.set('refs/beadsmith/TST-1/greet/1', second);
      assert.deepEqual(await world.range(beadScope), [first, second]);
      world.refs.set('refs/beadsmith/TST-1/greet/2', tip);
      assert.deepEqual(await world.range(beadScope), [first, tip]);
    });

    it('takes no record for a commit whose bead is open again, or began nowhere', async () => {
      world.finished({ status: 'in_progress' }, second);
      assert.equal(await world.range(beadScope), undefined);
      world.finished({ beadStartCommit: null }, second);
      assert.equal(await world.range(beadScope), undefined);
      world.finished({}, second);
      world.artifacts.clear();
      assert.equal(await world.range(beadScope), undefined);
    });

    it('that is none of the ticket is none', async () => {
      world.finished({}, second);
      assert.equal(await world.range({ kind: 'bead', bead: 'none' }), undefined);
      assert.equal(await world.range({ kind: 'iteration', bead: 'none', iteration: 1 }), undefined);
    });
  });

  describe('of an iteration', () => {
    it('is the commit of the bead for the one that finished it, and what was kept for the others', async () => {
      world.finished({ iteration: 2 }, tip);
      world.refs.set('refs/beadsmith/TST-1/greet/1', second);
      assert.deepEqual(await world.range(iteration(2)), [first, tip]);
      assert.deepEqual(await world.range(iteration(1)), [first, second]);
      assert.equal(await world.range(iteration(3)), undefined);
    });

    it('at work is what its worktree has so far, and no other', async () => {
      const worktree = '/repo.worktrees/TST-1';
      world.ticket = { branch: 'ticket/TST-1', baseCommit: base, worktree };
      world.bead({ id: 'greet', status: 'in_progress', iteration: 2, beadStartCommit: first });
      world.tree = elsewhere;
      const view = await world.diffs.diff('TST-1', iteration(2));
      assert.deepEqual([view?.from, view?.to, view?.files], [first, elsewhere, changed]);
      assert.equal(await world.diffs.diff('TST-1', iteration(1)), undefined);
      world.tree = `tree ${first}`;
      assert.equal(await world.diffs.diff('TST-1', iteration(2)), undefined, 'nothing changed');
      world.tree = undefined;
      assert.equal(await world.diffs.diff('TST-1', iteration(2)), undefined, 'the worktree is gone');
    });

    it('begins where it branched off, or at the base of the ticket where its bead has no start', async () => {
      world.bead({ iteration: 2, beadStartCommit: second });
      world.refs.set('refs/beadsmith/TST-1/greet/1', tip);
      world.mergeBase = first;
      assert.deepEqual(await world.range(iteration(1)), [first, tip]);
      world.bead({ iteration: 2, beadStartCommit: null });
      world.mergeBase = undefined;
      assert.deepEqual(await world.range(iteration(1)), [base, tip]);
      assert.deepEqual(world.merged, [`/repo ${second} ${tip}`, `/repo ${base} ${tip}`]);
      world.ticket = { branch: null, baseCommit: null };
      assert.equal(await world.range(iteration(1)), undefined);
    });
  });

  it('has the files of its commits', async () => {
    world.blobs.set(`${tip}:greet.txt`, 'hello\n');
    assert.equal(
      Buffer.from((await world.diffs.file('TST-1', tip, 'greet.txt')) ?? []).toString(),
      'hello\n',
    );
    assert.equal(await world.diffs.file('TST-1', first, 'greet.txt'), undefined);
  });

  it('is refused for what is no ticket, and the name of it is not printed as it is', async () => {
    for (const id of ['TST-9', '--help', 'TST-1\u001B[31m', 'x'.repeat(100)]) {
      await assert.rejects(world.diffs.diff(id, ticketScope), { code: 'TICKET_UNKNOWN' }, id);
      await assert.rejects(world.diffs.file(id, tip, 'greet.txt'), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'TICKET_UNKNOWN');
        assert.ok(
          !error.message.includes('\u001B') && !error.message.includes('x'.repeat(41)),
          error.message,
        );
        return true;
      });
    }
  });
});
