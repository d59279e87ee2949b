import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { joinSockets } from '../../../../../src/adapters/system/relay/registryRelay.ts';
import { until } from '../../../../support/until.ts';

describe('two joined connections', () => {
  const sockets: Socket[] = [];
  let server: Server;
  before(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));
  after(() => server.close());

  async function pair(): Promise<readonly [outer: Socket, inner: Socket]> {
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const outer = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [inner] = await accepted;
    outer.on('error', () => undefined);
    sockets.push(outer, inner);
    return [outer, inner];
  }

  async function joined() {
    const [one, nearOne] = await pair();
    const [other, nearOther] = await pair();
    joinSockets(nearOne, nearOther);
    return { one, other, nearOne, nearOther };
  }

  const textOf = (socket: Socket): (() => string) => {
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    return () => text;
  };

  it('carry what is sent in both directions', async () => {
    const { one, other } = await joined();
    const [atOne, atOther] = [textOf(one), textOf(other)];
    one.write('there');
    other.write('back');
    await until(() => atOther() === 'there' && atOne() === 'back', 'both have it');
  });

  for (const which of ['one', 'other'] as const)
    it(`end together when ${which} of them breaks`, async () => {
      const { one, other, nearOne, nearOther } = await joined();
      const [near, far, seen] = which === 'one' ? [nearOne, nearOther, other] : [nearOther, nearOne, one];
      const closed = once(seen.resume(), 'close');
      near.destroy(new Error('the connection is broken'));
      await closed;
      assert.ok(far.destroyed);
    });

  it('end together when one of them is closed, with what it said before', async () => {
    const { one, other, nearOther } = await joined();
    const text = textOf(other);
    const closed = once(other, 'close');
    one.end('the last words');
    await closed;
    assert.deepEqual([text(), nearOther.destroyed], ['the last words', true]);
  });

  it('wait for each other, so that nothing piles up between them', async () => {
    const { one, other, nearOne, nearOther } = await joined();
    const block = Buffer.alloc(20_000_000);
    one.write(block);
    await until(() => nearOther.writableNeedDrain && nearOne.isPaused(), 'one waits for the other');
    let bytes = 0;
    other.on('data', (chunk) => (bytes += chunk.length));
    await until(() => bytes === block.length, 'all has arrived');
  });
});
