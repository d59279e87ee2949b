import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer, Server, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { mock } from 'node:test';
import { pathToFileURL } from 'node:url';
import { insideProgram, withWays, type Ways } from '../../../../../src/adapters/system/relay/ways.ts';
import { folderForEach } from '../../../../support/tempFolder.ts';
import { until } from '../../../../support/until.ts';

/** As long as a test may take, in steps between which a signal is heard. */
const forAWhile = 'i=0; while [ $((i += 1)) -lt 500 ]; do sleep 0.02; done';

/** Its end and signals are taken from it: it runs in the tests' process. */
describe('the program in a sandbox', () => {
  const temp = folderForEach('inside');
  let runs = 0;
  const servers: Server[] = [];
  const variables = ['ELECTRON_RUN_AS_NODE', 'NODE_NO_WARNINGS', 'KEPT'];
  afterEach(async () => {
    mock.restoreAll();
    for (const name of variables) Reflect.deleteProperty(process.env, name);
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  });

  const at = (name: string) => join(temp.path, name);
  const written = (name: string) =>
    until(() => existsSync(at(name)) && readFileSync(at(name), 'utf8'), `the command writes ${name}`);

  interface Ran {
    readonly signal: (name: NodeJS.Signals) => void;
    /** Its exit code, or the signal that it sent to itself. */
    readonly ended: Promise<unknown>;
  }

  async function run(script: string, ways: Ways = {}, program = '/bin/sh'): Promise<Ran> {
    // A mock of a mock would come back in place of the original.
    mock.restoreAll();
    const ended = Promise.withResolvers<unknown>();
    const signals = new Map<string, () => void>();
    const listen: unknown = Reflect.get(Server.prototype, 'listen');
    mock.method(Server.prototype, 'listen', function (this: Server, ...args: unknown[]) {
      servers.push(this);
      return Reflect.apply(listen as () => void, this, args) as Server;
    });
    mock.method(process, 'exit', (code: number) => ended.resolve(code));
    mock.method(process, 'kill', (pid: number, name: string) => {
      assert.equal(pid, process.pid);
      // Its own handler would keep it from ending.
      if (!signals.has(name)) ended.resolve(name);
    });
    const on = process.on.bind(process) as (name: string, listener: () => void) => NodeJS.Process;
    mock.method(process, 'on', (name: string, listener: () => void) => {
      if (!name.startsWith('SIG')) return on(name, listener);
      signals.set(name, listener);
      return process;
    });
    mock.method(process, 'removeAllListeners', (name: string) => signals.delete(name));
    const argv = process.argv;
    const started = withWays({ program, args: ['-c', script], env: {} }, ways);
    process.argv = [started.program, ...started.args];
    try {
      await import(`${pathToFileURL(insideProgram).href}?${String(++runs)}`);
    } finally {
      process.argv = argv;
    }
    return { signal: (name) => signals.get(name)?.(), ended: ended.promise };
  }

  async function freePort(): Promise<number> {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }

  async function echo(where: string | undefined): Promise<Server> {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('end', () => socket.end(`heard ${text}`));
      socket.on('error', () => undefined);
    });
    servers.push(server);
    await new Promise<void>((resolve) =>
      where === undefined ? server.listen(0, '127.0.0.1', resolve) : server.listen(where, resolve),
    );
    return server;
  }

  /** Answers what came back until the connection ended. */
  const say = (to: { readonly port: number } | { readonly path: string }): Promise<string> =>
    new Promise((resolve) => {
      let text = '';
      const socket = connect({ ...to, host: '127.0.0.1', allowHalfOpen: true });
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
      socket.on('end', () => socket.destroy());
      socket.end('hello');
    });

  it('starts the command, without what only its own start needed, and ends as it ends', async () => {
    for (const name of variables) process.env[name] = 'set';
    const { ended } = await run(
      `echo "$KEPT-$ELECTRON_RUN_AS_NODE-$NODE_NO_WARNINGS" > '${at('env')}'; exit 7`,
    );
    assert.equal(await ended, 7);
    assert.equal(await written('env'), 'set--\n');
  });

  it('ends by the signal that its command ended by', async () => {
    assert.equal(await (await run('kill -9 $$')).ended, 'SIGKILL');
    assert.equal(await (await run('kill -TERM $$')).ended, 'SIGTERM');
  });

  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    it(`passes ${name} on to the command`, async () => {
      const { signal, ended } = await run(
        `trap 'exit 5' ${name.slice(3)}; echo > '${at('ready')}'; ${forAWhile}`,
      );
      await written('ready');
      signal(name);
      assert.equal(await ended, 5);
    });

  it('says that a command could not be started', async () => {
    const { ended } = await run('', {}, '/nowhere/program');
    const said = mock.method(console, 'error', () => undefined);
    assert.equal(await ended, 127);
    assert.match(
      String(said.mock.calls[0]?.arguments[0]),
      /^\/nowhere\/program could not be started: .*ENOENT/,
    );
  });

  it('has ways out, on which either side may be the first to have said everything', async () => {
    await echo(at('out.sock'));
    const heard = Promise.withResolvers<string>();
    const speaker = createServer({ allowHalfOpen: true }, (socket) => {
      socket.end('welcome');
      socket.on('data', (chunk) => heard.resolve(chunk.toString()));
    });
    servers.push(speaker);
    await new Promise<void>((resolve) => speaker.listen(at('speaker.sock'), resolve));
    const [port, other] = [await freePort(), await freePort()];
    const { ended } = await run('exit 0', {
      out: [
        [port, at('out.sock')],
        [other, at('speaker.sock')],
      ],
    });
    assert.equal(await ended, 0);
    assert.equal(await say({ port }), 'heard hello');
    const socket = connect({ port: other, host: '127.0.0.1', allowHalfOpen: true });
    socket.resume().once('end', () => socket.end('thanks'));
    assert.equal(await heard.promise, 'thanks');
  });

  it('has ways in, which are there before the command is', async () => {
    const inner = await echo(undefined);
    const ways = { in: [[at('in.sock'), (inner.address() as AddressInfo).port]] } as const;
    const { ended } = await run(`[ -S '${at('in.sock')}' ]`, ways);
    assert.equal(await ended, 0);
    assert.equal(await say({ path: at('in.sock') }), 'heard hello');
  });

  it('ends a connection that leads nowhere', async () => {
    const port = await freePort();
    const { ended } = await run('exit 0', { out: [[port, at('missing.sock')]] });
    assert.equal(await say({ port }), '');
    assert.equal(await ended, 0);
  });

  it('starts nothing if a way can’t be made', async () => {
    const taken = await echo(undefined);
    const ways = { out: [[(taken.address() as AddressInfo).port, at('out.sock')]] } as const;
    await assert.rejects(run(`echo > '${at('started')}'`, ways), { code: 'EADDRINUSE' });
    assert.ok(!existsSync(at('started')));
  });
});
