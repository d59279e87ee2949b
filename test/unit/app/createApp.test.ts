import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../../../src/app/app.ts';
import { type AppOptions, createApp } from '../../../src/app/createApp.ts';
import { Limits, Settings } from '../../../src/domain/settings/settings.ts';
import { tempRepository, type TempRepository } from '../../support/git/tempRepository.ts';
import { tempFolder } from '../../support/tempFolder.ts';
import { until } from '../../support/until.ts';

const start = {
  settings: Settings.parse({ mainImplementer: 'demo/main' }),
  limits: Limits.parse({}),
  baseBranch: 'main',
};

/** Opened once, with real git and a real database; no model is started. */
describe('the app of a repository', function () {
  this.timeout(60_000);
  let repository: TempRepository;
  let home: ReturnType<typeof tempFolder>;
  let prompts: string;
  let app: App;
  const apps: App[] = [];

  before(async () => {
    repository = await tempRepository();
    home = tempFolder('home');
    prompts = join(home.path, 'prompts');
    await mkdir(prompts);
    await mkdir(join(repository.root, 'a/b'), { recursive: true });
    await repository.git('branch', 'ticket/ABC-41');
    app = await open({
      folder: join(repository.root, 'a/b'),
      settings: { ticketPrefix: 'ABC' },
      promptFolder: prompts,
    });
  });
  after(async () => {
    for (const one of apps) await one.dispose();
    await repository.remove();
    home.remove();
  });

  async function open(options: Partial<AppOptions> = {}): Promise<App> {
    const decisions = { decide: () => Promise.resolve() };
    const opened = await createApp({
      folder: repository.root,
      drive: true,
      decisions,
      env: envOf('config'),
      sandbox: 'off',
      opencode: {},
      ...options,
    });
    apps.push(opened);
    return opened;
  }

  const envOf = (config: string): AppOptions['env'] => {
    const { PATH } = process.env;
    return { PATH, HOME: home.path, XDG_CONFIG_HOME: join(home.path, config), XDG_CACHE_HOME: home.path };
  };

  it('is that of the checkout around a folder, and of nothing else', async () => {
    const { root, name, mode, unsandboxed, reason, isBusy } = app.client.repository;
    assert.deepEqual(
      [root, name, mode, unsandboxed, reason, isBusy],
      [repository.root, 'sample', 'driver', 'off', '', false],
    );
    await assert.rejects(open({ folder: home.path }), { code: 'NOT_A_REPOSITORY' });
  });

  it('names tickets after a setting, above the numbers that branches have', async () => {
    assert.equal((await app.client.create({ title: 'Greet people' })).id, 'ABC-42');
    assert.equal((await app.client.create({ title: 'Greet more people' })).id, 'ABC-43');
  });

  it('refuses a start from a base that is none, and with own prompts that are none', async () => {
    const { id } = await app.client.create({ title: 'Greet people' });
    await assert.rejects(app.client.act(id, 'start', { ...start, baseBranch: 'none' }), {
      code: 'BASE_BRANCH_MISSING',
    });
    const file = join(prompts, 'coding.md');
    await writeFile(file, 'nonsense');
    await assert.rejects(app.client.act(id, 'start', start), (error: Error) => error.message.includes(file));
    assert.deepEqual(await app.ports.store.inbox(id), []);
  });

  it('is not opened where a sandbox is required and there is none', async () => {
    const codes = ['SANDBOX_OWN_SERVER', 'SANDBOX_MISSING', 'SANDBOX_BLOCKED', 'SANDBOX_UNSUPPORTED'];
    const wanted: Partial<AppOptions> = { sandbox: 'require', opencode: { url: 'http://127.0.0.1:1' } };
    await assert.rejects(open(wanted), (error: Error & { code?: string }) =>
      codes.includes(error.code ?? ''),
    );
  });

  it('keeps the shared state of git as it was, whatever a command does to it, and says what that was', async () => {
    const { id } = await app.client.create({ title: 'Greet people' });
    const commit = await repository.git('rev-parse', 'main');
    const { path } = await app.ports.git.addWorktree({ ticket: id, branch: `ticket/${id}`, commit });
    const told: string[] = [];
    const watch = app.client.onEvent((event) => {
      if (event.type === 'activity') told.push(`${event.ticket}: ${event.text}`);
    });
    const config = join(repository.root, '.git/config');
    const before = await readFile(config, 'utf8');
    const options = { cwd: path, timeoutMs: 20_000, signal: new AbortController().signal };
    const ran = await app.ports.process.run('git config user.nick evil; echo done', options);
    watch.dispose();
    assert.deepEqual([ran.exitCode, ran.head], [0, 'done\n']);
    assert.equal((await readFile(config, 'utf8')).replace(/\[user\]\n$/, ''), before);
    assert.match(told.join('\n'), new RegExp(`^${id}: user\\.nick .*removed again`, 'm'));
  });

  it('is driven by one, followed by the others, and only read by who did not make it', async () => {
    const follower = await open();
    assert.equal(follower.mode, 'follower');
    assert.match(follower.client.repository.reason, /\S/);
    const { id } = await app.client.create({ title: 'Seen by both' });
    await until(
      async () => (await follower.client.tickets()).some((ticket) => ticket.id === id),
      'the follower sees it',
    );
    const branch = `ticket/${id}`;
    const set = { status: 'CODING', worktree: `/gone.worktrees/${id}`, branch } as const;
    const journal = [{ kind: 'status', from: 'DRAFT', to: 'CODING', by: 'test' }] as const;
    await app.ports.store.commit({ ticket: id, journal, changes: [{ type: 'ticket', set }] });
    const { path } = await app.ports.git.addWorktree({
      ticket: id,
      branch,
      commit: await repository.git('rev-parse', 'main'),
    });
    assert.equal(await follower.driverIsGone(), false);
    await app.dispose();
    await until(() => follower.driverIsGone(), 'the driver is gone');

    const stranger = await open({ env: envOf('other') });
    assert.equal(stranger.mode, 'readOnly');
    assert.match(stranger.client.repository.reason, /another installation/i);
    await assert.rejects(stranger.client.create({ title: 'Another' }));
    assert.ok((await stranger.client.tickets()).length > 0);

    const next = await open();
    assert.equal(next.mode, 'driver');
    assert.equal((await next.ports.store.ticket(id))?.worktree, path);
  });
});
