import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { ScriptedModel } from '../../../src/host/demo/driveDemo.ts';
import { until } from '../../support/until.ts';

describe('the scripted model of a demo', () => {
  const ends: (() => Promise<void>)[] = [];
  const logged: string[] = [];
  const log = {
    write: (_level: string, text: string) => void logged.push(text),
    failure: (what: string, error: unknown) => void logged.push(`${what}: ${String(error)}`),
  };
  afterEach(async () => {
    logged.length = 0;
    for (const end of ends.splice(0)) await end();
  });

  async function start(port: number): Promise<ScriptedModel> {
    const model = await ScriptedModel.start(port, log);
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

  function isGone({ url }: ScriptedModel): Promise<boolean> {
    return fetch(`${url}/models`).then(
      () => false,
      () => true,
    );
  }

  async function listen(at: number): Promise<number> {
    const other: Server = createServer();
    other.listen(at, '127.0.0.1');
    await once(other, 'listening');
    ends.push(async () => {
      await once(other.close(), 'close');
    });
    const address = other.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  it('is started again where it was when it died, and only then', async () => {
    const model = await start(0);
    assert.equal(await model.keepUp(), true);
    assert.deepEqual(logged, []);
    process.kill(model.pid, 'SIGKILL');
    await until(async () => (await model.keepUp()) && logged.length > 0, 'its end is noticed');
    assert.equal((await fetch(`${model.url}/models`)).status, 200);
    assert.match(logged.join('\n'), /^[^\n]* ended, and is started again$/);
  });

  it('says so when it ended and another process took its port', async () => {
    const model = await start(0);
    process.kill(model.pid, 'SIGKILL');
    await until(() => isGone(model), 'it is gone');
    await listen(Number(new URL(model.url).port));
    await until(async () => !(await model.keepUp()), 'its end is noticed');
    assert.match(logged.join('\n'), /DEMO_MODEL_FAILED|EADDRINUSE/);
  });

  it('takes another port when another process has its own', async () => {
    const port = await listen(0);
    const model = await start(port);
    assert.notEqual(Number(new URL(model.url).port), port);
    assert.equal((await fetch(`${model.url}/models`)).status, 200);
  });
});
