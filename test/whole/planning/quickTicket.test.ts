import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { createApp } from '../../../src/app/createApp.ts';
import { providerConfig } from '../../../src/demo/providerConfig.ts';
import { startScriptedServer, type ScriptedServer } from '../../../src/demo/scriptedServer.ts';
import { writeSampleRepository } from '../../../src/demo/writeSampleRepository.ts';
import type { Estimate } from '../../../src/domain/estimate/estimate.ts';
import { readEffort } from '../../../src/protocol/estimates.ts';
import { CliProcess, eventsOf } from '../../support/cliProcess.ts';
import { isWithin } from '../../support/isWithin.ts';
import { tempRepository } from '../../support/git/tempRepository.ts';
import { tempFolder } from '../../support/tempFolder.ts';
import { secondTicket } from '../../support/samples.ts';

const Line = z.looseObject({
  entry: z.looseObject({ kind: z.string(), outcome: z.string().optional(), reason: z.string().optional() }),
});

/** Only the model is scripted. */
describe('the demo’s second ticket', function () {
  this.timeout(480_000);
  this.bail(true);
  const folder = tempFolder('quick');
  const repository = join(folder.path, 'stockroom');
  const config = join(folder.path, 'opencode.json');
  let model: ScriptedServer;
  let estimated: Pick<Estimate, 'calls' | 'tokens' | 'minutes' | 'money' | 'basis' | 'tickets'> | undefined;

  before(async () => {
    model = await startScriptedServer({});
    await writeSampleRepository(repository);
    await writeFile(config, JSON.stringify(providerConfig(model.url)));
  });
  after(async () => {
    await model.close();
    folder.remove();
  });

  async function to(exit: number, status: string, ...words: string[]): Promise<void> {
    const opencode = process.env['BEADSMITH_OPENCODE'];
    const own = [
      '--repo',
      repository,
      '--opencode-config',
      config,
      ...(opencode === undefined ? [] : ['--opencode', opencode]),
      '--json',
    ];
    const result = await new CliProcess([...words, ...own], {
      env: { XDG_CONFIG_HOME: folder.path, BEADSMITH_SCRIPTED: '0' },
    }).ended;
    const end = eventsOf(result.stdout).at(-1);
    assert.deepEqual(
      [result.code, end?.type === 'end' ? end.status : null],
      [exit, status],
      `${words.join(' ')}\n${result.stdout}\n${result.stderr}`,
    );
  }

  /** After its start, by its journal. */
  async function decisions(ticket: string): Promise<readonly string[]> {
    const target = join(folder.path, `export-${ticket}`);
    await new CliProcess(['export', ticket, '--to', target, '--repo', repository, '--json']).ended;
    const lines = (await readFile(join(target, 'journal.ndjson'), 'utf8')).trim().split('\n');
    const entries = lines.map((line) => Line.parse(JSON.parse(line)).entry);
    return entries
      .filter(({ kind, outcome }) => kind === 'inbox' && outcome === 'consumed')
      .flatMap(({ reason }) => reason ?? []);
  }

  it('comes after one whose setup a person approved', () =>
    to(
      0,
      'COMPLETED',
      'run',
      '--title',
      'Count stock',
      '--depth',
      'solo',
      '--model',
      'scripted/alpha',
      '--approve',
      'all',
      '--end',
      'close',
    ));

  it('is suggested to be quick, and estimated from the ticket before', async () => {
    const result = await new CliProcess([
      'estimate',
      '--title',
      secondTicket.title,
      '--repo',
      repository,
      '--json',
    ]).ended;
    const event = eventsOf(result.stdout).find(({ type }) => type === 'estimate');
    assert.ok(event?.type === 'estimate', result.stdout);
    assert.equal(event.suggested, secondTicket.depth);
    estimated = event.depths.find(({ depth }) => depth === secondTicket.depth);
    assert.deepEqual([estimated?.basis, estimated?.tickets, estimated?.money], ['scaled', 1, null]);
  });

  it('goes from idea to review with one decision, and to its end with another', async () => {
    const ticket = [
      '--title',
      secondTicket.title,
      '--depth',
      secondTicket.depth,
      '--model',
      'scripted/alpha',
    ];
    await to(3, 'WAITING_PLAN_APPROVAL', 'run', ...ticket, '--approve', 'none');
    const planned = model.requests.length;
    await to(3, 'WAITING_PR_REVIEW', 'approve', 'STOCK-2');
    const tasks = model.requests.slice(planned).map(({ task }) => task);
    assert.deepEqual(
      tasks.filter((task) => /setup|interview|prd|beads|vote/.test(task)),
      [],
      'no other planning, and no setup',
    );
    await to(0, 'COMPLETED', 'merge', 'STOCK-2');
    const [started, ...taken] = await decisions('STOCK-2');
    assert.equal(started, 'start');
    assert.deepEqual(taken, ['approve', 'merge']);
  });

  it('took what was estimated', async () => {
    const app = await createApp({
      folder: repository,
      drive: false,
      decisions: { decide: () => Promise.resolve() },
      env: process.env,
      sandbox: 'off',
      opencode: {},
    });
    try {
      const effort = await readEffort(app.client, 'STOCK-2');
      assert.ok(estimated);
      const { minutes } = estimated;
      // The machine may be busier than for the ticket before.
      const ranges = { ...estimated, minutes: { ...minutes, high: 4 * minutes.high } };
      for (const measure of ['calls', 'tokens', 'minutes'] as const)
        assert.ok(
          isWithin(ranges[measure], effort[measure]),
          `${measure}: ${JSON.stringify({ effort, estimated })}`,
        );
      assert.ok(effort.calls > 0 && effort.tokens > 0 && effort.minutes > 0);
    } finally {
      await app.dispose();
    }
  });
  it('is what a repository is estimated from where nothing was finished', async () => {
    const other = await tempRepository({ files: { 'README.md': '# Other\n' } });
    try {
      const env = { XDG_CONFIG_HOME: folder.path };
      const words = ['estimate', '--title', secondTicket.title, '--repo', other.root];
      const { stdout } = await new CliProcess([...words, '--json'], { env }).ended;
      const event = eventsOf(stdout).find(({ type }) => type === 'estimate');
      assert.ok(event?.type === 'estimate', stdout);
      const bases = event.depths.map(({ depth, basis, tickets }) => [depth, basis, tickets]);
      assert.deepEqual(bases, [
        ['full', 'elsewhere', 2],
        ['solo', 'elsewhere', 1],
        ['quick', 'elsewhere', 1],
        ['loop', 'elsewhere', 2],
      ]);
      assert.match(
        (await new CliProcess(words, { env }).ended).stdout,
        /\(from tickets finished in other repositories: 1\)/,
      );
    } finally {
      await other.remove();
    }
  });
});
