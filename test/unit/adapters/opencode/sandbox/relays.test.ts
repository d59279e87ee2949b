import assert from 'node:assert/strict';
import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import {
  createServer,
  request,
  type IncomingMessage,
  type RequestListener,
  type RequestOptions,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { SandboxOrders } from '../../../../../src/adapters/opencode/sandbox/sandboxedServer.ts';
import { askedFile } from '../../../../../src/adapters/opencode/sandbox/modelRelay.ts';
import { Relays } from '../../../../../src/adapters/opencode/sandbox/relays.ts';
import { basicAuth } from '../../../../../src/adapters/opencode/sandbox/serverHealth.ts';
import { folderForEach } from '../../../../support/tempFolder.ts';
import { until } from '../../../../support/until.ts';

const outer = 'outer'.repeat(8);

describe('what stands around a sandboxed server', () => {
  const temp = folderForEach('around');
  const opened: Relays[] = [];
  const servers: Server[] = [];
  afterEach(async () => {
    for (const relays of opened.splice(0)) await relays.close();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  const at = (name: string) => join(temp.path, name);

  async function serve(listener: RequestListener, where: string | number): Promise<Server> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) =>
      typeof where === 'string' ? server.listen(where, resolve) : server.listen(where, '127.0.0.1', resolve),
    );
    return server;
  }

  const portOf = (server: Server) => (server.address() as AddressInfo).port;

  async function open(
    more: Partial<SandboxOrders> = {},
  ): Promise<{ readonly relays: Relays; readonly said: string[] }> {
    const said: string[] = [];
    const orders = {
      args: [],
      port: 1,
      sockets: temp.path,
      upstreams: {},
      asked: at('asked'),
      hosts: [],
      proxies: {},
      ...more,
    };
    const relays = await Relays.open(orders, outer, (text) => said.push(text));
    opened.push(relays);
    return { relays, said };
  }

  async function inward(listener: RequestListener) {
    const { relays } = await open();
    const inner = await serve(listener, at('server.sock'));
    const url = await relays.openInward();
    const ask = (password?: string) =>
      fetch(url, password === undefined ? {} : { headers: { authorization: basicAuth(password) } });
    return { relays, inner, url, ask };
  }

  const get = (options: RequestOptions): Promise<IncomingMessage & { readonly body: string }> =>
    new Promise((resolve, reject) => {
      const asked = request(options, (answer) => {
        let body = '';
        answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
        answer.on('end', () => resolve(Object.assign(answer, { body })));
      });
      asked.on('error', reject);
      asked.end();
    });

  it('is open to this user alone, and to registries only where there are hosts', async () => {
    await open();
    assert.equal(statSync(at('model.sock')).mode & 0o777, 0o600);
    assert.ok(!existsSync(at('registry.sock')));
    mkdirSync(at('other'));
    await open({ sockets: at('other'), hosts: ['a.example'] });
    assert.equal(statSync(at('other/model.sock')).mode & 0o777, 0o600);
    assert.equal(statSync(at('other/registry.sock')).mode & 0o777, 0o600);
  });

  it('leads to the models that were asked for', async () => {
    const provider = await serve((_, outgoing) => outgoing.end('answer'), 0);
    mkdirSync(at('asked'));
    await open({ upstreams: { mine: { base: `http://127.0.0.1:${String(portOf(provider))}`, keys: {} } } });
    const ask = () => get({ socketPath: at('model.sock'), method: 'POST', path: '/mine/responses' });
    assert.equal((await ask()).statusCode, 403);
    writeFileSync(askedFile(at('asked'), 'mine'), '');
    assert.equal((await ask()).body, 'answer');
  });

  it('leads to the hosts it was given, and notes once which others were asked for', async () => {
    const registry = await serve((_, outgoing) => outgoing.end('package'), 0);
    const host = `127.0.0.1:${String(portOf(registry))}`;
    const { said } = await open({ hosts: [host] });
    const ask = (path: string) => get({ socketPath: at('registry.sock'), path });
    assert.equal((await ask(`http://${host}/left`)).body, 'package');
    for (let times = 0; times < 2; times++)
      assert.equal((await ask('http://thief.example/')).statusCode, 403);
    assert.deepEqual(said, [
      'beadsmith: connection to thief.example refused; the setting beadsmith.sandboxHosts allows hosts\n',
    ]);
  });

  it('takes its own password on the way in, and hands on another one, which no other server has', async () => {
    let asked = 0;
    const { relays, ask } = await inward((incoming, outgoing) => {
      asked++;
      outgoing.end(incoming.headers.authorization);
    });
    assert.ok(relays.innerPassword.length >= 32);
    mkdirSync(at('other'));
    assert.notEqual((await open({ sockets: at('other') })).relays.innerPassword, relays.innerPassword);
    assert.deepEqual([(await ask(relays.innerPassword)).status, (await ask()).status], [401, 401]);
    assert.equal(await (await ask(outer)).text(), basicAuth(relays.innerPassword));
    assert.equal(asked, 1, 'what is refused does not reach the server');
  });

  it('passes on what is asked and answered on the way in', async () => {
    const { url } = await inward((incoming, outgoing) => {
      let body = '';
      incoming.on('data', (chunk: Buffer) => (body += chunk.toString()));
      incoming.on('end', () => {
        outgoing
          .writeHead(404, { 'x-mine': 'yes' })
          .end(`${incoming.method ?? ''} ${incoming.url ?? ''} ${body}`);
      });
    });
    const headers = { authorization: basicAuth(outer) };
    const answer = await fetch(`${url}/session?a=b`, { method: 'PUT', body: 'text', headers });
    assert.deepEqual(
      [answer.status, answer.headers.get('x-mine'), await answer.text()],
      [404, 'yes', 'PUT /session?a=b text'],
    );
  });

  it('passes on events as they come, and ends them for the server when nobody reads them any more', async () => {
    let closed = false;
    let more = (): void => undefined;
    const { url } = await inward((_, outgoing) => {
      outgoing.on('close', () => (closed = true));
      outgoing.writeHead(200).flushHeaders();
      more = () => outgoing.write('one');
    });
    const gone = new AbortController();
    const answer = await fetch(url, { headers: { authorization: basicAuth(outer) }, signal: gone.signal });
    more();
    const read = (await answer.body?.getReader().read()) as { readonly value?: Uint8Array } | undefined;
    assert.equal(Buffer.from(read?.value ?? []).toString(), 'one');
    gone.abort();
    await until(() => closed, 'the server sees it');
  });

  it('breaks off an answer that the server breaks off', async () => {
    const { ask } = await inward((incoming, outgoing) => {
      outgoing.writeHead(200, { 'content-length': '100' }).write('one', () => incoming.socket.destroy());
    });
    await assert.rejects((await ask(outer)).text());
  });

  it('says so when the server does not answer', async () => {
    const { ask, inner } = await inward((incoming) => incoming.socket.destroy());
    assert.equal((await ask(outer)).status, 502);
    await new Promise((resolve) => inner.close(resolve));
    assert.equal((await ask(outer)).status, 502);
  });

  it('has no way in to what is no socket of the server', async function () {
    if (process.platform !== 'linux') {
      console.log('    Not run: only Linux opens a socket once.');
      return this.skip();
    }
    const { relays } = await open();
    await assert.rejects(relays.openInward(), { code: 'ENOENT' });
    writeFileSync(at('server.sock'), '');
    await assert.rejects(relays.openInward(), /server\.sock is no socket/);
    mkdirSync(at('link'));
    const linked = await open({ sockets: at('link') });
    symlinkSync(at('model.sock'), at('link/server.sock'));
    // A link itself is no socket.
    await assert.rejects(linked.relays.openInward(), /server\.sock is no socket/);
    return undefined;
  });

  it('is closed at the end, with what is still read', async () => {
    const provider = await serve((_, outgoing) => outgoing.writeHead(200).write('one'), 0);
    const base = `http://127.0.0.1:${String(portOf(provider))}`;
    mkdirSync(at('asked'));
    writeFileSync(askedFile(at('asked'), 'mine'), '');
    const { relays } = await open({ upstreams: { mine: { base, keys: {} } }, hosts: ['a.example'] });
    await serve((_, outgoing) => outgoing.end(), at('server.sock'));
    const url = await relays.openInward();
    const broken = new Promise((resolve) => {
      const asked = request(
        { socketPath: at('model.sock'), method: 'POST', path: '/mine/responses' },
        (answer) => {
          answer.once('data', () => void relays.close());
          answer.on('error', resolve);
        },
      );
      asked.end();
    });
    await broken;
    assert.deepEqual([existsSync(at('model.sock')), existsSync(at('registry.sock'))], [false, false]);
    await assert.rejects(fetch(url));
  });
});
