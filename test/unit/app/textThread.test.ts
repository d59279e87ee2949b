import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TextThread } from '../../../src/app/textThread.ts';
import { tempFolder } from '../../support/tempFolder.ts';

const program = `
  const { parentPort } = require('node:worker_threads');
  let asked = 0;
  parentPort.on('message', ({ input }) => {
    asked += 1;
    if (input === 'die') process.exit(3);
    if (input === 'loop') for (;;);
    if (input === 'hoard') { const all = []; for (;;) all.push(new Array(100_000).fill(all.length)); }
    parentPort.postMessage(input === 'fail' ? { error: 'no' } : { value: asked });
  });
  parentPort.postMessage('ready');
`;

describe('The thread that reads texts', function () {
  this.timeout(60_000);
  const folder = tempFolder('texts');
  const file = join(folder.path, 'thread.cjs');
  before(() => writeFileSync(file, program));
  after(() => folder.remove());
  const open = (limit = 10_000) => new TextThread(pathToFileURL(file), limit);

  it('answers one text after the other', async () => {
    const thread = open();
    assert.deepEqual(await Promise.all(['a', 'b', 'c'].map((text) => thread.read('x', text))), [
      { read: 1 },
      { read: 2 },
      { read: 3 },
    ]);
  });

  it('ends with a text that takes too long, and is started again for the next one', async () => {
    const thread = open(200);
    const answers = await Promise.all(['a', 'loop', 'b'].map((text) => thread.read('x', text)));
    assert.deepEqual(answers, [{ read: 1 }, 'late', { read: 1 }]);
  });

  it('ends with a text whose reader is no longer wanted', async () => {
    const thread = open();
    const stop = new AbortController();
    const reading = thread.read('x', 'loop', stop.signal);
    const next = thread.read('x', 'a');
    stop.abort();
    assert.equal(await reading, 'late');
    assert.deepEqual(await next, { read: 1 });
    assert.equal(await thread.read('x', 'a', stop.signal), 'late');
  });

  for (const end of ['die', 'hoard'])
    it(`refuses a text that ends it twice (${end}), and reads the next one`, async () => {
      const thread = open();
      assert.equal(await thread.read('x', end), 'late');
      assert.deepEqual(await thread.read('x', 'a'), { read: 1 });
    });

  it('says what a reader could not do', async () => {
    await assert.rejects(open().read('x', 'fail'), { code: 'UNEXPECTED', message: /no/ });
  });
});
