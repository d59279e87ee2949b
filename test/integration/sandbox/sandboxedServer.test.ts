import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findOpencode } from '../../../src/adapters/opencode/server/findOpencode.ts';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox.ts';
import type { OpencodeAgent } from '../../../src/adapters/opencode/opencodeAgent.ts';
import { isAlive } from '../../../src/adapters/system/processes.ts';
import type { ToolPolicy } from '../../../src/domain/usage/promptPlan.ts';
import type { AgentReply } from '../../../src/engine/ports/ports.ts';
import type { Sandbox } from '../../../src/engine/ports/sandboxPort.ts';
import { callOptions, OpencodeBench } from '../../support/models/opencodeServer.ts';
import { canTrySandbox } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';

const canTry = await canTrySandbox();
/** Codes in the worktree of the ticket. */
const coding = /^coding-ABC-1-/;

/**
 * It works as outside; its commands find the worktree and nothing else. Most tests share a server; the one
 * that kills its guard comes last.
 */
(canTry ? describe : describe.skip)('OpenCode in a sandbox', () => {
  let bench: OpencodeBench;
  let sandbox: Sandbox;
  let agent: OpencodeAgent;
  let tree: string;
  before(async () => {
    bench = await new OpencodeBench().start();
    sandbox = await findSandbox('require', { commonDir: join(bench.repository, '.git') });
    agent = bench.agent({ sandbox });
    tree = join(bench.folder, 'repository.worktrees', 'ABC-1');
  });
  beforeEach(() => bench.model.reset());
  after(() => bench.stop());

  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: bench.repository,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });

  /** Made when a test first needs it. */
  const worktree = (): string => {
    if (!existsSync(tree)) git('worktree', 'add', '--quiet', tree);
    return tree;
  };

  /** OpenCode's own rules don't see what is in a script. */
  const run = async (script: string, policy: ToolPolicy = 'default', by = agent): Promise<string> => {
    const directory = worktree();
    const session = await by.createSession({ directory, title: `ABC-1 ${Math.random()}`, policy });
    writeFileSync(join(directory, 'try.sh'), script);
    bench.model.reset();
    bench.model.answer = (_request, index) =>
      index === 0
        ? {
            kind: 'tool',
            tool: 'bash',
            input: { command: 'sh ./try.sh > printed.txt 2>&1', description: 'try' },
          }
        : { kind: 'text', text: 'done' };
    const reply = await by.prompt(session, { member: 'tiny/one', policy, text: 'go' }, callOptions());
    assert.ok(reply.ok && reply.text === 'done', JSON.stringify(reply));
    return readFileSync(join(directory, 'printed.txt'), 'utf8');
  };

  /** Whether an address answered. */
  const fetched = (name: string, url: string) =>
    `node -e "fetch('${url}', { signal: AbortSignal.timeout(3_000) }).then(() => console.log('${name} REACHED'), () => console.log('${name} refused'))"`;

  it('starts where no server ever ran on this machine', async () => {
    const env = bench.options().env ?? {};
    const fresh = { ...env, XDG_CACHE_HOME: join(bench.folder, 'cache'), BEADSMITH_CACHE: undefined };
    const opencodePath = await findOpencode({ env });
    const first = bench.agent({ sandbox, env: fresh, opencodePath, stateDir: join(bench.folder, 'first') });
    try {
      assert.ok((await first.models()).includes('tiny/one'));
    } finally {
      await first.stop();
    }
  });

  it('asks for models where the ticket is planned, and starts no other server for that', async () => {
    assert.ok(!existsSync(dirname(tree)), 'this is before the first ticket');
    assert.ok((await agent.models(tree)).includes('tiny/one'));
    const asked = await bench.record(/^planning/);
    assert.ok(asked);
    assert.equal(await bench.record(/^main/), undefined);
    await agent.createSession({ directory: worktree(), title: 'ABC-1 scans', policy: 'read_only' });
    assert.equal((await bench.record(/^planning/))?.nonce, asked.nonce);
  });

  it('is started ahead, used by the session that it was started for, and adopted with both when its driver is killed', async () => {
    bench.model.answer = () => ({ kind: 'text', text: 'the answer of a long call', delayMs: 3_000 });
    const program = fileURLToPath(new URL('../../support/models/opencodeDriver.ts', import.meta.url));
    const orders = bench.orders('ABC-1 adopted', { directory: worktree(), sandbox: true, ahead: true });
    const driver = spawn(process.execPath, [program, orders], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(driver, 'exit').then(() => assert.fail('the driver ended'));
    const [line] = (await Promise.race([once(driver.stdout, 'data'), ended])) as [Buffer];
    driver.kill('SIGKILL');
    await once(driver, 'exit');
    const { ahead } = JSON.parse(line.toString('utf8')) as { readonly ahead: string };
    assert.equal((await bench.record(coding))?.nonce, ahead);
    const session = await agent.findSession(tree, 'ABC-1 adopted');
    assert.ok(session);
    assert.equal((await bench.record(coding))?.nonce, ahead);
    const reply: AgentReply = await agent.await(
      session,
      { member: 'tiny/one', policy: 'default' },
      callOptions(),
    );
    assert.ok(reply.ok && reply.text === 'the answer of a long call');
    assert.equal(bench.model.requests.length, 1);
    assert.match(await run('echo ran'), /^ran/);
    assert.equal((await bench.record(coding))?.nonce, ahead);
  });

  it('has one server for planning, and one for each worktree that is coded in, which sees no other', async () => {
    const other = join(dirname(worktree()), 'ABC-2');
    mkdirSync(other);
    writeFileSync(join(other, 'secret.txt'), 'of another ticket');
    const printed = await run(`cat ${other}/secret.txt; echo x > ${other}/made.txt`);
    assert.doesNotMatch(printed, /of another ticket/);
    assert.ok(!existsSync(join(other, 'made.txt')));
    const reading = await agent.createSession({ directory: tree, title: 'ABC-1 reads', policy: 'read_only' });
    bench.model.reset();
    bench.model.answer = (_request, index) =>
      index === 0
        ? { kind: 'tool', tool: 'read', input: { filePath: join(tree, 'try.sh') } }
        : { kind: 'text', text: 'read' };
    const reply = await agent.prompt(
      reading,
      { member: 'tiny/one', policy: 'read_only', text: 'go' },
      callOptions(),
    );
    assert.ok(reply.ok && reply.tools[0]?.status === 'completed', JSON.stringify(reply));
    assert.notEqual((await bench.record(/^planning/))?.nonce, (await bench.record(coding))?.nonce);
    assert.deepEqual(await agent.findSession(tree, 'ABC-1 reads'), reading);
    assert.equal((await agent.look(reading)).state, 'answered');
  });

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
    const record = await bench.record(coding);
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

  it('writes its worktree and not the repository', async () => {
    const shared = join(bench.repository, '.git');
    const state = () => [readFileSync(join(shared, 'HEAD'), 'utf8'), git('for-each-ref')];
    worktree();
    const untouched = state();
    const script = [
      'echo x > made.txt; git commit --allow-empty -m x; git config user.name thief',
      `echo x > ${shared}/hooks/pre-commit; echo x > ${shared}/HEAD`,
    ];
    await run(script.join('\n'));
    assert.ok(existsSync(join(tree, 'made.txt')));
    assert.deepEqual(state(), untouched);
    assert.ok(!existsSync(join(shared, 'hooks', 'pre-commit')));
    assert.doesNotMatch(readFileSync(join(shared, 'config'), 'utf8'), /thief/);
  });

  it('ends with everything in it when its guard is killed', async () => {
    const session = await agent.createSession({
      directory: worktree(),
      title: 'ABC-1 waits',
      policy: 'default',
    });
    // It is still at work: what a tool leaves is ended with its call.
    const command = `env -i setsid sh -c 'echo > started; exec sleep 876543' > /dev/null 2>&1 & sleep 300`;
    bench.model.answer = () => ({ kind: 'tool', tool: 'bash', input: { command, description: 'wait' } });
    const waiting = agent.prompt(
      session,
      { member: 'tiny/one', policy: 'default', text: 'go' },
      callOptions(),
    );
    await until(() => existsSync(join(tree, 'started')), 'the command to run');
    const left = () => processesOf('sleep 876543');
    await until(() => left() === 1, 'the command to be the one that is looked for');
    const record = await bench.record(coding);
    assert.ok(record);
    process.kill(record.guard.pid, 'SIGKILL');
    await until(
      async () => !(await isAlive(record.server)) && left() === 0,
      'everything in the sandbox to end',
    );
    const reply = await waiting;
    assert.ok(!reply.ok && reply.failure.kind === 'gone', JSON.stringify(reply));
  });

  it('lets commands of a setup fetch from the registry, and reach the server as little', async () => {
    const registry = createServer((_, answer) => answer.end('from the registry'));
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${String((registry.address() as AddressInfo).port)}/`;
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
});

function processesOf(command: string): number {
  const lines = spawnSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).stdout.split('\n');
  return lines.filter((line) => line.trim() === command).length;
}
