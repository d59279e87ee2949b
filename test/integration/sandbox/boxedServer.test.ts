import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findOpencode } from '../../../src/adapters/opencode/findOpencode.ts';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox.ts';
import type { OpencodeAgent } from '../../../src/adapters/opencode/opencodeAgent.ts';
import { isAlive } from '../../../src/adapters/system/processes.ts';
import type { ToolPolicy } from '../../../src/domain/promptPlan.ts';
import type { AgentReply } from '../../../src/engine/ports/ports.ts';
import { callOptions, OpencodeBench } from '../../support/models/opencodeServer.ts';
import { canTryBox } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';

const boxes = await canTryBox();

/** The real OpenCode in a box: it works as outside, and what its commands find there is the worktree and nothing else. */
(boxes ? describe : describe.skip)('OpenCode in a box', () => {
  let bench: OpencodeBench;
  let agent: OpencodeAgent;
  beforeEach(async () => {
    bench = await new OpencodeBench().start();
    const sandbox = await findSandbox('require', { commonDir: join(bench.repository, '.git') });
    agent = bench.agent({ sandbox });
  });
  afterEach(() => bench.stop());

  /** What a command of a coding agent prints into the worktree. OpenCode's own rules don't see what is in a script. */
  const run = async (script: string, policy: ToolPolicy = 'default', by = agent): Promise<string> => {
    const session = await by.createSession({ directory: bench.repository, title: `ABC-1 ${Math.random()}`, policy });
    writeFileSync(join(bench.repository, 'try.sh'), script);
    bench.model.reset();
    bench.model.answer = (_request, index) =>
      index === 0
        ? { kind: 'tool', tool: 'bash', input: { command: 'sh ./try.sh > printed.txt 2>&1', description: 'try' } }
        : { kind: 'text', text: 'done' };
    const reply = await by.prompt(session, { member: 'tiny/one', policy, text: 'go' }, callOptions());
    assert.ok(reply.ok && reply.text === 'done', JSON.stringify(reply));
    return readFileSync(join(bench.repository, 'printed.txt'), 'utf8');
  };

  /** A line of a script that says whether an address answered. */
  const fetched = (name: string, url: string) =>
    `node -e "fetch('${url}', { signal: AbortSignal.timeout(3_000) }).then(() => console.log('${name} REACHED'), () => console.log('${name} refused'))"`;

  it('reaches its model without a key, and nothing else', async () => {
    const port = /127\.0\.0\.1:(\d+)/.exec(JSON.stringify(bench.model.config()))?.[1] ?? '';
    const printed = await run(
      [
        `cat /proc/[0-9]*/environ | tr '\\0' '\\n'`,
        fetched('host', `http://127.0.0.1:${port}/v1/x`),
        fetched('net', 'http://example.com/'),
        `ls /root /home 2>/dev/null; cat ${bench.stateDir}/servers/*.json`,
      ].join('\n'),
    );
    assert.equal(bench.model.requests[0]?.authorization, 'Bearer tiny-secret-key');
    assert.doesNotMatch(printed, /tiny-secret-key|REACHED/);
    assert.match(printed, /host refused\nnet refused/);
    const record = await bench.record(/^coding/);
    assert.ok(record);
    assert.ok(!printed.includes(record.password), 'the password of the way in is outside');
  });

  it('keeps its server and the way to models from its commands', async () => {
    const printed = await run(
      [
        `cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -a -e PASSWORD -e OPENCODE_CONFIG`,
        `port=$(ps -A -ww -o args= | sed -n 's/.*serve .*--port \\([0-9]*\\).*/\\1/p' | head -n 1); echo "port $port"`,
        fetched('server', 'http://127.0.0.1:$port/session'),
        fetched('relay', 'http://127.0.0.1:43127/tiny/files'),
        'folder="${HOME%/box/home}"; test "$folder" != "$HOME" && echo found',
        `ls "$folder/data" | wc -l; ls /tmp/beadsmith-*/*.sock 2>/dev/null`,
        `echo 'echo ESCAPED' 2>/dev/null > "$folder/shell" && echo REPLACED; rm -f "$folder/shell" 2>/dev/null && echo REMOVED`,
        `umount "$folder/data" 2>/dev/null && echo UNCOVERED`,
        `test -w "$HOME" && test -w . && echo works`,
      ].join('\n'),
    );
    assert.match(printed, /^port \d+\nserver refused\nrelay refused\nfound\n0\nworks\n$/);
  });

  it('lets commands of a setup fetch from the registry, and reach the server as little', async () => {
    const registry = createServer((_, answer) => answer.end('from the registry'));
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${String((registry.address() as AddressInfo).port)}/`;
    const sandbox = await findSandbox('require', { commonDir: join(bench.repository, '.git') });
    const online = bench.agent({ sandbox, env: { ...bench.options().env, npm_config_registry: url } });
    try {
      const script = [
        `curl -s -m 5 ${url}; echo`,
        fetched('net', 'http://example.com/x'),
        fetched('relay', 'http://127.0.0.1:43127/tiny/files'),
        'echo "env ELECTRON_RUN_AS_NODE ${ELECTRON_RUN_AS_NODE:-none}"',
      ];
      const printed = await run(script.join('\n'), 'execution_setup_online', online);
      assert.match(printed, /^from the registry\n(?:.*\n)?.*relay refused/);
      assert.match(printed, /^env ELECTRON_RUN_AS_NODE none$/m);
    } finally {
      await online.stop();
      registry.close();
    }
  });

  it('writes its worktree and not the repository', async () => {
    const before = readFileSync(join(bench.repository, '.git', 'HEAD'), 'utf8');
    await run(
      'echo x > made.txt; git commit --allow-empty -m x; echo x > .git/hooks/pre-commit; echo x > .git/HEAD; git config user.name thief',
    );
    assert.ok(existsSync(join(bench.repository, 'made.txt')));
    assert.equal(readFileSync(join(bench.repository, '.git', 'HEAD'), 'utf8'), before);
    assert.ok(!existsSync(join(bench.repository, '.git', 'hooks', 'pre-commit')));
    assert.doesNotMatch(readFileSync(join(bench.repository, '.git', 'config'), 'utf8'), /thief/);
  });

  it('has one server for planning, and one for each worktree that is coded in, which sees no other', async () => {
    const other = join(bench.folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'secret.txt'), 'of another ticket');
    const printed = await run(`cat ${other}/secret.txt; echo x > ${other}/made.txt`);
    assert.doesNotMatch(printed, /of another ticket/);
    assert.ok(!existsSync(join(other, 'made.txt')));
    const reading = await agent.createSession({ directory: bench.repository, title: 'ABC-1 reads', policy: 'read_only' });
    bench.model.reset();
    bench.model.answer = (_request, index) =>
      index === 0 ? { kind: 'tool', tool: 'read', input: { filePath: join(bench.repository, 'try.sh') } } : { kind: 'text', text: 'read' };
    const reply = await agent.prompt(reading, { member: 'tiny/one', policy: 'read_only', text: 'go' }, callOptions());
    assert.ok(reply.ok && reply.tools[0]?.status === 'completed', JSON.stringify(reply));
    assert.notEqual((await bench.record(/^planning/))?.nonce, (await bench.record(/^coding/))?.nonce);
    assert.deepEqual(await agent.findSession(bench.repository, 'ABC-1 reads'), reading);
    assert.equal((await agent.look(reading)).state, 'answered');
  });

  it('starts where no server ever ran on this machine', async () => {
    const env = bench.options().env ?? {};
    const fresh = { ...env, XDG_CACHE_HOME: join(bench.folder, 'cache'), BEADSMITH_CACHE: undefined };
    const sandbox = await findSandbox('require', { commonDir: join(bench.repository, '.git') });
    const opencodePath = await findOpencode({ env });
    const first = bench.agent({ sandbox, env: fresh, opencodePath, stateDir: join(bench.folder, 'first') });
    try {
      assert.ok((await first.models()).includes('tiny/one'));
    } finally {
      await first.stop();
    }
  });

  it('asks for models where the ticket is planned, and starts no other server for that', async () => {
    const worktree = join(bench.folder, 'repository.worktrees', 'ABC-1');
    assert.ok((await agent.models(worktree)).includes('tiny/one'));
    const asked = await bench.record(/^planning/);
    assert.ok(asked);
    assert.equal(await bench.record(/^main/), undefined);
    mkdirSync(worktree, { recursive: true });
    await agent.createSession({ directory: worktree, title: 'ABC-1 scans', policy: 'read_only' });
    assert.equal((await bench.record(/^planning/))?.nonce, asked.nonce);
  });

  it('is started ahead, and used by the session that it was started for', async () => {
    agent.prepare({ directory: bench.repository, policy: 'default' });
    await until(async () => (await bench.record(/^coding/)) !== undefined, 'the server to start');
    const ahead = await bench.record(/^coding/);
    assert.match(await run('echo ran'), /^ran/);
    assert.equal((await bench.record(/^coding/))?.nonce, ahead?.nonce);
  });

  it('is adopted with its running session when its driver is killed', async () => {
    bench.model.answer = () => ({ kind: 'text', text: 'the answer of a long call', delayMs: 3_000 });
    const program = fileURLToPath(new URL('../../support/models/opencodeDriver.ts', import.meta.url));
    const orders = bench.orders('ABC-1 adopted', undefined, true);
    const driver = spawn(process.execPath, [program, orders], { stdio: ['ignore', 'pipe', 'inherit'] });
    await Promise.race([once(driver.stdout, 'data'), once(driver, 'exit').then(() => assert.fail('the driver ended'))]);
    driver.kill('SIGKILL');
    await once(driver, 'exit');
    const before = await bench.record(/^coding/);
    const session = await agent.findSession(bench.repository, 'ABC-1 adopted');
    assert.ok(session);
    assert.equal((await bench.record(/^coding/))?.nonce, before?.nonce);
    const reply: AgentReply = await agent.await(session, { member: 'tiny/one', policy: 'default' }, callOptions());
    assert.ok(reply.ok && reply.text === 'the answer of a long call');
    assert.equal(bench.model.requests.length, 1);
  });

  it('ends with everything in it when its guard is killed', async () => {
    await run(`env -i setsid sh -c 'exec sleep 876543' > /dev/null 2>&1 &\nsleep 0.2`);
    const left = () => processesOf('sleep 876543');
    assert.equal(left(), 1);
    const record = await bench.record(/^coding/);
    assert.ok(record);
    process.kill(record.guard.pid, 'SIGKILL');
    await until(async () => left() === 0 && !(await isAlive(record.server)), 'everything in the box to end');
  });
});

function processesOf(command: string): number {
  const lines = spawnSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).stdout.split('\n');
  return lines.filter((line) => line.trim() === command).length;
}
