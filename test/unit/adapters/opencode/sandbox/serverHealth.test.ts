import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { healthOf } from '../../../../../src/adapters/opencode/sandbox/serverHealth.ts';

describe('the health of a server', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  async function serve(listener: RequestListener): Promise<{ url: string; password: string }> {
    server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, password: 'p' };
  }

  it('is asked again when the connection breaks, as a kept one of a previous server on the same port does', async () => {
    let asked = 0;
    const at = await serve((request, response) => {
      asked += 1;
      if (asked < 3) request.socket.destroy();
      else response.end('{"healthy":true,"version":"1.2.3"}');
    });
    assert.equal(await healthOf(at), '1.2.3');
  });

  it('is unknown when nobody answers, when the password is refused, and when the answer makes no sense', async () => {
    const at = await serve((request, response) => {
      if (request.headers.authorization === undefined) response.writeHead(500);
      else if (request.headers.authorization.endsWith(Buffer.from('opencode:p').toString('base64')))
        response.write('<html>');
      else response.writeHead(401);
      response.end();
    });
    assert.equal(await healthOf(at), undefined);
    assert.equal(await healthOf({ ...at, password: 'other' }), undefined);
    server?.close();
    assert.equal(await healthOf({ url: 'http://127.0.0.1:1', password: 'p' }), undefined);
  });
});
