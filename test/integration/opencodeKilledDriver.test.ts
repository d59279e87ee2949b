import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { identityOf, isAlive, type ProcessIdentity } from '../../src/adapters/system/processes.ts';
import { serverDomains } from '../../src/adapters/opencode/server/serverFiles.ts';
import { OpencodeBench } from '../support/models/opencodeServer.ts';
import { canTrySandbox } from '../support/sandbox.ts';
import { pidIn, until } from '../support/until.ts';

const canTry = await canTrySandbox();
const program = fileURLToPath(new URL('../support/models/opencodeDriver.ts', import.meta.url));
const graceMs = 1_500;
/** Two seconds for who does not hear SIGTERM, and a busy machine. */
const endingMs = 15_000;

/** Nobody succeeds it. */
describe('What a killed driver leaves', () => {
  let bench: OpencodeBench;
  beforeEach(async () => (bench = await new OpencodeBench().start()));
  afterEach(() => bench.stop());

  /** The command leaves its session; answers what was running. */
  async function killed(
    sandbox: boolean,
  ): Promise<{ readonly left: readonly ProcessIdentity[]; readonly at: number }> {
    const tree = join(bench.folder, 'repository.worktrees', 'ABC-1');
    execFileSync('git', ['worktree', 'add', '--quiet', tree], { cwd: bench.repository, stdio: 'ignore' });
    const away = `setsid sh -c 'echo $$ > away; exec sleep 600' > /dev/null 2>&1 & echo $$ > pid; trap "" TERM; while :; do sleep 1; done`;
    bench.model.answer = () => ({
      kind: 'tool',
      tool: 'bash',
      input: { command: away, description: 'wait' },
    });
    const orders = bench.orders('ABC-1 killed', { directory: tree, sandbox, graceMs });
    const driver = spawn(process.execPath, [program, orders], { stdio: ['ignore', 'ignore', 'inherit'] });
    const inside = [
      await until(() => pidIn(join(tree, 'away')), 'the command to leave'),
      await until(() => pidIn(join(tree, 'pid')), 'its shell'),
    ];
    const record = await bench.record(sandbox ? /^coding/ : /^main/);
    assert.ok(record);
    driver.kill('SIGKILL');
    await once(driver, 'exit');
    // In a sandbox processes have other numbers.
    const seen = sandbox
      ? []
      : (await Promise.all(inside.map((pid) => identityOf(pid)))).flatMap((one) => one ?? []);
    assert.equal(seen.length, sandbox ? 0 : 2);
    return {
      left: [record.guard, record.server, ...seen, ...(sandbox ? await sleepersIn(tree) : [])],
      at: performance.now(),
    };
  }

  /** However they number themselves. */
  async function sleepersIn(tree: string): Promise<readonly ProcessIdentity[]> {
    const listed = execFileSync(
      'sh',
      ['-c', 'for p in /proc/[0-9]*; do echo "${p#/proc/} $(readlink $p/cwd)"; done 2>/dev/null'],
      {
        encoding: 'utf8',
      },
    );
    const pids = listed.split('\n').filter((line) => line.endsWith(` ${tree}`));
    const found = await Promise.all(pids.map((line) => identityOf(Number(line.split(' ')[0]))));
    assert.ok(found.length >= 2, listed);
    return found.flatMap((one) => one ?? []);
  }

  async function allEnd({ left, at }: Awaited<ReturnType<typeof killed>>): Promise<void> {
    const [guard, server] = left;
    assert.ok(guard && server);
    assert.ok(await isAlive(server), 'a successor could still adopt it');
    const alive = async () => (await Promise.all(left.map(isAlive))).filter(Boolean).length;
    await until(async () => (await alive()) === 0, 'everything to end');
    const took = performance.now() - at;
    assert.ok(took >= graceMs - 500 && took < graceMs + endingMs, `it took ${String(took)} ms`);
    assert.deepEqual(await serverDomains(bench.stateDir), [], 'no record of a server is left');
  }

  it('ends within its grace: the guard, the server, and what their agents started', async () => {
    await allEnd(await killed(false));
  });

  (canTry ? it : it.skip)('ends within its grace in a sandbox, too, with everything in it', async () => {
    await allEnd(await killed(true));
  });
});
