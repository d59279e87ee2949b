import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { loadPg } from '../../../../src/adapters/store/postgres/loadPg.ts';

/** A server at an address, which asks for the password in its way. */
class AskingServer extends Duplex {
  readonly heard: string[] = [];
  readonly remoteAddress: string;
  readonly #request: Buffer;

  constructor(remoteAddress: string, request: Buffer) {
    super();
    this.remoteAddress = remoteAddress;
    this.#request = request;
  }

  connect(): void {
    setImmediate(() => this.emit('connect'));
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): void {}
  unref(): void {}
  override _read(): void {}
  override _write(data: Buffer, _encoding: string, done: () => void): void {
    this.heard.push(data.toString('latin1'));
    done();
    if (this.heard.length === 1) this.push(this.#request);
    else this.destroy(new Error('it heard it'));
  }
}

const plain = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);
const md5 = Buffer.from([0x52, 0, 0, 0, 12, 0, 0, 0, 5, 1, 2, 3, 4]);

describe('a password', () => {
  const ask = async (address: string, request: Buffer) => {
    const server = new AskingServer(address, request);
    const pg = await loadPg();
    const client = new pg.Client({
      host: 'db.example',
      user: 'ann',
      password: 'secret',
      stream: () => server,
    });
    client.on('error', () => undefined);
    const failure = await client.connect().then(
      () => '',
      (error: unknown) => String(error),
    );
    return { heard: server.heard.slice(1), failure };
  };

  for (const [what, request] of [
    ['itself', plain],
    ['as MD5', md5],
  ] as const) {
    it(`is not sent ${what} to another machine that proved nothing`, async () => {
      const { heard, failure } = await ask('192.0.2.7', request);
      assert.deepEqual(heard, []);
      assert.match(failure, /the server asks for the password in a form that others could read/);
    });

    it(`is sent ${what} on this machine`, async () => {
      for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
        assert.equal((await ask(address, request)).heard.length, 1, address);
    });
  }
});
