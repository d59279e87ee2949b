import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Clones } from '../../../src/adapters/git/mirror/clones.ts';
import { GitAdapter } from '../../../src/adapters/git/gitAdapter.ts';
import { PushedCommits } from '../../../src/app/tickets/pushedCommits.ts';
import { fetchTicketRefs, pushedDiffGit } from '../../../src/app/tickets/pushedRefs.ts';
import { attemptRef, pushedBranchRef } from '../../../src/domain/core/ids.ts';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import type { TicketEvent } from '../../../src/domain/core/events.ts';
import type { Hold } from '../../../src/domain/ticket/ticket.ts';
import type { CommitPlace, Store, Transaction } from '../../../src/engine/ports/storePort.ts';
import { systemClock } from '../../../src/adapters/clock/systemClock.ts';
import { gitOf, withCode } from '../../support/git/gitBench.ts';
import {
  repositoryAt,
  type TempRepository,
  tempFolders,
  tempRepositories,
} from '../../support/git/tempRepository.ts';

const ticket = 'ABC-1';
const receipt: Transaction = {
  ticket,
  journal: [{ kind: 'step.done', run: 'r', key: 'k', result: null }],
  changes: [],
};
const intent: Transaction = { ticket, journal: [{ kind: 'step.intent', run: 'r', key: 'k' }], changes: [] };

/** The claims of a team's database, for one ticket. */
class Claims {
  owner = 'a';
  readonly commits: string[] = [];
  /** Of the ticket's commits. */
  place: CommitPlace = { now: '', wanted: '' };
  /** The ticket's, one after the other. */
  readonly holds: (Hold | null)[] = [];
  /** After a runner was told that the ticket is its own. */
  afterFence: () => Promise<void> = () => Promise.resolve();

  storeOf(runner: string): Store {
    const commit: Store['commit'] = async ({ journal, changes = [] }) => {
      if (this.owner !== runner) throw new BeadsmithError('EPOCH_LOST', { ticket });
      for (const { kind } of journal) this.commits.push(`${runner}: ${kind}`);
      for (const change of changes) if (change.type === 'ticket') this.holds.push(change.set.hold ?? null);
      if (journal.length + changes.length === 0) await this.afterFence();
      return { seq: 1, revision: 1 };
    };
    const row = () => Promise.resolve({ status: 'CODING', hold: this.holds.at(-1) ?? null });
    return { commit, ticket: row } as unknown as Store;
  }
}

