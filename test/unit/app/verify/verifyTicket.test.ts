import assert from 'node:assert/strict';
import type { VerifyPorts } from '../../../../src/app/verify/repeatProof.ts';
import { verifyTicket, type VerifyWork } from '../../../../src/app/verify/verifyTicket.ts';
import type { CommitEvidence } from '../../../../src/domain/proof/commitEvidence.ts';
import { sealed } from '../../../../src/domain/proof/commitEvidence.ts';
import type { Evidence } from '../../../../src/domain/core/evidence.ts';
import type { RunRequest, Verification } from '../../../../src/protocol/verification/verification.ts';
import { reservationIn } from '../../../support/fakes/fakeWorkplace.ts';
import { sampleProof } from '../../../support/samples.ts';

const hash = (letter: string): string => letter.repeat(40);
/** Commits a, b and c on a branch from 0; their trees are named in other letters. */
const trees: Readonly<Record<string, string>> = { a: '1', b: '2', c: '3' };

function seen(command: string, over: Partial<Evidence> = {}): Evidence {
  const quiet = { head: '', tail: '', outputBytes: 0, signal: null, timedOut: false };
  return { command, cwd: '/', exitCode: 0, durationMs: 10, ...quiet, ...over };
}

function proof(commit: string, over: Partial<CommitEvidence> = {}): CommitEvidence {
  return sampleProof({
    ticket: 'ABC-1',
    bead: `bead-${commit}`,
    commit: hash(commit),
    tree: hash(trees[commit] ?? '9'),
    commands: [seen(`test ${commit}`)],
    base: hash('0'),
    ...over,
  });
}

