import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import {
  allows,
  registryHosts,
  registryVariables,
} from '../../../../../src/adapters/system/relay/registryHosts.ts';
import {
  openRegistryRelay,
  type RegistryRelay,
} from '../../../../../src/adapters/system/relay/registryRelay.ts';
import { tempFolder } from '../../../../support/tempFolder.ts';

describe('The registry relay', () => {
  const temp = tempFolder('registry');
  const registry = createServer((incoming, outgoing) =>
    outgoing.end(`${incoming.url ?? ''} ${incoming.headers.host ?? ''}`),
  );
  let relay: RegistryRelay;
  let here = '';

  before(async () => {
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    here = `127.0.0.1:${(registry.address() as AddressInfo).port}`;
    relay = await openRegistryRelay({ hosts: [here], env: {}, socket: join(temp.path, 'relay.sock') });
  });
  after(async () => {
    await relay.close();
    registry.closeAllConnections();
    await new Promise((resolve) => registry.close(resolve));
    temp.remove();
  });

  const tunnel = (target: string): Promise<{ status: number; reason: string; socket: Socket }> =>
    new Promise((resolve, reject) => {
      const asked = request({ socketPath: relay.socket, method: 'CONNECT', path: target });
      asked.on('error', reject);
      asked.on('connect', (answer, socket: Socket) =>
        resolve({ status: answer.statusCode ?? 0, reason: answer.statusMessage ?? '', socket }),
      );
      asked.end();
    });
  const get = (path: string): Promise<{ status: number; body: string }> =>
    new Promise((resolve, reject) => {
      const asked = request({ socketPath: relay.socket, path }, (answer) => {
        let body = '';
        answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
      });
      asked.on('error', reject);
      asked.end();
    });

  it('connects to a listed host', async () => {
    const { status, socket } = await tunnel(here);
    assert.equal(status, 200);
    const answer = new Promise<string>((resolve) =>
      socket.once('data', (chunk) => resolve(chunk.toString())),
    );
    socket.write(`GET /left HTTP/1.1\r\nHost: ${here}\r\nConnection: close\r\n\r\n`);
    assert.match(await answer, /^HTTP\/1\.1 200 OK/);
    socket.destroy();
  });

  it('passes on a plain request to a listed host', async () => {
    assert.deepEqual(await get(`http://${here}/left?a=b`), { status: 200, body: `/left?a=b ${here}` });
  });

  it('refuses any other host, and says which and what allows it', async () => {
    const { status, reason } = await tunnel('collector.example:443');
    assert.deepEqual([status, reason], [403, 'Not in beadsmith.sandboxHosts']);
    const plain = await get('http://thief.example/secret');
    assert.equal(plain.status, 403);
    assert.match(plain.body, /thief\.example.*beadsmith\.sandboxHosts/);
    assert.deepEqual(relay.refused, ['collector.example:443', 'thief.example']);
  });

  it('refuses what only looks like a listed host', async () => {
    const [, port = ''] = here.split(':');
    for (const target of [
      `127.0.0.2:${port}`,
      `localhost:${port}`,
      `${here}@thief.example:443`,
      `thief.example#${here}`,
      '127.0.0.1:22',
      `[::1]:${port}`,
    ])
      assert.notEqual((await tunnel(target)).status, 200, target);
    for (const path of [
      `http://${here}@thief.example/`,
      '/left',
      `https://${here}/`,
      `http:${here}`,
      'ftp://x/',
    ])
      assert.notEqual((await get(path)).status, 200, path);
  });

  it('refuses a request that hides a second one', async () => {
    const socket = connect(relay.socket);
    const answer = new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
    });
    socket.end(`GET http://${here}/a\rGET http://thief.example/ HTTP/1.1\r\nHost: ${here}\r\n\r\n`);
    assert.match(await answer, /^HTTP\/1\.1 400/);
  });
});

describe('The hosts of registries', () => {
  const temp = tempFolder('hosts');
  after(() => temp.remove());

  it('are names on the ports of the web, or on a port of their own', () => {
    const hosts = ['a.example', '.b.example', 'c.example:4873'];
    const at = (host: string, port = 443) => allows(hosts, { host, port });
    assert.deepEqual(
      [at('a.example'), at('a.example', 80), at('a.example', 22), at('x.a.example')],
      [true, true, false, false],
    );
    assert.deepEqual([at('x.b.example'), at('b.example'), at('notb.example')], [true, false, false]);
    assert.deepEqual([at('c.example', 4873), at('c.example')], [true, false]);
  });

  it('include those that the person’s package managers are configured for, and no login', () => {
    mkdirSync(join(temp.path, '.config', 'pip'), { recursive: true });
    writeFileSync(
      join(temp.path, '.npmrc'),
      'registry=https://npm.corp.example:8443/npm/\n//npm.corp.example:8443/npm/:_authToken=abc\n',
    );
    writeFileSync(
      join(temp.path, '.config/pip/pip.conf'),
      '[global]\nindex-url = https://user:pass@pypi.corp.example/simple\n',
    );
    const env = {
      HOME: temp.path,
      GOPROXY: 'https://go.corp.example,direct',
      PIP_INDEX_URL: 'https://u:p@pypi.corp.example/simple',
    };
    const hosts = registryHosts(env, ['mirror.corp.example ']);
    for (const host of [
      'npm.corp.example:8443',
      'pypi.corp.example',
      'go.corp.example',
      'mirror.corp.example',
      'registry.npmjs.org',
    ])
      assert.ok(hosts.includes(host), host);
    assert.deepEqual(registryVariables(env), {
      npm_config_registry: 'https://npm.corp.example:8443/npm/',
      GOPROXY: 'https://go.corp.example,direct',
    });
  });
});
