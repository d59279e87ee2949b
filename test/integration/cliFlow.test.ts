import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { startScriptedServer, type ScriptedServer } from '../../src/demo/scriptedServer.ts';
import { Bead } from '../../src/domain/beads/bead.ts';
import { CliProcess, type CliResult, eventsOf } from '../support/cliProcess.ts';
import { type TempRepository, tempFolders, tempRepositories } from '../support/git/tempRepository.ts';
import { until } from '../support/until.ts';

const files = {
  'package.json': JSON.stringify({ name: 'sample', type: 'module', scripts: { test: 'node --test' } }),
  'src/one.js': 'export const one = 1;\n',
};
const End = z.looseObject({ type: z.literal('end'), exit: z.number(), ticket: z.string().nullable(), status: z.string().nullable() });
const Whole = z.object({
  journal: z.object({ ok: z.boolean() }),
  commits: z.array(z.object({ bead: z.string(), commit: z.string() })),
  evidence: z.array(z.object({ of: z.string(), command: z.string(), exitCode: z.number() })),
  pullRequest: z.object({ location: z.string() }),
  worktree: z.string(),
});

/** The whole product: real processes of the command line, real git, SQLite and OpenCode; only the model is scripted. */
describe('the command line', function () {
  this.timeout(600_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();
  const running = new Set<CliProcess>();
  let model: ScriptedServer;
  let repository: TempRepository;
  let env: Record<string, string>;
  let config: string;

  before(async () => {
    model = await startScriptedServer({});
  });
  after(() => model.close());
  beforeEach(async () => {
    repository = await makeRepository({ files });
    const folder = await makeFolder();
    env = { XDG_CONFIG_HOME: folder };
    config = join(folder, 'opencode.json');
    const options = { baseURL: model.url, apiKey: 'scripted' };
    const scripted = { npm: '@ai-sdk/openai-compatible', name: 'Scripted', options, models: { alpha: {}, beta: {} } };
    await writeFile(config, JSON.stringify({ provider: { scripted }, enabled_providers: ['scripted'] }));
  });
  afterEach(async () => {
    for (const { child } of running) child.kill('SIGTERM');
    await Promise.all([...running].map(({ ended }) => ended));
  });

  function start(...words: string[]): CliProcess {
    const opencode = process.env['BEADSMITH_OPENCODE'];
    const own = ['--repo', repository.root, '--opencode-config', config, ...(opencode === undefined ? [] : ['--opencode', opencode])];
    const cli = new CliProcess([...words, ...own, '--json'], { env });
    running.add(cli);
    void cli.ended.then(() => running.delete(cli));
    return cli;
  }

  /** Everything that is known of the ticket lies in a folder, and is replaced only when that is asked for. */
  async function exports(bead: string): Promise<void> {
    const folder = join(repository.root, '..', 'exported');
    const words = ['export', 'SAMPL-1', '--to', folder];
    assert.equal((await look(...words)).code, 0);
    assert.match(await readFile(join(folder, 'diffs', `${bead}.diff`), 'utf8'), /diff --git/);
    assert.match(await readFile(join(folder, 'evidence', 'execution', `${bead}.json`), 'utf8'), /"exitCode":\s*0/);
    assert.match(await readFile(join(folder, 'versions', 'prd.v1.yaml'), 'utf8'), /risks:/);
    const journal = (await readFile(join(folder, 'journal.ndjson'), 'utf8')).trim().split('\n');
    assert.deepEqual(
      journal.map((line) => z.object({ seq: z.number() }).parse(JSON.parse(line)).seq),
      journal.map((_line, at) => at + 1),
    );
    assert.deepEqual(
      (await readdir(join(folder, '..'))).filter((name) => name.includes('exported')),
      ['exported'],
    );
  }

  async function look(...words: string[]): Promise<CliResult> {
    return new CliProcess([...words, '--repo', repository.root, '--json'], { env }).ended;
  }

  /** Runs a command to its end and answers its last line. */
  async function to(exit: number, status: string | null, ...words: string[]): Promise<z.infer<typeof End>> {
    const result = await start(...words).ended;
    const end = End.parse(eventsOf(result.stdout).at(-1));
    assert.deepEqual([result.code, end.exit, end.status], [exit, exit, status], `${words.join(' ')}\n${result.stdout}\n${result.stderr}`);
    return end;
  }

  const solo = ['--model', 'scripted/alpha', '--depth', 'solo'];

  it('takes a ticket from gate to gate, and guards every gate', async () => {
    const before = await repository.fingerprint();
    await to(3, 'WAITING_INTERVIEW_ANSWERS', 'run', '--key', 'k', '--title', 'Add a greeting', ...solo, '--approve', 'none');
    await to(3, 'WAITING_INTERVIEW_ANSWERS', 'run', '--key', 'k', '--title', 'Add a greeting', ...solo);
    await to(3, 'WAITING_INTERVIEW_APPROVAL', 'skip', 'SAMPL-1', '--reason', 'No time');

    const stale = await start('approve', 'SAMPL-1', '--sha256', '0'.repeat(64)).ended;
    assert.equal(stale.code, 2, stale.stdout);
    assert.match(stale.stdout, /STALE_APPROVAL/);
    await to(3, 'WAITING_PRD_APPROVAL', 'approve', 'SAMPL-1');

    const prd = eventsOf((await look('show', 'SAMPL-1', 'prd')).stdout).find((event) => event.type === 'document');
    assert.ok(prd);
    const file = join(repository.root, '..', 'prd.yaml');
    await writeFile(file, prd.content.replace(/^risks:.*$/m, 'risks:\n  - Nobody greets back').replace(/\n {2}\[\]/, ''));
    await to(3, 'WAITING_PRD_APPROVAL', 'edit', 'SAMPL-1', 'prd', '--file', file);
    const edited = eventsOf((await look('show', 'SAMPL-1', 'prd')).stdout).find((event) => event.type === 'document');
    assert.match(edited?.content ?? '', /Nobody greets back/);
    await to(3, 'WAITING_BEADS_APPROVAL', 'approve', 'SAMPL-1');

    const plan = eventsOf((await look('beads', 'get', 'SAMPL-1', '--flow', 'main')).stdout).find((event) => event.type === 'document');
    assert.ok(plan);
    const beads = plan.content
      .trim()
      .split('\n')
      .map((line) => Bead.parse(JSON.parse(line)));
    const lines = beads.map((bead) => JSON.stringify({ ...bead, title: `${bead.title}, politely` })).join('\n');
    await writeFile(file, lines);
    await to(3, 'WAITING_BEADS_APPROVAL', 'beads', 'put', 'SAMPL-1', '--file', file);
    const clash = await start('beads', 'put', 'SAMPL-1', '--file', file, '--base', plan.sha256 ?? '').ended;
    assert.equal(clash.code, 2, clash.stdout);
    assert.match(clash.stdout, /EDIT_CONFLICT/);

    await to(3, 'WAITING_EXECUTION_SETUP_APPROVAL', 'approve', 'SAMPL-1');
    await to(0, 'WAITING_EXECUTION_SETUP_APPROVAL', 'approve', 'SAMPL-1', '--no-wait');
    const review = await to(3, 'WAITING_PR_REVIEW', 'run', 'SAMPL-1');
    const { worktree } = z.object({ worktree: z.string() }).parse(review);
    for (const path of ['interview.yaml', 'prd.yaml', 'meta/ticket.meta.json', 'runtime/state.yaml', 'runtime/execution-log.jsonl'])
      assert.ok(existsSync(join(worktree, '.ticket', path)), path);
    const projected = await readFile(join(worktree, '.ticket/beads/main/.beads/issues.jsonl'), 'utf8');
    assert.match(projected, /politely.*"status":"done"/);

    const bead = beads[0]?.id ?? '';
    assert.match((await look('beads', 'diff', 'SAMPL-1', bead)).stdout, /diff --git/);
    const end = Whole.parse(await to(0, 'COMPLETED', 'close', 'SAMPL-1', '--reason', 'Just a try'));
    assert.equal(end.journal.ok, true);
    assert.equal(end.commits.length, beads.length);
    assert.ok(end.evidence.some(({ of, exitCode }) => of === `bead ${bead}` && exitCode === 0));
    assert.match(await readFile(end.pullRequest.location, 'utf8'), /SAMPL-1/);
    await exports(bead);
    assert.equal(await repository.fingerprint(), before, 'the own checkout is as it was');
    const logged = eventsOf((await look('logs', 'SAMPL-1')).stdout).flatMap((event) => (event.type === 'log' ? [event.text] : []));
    assert.ok(logged.some((text) => text.includes('DRAFT → SCANNING_RELEVANT_FILES')));
  });

  it('loses nothing when it is stopped, killed, or not the only one', async () => {
    const all = ['--approve', 'all'];
    const first = start('run', '--title', 'Add a greeting', ...solo, ...all);
    await reached(first, 'DRAFTING_PRD');
    first.child.kill('SIGINT');
    const stopped = await first.ended;
    assert.equal(stopped.code, 130, stopped.stderr);
    assert.match(stopped.stdout, /"next":\["beadsmith run SAMPL-1/);

    const second = start('run', 'SAMPL-1', ...all);
    await reached(second, 'EXPANDING_BEADS');
    second.child.kill('SIGKILL');
    await second.ended;

    const driver = start('run', 'SAMPL-1', ...all);
    await reached(driver, 'CODING');
    const follower = start('run', 'SAMPL-1', ...all);
    await until(
      () => follower.events.some((event) => event.type === 'note' && event.message.includes('Another process drives')),
      'it follows',
      60_000,
    );
    // The follower takes the driver's place.
    driver.child.kill('SIGKILL');
    await driver.ended;
    const end = await follower.ended;
    assert.equal(end.code, 0, `${end.stdout}\n${end.stderr}`);
    const whole = Whole.parse(eventsOf(end.stdout).at(-1));
    assert.equal(whole.journal.ok, true);
    assert.equal(whole.commits.length > 0, true);
  });

  it('says which limit paused it, takes a higher one, and continues in the same step without a new attempt', async () => {
    await to(11, 'SCANNING_RELEVANT_FILES', 'run', '--title', 'Greet by name', ...solo, '--token-cap', '1');
    const shown = await look('show', 'SAMPL-1');
    assert.match(shown.stdout, /BUDGET_EXHAUSTED.*limits SAMPL-1 --token-cap MORE/);
    const present = await look('limits', 'SAMPL-1');
    assert.match(present.stdout, /tokenCap[^,]*: 1,/);
    assert.match(present.stdout, /maxIterations[^,]*: 5,/);
    await to(11, 'SCANNING_RELEVANT_FILES', 'limits', 'SAMPL-1', '--token-cap', '0', '--reason', 'It is worth it.');
    assert.match((await look('show', 'SAMPL-1', 'limits_receipt')).stdout, /It is worth it\./);
    await to(3, 'WAITING_INTERVIEW_ANSWERS', 'continue', 'SAMPL-1');
    const journal = (await look('logs', 'SAMPL-1', '--journal')).stdout;
    assert.match(journal, /is continued/);
    assert.doesNotMatch(journal, /new attempts/);
  });

  async function reached(cli: CliProcess, status: string): Promise<void> {
    const there = (): boolean => cli.events.some((event) => event.type === 'status' && event.to === status);
    await until(() => there() || cli.child.exitCode !== null, `it is in ${status}`, 300_000);
    assert.ok(there(), `it ended before ${status}:\n${cli.stdout}\n${cli.stderr}`);
  }
});
