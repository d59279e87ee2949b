import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { portOf } from '../../../src/host/demo/driveDemo.ts';
import { type ScriptedModel, startScriptedModel } from '../../../src/host/demo/scriptedModel.ts';

describe('the scripted model of a demo', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  async function start(port: number): Promise<ScriptedModel> {
    const model = await startScriptedModel(port);
    ends.push(() => model.end());
    return model;
  }

  it('answers on loopback until it is ended, at the same port when it comes again', async () => {
    const first = await start(0);
    assert.equal(new URL(first.url).hostname, '127.0.0.1');
    assert.match(await (await fetch(`${first.url}/models`)).text(), /"alpha"/);
    await first.end();
    await assert.rejects(fetch(`${first.url}/models`));
    const port = Number(new URL(first.url).port);
    assert.equal((await start(port)).url, first.url);
  });

  it('takes another port when somebody else has its own', async () => {
    const other: Server = createServer();
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    ends.push(async () => {
      await once(other.close(), 'close');
    });
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const model = await start(port);
    assert.notEqual(Number(new URL(model.url).port), port);
    assert.equal((await fetch(`${model.url}/models`)).status, 200);
  });

  it('has the same port for the same demo, another for another, outside of those that systems hand out', () => {
    const ids = ['0f6a1c1e-0000-4000-8000-000000000000', 'ffffffff-0000-4000-8000-000000000000', '00000000-0000-4000-8000-000000000000'];
    const ports = ids.map((id) => portOf({ id }));
    assert.deepEqual(
      ports,
      ids.map((id) => portOf({ id })),
    );
    assert.equal(new Set(ports).size, 3);
    for (const port of ports) assert.ok(port >= 20_000 && port < 32_000, String(port));
  });
});
