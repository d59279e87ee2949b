import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { askedFile, openModelRelay } from '../../../../../src/adapters/opencode/sandbox/modelRelay.ts';
import { sealProviders } from '../../../../../src/adapters/opencode/sandbox/providers.ts';
import { openServerRelay } from '../../../../../src/adapters/opencode/sandbox/relays.ts';
import { basicAuth } from '../../../../../src/adapters/opencode/sandbox/serverHealth.ts';
import { tempFolder } from '../../../../support/tempFolder.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** What passes between a sandbox and its models, and a client and its server. */
describe('The relays of a sandboxed server', () => {
  const temp = tempFolder('relays');
  const asked = join(temp.path, 'asked');
  const seen: { method: string; url: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
  const servers: Server[] = [];
  let port = 0;
  let stream: ((write: (text: string) => void, end: () => void) => void) | undefined;

  before(async () => {
    mkdirSync(asked);
    const provider = createServer((incoming, outgoing) => {
      let body = '';
      incoming.on('data', (chunk: Buffer) => (body += chunk.toString()));
      incoming.on('end', () => {
        seen.push({
          method: incoming.method ?? '',
          url: incoming.url ?? '',
          headers: incoming.headers,
          body,
        });
        if (!stream) return outgoing.end('answer');
        outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
        stream(
          (text) => outgoing.write(text),
          () => outgoing.end(),
        );
        return undefined;
      });
    });
    servers.push(provider);
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    port = (provider.address() as AddressInfo).port;
    const sealed = sealProviders({
      config: {
        provider: {
          mine: {
            npm: 'x',
            options: {
              baseURL: `http://127.0.0.1:${port}/deep/v1/`,
              apiKey: '{env:MINE}',
              headers: { 'x-team': 'secret-team' },
            },
          },
          other: { options: { baseURL: `http://127.0.0.1:${port}/other`, apiKey: 'other-key' } },
        },
      },
      login: '',
      env: { MINE: 'my-real-key' },
      relay: 'http://127.0.0.1:1',
    });
    placeholders =
      (sealed.provider as Record<string, { options: Record<string, unknown> }>)['mine']?.options ?? {};
    servers.push(
      await openModelRelay({
        socket: join(temp.path, 'model.sock'),
        upstreams: sealed.upstreams,
        asked,
        env: {},
      }),
    );
    writeFileSync(askedFile(asked, 'mine'), '');
  });
  let placeholders: Record<string, unknown>;
  beforeEach(() => {
    seen.length = 0;
    stream = undefined;
  });
  after(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    temp.remove();
  });

  const send = (
    path: string,
    options: { method?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { method = 'POST', headers = {} } = options;
      const sent = request({ socketPath: join(temp.path, 'model.sock'), path, method, headers }, (answer) => {
        let body = '';
        answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
      });
      sent.on('error', reject);
      sent.end(method === 'POST' ? '{"a":1}' : undefined);
    });
  const raw = (text: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(join(temp.path, 'model.sock'));
      let answer = '';
      socket.on('data', (chunk) => (answer += chunk.toString()));
      socket.on('close', () => resolve(answer));
      socket.on('error', () => undefined);
      socket.end(text);
    });

  it('add the key outside, and show none inside', async () => {
    assert.equal(JSON.stringify(placeholders).includes('real'), false);
    assert.equal(JSON.stringify(placeholders).includes('secret-team'), false);
    const headers = {
      authorization: `Bearer ${String(placeholders['apiKey'])}`,
      'x-team': String((placeholders['headers'] as Record<string, string>)['x-team']),
    };
    const { status, body } = await send('/mine/chat/completions?a=b', { headers });
    assert.deepEqual([status, body], [200, 'answer']);
    assert.equal(seen[0]?.url, '/deep/v1/chat/completions?a=b');
    assert.equal(seen[0].headers['authorization'], 'Bearer my-real-key');
    assert.equal(seen[0].headers['x-team'], 'secret-team');
    assert.equal(seen[0].headers['host'], `127.0.0.1:${port}`);
    assert.equal(seen[0].body, '{"a":1}');
  });

  it('pass an answer on while it is written', async () => {
    let more = (_text: string): void => undefined;
    let end = (): void => undefined;
    stream = (write, finish) => {
      write('data: one\n\n');
      [more, end] = [write, finish];
    };
    const sent = request({
      socketPath: join(temp.path, 'model.sock'),
      path: '/mine/chat/completions',
      method: 'POST',
    });
    const chunks: string[] = [];
    await new Promise<void>((resolve, reject) => {
      sent.on('error', reject);
      sent.on('response', (answer) => {
        answer.on('data', (chunk: Buffer) => {
          chunks.push(chunk.toString());
          if (chunks.length === 1) more('data: two\n\n');
          if (chunks.length === 2) end();
        });
        answer.on('end', resolve);
      });
      sent.end('{}');
    });
    assert.deepEqual(chunks, ['data: one\n\n', 'data: two\n\n']);
  });

  for (const [what, path, method] of [
    ['an unknown provider', '/nobody/chat/completions', 'POST'],
    ['a provider that the engine has not asked', '/other/chat/completions', 'POST'],
    ['another address', 'http://example.com/mine/chat/completions', 'POST'],
    ['another address without a scheme', '//example.com/chat/completions', 'POST'],
    ['a path that climbs', '/mine/../other/chat/completions', 'POST'],
    ['a path that climbs in disguise', '/mine/%2e%2e/other/chat/completions', 'POST'],
    ['a login in the address', '/mine/@example.com:80//chat/completions', 'POST'],
    ['lists of files', '/mine/files', 'GET'],
    ['an upload', '/mine/files', 'POST'],
    ['a deletion', '/mine/chat/completions', 'DELETE'],
    ['a prototype’s name', '/__proto__/chat/completions', 'POST'],
    ['other pages of the catalogue', '/models/other.json', 'GET'],
  ] as const) {
    it(`refuse ${what}`, async () => {
      assert.equal((await send(path, { method })).status, 403);
      assert.deepEqual(seen, []);
    });
  }

  it('refuse what no client would send', async () => {
    const tail = 'Host: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}';
    for (const text of [
      `POST /mine/chat/completions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${tail}`,
      `POST /mine/chat/completions\tHTTP/1.1\r\n${tail}`,
      'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n',
    ])
      assert.doesNotMatch(await raw(text), / 200 /);
    assert.deepEqual(seen, []);
  });

  it('take a password of their own on the way to the server, and hand on the server’s', async () => {
    const socket = join(temp.path, 'server.sock');
    const inner = createServer((incoming, outgoing) => outgoing.end(incoming.headers.authorization));
    servers.push(inner);
    await new Promise<void>((resolve) => inner.listen(socket, resolve));
    const { server, url } = await openServerRelay({ socket, password: 'outer', innerPassword: 'inner' });
    servers.push(server);
    assert.equal((server.address() as AddressInfo).address, '127.0.0.1', 'no other machine reaches it');
    const ask = (password: string) => fetch(url, { headers: { authorization: basicAuth(password) } });
    assert.equal(await (await ask('outer')).text(), basicAuth('inner'));
    assert.equal((await ask('inner')).status, 401);
    assert.equal((await fetch(url)).status, 401);
  });

  it('stay with the server’s socket when something else is put in its place', async function () {
    if (process.platform !== 'linux') {
      console.log('    Not run: only Linux opens a socket once.');
      return this.skip();
    }
    const [socket, hosts] = [join(temp.path, 'swapped.sock'), join(temp.path, 'host.sock')];
    const answering = (text: string) => createServer((_, outgoing) => outgoing.end(text));
    const [inner, host] = [answering('server'), answering('host')];
    servers.push(inner, host);
    await new Promise<void>((resolve) => inner.listen(socket, resolve));
    await new Promise<void>((resolve) => host.listen(hosts, resolve));
    const { server, url } = await openServerRelay({ socket, password: 'outer', innerPassword: 'inner' });
    servers.push(server);
    unlinkSync(socket);
    symlinkSync(hosts, socket);
    const answer = await fetch(url, { headers: { authorization: basicAuth('outer') } });
    assert.equal(await answer.text(), 'server');
    return undefined;
  });
});
