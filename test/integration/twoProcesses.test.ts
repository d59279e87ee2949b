import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { endTree } from '../../src/adapters/system/processTree.ts';
import { isAlive, type ProcessIdentity, identityOf } from '../../src/adapters/system/processes.ts';
import { ServerFiles, type ServerRecord } from '../../src/adapters/opencode/server/serverFiles.ts';
import { OwnerRecord } from '../../src/adapters/store/sqlite/ownerFile.ts';
import { ModelScript } from '../../src/demo/script/modelScript.ts';
import { type ScriptedServer, startScriptedServer } from '../../src/demo/scriptedServer.ts';
import { attemptRef } from '../../src/domain/core/ids.ts';
import type { CliEvent } from '../../src/protocol/cliEvents.ts';
import { cliHere } from '../support/cliHere.ts';
import { CliProcess, type CliResult } from '../support/cliProcess.ts';
import { tempFolder } from '../support/tempFolder.ts';
import { type TempRepository, tempRepository } from '../support/git/tempRepository.ts';
import { OpencodeBench } from '../support/models/opencodeServer.ts';
import { until } from '../support/until.ts';

const files = {
  'package.json': JSON.stringify({ name: 'sample', type: 'module', scripts: { test: 'node --test' } }),
  'src/one.js': 'export const one = 1;\n',
};
const description =
  'People want to be greeted.\n\n- Greet people by their name\n- Greet people without a name\n';
const ticket = 'SAMPL-1';

/** A command that takes longer than any test, and a coder that says nothing. */
const endless = ModelScript.parse({
  version: 1,
  name: 'endless',
  tasks: {
    coding: [
      {
        calls: [
          {
            tool: 'bash',
            args: { command: 'echo begun > begun.txt; exec sleep 600', description: 'Takes its time' },
          },
        ],
      },
    ],
  },
});
const silent = ModelScript.parse({ version: 1, name: 'silent', tasks: { coding: [{ fault: 'hang' }] } });

type Words = readonly (string | Readonly<Record<string, string>>)[];
const Inbox = z.array(z.object({ kind: z.string(), state: z.string() }));
const Sessions = z.array(z.object({ iteration: z.number(), state: z.string() }));
const Inputs = z.array(z.object({ input: z.string() }));
const Meta = z.object({ value: z.string() });

/**
 * One drives, the others file commands (docs/decisions/004-one-driver.md). Every test begins with the same
 * planned ticket, whose folder is put back. Where no server of the product's own is needed, all tests share
 * one, which forgets each test's sessions.
 */
