import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Clones } from '../../../src/adapters/git/mirror/clones.ts';
import { withCode } from '../../support/git/gitBench.ts';
import {
  repositoryAt,
  type TempRepository,
  tempFolders,
  tempRepositories,
} from '../../support/git/tempRepository.ts';

describe('The clones of a runner', function () {
  this.timeout(60_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();
  const opened: Clones[] = [];
  let author: TempRepository;
  let url: string;
  let home: string;

  beforeEach(async () => {
    author = await makeRepository();
    url = await author.addOrigin();
    home = await makeFolder();
  });
  afterEach(async () => {
    for (const clones of opened.splice(0)) await clones.close();
  });

  function clones(environment: Readonly<Record<string, string>> = {}): Clones {
    const made = new Clones({
      folder: join(home, 'clones'),
      environment: { PATH: process.env['PATH'], HOME: home, ...environment },
      lockPatienceMs: 10_000,
    });
    opened.push(made);
    return made;
  }

  const sample = () => ({ name: 'acme/sample', url });

  it('have the newest commits of the remote each time they are opened', async () => {
    const ours = clones();
    const folder = await ours.open(sample());
    assert.equal(await readFile(join(folder, 'README.md'), 'utf8'), '# Sample\n');
    const commit = await author.commit({ 'more.txt': 'more\n' });
    await author.git('push', '--quiet', 'origin', 'main');
    assert.equal(await ours.open(sample()), folder);
    const clone = repositoryAt(folder);
    assert.equal(await clone.git('rev-parse', 'HEAD'), commit);
    assert.equal(await clone.git('rev-parse', 'origin/HEAD'), commit);
    assert.equal(await clone.git('status', '--porcelain'), '');
  });

  it('keep a commit that only they have', async () => {
    const ours = clones();
    const clone = repositoryAt(await ours.open(sample()));
    await clone.git('config', 'user.name', 'Ada');
    await clone.git('config', 'user.email', 'ada@example.com');
    const own = await clone.commit({ 'own.txt': 'own\n' });
    await author.commit({ 'more.txt': 'more\n' });
    await author.git('push', '--quiet', 'origin', 'main');
    await ours.open(sample());
    assert.equal(await clone.git('rev-parse', 'HEAD'), own);
  });

  it('lie in the folder of the runner whatever a repository is called', async () => {
    const ours = clones();
    const names = ['../../out', '..', '', '/etc', 'a/b', 'a_b', 'A/B', '-x', 'x\u0000y', 'ü'.repeat(300)];
    const folders = new Set<string>();
    for (const name of names) folders.add(await ours.open({ name, url }));
    assert.equal(folders.size, names.length);
    for (const folder of folders) {
      assert.equal(dirname(folder), join(home, 'clones'));
      assert.match(basename(folder), /^[a-z0-9-]{1,60}$/);
    }
  });

  it('take no address that is an option, starts a program, or has a sign-in', async () => {
    const ours = clones();
    for (const bad of ['', '--upload-pack=touch hacked', 'ext::sh -c touch% hacked', 'a\nb'])
      await assert.rejects(ours.open({ name: 'bad', url: bad }), withCode('INVALID_INPUT'));
    assert.ok(!existsSync(join(home, 'hacked')));
    await assert.rejects(ours.open({ name: 'gone', url: 'file://ann:secret@localhost/nowhere.git' }));
    const texts = await textsBelow(join(home, 'clones'));
    assert.ok(!texts.some((text) => text.includes('secret')));
  });

  it('run no hook and no template, and fetch no submodule', async () => {
    const templates = join(home, 'templates');
    const hook = join(templates, 'hooks', 'post-checkout');
    await mkdir(dirname(hook), { recursive: true });
    await writeFile(hook, `#!/bin/sh\ntouch '${join(home, 'ran')}'\n`);
    await chmod(hook, 0o755);
    await writeFile(
      join(home, '.gitconfig'),
      `[init]\n\ttemplateDir = ${templates}\n[core]\n\thooksPath = ${dirname(hook)}\n[submodule]\n\trecurse = true\n`,
    );
    const inner = await makeRepository({ name: 'inner' });
    await author.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet', inner.root, 'inner');
    await author.commit({});
    await author.git('push', '--quiet', 'origin', 'main');
    const folder = await clones().open(sample());
    assert.ok(!existsSync(join(home, 'ran')));
    assert.ok(!existsSync(join(folder, '.git', 'hooks', 'post-checkout')));
    assert.deepEqual(await readdir(join(folder, 'inner')), []);
  });

  it('are made again where a clone is half, and kept aside where one is damaged', async () => {
    const ours = clones();
    const folder = await ours.open(sample());
    await ours.close();
    await rm(folder, { recursive: true });
    await mkdir(join(`${folder}.making`, '.git'), { recursive: true });
    assert.equal(await clones().open(sample()), folder);
    await Promise.all(opened.map((one) => one.close()));

    await writeFile(join(folder, '.git', 'HEAD'), '');
    await writeFile(join(folder, 'only-here.txt'), 'work\n');
    const again = clones();
    assert.equal(await again.open(sample()), folder);
    assert.equal(await readFile(join(`${folder}.broken-1`, 'only-here.txt'), 'utf8'), 'work\n');

    // Seen when git needs it.
    await writeFile(join(folder, '.git', 'index'), 'no index');
    await author.commit({ 'more.txt': 'more\n' });
    await author.git('push', '--quiet', 'origin', 'main');
    await again.open(sample());
    assert.equal(await readFile(join(folder, 'more.txt'), 'utf8'), 'more\n');
    assert.ok(existsSync(`${folder}.broken-2`));
  });

  it('lose the lock of a git that was killed, and not that of a living one', async () => {
    const ours = clones();
    const folder = await ours.open(sample());
    const lock = join(folder, '.git', 'index.lock');
    const ref = join(folder, '.git', 'refs', 'heads', 'main.lock');
    const past = new Date(Date.now() - 60_000);
    for (const path of [lock, ref]) {
      await writeFile(path, '');
      await utimes(path, past, past);
    }
    const living = spawn('git', ['cat-file', '--batch'], {
      cwd: folder,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await once(living, 'spawn');
    const short = new Clones({
      folder: join(home, 'clones'),
      environment: { PATH: process.env['PATH'], HOME: home },
      lockPatienceMs: 500,
    });
    opened.push(short);
    await ours.close();
    await short.open(sample());
    assert.ok(existsSync(lock) && existsSync(ref));
    living.stdin.end();
    await once(living, 'close');
    await short.open(sample());
    assert.ok(!existsSync(lock) && !existsSync(ref));
  });

  it('belong to one process each', async () => {
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { Clones } from ${JSON.stringify(new URL('../../../src/adapters/git/mirror/clones.ts', import.meta.url).href)};
         const [folder, url] = process.argv.slice(1);
         const clones = new Clones({ folder, environment: process.env });
         console.log(await clones.open({ name: 'acme/sample', url }));
         setInterval(() => undefined, 1_000);`,
        join(home, 'clones'),
        url,
      ],
      { env: { PATH: process.env['PATH'], HOME: home }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    const theirs = said.toString().trim();
    const ours = clones();
    const own = await ours.open(sample());
    assert.notEqual(own, theirs);
    await ours.close();
    child.kill('SIGKILL');
    await once(child, 'close');
    assert.equal(await clones().open(sample()), theirs);
  });

  it('says what git said of a remote that is away, and leaves the clone as it is', async () => {
    const ours = clones();
    const folder = await ours.open(sample());
    await rm(url, { recursive: true });
    await assert.rejects(ours.open(sample()), withCode('GIT_FAILED'));
    assert.ok(existsSync(join(folder, 'README.md')));
    assert.ok(!existsSync(`${folder}.broken-1`));
  });
});

async function textsBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(files.map((file) => readFile(file, 'latin1')));
}