describe('evidence that is run again', () => {
  let results: Map<string, Partial<Evidence>[]>;
  let ran: string[];
  let scratch: string[];
  let homes: string[];
  /** Commands that write to a tracked file, and these files. */
  let writing: string[];
  let rewritten: string[];
  let branch: string[];
  let uncommitted: string[];
  let known: (name: string) => string | undefined;
  let requests: RunRequest[];
  let confirms: boolean;

  beforeEach(() => {
    requests = [];
    confirms = true;
    results = new Map();
    ran = [];
    scratch = [];
    homes = [];
    writing = [];
    rewritten = [];
    branch = ['a', 'b', 'c'];
    uncommitted = [];
    known = (name) =>
      /^refs\/heads/.test(name) ? hash('c') : /^[0-9a-f]{40}$/.test(name) ? name : undefined;
  });

  const ports = (): VerifyPorts => {
    const git = {
      repository: async () => ({ root: '/repo', headCommit: hash('c') }),
      resolve: async (name: string) => known(name),
      uncommitted: async () => uncommitted,
      commits: async () =>
        branch.toReversed().map((name) => ({ sha: hash(name), subject: `commit ${name}`, trailers: {} })),
      treeOf: async (commit: string) => hash(trees[commit[0] ?? ''] ?? '9'),
      compare: async () => [{ path: 'changed.txt' }],
      checkOutScratch: async (name: string, commit: string, keep: readonly string[]) => {
        rewritten = [];
        scratch.push(`${name} at ${String(commit[0])}${keep.length > 0 ? ` keeps ${keep.join(' ')}` : ''}`);
        return { path: '/scratch', created: true };
      },
      scratchChanges: async () => ({
        changes: [
          ...(ran.some((line) => line.startsWith('install'))
            ? [{ path: 'made.txt', state: 'untracked' }]
            : []),
          ...rewritten.map((path) => ({ path, state: 'modified' })),
        ],
        ignored: ['deps'],
      }),
      removeScratch: async (name: string) => void scratch.push(`${name} removed`),
    };
    const process = {
      run: async (
        command: string,
        { timeoutMs, sandbox }: { timeoutMs: number; sandbox: { network: string; isProof?: boolean } },
      ) => {
        homes.push(`${String(sandbox.isProof)} ${temporary}`);
        if (writing.includes(command)) rewritten = ['a.txt'];
        ran.push(`${command} ${sandbox.network} ${String(timeoutMs)}`);
        return seen(command, results.get(command)?.shift() ?? {});
      },
    };
    let temporary = '';
    const files = {
      write: async (...[, , text]: string[]) =>
        void (temporary = /TMPDIR='(.*?)'/.exec(text ?? '')?.[1] ?? temporary),
    };
    const workplace = {
      reserve: async () => reservationIn('/own'),
      emptyProof: async (name: string, { home }: { home: boolean }) =>
        void homes.push(`${name} emptied${home ? ' with its home' : ''}`),
      release: async (name: string) => void scratch.push(`${name} released`),
    };
    return { git, process, files, clock: { now: () => 0 }, workplace } as unknown as VerifyPorts;
  };

  const verify = async (
    evidence: readonly CommitEvidence[],
    over: Partial<VerifyWork> = {},
  ): Promise<Verification> => {
    const base = { branch: 'main', commit: hash('0') };
    const whole = sealed({
      schema_version: 1,
      ticket: 'ABC-1',
      branch: 'ticket/ABC-1',
      base,
      evidence: [...evidence],
    });
    const result = await verifyTicket(ports(), {
      evidence: whole,
      source: 'database',
      isApproved: false,
      confirm: async (request) => {
        requests.push(request);
        return confirms;
      },
      all: false,
      signal: new AbortController().signal,
      judge: ({ commit, bead }) => ({
        commit,
        about: bead ?? '',
        state: 'trusted',
        key: 'SHA256:1',
        name: 'Ada',
      }),
      ...over,
    });
    return result ?? assert.fail('it was not confirmed');
  };
  const commandsRun = (): string[] => ran.map((line) => line.replace(/ (?:none|install|services) \d+$/, ''));

  it('is that of the last commit, in a scratch worktree that is gone afterwards', async () => {
    const told: string[] = [];
    const { head, commits, differences } = await verify([proof('a'), proof('b'), proof('c')], {
      onProgress: ({ command, number, total }) => told.push(`${command} ${String(number)}/${String(total)}`),
    });
    assert.deepEqual([head, differences], [hash('c'), []]);
    assert.deepEqual(commits, [
      {
        commit: hash('c'),
        subject: 'commit c',
        about: 'bead-c',
        commands: [
          { command: 'test c', found: commits[0]?.commands[0]?.found, isSame: true, durationMs: 10 },
        ],
      },
    ]);
    assert.deepEqual([ran, told], [['test c none 600000'], ['test c 1/1']]);
    assert.deepEqual(scratch, ['ABC-1.verify at c', 'ABC-1.verify removed', 'ABC-1.verify released']);
  });

  it('runs where a proof runs, with a home and a temporary folder that are empty at first', async () => {
    const environment = { ...proof('c').environment, bootstrap: ['install'] };
    await verify([proof('c', { environment })]);
    assert.deepEqual(homes, [
      'ABC-1.verify emptied with its home',
      'true /own/proof-temporary',
      'true /own/proof-temporary',
    ]);
  });

  it('is that of each commit when all of it is wanted, and long commands have their time', async () => {
    const slow = proof('b', { commands: [seen('test b', { durationMs: 100_000 })] });
    const { commits } = await verify([proof('a'), slow, proof('c')], { all: true });
    assert.deepEqual(
      commits.map(({ about }) => about),
      ['bead-a', 'bead-b', 'bead-c'],
    );
    assert.equal(ran[1], 'test b none 1000000');
  });

  it('differs when a command ends otherwise, and a flaky one gets a second chance', async () => {
    results.set('test c', [{ exitCode: 1, head: 'no\n', outputBytes: 3 }]);
    const { differences, commits } = await verify([proof('c')]);
    assert.deepEqual(
      differences.map(({ kind }) => kind),
      ['result'],
    );
    assert.match(JSON.stringify(differences), /test c.*no/);
    assert.equal(commits[0]?.commands[0]?.isSame, false);
    results.set('test c', [{ exitCode: 1 }]);
    const flaky = proof('c', { commands: [{ ...seen('test c'), flaky: true }] });
    assert.deepEqual((await verify([flaky])).differences, []);
    assert.deepEqual(commandsRun(), ['test c', 'test c', 'test c']);
  });

  it('is the same when it fails as it did, and not when it stops in time that did not', async () => {
    const failing = proof('c', { commands: [seen('test c', { exitCode: 1 })] });
    results.set('test c', [{ exitCode: 1 }]);
    assert.deepEqual((await verify([failing])).differences, []);
    results.set('test c', [{ exitCode: 0 }]);
    assert.equal((await verify([failing])).differences.length, 1);
    const known1 = proof('c', { commands: [seen('test c', { exitCode: 1, knownFailures: ['x'] })] });
    assert.deepEqual((await verify([known1])).differences, []);
    results.set('test c', [{ exitCode: 1, timedOut: true }]);
    assert.equal((await verify([failing])).differences.length, 1);
  });

  it('runs nothing without a yes in files that were not proved, even of commands that are signed or approved', async () => {
    confirms = false;
    for (const isApproved of [true, false]) {
      const copied = verify([proof('a'), proof('b')], { isApproved, source: 'pull_request' });
      await assert.rejects(copied, /not confirmed/);
      await assert.rejects(verify([proof('a'), proof('b')], { isApproved, all: true }), /not confirmed/);
    }
    assert.deepEqual([ran, scratch], [[], []]);
    assert.deepEqual(
      requests.map(({ commands, otherFiles }) => [commands, otherFiles]),
      [
        [['test b'], hash('c')],
        [['test a', 'test b'], hash('c')],
        [['test b'], hash('c')],
        [['test a', 'test b'], hash('c')],
      ],
    );
  });

  it('asks about commands that no trusted key signed with these files, unless they were approved here', async () => {
    confirms = false;
    const unknown = ({ commit }: CommitEvidence) =>
      ({
        commit,
        about: '',
        state: commit === hash('c') ? 'unknown' : 'trusted',
        key: '',
        name: null,
      }) as const;
    await verify([proof('c')], { judge: unknown, isApproved: true });
    await verify([proof('b'), proof('c')], { judge: unknown, revision: hash('c'), isApproved: true });
    assert.deepEqual(requests, []);
    await assert.rejects(verify([proof('b'), proof('c')], { judge: unknown }), /not confirmed/);
    const expected = { ticket: 'ABC-1', commands: ['test c'], variables: [], otherFiles: null };
    assert.deepEqual(requests, [expected]);
    const { environment } = proof('c');
    const named = proof('c', { environment: { ...environment, passed: ['NPM_TOKEN', 'CI'] } });
    await assert.rejects(verify([named], { judge: unknown }), /not confirmed/);
    assert.deepEqual(
      requests.map(({ variables }) => variables),
      [[], ['NPM_TOKEN', 'CI']],
    );
    branch = ['a', 'b'];
    assert.equal((await verify([proof('b'), proof('c')], { judge: unknown })).commits.length, 1);
  });

  it('says which commit has no proof, which work is missing, and which files differ', async () => {
    const all = (await verify([proof('a'), proof('c')], { all: true })).differences;
    assert.deepEqual(all, [{ kind: 'unproved', commit: hash('b'), subject: 'commit b' }]);
    branch = ['a', 'c'];
    const missing = (await verify([proof('a'), proof('b'), proof('c')], { all: true })).differences;
    assert.deepEqual(missing, [{ kind: 'missing', commit: hash('b'), about: 'bead-b', tree: hash('2') }]);
    const [differs] = (await verify([proof('a'), proof('b')])).differences;
    assert.deepEqual(differs, {
      kind: 'tree',
      commit: hash('c'),
      about: 'bead-b',
      recorded: hash('2'),
      found: hash('3'),
      paths: ['changed.txt'],
    });
  });

  it('takes a squash for all of its work, and the last proof of the same work for the ones before', async () => {
    branch = ['c'];
    const squash = proof('c', { of: 'integration', bead: null });
    assert.deepEqual((await verify([proof('a'), proof('b'), squash], { all: true })).differences, []);
    branch = ['b', 'c'];
    const again = [proof('a', { bead: 'same' }), proof('b', { bead: 'same' }), proof('c')];
    assert.deepEqual((await verify(again, { all: true })).differences, []);
    const two = await verify([
      proof('c'),
      proof('c', { of: 'final_test', bead: null, commands: [seen('whole')] }),
    ]);
    assert.deepEqual(
      two.commits.map(({ about, commands }) => [about, commands.map(({ command }) => command)]),
      [['final test', ['test c', 'whole']]],
    );
  });

  it('runs each command on the files of the commit', async () => {
    writing = ['first'];
    await verify([proof('c', { commands: [seen('first'), seen('second')] })]);
    assert.deepEqual(scratch.slice(0, 2), ['ABC-1.verify at c', 'ABC-1.verify at c keeps deps']);
    assert.deepEqual(rewritten, []);
  });

  it('makes the environment again first, and says when that fails', async () => {
    const environment = { ...proof('c').environment, bootstrap: ['install'], withheld: ['TOKEN'] };
    const { withheld } = await verify([proof('c', { environment })]);
    assert.deepEqual([ran, withheld], [['install install 600000', 'test c none 600000'], ['TOKEN']]);
    assert.deepEqual(scratch.slice(0, 2), ['ABC-1.verify at c', 'ABC-1.verify at c keeps deps made.txt']);
    results.set('install', [{ exitCode: 1 }]);
    ran = [];
    const { differences, commits } = await verify([proof('c', { environment })]);
    assert.deepEqual(
      [differences.map(({ kind }) => kind), commits[0]?.commands, commandsRun()],
      [['bootstrap'], [], ['install']],
    );
  });

  it('says when evidence was altered, or the checkout has changes that were never proved', async () => {
    const base = { branch: 'main', commit: hash('0') };
    const whole = sealed({ schema_version: 1, ticket: 'ABC-1', branch: null, base, evidence: [proof('c')] });
    uncommitted = ['mine.txt'];
    const { differences } = await verify([], { evidence: { ...whole, branch: 'another' } });
    assert.deepEqual(differences, [{ kind: 'altered' }, { kind: 'uncommitted', paths: ['mine.txt'] }]);
    known = (name) => (name === 'b' ? hash('b') : undefined);
    branch = ['a', 'b'];
    assert.deepEqual((await verify([proof('b')], { revision: 'b' })).differences, []);
  });

  it('is refused where there is nothing to run, and of a revision that is not there', async () => {
    await assert.rejects(verify([proof('c', { commands: [] })]), { code: 'NO_EVIDENCE' });
    known = () => undefined;
    await assert.rejects(verify([proof('c')]), { code: 'REVISION_UNKNOWN' });
    await assert.rejects(verify([proof('c')], { revision: 'none' }), { code: 'REVISION_UNKNOWN' });
  });

  it('ends when that is wanted, and takes its worktree with it', async () => {
    const control = new AbortController();
    const stop = new Error('stopped');
    const running = verify([proof('a'), proof('c')], {
      all: true,
      signal: control.signal,
      onProgress: () => control.abort(stop),
    });
    await assert.rejects(running, stop);
    assert.deepEqual([commandsRun(), scratch.at(-1)], [['test a'], 'ABC-1.verify released']);
  });
});
