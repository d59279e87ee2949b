import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findOpencode, opencodeVersion } from '../../src/adapters/opencode/server/findOpencode.ts';
import { isAlive, identityOf } from '../../src/adapters/system/processes.ts';
import { type ServerRecord, unpackFolder } from '../../src/adapters/opencode/server/serverFiles.ts';
import { BeadsmithError } from '../../src/domain/core/errors.ts';
import { OpencodeBench, callOptions } from '../support/models/opencodeServer.ts';
import { until } from '../support/until.ts';
import type { SessionRef } from '../../src/engine/ports/ports.ts';
import type { OpencodeAgent } from '../../src/adapters/opencode/opencodeAgent.ts';

/** Sessions, and the work in them, stay. */
describe('The OpenCode server’s life', () => {
  let bench: OpencodeBench;
  const start = async () => {
    bench = await new OpencodeBench().start();
  };
  const stop = () => bench.stop();

  const ask = { member: 'tiny/one', policy: 'default' } as const;
  const open = (agent: OpencodeAgent, title = 'ABC-1 nonce') =>
    agent.createSession({ directory: bench.repository, title, policy: 'default' });
  const busy = (agent: OpencodeAgent, session: SessionRef) =>
    until(
      async () => (await agent.look(session)).state === 'busy' && bench.model.requests.length > 0,
      'the model to be asked',
    );
  const record = async (): Promise<ServerRecord> => {
    const found = await bench.record();
    assert.ok(found, 'there should be a server');
    return found;
  };
  const rejects = async (work: Promise<unknown>): Promise<BeadsmithError> =>
    work.then(
      () => assert.fail('it should have failed'),
      (error: unknown) => (error instanceof BeadsmithError ? error : assert.fail(String(error))),
    );

  // The first test starts the server, the last ones kill it.
  describe('with tests that use it one after the other', () => {
    let agent: OpencodeAgent;
    before(async () => {
      await start();
      agent = bench.agent();
    });
    beforeEach(() => bench.model.reset());
    after(stop);

    it('outlives a killed process, whose successor adopts it and gets the answer, without a second prompt', async () => {
      bench.model.answer = () => ({ kind: 'text', text: 'the answer of a long call', delayMs: 3_000 });
      const program = fileURLToPath(new URL('../support/models/opencodeDriver.ts', import.meta.url));
      const driver = spawn(process.execPath, [program, bench.orders('ABC-1 adopted')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await Promise.race([
        once(driver.stdout, 'data'),
        once(driver, 'exit').then(() => assert.fail('the driver ended')),
      ]);
      await until(() => bench.model.requests.length === 1, 'the model to be asked');
      driver.kill('SIGKILL');
      await once(driver, 'exit');

      const before = await record();
      const session = await agent.findSession(bench.repository, 'ABC-1 adopted');
      assert.ok(session);
      assert.equal((await record()).nonce, before.nonce);
      const reply = await agent.await(session, ask, callOptions());
      assert.ok(reply.ok && reply.text === 'the answer of a long call');
      assert.equal(bench.model.requests.length, 1);
    });

    it('ends what a tool left running when the agent has answered, whatever its process group is', async () => {
      const pidFile = join(bench.repository, 'left');
      const command = `rm -f left; setsid sh -c 'echo $$ > left; exec sleep 300' > /dev/null 2>&1 & while ! test -s left; do sleep 0.02; done`;
      bench.model.answer = (_request, index) =>
        index === 0
          ? { kind: 'tool', tool: 'bash', input: { command, description: 'serve' } }
          : { kind: 'text', text: 'done' };
      const session = await open(agent, 'ABC-1 leaves');
      const reply = await agent.prompt(session, { ...ask, text: 'serve' }, callOptions());
      assert.ok(reply.ok);
      assert.equal(await identityOf(Number(readIfThere(pidFile).trim())), undefined);
      assert.ok(await isAlive((await record()).server));
    });

    it('shares its configuration folder with those of other repositories', async () => {
      await agent.health();
      assert.deepEqual(readdirSync(join(bench.stateDir, 'opencode', 'main')).sort(), [
        'cache',
        'data',
        'shell',
        'state',
        'tools',
      ]);
    });

    it('may be killed: the call says so, the next use starts a new one, and the session is found by its title', async () => {
      const session = await open(agent);
      await agent.prompt(session, { ...ask, text: 'one' }, callOptions());
      bench.model.reset();
      bench.model.answer = () => ({ kind: 'hang', text: 'so far' });
      const waiting = agent.prompt(session, { ...ask, text: 'two' }, callOptions());
      await busy(agent, session);
      const before = await record();
      const unpacked = join(unpackFolder({ stateDir: bench.stateDir, domain: 'main' }), before.nonce);
      assert.ok(
        readdirSync(unpacked).length > 0,
        'it unpacks its libraries there, and not into the temporary folder of the machine',
      );
      process.kill(before.server.pid, 'SIGKILL');
      const reply = await waiting;
      assert.ok(!reply.ok && reply.failure.kind === 'gone' && reply.failure.continuable);

      assert.deepEqual(await agent.findSession(bench.repository, 'ABC-1 nonce'), session);
      assert.deepEqual(await agent.look(session), { state: 'orphaned', prompts: 2 });
      assert.notEqual((await record()).nonce, before.nonce);
      await until(async () => !(await isAlive(before.guard)), 'the old guard to end');
      assert.equal(existsSync(unpacked), false);
      bench.model.reset();
      const next = await agent.prompt(session, { ...ask, text: 'continue please' }, callOptions());
      assert.ok(next.ok && next.text === 'OK');
      const look = await agent.look(session);
      assert.ok(look.state === 'answered' && look.prompts === 3);
    });

    it('takes the commands of its agents with it, even when it is killed', async () => {
      const pidFile = join(bench.repository, 'pid');
      const command = 'echo $$ > pid; exec sleep 300';
      bench.model.answer = () => ({ kind: 'tool', tool: 'bash', input: { command, description: 'wait' } });
      const session = await open(agent, 'ABC-1 waits');
      const waiting = agent.prompt(session, { ...ask, text: 'sleep' }, callOptions());
      const pid = () => Number(readIfThere(pidFile).trim());
      await until(() => pid() > 0, 'the command to run');
      const child = await identityOf(pid());
      assert.ok(child);
      process.kill((await record()).server.pid, 'SIGKILL');
      await until(async () => !(await isAlive(child)), 'the command to end');
      const reply = await waiting;
      assert.ok(!reply.ok && reply.failure.kind === 'gone');
    });
  });

  // The second test adopts what the first one keeps.
  describe('with another one before it', () => {
    before(start);
    after(stop);

    it('is not kept when who started it was killed meanwhile, and leaves the next one’s alone', async () => {
      const [pidFile, go, slow] = ['pid', 'go', 'slow'].map((name) => join(bench.folder, name)) as [
        string,
        string,
        string,
      ];
      const real = await findOpencode({ env: process.env });
      const wait = `echo $$ > '${pidFile}'; while [ ! -e '${go}' ]; do sleep 0.05; done`;
      writeFileSync(slow, `#!/bin/sh\nif [ "$1" = serve ]; then ${wait}; fi\nexec '${real}' "$@"\n`, {
        mode: 0o755,
      });
      const program = fileURLToPath(new URL('../support/models/opencodeDriver.ts', import.meta.url));
      const driver = spawn(
        process.execPath,
        [program, bench.orders('ABC-1 killed', { opencodePath: slow })],
        { stdio: 'inherit' },
      );
      await until(() => readIfThere(pidFile).endsWith('\n'), 'its server to be started');
      const left = await identityOf(Number(readIfThere(pidFile)));
      assert.ok(left);
      driver.kill('SIGKILL');
      await once(driver, 'exit');

      const agent = bench.agent();
      await agent.health();
      const { nonce } = await record();
      writeFileSync(go, '');
      await until(async () => !(await isAlive(left)), 'the server that nobody wants to end');
      assert.equal((await record()).nonce, nonce);
      assert.ok((await agent.models()).length > 0);
      await agent.stop({ keep: true });
    });

    it('is not adopted with another configuration, nor when its guard is dead', async () => {
      const first = bench.agent();
      await first.health();
      const one = await record();
      await first.stop({ keep: true });
      const second = bench.agent({ config: { ...bench.model.config(['three']) } });
      assert.ok((await second.models()).includes('tiny/three'));
      const two = await record();
      assert.notEqual(two.nonce, one.nonce);
      assert.equal(await isAlive(one.server), false);

      process.kill(two.guard.pid, 'SIGKILL');
      await until(async () => !(await isAlive(two.guard)), 'the guard to end');
      await second.stop({ keep: true });
      const third = bench.agent({ config: { ...bench.model.config(['three']) } });
      await third.health();
      assert.notEqual((await record()).nonce, two.nonce);
      assert.equal(await isAlive(two.server), false, 'a server without a guard would stay for ever');
    });
  });

  describe('with a folder of its own', () => {
    beforeEach(start);
    afterEach(stop);

    it('is started once, however many ask at the same time, and its record is for the user alone', async () => {
      const [one, two] = [bench.agent(), bench.agent()];
      const healths = await Promise.all([one.health(), one.health(), two.health()]);
      assert.equal(new Set(healths.map(({ url }) => url)).size, 1);
      assert.equal(statSync(join(bench.stateDir, 'servers', 'main.json')).mode & 0o777, 0o600);
      await one.stop();
      assert.ok(await isAlive((await record()).server), 'somebody else still uses it');
      await two.stop();
      assert.equal(await bench.record(), undefined);
    });

    it('is ended by its guard when its last user has been gone for the grace', async () => {
      const agent = bench.agent({ graceMs: 500 });
      await agent.health();
      const { server, guard } = await record();
      await agent.stop({ keep: true });
      assert.ok(await isAlive(server));
      await until(async () => !(await isAlive(server)) && !(await isAlive(guard)), 'server and guard to end');
      assert.equal(await bench.record(), undefined);
    });

    it('ends after its last use although its user lives, who gets the same one until then', async () => {
      const agent = bench.agent({ graceMs: 3_000 });
      await agent.health();
      const { server, guard, nonce } = await record();
      const owners = join(bench.stateDir, 'servers', 'main.owners');
      const released = () => until(() => readdirSync(owners).length === 0, 'its user to release it');
      await released();
      await agent.health();
      assert.equal((await record()).nonce, nonce);
      assert.equal(readdirSync(owners).length, 1, 'it is used again');
      await released();
      await until(async () => !(await isAlive(server)) && !(await isAlive(guard)), 'server and guard to end');
      assert.equal(await bench.record(), undefined);
    });

    it('is replaced when it has grown, once nothing runs on it', async () => {
      const agent = bench.agent({ maxBytes: 1_000_000 });
      await agent.health();
      const before = await record();
      await until(async () => (await bench.record())?.recycle === true, 'the guard to ask for a new one');
      await agent.health();
      assert.notEqual((await record()).nonce, before.nonce);
    });

    it('tells what is wrong when it can’t start', async () => {
      const folder = join(bench.folder, 'bin');
      mkdirSync(folder);
      const fake = (name: string, script: string) => {
        writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
        chmodSync(join(folder, name), 0o755);
        return join(folder, name);
      };
      const version = `if [ "$1" = --version ]; then echo ${opencodeVersion}; exit; fi`;
      const dies = bench.agent({ opencodePath: fake('dies', `${version}\necho "no disk today"; exit 3`) });
      const error = await rejects(dies.health());
      assert.equal(error.code, 'OPENCODE_START_FAILED');
      assert.match(String(error.diagnostics['log']), /no disk today/);

      const silent = bench.agent({
        opencodePath: fake('silent', `${version}\nexec sleep 60`),
        startLimitMs: 700,
      });
      assert.match((await rejects(silent.health())).message, /not ready after 0.7 s/);

      const old = bench.agent({ opencodePath: fake('old', 'echo 1.0.0') });
      assert.equal((await rejects(old.health())).code, 'OPENCODE_VERSION');

      const env = { PATH: folder, HOME: bench.folder, BEADSMITH_CACHE: join(bench.folder, 'empty') };
      const missing = await rejects(findOpencode({ env }));
      assert.equal(missing.code, 'OPENCODE_MISSING');
      assert.match(missing.nextStep, new RegExp(`opencode-ai@${opencodeVersion}`));
    });

    it('prefers the setting, then PATH, then the cache', async () => {
      const folder = join(bench.folder, 'path');
      mkdirSync(folder);
      const put = (name: string, answer: string) => {
        writeFileSync(join(folder, name), `#!/bin/sh\necho ${answer}\n`);
        chmodSync(join(folder, name), 0o755);
        return join(folder, name);
      };
      const onPath = put('opencode', opencodeVersion);
      const named = put('mine', opencodeVersion);
      const env = { ...process.env, PATH: folder };
      assert.equal(await findOpencode({ env, setting: named }), named);
      assert.equal(await findOpencode({ env }), onPath);
      put('opencode', '0.9.0-older');
      assert.match(await findOpencode({ env }), /opencode-ai/);
    });
  });
});

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
