import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import {
  connect,
  createServer as createListener,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { dial } from '../../../../../src/adapters/system/relay/registryRelay.ts';

/** A name of this machine, not of its loopback. */
const host = '0.0.0.0';

describe('a connection to a host', () => {
  const sockets: Socket[] = [];
  const servers: Server[] = [];
  let asked: { target: string; headers: IncomingHttpHeaders }[] = [];
  let status = '200 OK';
  let port = 0;
  let proxy = '';

  const track = (socket: Socket): Socket => {
    sockets.push(socket.on('error', () => undefined));
    return socket;
  };

  async function listening(server: Server): Promise<number> {
    servers.push(server.on('connection', track));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  before(async () => {
    port = await listening(createListener((socket) => socket.end('there')));
    const between = createServer().on('connect', (incoming, client: Socket) => {
      asked.push({ target: incoming.url ?? '', headers: incoming.headers });
      client.write(`HTTP/1.1 ${status}\r\n\r\n`);
      if (!status.startsWith('200')) return void client.end();
      return void track(connect(port, '127.0.0.1')).pipe(client);
    });
    proxy = `127.0.0.1:${String(await listening(between))}`;
  });
  beforeEach(() => ([asked, status] = [[], '200 OK']));
  afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));
  after(async () => {
    for (const server of servers) await new Promise((resolve) => server.close(resolve));
  });

  async function said(
    to: { readonly host: string; readonly port?: number },
    env: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const socket = track(await dial({ port, ...to, env }));
    assert.ok(!socket.timeout, 'an open connection may be silent for long');
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return text;
  }

  const targets = () => asked.map(({ target }) => target);

  it('is made directly where there is no proxy', async () => {
    assert.equal(await said({ host }), 'there');
    assert.equal(await said({ host }, { HTTPS_PROXY: '', NO_PROXY: 'other.example' }), 'there');
    assert.deepEqual(asked, []);
  });

  it('is made through the proxy of the person', async () => {
    assert.equal(await said({ host: 'a.example', port: 443 }, { HTTPS_PROXY: `http://${proxy}` }), 'there');
    assert.deepEqual(asked.splice(0), [
      { target: 'a.example:443', headers: { host: 'a.example:443', connection: 'close' } },
    ]);
    assert.equal(
      await said({ host: '2001:db8::1', port: 443 }, { ALL_PROXY: `http://${proxy}`, HTTPS_PROXY: '' }),
      'there',
    );
    assert.deepEqual(targets(), ['[2001:db8::1]:443']);
  });

  it('says the login of the proxy to it', async () => {
    await said({ host: 'a.example' }, { https_proxy: `http://me:p%40ss@${proxy}` });
    assert.equal(
      asked[0]?.headers['proxy-authorization'],
      `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
    );
  });

  it('has the proxy of its kind, and rather the one that is named in small letters', async () => {
    const [mine, other] = [`http://${proxy}`, 'http://127.0.0.1:1'];
    await said(
      { host: 'plain.example', port: 80 },
      { HTTP_PROXY: mine, HTTPS_PROXY: other, ALL_PROXY: other },
    );
    await said(
      { host: 'secure.example', port: 443 },
      { HTTPS_PROXY: mine, HTTP_PROXY: other, ALL_PROXY: other },
    );
    await said({ host: 'small.example', port: 443 }, { https_proxy: mine, HTTPS_PROXY: other });
    assert.deepEqual(targets(), ['plain.example:80', 'secure.example:443', 'small.example:443']);
  });

  it('passes by a proxy that is not of HTTP', async () => {
    assert.equal(await said({ host }, { HTTPS_PROXY: 'socks5://127.0.0.1:1' }), 'there');
    assert.equal(await said({ host }, { HTTPS_PROXY: 'http://' }), 'there');
  });

  it('passes by the proxy to this machine, and to hosts that are named for it', async () => {
    const env = { HTTPS_PROXY: 'http://127.0.0.1:1' };
    for (const name of ['127.0.0.1', 'localhost'])
      assert.equal(await said({ host: name }, env), 'there', name);
    for (const direct of [
      '*',
      host,
      `${host}:${String(port)}`,
      '.0.0.0',
      '*.0.0',
      `other.example, ${host}`,
    ]) {
      assert.equal(await said({ host }, { ...env, NO_PROXY: direct }), 'there', direct);
    }
    for (const direct of ['0.0.0.1', 'x0.0.0.0', '.0.0.0.0.0', ' , ']) {
      await assert.rejects(said({ host }, { ...env, NO_PROXY: direct }), { code: 'ECONNREFUSED' }, direct);
    }
    await said({ host: 'other-host.example' }, { HTTPS_PROXY: `http://${proxy}`, NO_PROXY: 'host.example' });
    assert.deepEqual(targets(), [`other-host.example:${String(port)}`]);
  });

  it('fails with what the proxy answers', async () => {
    status = '407 Proxy Authentication Required';
    await assert.rejects(said({ host: 'a.example' }, { HTTPS_PROXY: `http://${proxy}` }), {
      message: `the proxy ${proxy} answered 407`,
    });
  });

  it('fails where nobody listens', async () => {
    await assert.rejects(said({ host: '127.0.0.1', port: 1 }), { code: 'ECONNREFUSED' });
  });
});