describe('several processes', function () {
  this.timeout(240_000);
  const play: { script?: ModelScript; port?: number } = {};
  const running = new Set<CliProcess>();
  const folder = tempFolder('two');
  const saved = join(folder.path, 'saved');
  const settings = join(folder.path, 'config');
  const elsewhere = join(folder.path, 'other-config');
  const config = join(folder.path, 'opencode.json');
  const bench = new OpencodeBench();
  const shared = { url: '', password: '' };
  let model: ScriptedServer;
  let repository: TempRepository;
  let place: string;
  /** Every test begins with them. */
  let planning: readonly string[] = [];
  let hasOwnServer = false;

  before(async () => {
    model = await startScriptedServer(play);
    const options = { baseURL: model.url, apiKey: 'scripted' };
    const scripted = { npm: '@ai-sdk/openai-compatible', name: 'Scripted', options, models: { alpha: {} } };
    const providers = { provider: { scripted }, enabled_providers: ['scripted'] };
    await writeFile(config, JSON.stringify(providers));
    await bench.start();
    // Nobody asks through this agent, and the server stays.
    await bench.agent({ config: providers, graceMs: 3_600_000 }).health();
    const record = await bench.record();
    assert.ok(record);
    Object.assign(shared, { url: record.url, password: record.password });
    repository = await tempRepository({ files });
    place = dirname(repository.root);
    const text = [
      '--title',
      'Add greetings',
      '--description',
      description,
      '--model',
      'scripted/alpha',
      '--depth',
      'quick',
    ];
    const planned = await start('run', ...text, '--approve', 'plan').ended;
    assert.deepEqual(
      [planned.code, statusNow()],
      [3, 'WAITING_EXECUTION_SETUP_APPROVAL'],
      `${planned.stdout}\n${planned.stderr}`,
    );
    planning = await sessionsNow();
    await cp(place, saved, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  });
  afterEach(async () => {
    delete play.script;
    hasOwnServer = false;
    for (const { child } of running) child.kill('SIGKILL');
    await Promise.all([...running].map(({ ended }) => ended));
    const server = await serverRecord();
    if (server) await endTree(server.server, server.nonce);
    await forgetSessions();
    await rm(place, { recursive: true, force: true, maxRetries: 5 });
    await cp(saved, place, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  });
  after(async () => {
    await bench.stop();
    await model.close();
    await repository.remove();
    folder.remove();
  });

  it('let a ticket be told something, paused and resumed while another one drives it', async () => {
    const driver = await coding(silent);
    const told = await start('context', 'add', ticket, 'Mind the umlauts', '--no-wait').ended;
    assert.equal(told.code, 0, told.stderr);
    assert.deepEqual(inbox('context'), ['pending'], 'it is for the next bead');
    assert.equal(driver.child.exitCode, null, 'and disturbs nobody');

    const follower = start('pause', ticket);
    const [paused, driven] = await Promise.all([follower.ended, driver.ended]);
    assert.deepEqual(
      [paused.code, driven.code],
      [3, 3],
      `${paused.stdout}\n${driven.stdout}\n${driven.stderr}`,
    );
    assert.ok(
      follower.events.some(
        (event) => event.type === 'note' && event.message.includes('Another process is working'),
      ),
    );
    assert.ok(
      driver.events.some((event) => event.type === 'hold' && event.hold === 'paused'),
      'the driver carried it out',
    );
    assert.equal(outcome(follower.events)?.state, 'consumed');
    assert.equal(statusNow(), 'CODING');

    delete play.script;
    const resumed = start('resume', ticket);
    const { code, stdout, stderr } = await resumed.ended;
    assert.deepEqual([code, statusNow()], [3, 'WAITING_PR_REVIEW'], `${stdout}\n${stderr}`);
    assert.ok(!resumed.events.some((event) => event.type === 'blocked'));
    assert.deepEqual(inbox('context'), ['consumed']);
    const [first, second, ...more] = Sessions.parse(
      rows(`SELECT iteration, state FROM sessions WHERE step = 'ask' AND bead IS NOT NULL ORDER BY number`),
    );
    assert.deepEqual(
      [first, second],
      [
        { iteration: 1, state: 'abandoned' },
        { iteration: 1, state: 'completed' },
      ],
      'a pause is no failed iteration',
    );
    assert.equal(more.length, 1, 'the other bead took one session');
    const bead = beadIds()[0] ?? '';
    assert.match(
      await repository.git('rev-parse', `${attemptRef(ticket, bead, 1)}-interrupted`),
      /^[0-9a-f]{40}$/,
    );
    const prompts = Inputs.parse(
      rows(`SELECT input FROM calls WHERE step = 'ask' AND run LIKE '%CODING%' ORDER BY number`),
    ).map(({ input }) => input);
    assert.deepEqual(
      prompts.map((input) => input.includes('Mind the umlauts')),
      prompts.map((_, index) => index === prompts.length - 1),
      'only the next bead was told',
    );
  });

  it('lose no command when the driver is killed, and take its place under the next epoch', async () => {
    const driver = await coding(silent);
    const before = await owner();
    assert.deepEqual([before?.pid, before?.epoch], [driver.child.pid, epoch()]);
    // It can't do anything, but exists: who files something depends on it.
    driver.child.kill('SIGSTOP');
    const follower = start('pause', ticket);
    await until(() => follower.events.some((event) => event.type === 'posted'), 'the command is filed');
    assert.deepEqual(inbox('pause'), ['pending']);
    assert.equal((await owner())?.pid, driver.child.pid);
    driver.child.kill('SIGKILL');

    const { code, stdout, stderr } = await follower.ended;
    assert.equal(code, 3, `${stdout}\n${stderr}`);
    assert.equal(outcome(follower.events)?.state, 'consumed');
    assert.ok(
      follower.events.some((event) => event.type === 'hold' && event.hold === 'paused'),
      'it carried it out itself',
    );
    assert.equal(epoch(), (before?.epoch ?? 0) + 1);
    assert.equal(await owner(), undefined, 'and made room again');
    const shown = await here('show', ticket);
    assert.match(shown.stdout, /"journal":\{"ok":true/);
  });

  it('AT-34: start the same bead once: the second one follows, and takes over with a notification when the first is killed', async () => {
    const before = model.requests.length;
    const driver = await coding(silent);
    const follower = start('run', ticket, '--approve', 'setup');
    await until(
      () =>
        follower.events.some(
          (event) => event.type === 'note' && event.message.includes('Another process is working'),
        ),
      'it says so',
    );
    assert.equal((await owner())?.pid, driver.child.pid);
    assert.equal(
      Sessions.parse(rows(`SELECT iteration, state FROM sessions WHERE bead IS NOT NULL`)).length,
      0,
      'the only one is at work',
    );
    assert.equal(model.requests.slice(before).filter(({ task }) => task === 'coding').length, 1);
    delete play.script;
    driver.child.kill('SIGKILL');
    // Its session continues when its provider is there again.
    await restartModel();
    const { code, stdout, stderr } = await follower.ended;
    assert.deepEqual([code, statusNow()], [3, 'WAITING_PR_REVIEW'], `${stdout}\n${stderr}`);
    assert.ok(
      follower.events.some((event) => event.type === 'activity' && event.text.includes('This one took over')),
      'it says that it took over',
    );
    const done = Sessions.parse(
      rows(
        `SELECT iteration, state FROM sessions WHERE step = 'ask' AND state = 'completed' AND bead IS NOT NULL`,
      ),
    );
    assert.deepEqual(
      done.map(({ iteration }) => iteration),
      beadIds().map(() => 1),
    );
  });

  it('cancel a ticket in the middle of a command of its agent, leave no process and keep the worktree', async () => {
    hasOwnServer = true;
    const driver = await coding(endless);
    await until(() => existsSync(join(worktree(), 'begun.txt')), 'the agent runs its command');
    const server = await serverRecord();
    assert.ok(server);
    const processes = await familyOf(server);
    assert.ok(processes.length > 1, 'there are processes to end');

    const follower = start('cancel', ticket, '--reason', 'Enough');
    await until(() => follower.events.some((event) => event.type === 'posted'), 'the command is filed');
    const began = performance.now();
    await until(() => statusNow() === 'CANCELED', 'the ticket is canceled');
    const seconds = (performance.now() - began) / 1_000;
    assert.ok(seconds < 10, `it took ${seconds.toFixed(1)} s`);

    const [canceled, driven] = await Promise.all([follower.ended, driver.ended]);
    assert.deepEqual(
      [canceled.code, driven.code],
      [5, 5],
      `${canceled.stdout}\n${driven.stdout}\n${driven.stderr}`,
    );
    for (const one of processes)
      assert.equal(await isAlive(one), false, `process ${String(one.pid)} is left`);
    assert.equal(await readFile(join(worktree(), 'begun.txt'), 'utf8'), 'begun\n');
    assert.match(await repository.git('branch', '--list', `ticket/${ticket}`), /SAMPL-1/);
  });

  it('drive no ticket of another installation before a person adopts it', async () => {
    const stranger = await here('pause', ticket, { XDG_CONFIG_HOME: elsewhere });
    assert.equal(stranger.code, 1, stranger.stdout);
    assert.match(stranger.stdout, /DATABASE_READ_ONLY.*another installation.*--adopt/s);
    assert.deepEqual([inbox('pause'), statusNow()], [[], 'WAITING_EXECUTION_SETUP_APPROVAL']);
    const looked = await here('show', ticket, { XDG_CONFIG_HOME: elsewhere });
    assert.equal(looked.code, 0, looked.stderr);
    assert.match(looked.stdout, /another installation/i);

    const adopted = await here('pause', ticket, '--adopt', { XDG_CONFIG_HOME: elsewhere });
    assert.equal(adopted.code, 3, adopted.stdout);
    assert.deepEqual(inbox('pause'), ['consumed']);
    const resumed = await here('resume', ticket, { XDG_CONFIG_HOME: elsewhere });
    assert.equal(resumed.code, 3, 'asked once');
  });

  it('drive nothing that a newer version wrote', async () => {
    const file = join(repository.root, '.git/beadsmith/state.db');
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 999');
    database.close();
    const before = await readFile(file);
    for (const words of [
      ['run', ticket, '--approve', 'setup'],
      ['approve', ticket],
      ['cancel', ticket, '--no-wait'],
    ]) {
      const result = await here(...words);
      assert.equal(result.code, 1, `${words.join(' ')}: ${result.stdout}`);
      assert.match(result.stdout, /newer version/);
    }
    assert.deepEqual(await readFile(file), before);
  });

  /** A record at the end adds to its environment. */
  function start(...words: Words): CliProcess {
    const cli = new CliProcess(...lineOf(words));
    running.add(cli);
    void cli.ended.then(() => running.delete(cli));
    return cli;
  }

  /** In this process, where no other one is at work. */
  function here(...words: Words): Promise<CliResult> {
    return cliHere(...lineOf(words));
  }

  function lineOf(
    words: Words,
  ): [args: readonly string[], options: { readonly env: Readonly<Record<string, string>> }] {
    const env = words.find((word) => typeof word === 'object');
    const args = words.filter((word) => typeof word === 'string');
    const server = hasOwnServer ? ['--opencode-config', config] : ['--opencode-url', shared.url];
    const drives = ['show', 'context'].includes(args[0] ?? '') ? [] : server;
    const password = hasOwnServer ? {} : { OPENCODE_SERVER_PASSWORD: shared.password };
    return [
      [...args, '--repo', repository.root, '--json', ...drives],
      { env: { XDG_CONFIG_HOME: settings, ...password, ...env } },
    ];
  }

  /** It loses all its connections, and is back at once. */
  async function restartModel(): Promise<void> {
    play.port = Number(new URL(model.url).port);
    await model.close();
    model = await startScriptedServer(play);
  }

  async function asked(method: string, path: string): Promise<unknown> {
    const authorization = `Basic ${Buffer.from(`opencode:${shared.password}`).toString('base64')}`;
    const url = `${shared.url}${path}?directory=${encodeURIComponent(worktree())}`;
    const response = await fetch(url, { method, headers: { authorization } });
    assert.ok(response.ok, `${path}: ${String(response.status)}`);
    return response.json();
  }

  async function sessionsNow(): Promise<readonly string[]> {
    return z
      .array(z.object({ id: z.string() }))
      .parse(await asked('GET', '/session'))
      .map(({ id }) => id);
  }

  async function forgetSessions(): Promise<void> {
    for (const id of await sessionsNow()) if (!planning.includes(id)) await asked('DELETE', `/session/${id}`);
    await asked('POST', '/instance/dispose');
  }

  function worktree(): string {
    return join(`${repository.root}.worktrees`, ticket);
  }

  async function coding(script: ModelScript): Promise<CliProcess> {
    play.script = script;
    const before = model.requests.length;
    const driver = start('run', ticket, '--approve', 'setup');
    const busy = (): boolean => model.requests.slice(before).some(({ task }) => task === 'coding');
    await until(() => busy() || driver.child.exitCode !== null, 'the coder is asked', 90_000);
    assert.ok(busy(), `it ended before:\n${driver.stdout}\n${driver.stderr}`);
    return driver;
  }

  function rows(sql: string): unknown {
    const database = new DatabaseSync(join(repository.root, '.git/beadsmith/state.db'), {
      readOnly: true,
      timeout: 5_000,
    });
    try {
      return database.prepare(sql).all();
    } finally {
      database.close();
    }
  }

  function statusNow(): string {
    return (
      z.array(z.object({ status: z.string() })).parse(rows('SELECT status FROM tickets'))[0]?.status ?? ''
    );
  }

  function beadIds(): string[] {
    const Ids = z.array(z.object({ id: z.string() }));
    return Ids.parse(rows('SELECT id FROM beads ORDER BY position')).map(({ id }) => id);
  }

  function inbox(kind: string): string[] {
    return Inbox.parse(rows('SELECT kind, state FROM inbox ORDER BY number')).flatMap((entry) =>
      entry.kind === kind ? [entry.state] : [],
    );
  }

  function epoch(): number {
    return Number(z.array(Meta).parse(rows(`SELECT value FROM meta WHERE key = 'epoch'`))[0]?.value);
  }

  function outcome(events: readonly CliEvent[]): Extract<CliEvent, { type: 'outcome' }> | undefined {
    return events.find((event) => event.type === 'outcome');
  }

  async function owner(): Promise<OwnerRecord | undefined> {
    const text = await readFile(join(repository.root, '.git/beadsmith/owner.json'), 'utf8').catch(
      () => undefined,
    );
    return text === undefined ? undefined : OwnerRecord.parse(JSON.parse(text));
  }

  function serverRecord(): Promise<ServerRecord | undefined> {
    return new ServerFiles(join(repository.root, '.git/beadsmith'), 'main').read();
  }

  /** Down to the commands of its agents. */
  async function familyOf({ server, guard }: ServerRecord): Promise<readonly ProcessIdentity[]> {
    const parents = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number));
    const pids = new Set([guard.pid, server.pid]);
    for (let before = 0; before < pids.size;) {
      before = pids.size;
      for (const [pid = 0, parent = 0] of parents) if (pids.has(parent)) pids.add(pid);
    }
    const found = await Promise.all([...pids].map((pid) => identityOf(pid)));
    return found.filter((one) => one !== undefined);
  }
});
