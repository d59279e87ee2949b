import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { opencodeVersion } from '../../../../src/adapters/opencode/server/findOpencode.ts';
import { backupKeeper } from '../../../../src/host/repositories/workspaceRepositories.ts';
import { StarredModels } from '../../../../src/views/shared/starredModels.ts';
import { FakeMemory } from '../../../support/fakes/fakeMemory.ts';
import { browseRepository } from '../../../../src/host/repositories/browseRepository.ts';
import { driveRepository, type DriveSettings } from '../../../../src/host/repositories/driveRepository.ts';
import type { OpenedRepository } from '../../../../src/host/repositories/openedRepository.ts';
import { Log } from '../../../../src/host/logging/log.ts';
import type { HostSettings } from '../../../../src/host/settings/hostSettings.ts';
import type { Client } from '../../../../src/protocol/api.ts';
import { tempRepository, type TempRepository } from '../../../support/git/tempRepository.ts';
import { tempFolder } from '../../../support/tempFolder.ts';

const rule = { days: 30, megabytes: 500 };

describe('a repository in a window', function () {
  this.timeout(60_000);
  let repository: TempRepository;
  let home: ReturnType<typeof tempFolder>;
  let opened: OpenedRepository | undefined;
  let binary: string | undefined;
  const lines: string[] = [];
  const { XDG_CONFIG_HOME } = process.env;

  before(async () => {
    repository = await tempRepository();
    home = tempFolder('home');
    process.env['XDG_CONFIG_HOME'] = join(home.path, 'config');
  });
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });
  after(async () => {
    if (XDG_CONFIG_HOME === undefined) delete process.env['XDG_CONFIG_HOME'];
    else process.env['XDG_CONFIG_HOME'] = XDG_CONFIG_HOME;
    await repository.remove();
    home.remove();
  });

  const settings: DriveSettings = {
    repository: () => ({ ticketPrefix: 'ABC' }),
    decisions: async () => ({ decide: async () => undefined }),
    promptFolder: () => undefined,
    opencode: async () => ({ url: 'http://127.0.0.1:1', ...(binary === undefined ? {} : { binary }) }),
    sandbox: () => 'off',
    sandboxHosts: () => [],
    cleanUp: () => rule,
    start: () => ({ mainImplementer: 'demo/main', settings: {}, limits: {} }),
    rememberModels: async () => undefined,
    starred: new StarredModels(new FakeMemory()),
    github: () => ({ watch: false, failedChecks: 'ask' as const, issueComments: 'off' as const }),
  };
  const browse = (): Promise<OpenedRepository> =>
    browseRepository(repository.root, settings as unknown as HostSettings);
  const checksOf = async (repository: OpenedRepository): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const { subject, result, code } of repository.check())
      found.push(`${subject} ${result} ${code}`);
    return found;
  };
  const isReadOnly = { code: 'DATABASE_READ_ONLY' };

  it('without trust is browsed: nothing is made in it, and nothing is run', async () => {
    const before = await readdir(join(repository.root, '.git'));
    opened = await browse();
    assert.deepEqual(opened.client.repository, {
      root: repository.root,
      name: 'sample',
      mode: 'readOnly',
      reason: '',
    });
    assert.deepEqual(await opened.client.tickets(), []);
    assert.deepEqual(await opened.client.history.elsewhere(), []);
    await assert.rejects(opened.client.create({ title: 'x' }), isReadOnly);
    await assert.rejects(opened.client.ticket('ABC-1'), { code: 'TICKET_UNKNOWN' });
    assert.deepEqual(await checksOf(opened), [
      'repository skip UNTRUSTED',
      'driver warn READ_ONLY_UNTRUSTED',
      'database pass DATABASE_NONE',
      'models skip UNTRUSTED',
    ]);
    assert.deepEqual(await readdir(join(repository.root, '.git')), before);
  });

  it('with trust is driven, and what it knows is shown', async () => {
    const channel = {
      info: (line: string) => lines.push(line),
      warn: () => 0,
      error: () => 0,
      debug: () => 0,
      trace: () => 0,
    };
    const log = new Log({ ...channel, show: () => undefined, logLevel: 3 }, () => 0);
    const { PATH } = process.env;
    opened = await driveRepository(
      repository.root,
      settings,
      { PATH, HOME: home.path, XDG_CONFIG_HOME: join(home.path, 'config') },
      log,
    );
    const { client } = opened;
    assert.deepEqual(
      [client.repository.mode, opened.isDemo, await opened.wantsReopening()],
      ['driver', false, false],
    );
    assert.equal((await client.create({ title: 'Greet people' })).id, 'ABC-1');
    assert.deepEqual(await opened.branches(), { all: ['main'], usual: 'main', current: 'main' });
    assert.deepEqual(await opened.apart('none'), { ahead: 0, behind: 0 });
    assert.deepEqual(await opened.readiness(), { hasCommits: true, opencode: 'found' });
    assert.deepEqual(
      [await opened.claim('a notification'), await opened.claim('a notification')],
      [true, false],
    );
    assert.deepEqual(
      [await opened.passwords(), opened.cleaner.rule(), await opened.cleaner.list()],
      [[], rule, []],
    );
    assert.equal(opened.startSettings().mainImplementer, 'demo/main');
    binary = join(home.path, 'opencode');
    await writeFile(binary, `#!/bin/sh\necho ${opencodeVersion}\n`, { mode: 0o755 });
    const login = { program: binary, args: ['auth', 'login'], folder: home.path };
    assert.deepEqual(await opened.logIn(), login, 'outside of the repository, which could configure it');
    binary = join(repository.root, 'opencode');
    await assert.rejects(opened.logIn(), { code: 'OPENCODE_INSIDE' });
    binary = undefined;
  });

  it('without trust shows its tickets, and refuses whatever would write or start something', async () => {
    opened = await browse();
    const { client } = opened;
    assert.deepEqual(
      (await client.tickets()).map(({ title }) => title),
      ['Greet people'],
    );
    assert.equal((await client.ticket('ABC-1')).ticket.status, 'DRAFT');
    assert.deepEqual(
      [await client.projectChecks(), await client.context('ABC-1'), await client.artifacts('ABC-1')],
      [[], [], []],
    );
    assert.deepEqual([await client.comments.threads('ABC-1'), await client.findings.dismissals()], [[], []]);
    const thread = { ticket: 'ABC-1' } as unknown as Parameters<Client['comments']['save']>[0];
    const refused: readonly (() => Promise<unknown>)[] = [
      () => client.create({ title: 'x' }),
      () => client.act('ABC-1', 'cancel', {} as never),
      () => client.comments.save(thread),
      () => client.comments.remove('ABC-1', 'x'),
      () => client.findings.removeDismissal('x' as never),
      () => client.findings.changeDismissal('x' as never),
      () => client.diffs.diff('ABC-1', { kind: 'ticket' }),
      () => client.diffs.file('ABC-1', 'x', 'y'),
      () => opened?.models() ?? Promise.resolve(),
      () => opened?.logIn() ?? Promise.resolve(),
      () => opened?.branches() ?? Promise.resolve(),
      () => opened?.cleaner.list() ?? Promise.resolve(),
      () => opened?.apart('main') ?? Promise.resolve(),
      () => opened?.verifier('ABC-1') ?? Promise.resolve(),
    ];
    for (const call of refused) await assert.rejects(call(), isReadOnly, String(call));
    const checks = await checksOf(opened);
    assert.deepEqual(checks.slice(0, 3), [
      'repository skip UNTRUSTED',
      'driver warn READ_ONLY_UNTRUSTED',
      'database pass DATABASE_INTACT',
    ]);
    assert.deepEqual(
      [await opened.claim('x'), await opened.wantsReopening(), opened.cleaner.rule()],
      [false, false, rule],
    );
  });

  it('is closed while a backup of it is restored, and nothing is restored in a window that ends', async () => {
    const closed: (readonly string[])[] = [];
    const keeper = backupKeeper({
      without: async (roots, work) => {
        closed.push(roots);
        await work();
      },
    });
    const [backup] = await keeper.list(repository.root);
    assert.ok(backup);
    assert.deepEqual(
      [backup.problem, backup.tickets],
      [null, 1],
      'the window that filed the ticket left one',
    );
    await keeper.restore(repository.root, backup.name);
    assert.deepEqual(closed, [[repository.root]]);
    const unopened = backupKeeper({ without: async () => undefined });
    await assert.rejects(unopened.restore(repository.root, backup.name), { code: 'UNEXPECTED' });
  });
});
