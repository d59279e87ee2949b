import assert from 'node:assert/strict';
import { existsSync, lstatSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readlink, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalWorkplace } from '../../../../src/adapters/workplace/localWorkplace.ts';
import { Reservations } from '../../../../src/adapters/workplace/reservations.ts';
import { ToolVersions } from '../../../../src/adapters/system/toolVersions.ts';
import { describeHost } from '../../../../src/domain/environment/hostFacts.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';

describe('the workplace', () => {
  const makeFolder = tempFolders();

  async function place(environment: Readonly<Record<string, string>> = {}) {
    const folder = await makeFolder();
    const [checkout, worktree] = [join(folder, 'checkout'), join(folder, 'worktree')];
    for (const path of [checkout, worktree]) await mkdir(path);
    const reservations = new Reservations(join(folder, 'tickets'));
    let time = 0;
    const versions = (): ToolVersions => new ToolVersions(join(folder, 'versions.json'));
    const options = {
      checkout,
      repository: checkout,
      environment,
      reservations,
      ticketFolders: folder,
      now: () => time,
    };
    const again = (): LocalWorkplace => new LocalWorkplace({ ...options, versions: versions() });
    return { folder, checkout, worktree, workplace: again(), again, pass: (ms: number) => (time += ms) };
  }

  it('sizes up what may be copied, and stops counting at a gigabyte', async () => {
    const { checkout, workplace } = await place();
    await mkdir(join(checkout, 'data/inner'), { recursive: true });
    await writeFile(join(checkout, 'data/one'), 'x'.repeat(100));
    await writeFile(join(checkout, 'data/inner/two'), 'xx');
    await symlink('/', join(checkout, 'data/everything'));
    const { bytes = 0, link, ...counted } = (await workplace.size('data')) ?? {};
    assert.deepEqual([counted, bytes > 101 && bytes < 200], [{ files: 3, isMore: false }, true]);
    assert.match(link ?? '', /data\/everything is a link to \/, which is outside of the worktree/);
    assert.deepEqual(await workplace.size('data/one'), { bytes: 100, files: 1, isMore: false });
    // It has a size and takes no room.
    await truncate(join(checkout, 'data/one'), 1_000_000_001);
    assert.equal((await workplace.size('data'))?.isMore, true);
    assert.equal(await workplace.size('gone'), undefined);
  });

  describe('puts inputs into a worktree', () => {
    it('as copies that are made again, and as links', async () => {
      const { checkout, worktree, workplace } = await place();
      await mkdir(join(checkout, 'certs'));
      await writeFile(join(checkout, 'certs/a.pem'), 'first', { mode: 0o600 });
      await writeFile(join(checkout, 'big'), 'large');
      const inputs = [
        { path: 'certs/a.pem', use: 'copy', reason: '' },
        { path: 'big', use: 'link', reason: '' },
        { path: 'other', use: 'leave', reason: '' },
      ] as const;
      assert.deepEqual(await workplace.provide(worktree, inputs), []);
      assert.equal(lstatSync(join(worktree, 'certs/a.pem')).mode & 0o777, 0o600);
      assert.equal(await readlink(join(worktree, 'big')), join(checkout, 'big'));
      await writeFile(join(worktree, 'certs/a.pem'), 'changed by an agent');
      await writeFile(join(checkout, 'certs/a.pem'), 'second');
      assert.deepEqual(await workplace.provide(worktree, inputs), []);
      assert.equal(readFileSync(join(worktree, 'certs/a.pem'), 'utf8'), 'second');
    });

    it('as copies of what links lead to, unless that is outside of the worktree', async () => {
      const { folder, checkout, worktree, workplace } = await place();
      for (const name of ['real', 'data', 'far']) await mkdir(join(checkout, name));
      await mkdir(join(folder, 'beside'));
      await writeFile(join(folder, 'beside/file'), 'mine');
      await writeFile(join(checkout, 'real/file'), 'inside');
      await symlink('real/file', join(checkout, 'one'));
      await symlink('file', join(checkout, 'data/inner'));
      await writeFile(join(checkout, 'data/file'), 'inside');
      await symlink(join(folder, 'beside'), join(checkout, 'out'));
      await symlink(join(folder, 'beside/file'), join(checkout, 'far/file'));
      const copy = (path: string) => ({ path, use: 'copy', reason: '' }) as const;
      const problems = await workplace.provide(worktree, ['one', 'data', 'out', 'far'].map(copy));
      assert.equal(problems.length, 2);
      for (const problem of problems)
        assert.match(problem, /^(?:out|far): .* is a link to .*beside.*outside of the worktree/);
      assert.equal(lstatSync(join(worktree, 'one')).isSymbolicLink(), false);
      writeFileSync(join(worktree, 'one'), 'of the agent');
      writeFileSync(join(worktree, 'data/inner'), 'of the agent');
      for (const path of ['real/file', 'data/file'])
        assert.equal(readFileSync(join(checkout, path), 'utf8'), 'inside', path);
      assert.ok(!existsSync(join(worktree, 'far')) && !existsSync(join(worktree, 'out')));
    });

    it('never through a link that is in the way', async () => {
      const { folder, checkout, worktree, workplace } = await place();
      await mkdir(join(checkout, 'certs'));
      await mkdir(join(folder, 'outside'));
      await writeFile(join(folder, 'outside/file'), 'mine');
      for (const name of ['certs/a.pem', '.env']) await writeFile(join(checkout, name), 'secret');
      await symlink(join(folder, 'outside'), join(worktree, 'certs'));
      await symlink(join(folder, 'outside/file'), join(worktree, '.env'));
      const problems = await workplace.provide(worktree, [
        { path: 'certs/a.pem', use: 'copy', reason: '' },
        { path: '.env', use: 'copy', reason: '' },
        { path: 'none', use: 'copy', reason: '' },
      ]);
      assert.deepEqual(problems, [
        'certs/a.pem: a link or a file is in the way',
        'none: it is no longer in the checkout',
      ]);
      assert.equal(existsSync(join(folder, 'outside/a.pem')), false);
      assert.equal(readFileSync(join(folder, 'outside/file'), 'utf8'), 'mine');
      assert.equal(readFileSync(join(worktree, '.env'), 'utf8'), 'secret');
    });
  });

  describe('puts an input nowhere', () => {
    it('where the engine keeps the files of the ticket', async () => {
      const { checkout, worktree, workplace } = await place();
      await mkdir(join(checkout, '.ticket'));
      await writeFile(join(checkout, '.ticket/plan'), 'mine');
      const problems = await workplace.provide(
        worktree,
        ['.ticket', '.ticket/plan', '../plan'].map((path) => ({ path, use: 'copy', reason: '' }) as const),
      );
      assert.deepEqual(
        problems,
        ['.ticket', '.ticket/plan', '../plan'].map((path) => `${path}: this place is not for inputs`),
      );
      assert.equal(existsSync(join(worktree, '.ticket')), false);
    });

    it('where a folder is in its way, and leaves a folder that is there as the agent has it', async () => {
      const { checkout, worktree, workplace } = await place();
      for (const folder of [checkout, worktree]) await mkdir(join(folder, 'data'));
      for (const name of ['file', 'linked']) {
        await writeFile(join(checkout, name), 'file');
        await mkdir(join(worktree, name));
      }
      await writeFile(join(checkout, 'data/a'), 'of the person');
      await writeFile(join(worktree, 'data/a'), 'of the agent');
      const problems = await workplace.provide(worktree, [
        { path: 'data', use: 'copy', reason: '' },
        { path: 'file', use: 'copy', reason: '' },
        { path: 'linked', use: 'link', reason: '' },
      ]);
      assert.deepEqual(problems, [
        'file: a folder is in the way',
        'linked: a folder is in the way of the link',
      ]);
      assert.equal(readFileSync(join(worktree, 'data/a'), 'utf8'), 'of the agent');
    });
  });

  describe('gives a ticket', () => {
    it('ports and a folder of its own, the same until they are released', async () => {
      const folder = await makeFolder();
      // Two processes of one user.
      const [one, other] = [new Reservations(folder), new Reservations(folder)];
      const claim = (ticket: string) => ({ repository: folder, ticket });
      const given = await Promise.all([one.of(claim('A-1')), other.of(claim('A-2')), one.of(claim('A-3'))]);
      assert.equal(new Set(given.map((item) => item?.portBase)).size, 3);
      assert.equal(new Set(given.map((item) => item?.temporary)).size, 3);
      assert.deepEqual(await other.of(claim('A-1')), given[0]);
      const [first] = given;
      assert.ok(first && existsSync(first.temporary) && first.portBase + first.ports <= 32_768);
      await other.release(claim('A-1'));
      assert.equal(existsSync(first.temporary), false);
      assert.deepEqual(await one.of(claim('A-4')), first);
    });

    it('folders of its own for its proofs, which are emptied without those of its agents', async () => {
      const folder = await makeFolder();
      const reservations = new Reservations(folder);
      const claim = { repository: folder, ticket: 'A-1' };
      const own = await reservations.of(claim);
      assert.ok(own);
      const marks = [
        own.temporary,
        own.proof.temporary,
        join(own.proof.sandbox, 'tmp'),
        join(own.proof.sandbox, 'home'),
      ];
      for (const place of marks) {
        mkdirSync(place, { recursive: true });
        writeFileSync(join(place, 'mark'), '');
      }
      const left = (): boolean[] => marks.map((place) => existsSync(join(place, 'mark')));
      await reservations.emptyProof(claim, { home: false });
      assert.deepEqual(left(), [true, false, false, true]);
      await reservations.emptyProof(claim, { home: true });
      assert.deepEqual(left(), [true, false, false, false]);
      await reservations.release(claim);
      assert.deepEqual([existsSync(own.temporary), existsSync(own.proof.temporary)], [false, false]);
    });

    it('what a process that died while it wrote had not claimed yet', async () => {
      const folder = await makeFolder();
      const file = join(folder, '0.json');
      writeFileSync(file, '');
      const first = await new Reservations(folder).of({ repository: folder, ticket: 'A-1' });
      assert.equal(first?.portBase, 21_020);
      utimesSync(file, 0, 0);
      const second = await new Reservations(folder).of({ repository: folder, ticket: 'A-2' });
      assert.equal(second?.portBase, 21_000);
    });

    it('what a ticket of a repository that is gone had', async () => {
      const folder = await makeFolder();
      const gone = await makeFolder();
      const reservations = new Reservations(join(folder, 'tickets'));
      const before = await reservations.of({ repository: gone, ticket: 'A-1' });
      await rm(gone, { recursive: true });
      assert.deepEqual(await reservations.of({ repository: folder, ticket: 'A-1' }), before);
    });

    it('nothing where it can not be written down', async () => {
      const folder = await makeFolder();
      await writeFile(join(folder, 'file'), '');
      assert.equal(
        await new Reservations(join(folder, 'file')).of({ repository: folder, ticket: 'A-1' }),
        undefined,
      );
    });
  });

  it('tells what the machine has, as its tools tell it', async () => {
    const folder = await makeFolder();
    for (const [name, text] of [
      ['go', 'echo go version go1.23.4 linux/amd64'],
      ['java', 'echo openjdk 21.0.2 2024-01-16 >&2'],
      ['make', 'exit 1'],
      ['docker', 'echo 27.1.1'],
    ] as const) {
      await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`);
      await chmod(join(folder, name), 0o755);
    }
    const { workplace } = await place({ PATH: folder });
    const facts = await workplace.facts();
    assert.deepEqual(facts.tools, [
      { name: 'go', version: '1.23.4' },
      { name: 'make', version: '' },
      { name: 'java', version: '21.0.2' },
    ]);
    assert.deepEqual(facts.containers, ['docker 27.1.1']);
    assert.ok(facts.missing.includes('cargo') && !facts.missing.includes('go'));
    assert.match(describeHost(facts), /On PATH: go 1\.23\.4, make, java 21\.0\.2\./);
  });

  it('sees a program that was installed or updated since, and asks no other one again', async () => {
    const folder = await makeFolder();
    const install = async (name: string, version: string): Promise<void> => {
      await writeFile(
        join(folder, name),
        `#!/bin/sh\necho asked >> ${join(folder, `${name}.log`)}\necho ${version}\n`,
      );
      await chmod(join(folder, name), 0o755);
    };
    await install('go', '1.9.9');
    await install('node', '22.1.0');
    const { workplace, pass } = await place({ PATH: folder });
    await workplace.facts();
    pass(10_000);
    await install('go', '1.23.4');
    await install('cargo', '1.80.0');
    const versions = new Map((await workplace.facts()).tools.map(({ name, version }) => [name, version]));
    assert.deepEqual(
      [versions.get('go'), versions.get('cargo'), versions.get('node')],
      ['1.23.4', '1.80.0', '22.1.0'],
    );
    assert.equal(readFileSync(join(folder, 'node.log'), 'utf8'), 'asked\n');
  });

  it('asks an engine of containers again after a minute, and no tool that another process asked', async () => {
    const folder = await makeFolder();
    for (const name of ['go', 'docker']) {
      await writeFile(
        join(folder, name),
        `#!/bin/sh\necho asked >> ${join(folder, `${name}.log`)}\necho 1.2.3\n`,
      );
      await chmod(join(folder, name), 0o755);
    }
    const { workplace, again, pass } = await place({ PATH: folder });
    const asked = (name: string): number =>
      readFileSync(join(folder, `${name}.log`), 'utf8').split('\n').length - 1;
    const facts = await workplace.facts();
    await workplace.facts();
    assert.deepEqual([asked('go'), asked('docker')], [1, 1]);
    pass(60_000);
    await workplace.facts();
    assert.deepEqual([asked('go'), asked('docker')], [1, 2]);
    assert.deepEqual(await again().facts(), facts);
    assert.deepEqual([asked('go'), asked('docker')], [1, 3]);
  });

  it('sees a program that was installed meanwhile after ten seconds', async () => {
    const folder = await makeFolder();
    const { workplace, pass } = await place({ PATH: folder });
    const names = async (): Promise<readonly string[]> =>
      (await workplace.facts()).tools.map(({ name }) => name);
    assert.deepEqual(await names(), []);
    await writeFile(join(folder, 'go'), '#!/bin/sh\necho 1.2.3\n', { mode: 0o755 });
    pass(9_999);
    assert.deepEqual(await names(), []);
    pass(1);
    assert.deepEqual(await names(), ['go']);
  });

  it('names the variables that there are, and no value', async () => {
    const { workplace } = await place({ NPM_TOKEN: 'x', EMPTY: '' });
    assert.deepEqual(workplace.present(['NPM_TOKEN', 'EMPTY', 'OTHER']), ['NPM_TOKEN']);
  });
});
