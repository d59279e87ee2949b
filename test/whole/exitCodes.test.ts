import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startScriptedServer, type ScriptedServer } from '../../src/demo/scriptedServer.ts';
import { CliProcess, eventsOf } from '../support/cliProcess.ts';
import { type TempRepository, tempFolders, tempRepositories } from '../support/git/tempRepository.ts';
import { until } from '../support/until.ts';

const documented = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8');
const solo = ['--model', 'scripted/alpha', '--depth', 'solo'];
const drives = ['run', 'cancel'];
const toGate = [...solo, '--approve', 'none'];

/** Each code of the table in docs/cli.md, by real processes. */
describe('exit codes of the command line', function () {
  this.timeout(240_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();
  const running = new Set<CliProcess>();
  let model: ScriptedServer;
  let repository: TempRepository;
  let config: string;
  let env: Record<string, string>;

  before(async () => {
    model = await startScriptedServer({});
  });
  after(() => model.close());
  beforeEach(async () => {
    repository = await makeRepository({ files: { 'package.json': '{ "name": "sample" }' } });
    const folder = await makeFolder();
    env = { XDG_CONFIG_HOME: folder };
    config = join(folder, 'opencode.json');
    const scripted = {
      npm: '@ai-sdk/openai-compatible',
      options: { baseURL: model.url, apiKey: 'scripted' },
      models: { alpha: {} },
    };
    await writeFile(config, JSON.stringify({ provider: { scripted }, enabled_providers: ['scripted'] }));
  });
  afterEach(async () => {
    for (const { child } of running) child.kill('SIGTERM');
    await Promise.all([...running].map(({ ended }) => ended));
  });

  function start(...words: readonly string[]): CliProcess {
    const cli = new CliProcess(
      [
        ...words,
        ...(drives.includes(words[0] ?? '') ? modelOf(words) : []),
        '--repo',
        repository.root,
        '--json',
      ],
      { env },
    );
    running.add(cli);
    void cli.ended.then(() => running.delete(cli));
    return cli;
  }

  function modelOf(words: readonly string[]): readonly string[] {
    const opencode = process.env['BEADSMITH_OPENCODE'];
    return [
      '--opencode-config',
      config,
      ...(words.includes('--opencode') || opencode === undefined ? [] : ['--opencode', opencode]),
    ];
  }

  /** The last line says the same code, and the table knows it. */
  async function endOf(
    cli: CliProcess,
  ): Promise<{ readonly code: number | null; readonly status: string | null; readonly stdout: string }> {
    const { code, stdout, stderr } = await cli.ended;
    const end = eventsOf(stdout).at(-1);
    assert.ok(end?.type === 'end', `${stdout}\n${stderr}`);
    assert.equal(end.exit, code);
    assert.match(
      documented,
      new RegExp(`^\\| (?:\\d+, )?${String(code)}(?:, \\d+)? \\|`, 'm'),
      'it is in the table',
    );
    return { code, status: end.status, stdout };
  }
  const codeOf = async (...words: readonly string[]) => (await endOf(start(...words))).code;

  const reached = (cli: CliProcess, status: string) =>
    until(
      () => cli.events.some((event) => event.type === 'status' && event.to === status),
      `it reaches ${status}`,
      60_000,
    );

  for (const [code, meaning, words] of [
    [0, 'a command that runs no ticket', ['list']],
    [1, 'OpenCode is missing', ['run', '--title', 'Greet', ...toGate, '--opencode', '/nowhere/opencode']],
    [2, 'an unknown command', ['destroy']],
    [2, 'nothing to verify', ['verify', 'SAMPL-1']],
    [11, 'a ticket that a limit blocked', ['run', '--title', 'Greet', ...toGate, '--token-cap', '1']],
  ] as const)
    it(`${String(code)}: ${meaning}`, async () => {
      assert.equal(await codeOf(...words), code);
    });

  it('1: a database that is damaged', async () => {
    assert.equal(await codeOf('create', '--title', 'Greet'), 0);
    await writeFile(join(repository.root, '.git/beadsmith/state.db'), 'no database');
    assert.equal(await codeOf('list'), 1);
  });

  it('3: a ticket that waits for answers; 5: one that was canceled, also when it is run again', async () => {
    const waiting = await endOf(start('run', '--title', 'Greet', ...toGate));
    assert.deepEqual([waiting.code, waiting.status], [3, 'WAITING_INTERVIEW_ANSWERS']);
    const canceled = await endOf(start('cancel', 'SAMPL-1', '--reason', 'Not needed.'));
    assert.deepEqual([canceled.code, canceled.status], [5, 'CANCELED']);
    assert.equal(await codeOf('run', 'SAMPL-1'), 5);
  });

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    it(`${String(code)}: stopped by ${signal}, and the next run continues`, async () => {
      const cli = start('run', '--title', 'Greet', ...toGate);
      await reached(cli, 'SCANNING_RELEVANT_FILES');
      cli.child.kill(signal);
      const stopped = await endOf(cli);
      assert.equal(stopped.code, code);
      assert.match(stopped.stdout, /"next":\["beadsmith run SAMPL-1/);
      const continued = await endOf(start('run', 'SAMPL-1'));
      assert.deepEqual([continued.code, continued.status], [3, 'WAITING_INTERVIEW_ANSWERS']);
    });

  it('continues a ticket whose start was killed, wherever it was', async () => {
    for (const event of ['created', 'posted'] as const) {
      const cli = start('run', '--title', `Greet after ${event}`, ...toGate);
      await until(() => cli.events.some(({ type }) => type === event), event, 60_000);
      cli.child.kill('SIGKILL');
      await cli.ended;
      const ticket = cli.events.flatMap((one) => (one.type === 'created' ? [one.ticket] : []))[0] ?? '';
      const continued = await endOf(start('run', ticket, ...toGate));
      assert.deepEqual(
        [continued.code, continued.status],
        [3, 'WAITING_INTERVIEW_ANSWERS'],
        continued.stdout,
      );
    }
  });

  it('works on a ticket that a second terminal files beside a driver', async () => {
    const driver = start('run', '--title', 'Greet', ...solo, '--approve', 'all');
    await reached(driver, 'SCANNING_RELEVANT_FILES');
    const second = start('run', '--title', 'Leave', ...toGate);
    const waiting = await endOf(second);
    assert.deepEqual([waiting.code, waiting.status], [3, 'WAITING_INTERVIEW_ANSWERS'], waiting.stdout);
    assert.ok(
      second.events.some(
        (event) => event.type === 'note' && event.message.includes('Another process is working'),
      ),
    );
    driver.child.kill('SIGTERM');
    assert.equal((await endOf(driver)).code, 143);
  });
});