describe('The commits of a ticket', function () {
  this.timeout(60_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();
  let author: TempRepository;
  let origin: TempRepository;
  let url: string;
  let home: string;
  let claims: Claims;
  const opened: Clones[] = [];

  beforeEach(async () => {
    author = await makeRepository();
    url = await author.addOrigin();
    origin = repositoryAt(url);
    home = await makeFolder();
    claims = new Claims();
  });
  afterEach(async () => {
    for (const clones of opened.splice(0)) await clones.close();
  });

  /** A runner with a worktree for the ticket. */
  async function runner(name: string) {
    const environment = {
      PATH: process.env['PATH'],
      HOME: home,
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.com',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.com',
    };
    const clones = new Clones({ folder: join(home, name), environment });
    opened.push(clones);
    const folder = await clones.open({ name: 'acme/sample', url });
    const git = new GitAdapter({ folder, environment });
    const commit = (await git.resolve('refs/remotes/origin/main')) ?? '';
    const { path } = await git.addWorktree({ ticket, branch: `ticket/${ticket}`, commit });
    const refs = await git.ticketRefs();
    let isAway = false;
    const perhaps = async <T>(asking: () => Promise<T>): Promise<T> => {
      if (isAway)
        throw new BeadsmithError('FORGE_UNREACHABLE', { host: 'origin', reason: 'Nobody answers.' });
      return asking();
    };
    const reached = {
      remote: refs.remote,
      here: (id: string) => refs.here(id),
      there: (id: string) => perhaps(() => refs.there(id)),
      claim: (...last: Parameters<typeof refs.claim>) => refs.claim(...last),
      push: (updates: Parameters<typeof refs.push>[0]) => perhaps(() => refs.push(updates)),
      takeStrays: (...strays: Parameters<typeof refs.takeStrays>) => refs.takeStrays(...strays),
    };
    const said: TicketEvent[] = [];
    const pauses: number[] = [];
    let onPause = (): Promise<void> => Promise.resolve();
    const clock = {
      ...systemClock,
      sleep: async (ms: number) => {
        pauses.push(ms);
        await onPause();
      },
    };
    const events = { emit: (event: TicketEvent) => void said.push(event) };
    const store = claims.storeOf(name);
    const places = {
      of: () => Promise.resolve(claims.place),
      settle: (_id: string, now: string) => {
        claims.commits.push(`${name}: at ${basename(now)}`);
        claims.place = { ...claims.place, now };
        return Promise.resolve();
      },
    };
    const refsAt = (place: string) => (place === '' ? Promise.resolve(reached) : git.ticketRefs(place));
    const pushed = new PushedCommits({ store, places, refs: refsAt, clock, events });
    const work = async (text: string): Promise<string> => {
      await writeFile(join(path, 'work.txt'), text);
      return git.commit(path, { paths: ['work.txt'], message: text, trailers: {} });
    };
    const clone = repositoryAt(folder);
    const meanwhile = (then: () => Promise<void>): void => {
      onPause = then;
    };
    const away = (now: boolean): void => {
      isAway = now;
    };
    return { git, clone, path, refs, pushed, work, pauses, said, meanwhile, away };
  }

  const there = (ref: string): Promise<string> =>
    origin.git('rev-parse', '--verify', '--quiet', ref).catch(() => '');

  it('are on the remote before a receipt is stored that may name them', async () => {
    const { git, path, pushed, work, pauses } = await runner('a');
    await pushed.store.commit(intent);
    assert.equal(await there(pushedBranchRef(ticket)), '');
    const commit = await work('one');
    const kept = await git.keep(path, attemptRef(ticket, 'branch', 1), 'kept');
    await pushed.store.commit(receipt);
    assert.equal(await there(pushedBranchRef(ticket)), commit);
    assert.equal(await there(attemptRef(ticket, 'branch', 1)), kept);
    assert.equal(await origin.git('for-each-ref', '--format=%(refname)', 'refs/heads'), 'refs/heads/main');
    // A branch that is rewritten, too.
    const start = (await git.resolve('refs/remotes/origin/main')) ?? '';
    await git.unfold(path, start);
    await pushed.store.commit(receipt);
    assert.equal(await there(pushedBranchRef(ticket)), start);
    assert.equal(await there(`refs/beadsmith/${ticket}/undone/1`), commit);
    assert.deepEqual(claims.commits, ['a: step.intent', 'a: step.done', 'a: step.done']);
    assert.deepEqual(pauses, []);
  });

  it('keep the order of transactions, of which the later rely on the earlier', async () => {
    const { pushed, work } = await runner('a');
    await work('one');
    await Promise.all([pushed.store.commit(receipt), pushed.store.commit(intent)]);
    assert.deepEqual(claims.commits, ['a: step.done', 'a: step.intent']);
  });

  it('wait for a remote that is away, say so, and are never lost', async () => {
    const { pushed, work, pauses, said, meanwhile, away } = await runner('a');
    const commit = await work('one');
    away(true);
    meanwhile(() => {
      assert.deepEqual([claims.commits, pushed.isAway(ticket)], [[], true]);
      if (pauses.length === 2) away(false);
      return Promise.resolve();
    });
    await pushed.store.commit(receipt);
    assert.equal(pushed.isAway(ticket), false);
    assert.equal(await there(pushedBranchRef(ticket)), commit);
    assert.deepEqual(claims.commits, ['a: step.done']);
    const texts = said.flatMap((event) => (event.type === 'activity' ? [event.text] : []));
    assert.match(
      texts[0] ?? '',
      /^"?origin"? can't be reached: .*Nothing continues before the commits of ABC-1/,
    );
    assert.equal(texts.at(-1), 'The remote has the commits now.');
    assert.deepEqual(
      said.flatMap((event) => (event.type === 'hold' ? [event.hold] : [])),
      ['offline', 'offline', null],
    );
    // Also for people on other machines.
    assert.deepEqual(
      claims.holds.map(
        (hold) => hold && [hold.kind, hold.until !== undefined, hold.detail.includes('ABC-1')],
      ),
      [['offline', true, true], ['offline', true, true], null],
    );
  });

  it('that a remote refuses end in an error with its words', async () => {
    const { pushed, work, pauses } = await runner('a');
    await work('one');
    const hook = join(url, 'hooks', 'pre-receive');
    await writeFile(hook, '#!/bin/sh\necho "not on Sundays" >&2\nexit 1\n');
    await chmod(hook, 0o755);
    await assert.rejects(pushed.store.commit(receipt), (error) => {
      assert.ok(withCode('PUSH_REFUSED')(error));
      assert.match(String(error), /not on Sundays/);
      return true;
    });
    assert.deepEqual([pauses.length, claims.commits.length], [2, 0]);
  });

  it('go nowhere else, whatever an agent makes of the remote', async () => {
    const { clone, pushed, work } = await runner('a');
    const elsewhere = await makeRepository({ name: 'elsewhere' });
    await work('one');
    await clone.git('config', 'remote.origin.url', elsewhere.root);
    await assert.rejects(pushed.store.commit(receipt), withCode('PUSH_REFUSED'));
    assert.equal(await elsewhere.git('for-each-ref', 'refs/beadsmith'), '');
  });

  it('go nowhere else than to an address that the team named', async () => {
    const { clone, git, work } = await runner('a');
    const named = `file://${url}`;
    const elsewhere = await makeRepository({ name: 'elsewhere' });
    const to = await work('one');
    const push = async (refs: Awaited<ReturnType<typeof git.ticketRefs>>): Promise<unknown> =>
      refs.push([
        { ref: pushedBranchRef(ticket), to, from: (await refs.there(ticket)).get(pushedBranchRef(ticket)) },
      ]);
    for (const [setting, value] of [
      [`remote.${named}.pushurl`, elsewhere.root],
      [`remote.${named}.url`, elsewhere.root],
      [`url.${elsewhere.root}.insteadOf`, named],
      [`url.${elsewhere.root}.pushInsteadOf`, named],
    ] as const) {
      await clone.git('config', setting, value);
      await assert.rejects(git.ticketRefs(named).then(push), withCode('PUSH_REFUSED'), setting);
      await clone.git('config', '--unset', setting);
    }
    for (const address of ['ext::sh -c "touch pwned"', '--upload-pack=touch pwned', 'http://example.com/x'])
      await assert.rejects(git.ticketRefs(address), withCode('INVALID_INPUT'), address);
    await push(await git.ticketRefs(named));
    assert.equal(await there(pushedBranchRef(ticket)), to);
    assert.equal(await elsewhere.git('for-each-ref', 'refs/beadsmith'), '');
    // The person's own configuration may rewrite it.
    await writeFile(
      join(home, '.gitconfig'),
      `[url "${url}"]\n\tinsteadOf = https://git.example.com/tickets\n`,
    );
    const refs = await git.ticketRefs('https://git.example.com/tickets');
    assert.equal((await refs.there(ticket)).get(pushedBranchRef(ticket)), to);
    assert.equal(refs.remote, 'https://git.example.com/tickets');
  });

  describe('in a repository that the team names', () => {
    let named: TempRepository;
    const wants = (wanted: string): void => {
      claims.place = { ...claims.place, wanted };
    };
    const thereIn = (ref: string): Promise<string> =>
      named.git('rev-parse', '--verify', '--quiet', ref).catch(() => '');
    const refuse = async (): Promise<void> => {
      const hook = join(url, 'hooks', 'pre-receive');
      await writeFile(hook, '#!/bin/sh\nexit 1\n');
      await chmod(hook, 0o755);
    };
    beforeEach(async () => {
      const root = join(home, 'named.git');
      await author.git('init', '--quiet', '--bare', root);
      named = repositoryAt(root);
    });

    it('are all there before that is noted, and that is noted before the receipt', async () => {
      const { git, path, pushed, work } = await runner('a');
      const first = await work('one');
      const kept = await git.keep(path, attemptRef(ticket, 'bead', 1), 'kept');
      await pushed.store.commit(receipt);
      wants(named.root);
      pushed.forget(ticket);
      const second = await work('two');
      await pushed.store.commit(receipt);
      assert.deepEqual(claims.commits, ['a: step.done', 'a: at named.git', 'a: step.done']);
      assert.equal(await thereIn(pushedBranchRef(ticket)), second);
      assert.equal(await thereIn(attemptRef(ticket, 'bead', 1)), kept);
      assert.equal(await there(pushedBranchRef(ticket)), first, 'the remote stays as it is');
    });

    it('are taken from the place before, also one that takes nothing any more', async () => {
      const [a, b] = [await runner('a'), await runner('b')];
      const first = await a.work('one');
      await a.pushed.store.commit(receipt);
      await refuse();
      await assert.rejects(b.refs.take(ticket), withCode('PUSH_REFUSED'));
      assert.equal((await b.refs.take(ticket, true))?.tip, first);
    });

    for (const trouble of ['is away', 'refuses them'])
      it(`go there while the place before ${trouble}`, async () => {
        const { pushed, work, away, meanwhile } = await runner('a');
        const commit = await work('one');
        if (trouble === 'is away') away(true);
        else await refuse();
        meanwhile(async () => wants(named.root));
        await pushed.store.commit(receipt);
        assert.equal(await thereIn(pushedBranchRef(ticket)), commit);
        assert.deepEqual(claims.commits, ['a: at named.git', 'a: step.done']);
      });
  });

  it('of a runner that lost the ticket stay away from the remote', async () => {
    const [a, b] = [await runner('a'), await runner('b')];
    await a.work('of a');
    claims.owner = 'b';
    await assert.rejects(a.pushed.store.commit(receipt), withCode('EPOCH_LOST'));
    assert.equal(await there(pushedBranchRef(ticket)), '');
    const commit = await b.work('of b');
    await b.pushed.store.commit(receipt);
    await assert.rejects(a.pushed.store.commit(receipt), withCode('EPOCH_LOST'));
    assert.equal(await there(pushedBranchRef(ticket)), commit);
  });

  it('of a runner that slept in its push are kept beside those of the one that took over', async () => {
    const [a, b] = [await runner('a'), await runner('b')];
    claims.owner = 'b';
    await b.pushed.store.commit(receipt);
    const late = await a.work('of a');
    // It passed its fence before it lost the ticket.
    const now = await a.refs.there(ticket);
    await a.refs.push([{ ref: pushedBranchRef(ticket), to: late, from: now.get(pushedBranchRef(ticket)) }]);
    assert.equal(await there(pushedBranchRef(ticket)), late);
    const commit = await b.work('of b');
    await b.pushed.store.commit(receipt);
    assert.equal(await there(pushedBranchRef(ticket)), commit);
    await b.pushed.store.commit(receipt);
    assert.equal(await there(`refs/beadsmith/${ticket}/worktree/stray-${late.slice(0, 12)}`), late);
    // And what that one expects is no longer there.
    const stale = await a.refs.push([{ ref: pushedBranchRef(ticket), to: late, from: late }]);
    assert.deepEqual(stale, [pushedBranchRef(ticket)]);
    assert.equal(await there(pushedBranchRef(ticket)), commit);
  });

  it('of a runner that slept between its fence and its push come to nothing once another one took over', async () => {
    const a = await runner('a');
    const first = await a.work('one');
    await a.pushed.store.commit(receipt);
    const b = await runner('b');
    await a.work('late');
    await a.git.keep(a.path, attemptRef(ticket, 'late', 1), 'late');
    claims.afterFence = async () => {
      claims.afterFence = () => Promise.resolve();
      claims.owner = 'b';
      assert.equal((await b.refs.take(ticket))?.tip, first);
    };
    await assert.rejects(a.pushed.store.commit(receipt), withCode('EPOCH_LOST'));
    assert.equal(await there(pushedBranchRef(ticket)), first);
    assert.equal(await there(attemptRef(ticket, 'late', 1)), '');
  });

  it('are elsewhere until a clone that takes them over has the worktree, however often it is cut off', async () => {
    const [a, b] = [await runner('a'), await runner('b')];
    const tip = await a.work('one');
    const isElsewhere = async ({ refs }: typeof a): Promise<boolean | undefined> =>
      (await refs.take(ticket))?.isElsewhere;
    const moveTo = async (to: typeof a): Promise<void> => {
      await to.refs.takePlace(ticket, tip);
      to.pushed.forget(ticket);
      await to.pushed.store.commit(receipt);
    };
    await moveTo(a);
    claims.owner = 'b';
    assert.deepEqual([await isElsewhere(b), await isElsewhere(b)], [true, true]);
    await moveTo(b);
    claims.owner = 'a';
    assert.deepEqual([await isElsewhere(a), await isElsewhere(a)], [true, true]);
    assert.equal(await isElsewhere(b), false);
  });

  it("can be read in a person's clone, where nothing else changes", async () => {
    const { git, path, pushed, work } = await runner('a');
    const start = (await git.resolve('refs/remotes/origin/main')) ?? '';
    const commit = await work('one');
    const kept = await git.keep(path, attemptRef(ticket, 'bead', 1), 'kept');
    await pushed.store.commit(receipt);

    // A ticket of this clone's own has the same number.
    const own = await author.git('commit-tree', '-m', 'own', 'HEAD^{tree}');
    await author.git('update-ref', attemptRef(ticket, 'bead', 1), own);
    const look = async (): Promise<readonly string[]> => [
      await author.fingerprint(),
      await author.git('for-each-ref', 'refs/heads', 'refs/remotes'),
      await readFile(join(author.root, '.git', 'FETCH_HEAD'), 'utf8'),
    ];
    const before = await look();
    const persons = gitOf(author);
    assert.equal(await fetchTicketRefs(persons, ticket), commit);
    assert.deepEqual(await look(), before);
    assert.equal(await author.git('rev-parse', attemptRef(ticket, 'bead', 1)), own);
    const shown = pushedDiffGit(persons);
    assert.equal(await shown.resolve(`refs/heads/ticket/${ticket}`), commit);
    assert.equal(await shown.resolve(attemptRef(ticket, 'bead', 1)), kept);
    assert.deepEqual(
      (await shown.compare(start, commit)).map(({ path: name }) => name),
      ['work.txt'],
    );
  });
});
