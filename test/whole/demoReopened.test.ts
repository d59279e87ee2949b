import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { endUnusedServers } from '../../src/adapters/opencode/server/endServer.ts';
import { isAlive } from '../../src/adapters/system/processes.ts';
import { ServerFiles, type ServerRecord } from '../../src/adapters/opencode/server/serverFiles.ts';
import { sampleTicket } from '../../src/demo/sample/ticket.ts';
import { writeSampleRepository } from '../../src/demo/writeSampleRepository.ts';
import { completeSettings, Limits } from '../../src/domain/settings/settings.ts';
import { DemoService } from '../../src/host/demo/demoService.ts';
import { type DemoEntry, Demos, stateFolderOf } from '../../src/host/demo/demos.ts';
import { driveRepository } from '../../src/host/repositories/driveRepository.ts';
import { driveDemo, portOf } from '../../src/host/demo/driveDemo.ts';
import { Log } from '../../src/host/logging/log.ts';
import type { OpenedRepository } from '../../src/host/repositories/openedRepository.ts';
import { tempFolder } from '../support/tempFolder.ts';
import { until } from '../support/until.ts';

/** As windows open it one after the other. */
describe('a demo that is opened again', function () {
  this.timeout(240_000);
  this.bail(true);
  const place = tempFolder('demo');
  const silent = (): void => undefined;
  const channel = {
    logLevel: 0,
    trace: silent,
    debug: silent,
    info: silent,
    warn: silent,
    error: silent,
    show: silent,
  };
  const log = new Log(channel, () => Date.now());
  const demos = new Demos(join(place.path, 'storage'));
  let demo: DemoEntry;
  let opened: OpenedRepository | undefined;
  let busy: Server | undefined;

  after(async () => {
    await opened?.close();
    busy?.close();
    if (existsSync(demo.folder)) await endUnusedServers(stateFolderOf(demo));
    place.remove();
  });

  async function open(): Promise<OpenedRepository> {
    const settings = {
      repository: () => ({}),
      sandbox: () => 'off' as const,
      cleanUp: () => ({ days: 0, megabytes: 0 }),
      starred: { all: () => [], toggle: () => Promise.resolve() },
      decisions: () => Promise.resolve({ decide: () => Promise.resolve() }),
      binary: () => process.env['BEADSMITH_OPENCODE'],
    };
    opened = await driveDemo(demo.repository, demo, settings, process.env, log, driveRepository);
    return opened;
  }

  async function close(): Promise<void> {
    await opened?.close();
    opened = undefined;
  }

  const server = async (): Promise<ServerRecord | undefined> =>
    new ServerFiles(stateFolderOf(demo), 'main').read();
  const reaches = (status: string) =>
    until(
      async () => (await opened?.client.tickets())?.[0]?.status === status,
      `the ticket reaches ${status}`,
      90_000,
    );

  it('continues with the same OpenCode server when it is reopened at once', async () => {
    demo = await demos.make(place.path, writeSampleRepository);
    const repository = await open();
    const { client, isDemo } = repository;
    assert.equal(isDemo, true);
    const { id } = await client.create(sampleTicket);
    const { mainImplementer = '', councilMembers = [] } = repository.startSettings();
    const settings = completeSettings({
      depth: 'full',
      mainImplementer,
      councilMembers: [...councilMembers],
    });
    await client.act(id, 'start', { settings, limits: Limits.parse({}) });
    await until(async () => (await server()) !== undefined, 'OpenCode runs');
    const before = await server();
    await close();
    await open();
    await reaches('WAITING_INTERVIEW_ANSWERS');
    assert.equal((await server())?.nonce, before?.nonce);
  });

  it('continues with a new one when its port was taken meanwhile, in the middle of its planning', async () => {
    const before = await server();
    await opened?.client.act('STOCK-1', 'skip', { reason: 'Enough said.' });
    await reaches('WAITING_INTERVIEW_APPROVAL');
    const artifact = await opened?.client.artifact('STOCK-1', 'interview');
    await opened?.client.act('STOCK-1', 'approve', { sha256: artifact?.info.sha256 ?? '', reason: '' });
    await reaches('DRAFTING_PRD');
    await close();
    busy = createServer().listen(portOf(demo), '127.0.0.1');
    await once(busy, 'listening');
    await open();
    await reaches('WAITING_PRD_APPROVAL');
    assert.notEqual((await server())?.nonce, before?.nonce);
  });

  it('continues when its scripted model is killed in the middle of its planning', async () => {
    const artifact = await opened?.client.artifact('STOCK-1', 'prd');
    await opened?.client.act('STOCK-1', 'approve', { sha256: artifact?.info.sha256 ?? '', reason: '' });
    await reaches('DRAFTING_BEADS');
    const pids = log.lines.flatMap(
      ({ text }) => /played by a script at .* \(process (\d+)\)/.exec(text)?.[1] ?? [],
    );
    process.kill(Number(pids.at(-1)), 'SIGKILL');
    const says = (what: string) => log.lines.some(({ text }) => text.includes(what));
    await until(() => says('a provider is tried again'), 'it is missed');
    // Windows ask every few seconds.
    assert.equal(await opened?.wantsReopening(), false);
    assert.ok(says('is started again'));
    await reaches('WAITING_BEADS_APPROVAL');
  });

  it('is not deleted while a process drives it, and completely when none does', async () => {
    const nothing = {
      entries: [],
      without: (_roots: readonly string[], work: () => Promise<void>) => work(),
    };
    const desk = new DemoService({
      demos,
      usualFolder: place.path,
      binary: () => undefined,
      env: process.env,
      repositories: nothing,
    });
    await assert.rejects(desk.remove(demo), { code: 'DEMO_IN_USE' });
    await close();
    const record = await server();
    await desk.remove(demo);
    assert.equal(existsSync(demo.folder), false);
    assert.deepEqual(await desk.all(), []);
    assert.ok(record);
    assert.equal(await isAlive(record.server), false);
  });
});
