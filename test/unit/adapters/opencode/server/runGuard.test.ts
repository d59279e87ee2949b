import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type GuardAnswer, runGuard } from '../../../../../src/adapters/opencode/server/runGuard.ts';
import { basicAuth } from '../../../../../src/adapters/opencode/sandbox/serverHealth.ts';
import {
  ServerFiles,
  type ServerRecord,
  unpackFolder,
} from '../../../../../src/adapters/opencode/server/serverFiles.ts';
import type { GuardOrders } from '../../../../../src/adapters/opencode/server/serverSetup.ts';
import {
  identityOf,
  isAlive,
  ownIdentity,
  type ProcessIdentity,
} from '../../../../../src/adapters/system/processes.ts';
import { nonceVariable } from '../../../../../src/adapters/system/processTree.ts';
import { folderForEach } from '../../../../support/tempFolder.ts';
import { pidIn, until } from '../../../../support/until.ts';

/** Longer than any test, so that waiting for it is noticed. */
const everMs = 600_000;
/** Of this process: it is searched for in the whole system. */
const nonce = `nonce-of-this-${String(process.pid)}`;
/** Its fifth argument is the port. */
const ready = 'echo "listening on http://127.0.0.1:$5 "; exec sleep 600';

describe('the guard of a server', () => {
  const state = folderForEach('guard');
  const ends: (() => Promise<void>)[] = [];
  before(function () {
    if (process.platform === 'linux') return;
    console.log('skipped: processes are found by their environment on Linux only');
    this.skip();
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  const at = (name: string) => join(state.path, name);
  const logFile = () => at('logs/opencode.log');
  const filesOf = () => new ServerFiles(state.path, 'main');

  interface Guarded {
    readonly files: ServerFiles;
    readonly answers: GuardAnswer[];
    readonly stop: () => void;
    readonly done: Promise<GuardAnswer | undefined>;
    readonly record: () => Promise<ServerRecord>;
    readonly server: () => Promise<number>;
  }

  async function guarded(script: string, more: Partial<GuardOrders> = {}): Promise<Guarded> {
    const binary = at('server.sh');
    const noted = `echo $$ > '${at('pid')}'; echo "$PWD $*" > '${at('words')}'; printf %s "$OPENCODE_SERVER_PASSWORD" > '${at('password')}'`;
    writeFileSync(binary, `#!/bin/sh\n${noted}\n${script}\n`, { mode: 0o700 });
    mkdirSync(at('folder'), { recursive: true });
    const orders: GuardOrders = {
      binary,
      stateDir: state.path,
      domain: 'main',
      folder: at('folder'),
      logFile: logFile(),
      nonce,
      env: { PATH: process.env['PATH'] ?? '', [nonceVariable]: nonce },
      starter: await ownIdentity(),
      version: '1.2.3',
      configHash: 'hash',
      graceMs: everMs,
      startLimitMs: everMs,
      maxBytes: Infinity,
      maxAgeMs: everMs,
      ...more,
    };
    const stop = Promise.withResolvers<void>();
    const answers: GuardAnswer[] = [];
    const done = runGuard(orders, { stopped: stop.promise, answer: (answer) => answers.push(answer) }).then(
      () => answers.at(-1),
    );
    ends.push(async () => {
      stop.resolve();
      await done;
    });
    const files = filesOf();
    const record = async () => {
      await until(() => answers.length > 0, 'it answers');
      assert.deepEqual(answers, [{ ok: true }]);
      const found = await files.read();
      assert.ok(found);
      return found;
    };
    const server = () => until(() => pidIn(at('pid')), 'the server runs');
    return { files, answers, stop: stop.resolve, done, record, server };
  }

  const isGone = async (server: ProcessIdentity): Promise<boolean> => !(await isAlive(server));

  it('answers when the server is ready, with a record of it for this user alone', async () => {
    const since = Date.now();
    const { record, answers, server } = await guarded(ready);
    const { url, password, startedAt, ...rest } = await record();
    const { port } = new URL(url);
    assert.equal(url, `http://127.0.0.1:${port}`);
    assert.deepEqual(
      { ...rest, server: rest.server.pid },
      {
        schema: 2,
        version: '1.2.3',
        configHash: 'hash',
        nonce,
        recycle: false,
        guard: await ownIdentity(),
        server: await server(),
      },
    );
    assert.ok(await isAlive(rest.server));
    assert.ok(startedAt >= since && startedAt <= Date.now());
    assert.ok(password.length >= 32);
    assert.equal(readFileSync(at('password'), 'utf8'), password);
    assert.equal(
      readFileSync(at('words'), 'utf8'),
      `${at('folder')} serve --hostname 127.0.0.1 --port ${port}\n`,
    );
    assert.equal(statSync(at('servers/main.json')).mode & 0o777, 0o600);
    assert.equal(statSync(logFile()).mode & 0o777, 0o600);
    assert.equal(statSync(at('logs')).mode & 0o777, 0o700);
    assert.equal(answers.length, 1);
  });

  it('gives every server a password of its own', async () => {
    const first = await guarded(ready);
    const { password } = await first.record();
    first.stop();
    await first.done;
    assert.notEqual((await (await guarded(ready)).record()).password, password);
  });

  describe('ends the server', () => {
    it('after the grace, if nobody uses it, and not before, and removes what was its', async () => {
      const unpacked = join(unpackFolder({ stateDir: state.path, domain: 'main' }), nonce);
      mkdirSync(unpacked, { recursive: true });
      const since = performance.now();
      const { files, record, done } = await guarded(ready, { graceMs: 400 });
      const { server } = await record();
      const recycled: boolean[] = [];
      const isRemoved = async () => {
        const seen = await files.read();
        if (seen) recycled.push(seen.recycle);
        return !seen;
      };
      await until(isRemoved, 'the record is removed');
      assert.ok(performance.now() - since >= 400, 'it is kept for the grace');
      assert.deepEqual(await done, { ok: true });
      assert.ok(await isGone(server));
      assert.ok(!existsSync(unpacked));
      assert.ok(!recycled.includes(true), 'it is neither large nor old');
    });

    it('once the last user has been gone for the whole grace', async () => {
      const user = filesOf();
      await user.own();
      // Every tenth check reads the age, so the user has been there for longer than the grace by then.
      const { files, record, done } = await guarded(ready, { graceMs: 200, maxAgeMs: 300 });
      const { server } = await record();
      await until(async () => (await files.read())?.recycle, 'it is seen to be old');
      assert.ok(await isAlive(server));
      const since = performance.now();
      await user.disown();
      await done;
      assert.ok(performance.now() - since >= 190, 'it is kept for the grace');
      assert.ok(await isGone(server));
      assert.equal(await files.read(), undefined);
    });

    it('when another one has taken its place, whose record stays', async () => {
      const { files, record, done } = await guarded(ready, { graceMs: 200 });
      const own = await record();
      await files.own();
      await files.write({ ...own, nonce: 'nonce-of-another' });
      await done;
      assert.ok(await isGone(own.server));
      assert.equal((await files.read())?.nonce, 'nonce-of-another');
    });

    it('when it is stopped', async () => {
      const { files, record, done, stop, answers } = await guarded(ready);
      const { server } = await record();
      stop();
      await done;
      assert.ok(await isGone(server));
      assert.deepEqual([await files.read(), answers], [undefined, [{ ok: true }]]);
    });

    it('with what it started', async () => {
      const child = `sh -c 'echo $$ > "$0"; exec sleep 600' '${at('child')}' &`;
      const { record, done, stop } = await guarded(`${child}\n${ready}`);
      await record();
      const started = await until(() => pidIn(at('child')), 'it has started something');
      stop();
      await done;
      assert.equal(await identityOf(started), undefined);
    });
  });

  it('keeps a server that another process is adopting', async () => {
    mkdirSync(at('servers'));
    const other = await identityOf(process.ppid);
    assert.ok(other);
    writeFileSync(at('servers/main.lock'), JSON.stringify({ ...other, nonce: 'adopts', epoch: 0 }));
    const { files, record, done } = await guarded(ready, { graceMs: 0, maxBytes: 0 });
    const { server } = await record();
    await until(async () => (await files.read())?.recycle, 'it has tried to end it');
    assert.ok(await isAlive(server));
    rmSync(at('servers/main.lock'));
    await done;
    assert.ok(await isGone(server));
  });

  it('removes the record of a server that ends by itself', async () => {
    const { files, record, done } = await guarded(ready);
    process.kill((await record()).server.pid, 'SIGKILL');
    assert.deepEqual(await done, { ok: true });
    assert.equal(await files.read(), undefined);
  });

  describe('says why there is no server:', () => {
    const failing = async (script: string, more: Partial<GuardOrders> = {}) => {
      const { files, done, answers, server } = await guarded(script, more);
      const answer = await done;
      assert.deepEqual([await files.read(), answers.length], [undefined, 1]);
      const pid = await server();
      assert.equal(await identityOf(pid), undefined);
      return answer;
    };
    const because = (reason: string) => ({ ok: false, reason });

    it('it ended', async () => {
      assert.deepEqual(await failing('echo broken; exit 3'), because('it ended with 3'));
      assert.equal(readFileSync(logFile(), 'utf8'), 'broken\n');
    });

    it('it was killed', async () => {
      assert.deepEqual(await failing('kill -9 $$'), because('it ended with SIGKILL'));
    });

    it('it was not ready in time', async () => {
      const other = 'echo "listening on http://127.0.0.1:$(($5 + 1)) "; exec sleep 600';
      assert.deepEqual(await failing(other, { startLimitMs: 250 }), because('it was not ready after 0.25 s'));
    });

    it('it was stopped', async () => {
      const { done, stop, server } = await guarded('exec sleep 600');
      const pid = await server();
      stop();
      assert.deepEqual(await done, because('it was stopped'));
      assert.equal(await identityOf(pid), undefined);
    });

    it('who started it has ended, and has perhaps been succeeded', async () => {
      const gone = { ...(await ownIdentity()), started: '1' };
      assert.deepEqual(await failing(ready, { starter: gone }), because('who started it has ended'));
    });
  });

  it('asks for another server once this one is too old', async () => {
    const { files, record } = await guarded(ready, { graceMs: 200, maxAgeMs: 0 });
    await files.own();
    const before = await record();
    const after = await until(
      async () => ((await files.read())?.recycle === true ? files.read() : undefined),
      'it asks for another one',
    );
    assert.deepEqual(after, { ...before, recycle: true });
  });

  describe('keeps a log of the server', () => {
    const earlier = (bytes: number) => {
      mkdirSync(at('logs'));
      writeFileSync(logFile(), 'earlier\n', { mode: 0o644 });
      if (bytes > 0) truncateSync(logFile(), bytes);
    };

    it('which continues the one of the server before, for this user alone', async () => {
      earlier(5_000_000);
      await (await guarded(ready)).record();
      assert.ok(!existsSync(`${logFile()}.1`));
      const { size, mode } = statSync(logFile());
      assert.deepEqual([size > 5_000_000, mode & 0o777], [true, 0o600]);
    });

    it('which starts again when it is large', async () => {
      earlier(5_000_001);
      await (await guarded(ready)).record();
      assert.equal(statSync(`${logFile()}.1`).size, 5_000_001);
      assert.match(readFileSync(logFile(), 'utf8'), /^listening on /);
      assert.equal(statSync(logFile()).mode & 0o777, 0o600);
    });
  });

  describe('of a sandbox', () => {
    const port = 23_456;
    const says = `listening on http://127.0.0.1:${String(port)} \n`;

    /** Orders for a sandbox whose server is in this process. */
    const inSandbox = async (): Promise<NonNullable<GuardOrders['sandbox']>> => {
      const sockets = at('s');
      mkdirSync(sockets);
      const inner = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', (asked) => {
          const authorization = /^authorization: (.*)$/im.exec(asked.toString())?.[1] ?? '';
          socket.end(
            `HTTP/1.1 200 OK\r\ncontent-length: ${String(authorization.length)}\r\nconnection: close\r\n\r\n${authorization}`,
          );
        });
      });
      await new Promise<void>((resolve) => inner.listen(join(sockets, 'server.sock'), resolve));
      ends.unshift(() => new Promise((resolve) => inner.close(() => resolve())));
      return {
        args: ['in', 'its', 'sandbox'],
        port,
        sockets,
        upstreams: {},
        asked: at('asked'),
        hosts: [],
        proxies: {},
      };
    };

    it('puts its own password before the one of the server, and leaves no sockets', async () => {
      const orders = await inSandbox();
      const { record, stop, done } = await guarded(`printf '${says.trimEnd()} \\n'; exec sleep 600`, {
        sandbox: orders,
      });
      const { url, password, server } = await record();
      assert.notEqual(url, `http://127.0.0.1:${String(port)}`);
      assert.equal(readFileSync(at('words'), 'utf8'), `${at('folder')} in its sandbox\n`);
      const inner = readFileSync(at('password'), 'utf8');
      assert.notEqual(inner, password);
      const answer = await fetch(url, { headers: { authorization: basicAuth(password) } });
      assert.equal(await answer.text(), basicAuth(inner));
      stop();
      await done;
      assert.ok(await isGone(server));
      assert.ok(!existsSync(orders.sockets));
      await assert.rejects(fetch(url));
    });

    it('takes only what its own server says for a sign that it is ready', async () => {
      const orders = await inSandbox();
      mkdirSync(at('logs'));
      writeFileSync(logFile(), `über ${says}`);
      const { done } = await guarded('exec sleep 600', { sandbox: orders, startLimitMs: 150 });
      assert.deepEqual(await done, { ok: false, reason: 'it was not ready after 0.15 s' });
    });
  });
});
