import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { WorktreeFiles } from '../../../../src/adapters/files/ticketFiles.ts';
import { ensureIgnored } from '../../../../src/adapters/git/worktrees/worktreePlaces.ts';
import { provideInputs } from '../../../../src/adapters/workplace/provideInputs.ts';
import { tempFolder } from '../../../support/tempFolder.ts';

const agent = `
  const { renameSync, rmSync, symlinkSync } = require('node:fs');
  const { workerData: { folder, outside, stop } } = require('node:worker_threads');
  const real = folder + '.real';
  const flag = new Int32Array(stop);
  while (Atomics.load(flag, 0) === 0) {
    for (const step of [() => renameSync(folder, real), () => symlinkSync(outside, folder), () => rmSync(folder), () => renameSync(real, folder)])
      try { step(); } catch { /* the engine was faster */ }
    // Otherwise it takes a whole processor for as long as the engine waits for one.
    Atomics.wait(flag, 0, 0, 0.1);
  }
`;

describe('what the engine writes into a worktree while an agent puts links in its way', function () {
  this.timeout(20_000);
  const files = new WorktreeFiles();

  /** Answers what is outside after many tries while a folder is now a folder and now a link. */
  async function raced(
    folder: string,
    work: (worktree: string, outside: string) => Promise<unknown>,
  ): Promise<readonly string[]> {
    const temp = tempFolder('raced');
    const [worktree, outside] = [join(temp.path, 'tree'), join(temp.path, 'outside')];
    mkdirSync(join(worktree, folder), { recursive: true });
    mkdirSync(join(outside, 'mine'), { recursive: true });
    writeFileSync(join(outside, 'mine/kept'), 'kept');
    const stop = new SharedArrayBuffer(4);
    const thread = new Worker(agent, {
      eval: true,
      workerData: { folder: join(worktree, folder), outside, stop },
    });
    try {
      await once(thread, 'online');
      for (let count = 0; count < 300; count += 1) await work(worktree, outside).catch(() => undefined);
    } finally {
      Atomics.store(new Int32Array(stop), 0, 1);
      await once(thread, 'exit');
    }
    assert.equal(readFileSync(join(outside, 'mine/kept'), 'utf8'), 'kept');
    const found = readdirSync(outside).filter((name) => name !== 'mine');
    temp.remove();
    return found;
  }

  before(function () {
    // Elsewhere folders aren't held by a handle.
    if (process.platform !== 'linux') this.skip();
  });

  it('never lands behind a link', async () => {
    assert.deepEqual(
      await raced('.ticket/runtime', (worktree) => files.write(worktree, '.ticket/runtime/state.yaml', 'x')),
      [],
    );
    assert.deepEqual(
      await raced('.ticket/runtime', (worktree) => files.append(worktree, '.ticket/runtime/log', 'x')),
      [],
    );
  });

  it('removes nothing behind a link', async () => {
    assert.deepEqual(
      await raced('.ticket/runtime', async (worktree) => {
        await files.remove(worktree, '.ticket/runtime/mine');
        await files.remove(worktree, '.ticket/runtime');
        mkdirSync(join(worktree, '.ticket/runtime'), { recursive: true });
      }),
      [],
    );
  });

  it('makes no rule and puts no input behind a link', async () => {
    assert.deepEqual(await raced('.ticket', (worktree) => ensureIgnored(join(worktree, '.ticket'))), []);
    const checkout = tempFolder('checkout');
    writeFileSync(join(checkout.path, 'secret'), 'x');
    mkdirSync(join(checkout.path, 'config'));
    writeFileSync(join(checkout.path, 'config/secret'), 'x');
    const inputs = [{ path: 'config/secret', use: 'copy' as const, reason: '' }];
    assert.deepEqual(await raced('config', (worktree) => provideInputs(checkout.path, worktree, inputs)), []);
    checkout.remove();
  });
});
