import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { domainFor } from '../../../src/adapters/opencode/sandbox/domains.ts';
import { ServerFiles } from '../../../src/adapters/opencode/server/serverFiles.ts';
import { openStore } from '../../../src/adapters/store/openStore.ts';
import { ownIdentity } from '../../../src/adapters/system/processes.ts';
import { Cleaner } from '../../../src/app/cleaning/cleaner.ts';
import { locations } from '../../../src/app/locations.ts';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import type { SessionRef } from '../../../src/engine/ports/ports.ts';
import { type TempRepository, tempFolders, tempRepositories } from '../../support/git/tempRepository.ts';
import { OpencodeBench } from '../../support/models/opencodeServer.ts';
import { createTicket, session } from '../../support/storeContract/samples.ts';

/** With the folder of a server that had no other sessions. */
describe('cleaning up sessions', function () {
  this.timeout(120_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();
  let repository: TempRepository;
  let state: string;
  let env: Readonly<Record<string, string | undefined>>;
  let worktree: string;

  beforeEach(async () => {
    repository = await makeRepository({ files: { 'a.txt': 'a' } });
    const config = await makeFolder();
    env = { ...process.env, XDG_CONFIG_HOME: config };
    state = join(repository.root, '.git', 'beadsmith');
    worktree = join(`${repository.root}.worktrees`, 'ABC-1');
    const options = {
      configFolder: join(config, 'beadsmith'),
      mode: 'driver',
      workerUrl: locations.storeWorker,
    } as const;
    const opened = await openStore({ commonDir: join(repository.root, '.git'), ...options });
    const ticket = await createTicket(opened.store!);
    for (const id of ['ses_1', 'ses_2'])
      await opened.store!.commit({
        ticket: ticket.id,
        journal: [],
        changes: [{ type: 'session', session: { ...session(ticket.id, id), directory: worktree } }],
      });
    await opened.close();
    const database = new DatabaseSync(join(state, 'state.db'));
    database.exec(`UPDATE tickets SET status = 'CANCELED'`);
    database.close();
  });

  const cleaner = (forget: (session: SessionRef) => Promise<void>): Cleaner =>
    new Cleaner({
      repository: { root: repository.root, commonDir: join(repository.root, '.git') },
      agent: { forget },
      git: { removeWorktree: () => Promise.resolve(null) },
      env,
    });

  it('asks OpenCode to remove each, removes the folder of their own server, and does it once', async () => {
    const folder = join(state, 'opencode', domainFor('default', worktree).name, 'data');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'opencode.db'), 'x'.repeat(1_000));
    const asked: string[] = [];
    const own = cleaner((one) => Promise.resolve(void asked.push(one.id)));
    const [found] = await own.list();
    assert.deepEqual([found?.kind, found?.count, found?.bytes], ['sessions', 2, 1_000]);
    const { removed, failed } = await own.remove(await own.list());
    assert.deepEqual([asked, removed.length, failed], [['ses_1', 'ses_2'], 1, []]);
    assert.ok(!existsSync(folder));
    assert.deepEqual(await own.list(), []);
  });

  it('isn’t kept from it by the record of a server that was killed, but by one that runs', async () => {
    const { name } = domainFor('default', worktree);
    const folder = join(state, 'opencode', name);
    mkdirSync(folder, { recursive: true });
    const files = new ServerFiles(state, name);
    const [running, dead] = [await ownIdentity(), { ...(await ownIdentity()), started: '1' }];
    const record = {
      url: 'http://127.0.0.1:1',
      password: 'x'.repeat(32),
      version: '1',
      configHash: '',
      nonce: 'n',
      startedAt: 0,
    };
    const own = cleaner(() => Promise.resolve());
    await files.write({ ...record, schema: 2, recycle: false, guard: running, server: running });
    assert.equal((await own.remove(await own.list())).failed.length, 1);
    assert.ok(existsSync(folder));
    await files.write({ ...record, schema: 2, recycle: false, guard: dead, server: dead });
    assert.deepEqual((await own.remove(await own.list())).failed, []);
    assert.deepEqual([existsSync(folder), await files.read()], [false, undefined]);
  });

  it('says why they are still there, and finds them again', async () => {
    const own = cleaner(() => Promise.reject(new BeadsmithError('OPENCODE_GONE')));
    const { removed, failed } = await own.remove(await own.list());
    assert.deepEqual([removed, failed.map(({ kind }) => kind)], [[], ['sessions']]);
    assert.equal((await own.list()).length, 1);
  });

  it('removes them with their messages from the OpenCode that is pinned, even when their folder is gone', async () => {
    const bench = await new OpencodeBench().start();
    try {
      const agent = bench.agent();
      const made = await agent.createSession({
        directory: bench.repository,
        title: 'ABC-1 one',
        policy: 'default',
      });
      assert.deepEqual(await agent.look(made), { state: 'fresh' });
      await agent.forget({ ...made, directory: join(bench.folder, 'gone') });
      assert.deepEqual(await agent.look(made), { state: 'missing' });
      await agent.forget(made);
    } finally {
      await bench.stop();
    }
  });
});
