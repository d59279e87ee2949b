import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { folderForEach } from '../../support/tempFolder.ts';
import { until } from '../../support/until.ts';

const program = join(import.meta.dirname, '../../support/lockChild.ts');

for (const hardLinks of [true, false]) {
  describe(`a lock between processes, on a file system ${hardLinks ? 'with' : 'without'} hard links`, () => {
    const folder = folderForEach('lock');
    let file: string;
    const children: ChildProcessWithoutNullStreams[] = [];

    beforeEach(() => (file = join(folder.path, 'work.lock')));
    afterEach(() => {
      for (const child of children.splice(0)) {
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      }
    });

    const start = async (job: 'hold' | 'turns') => {
      const child = spawn(process.execPath, [
        program,
        job,
        file,
        join(folder.path, 'inside'),
        hardLinks ? 'yes' : 'no',
      ]);
      children.push(child);
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
      const said = async (line: string) => {
        await until(() => output.includes(`${line}\n`) || child.exitCode !== null, line, 30_000);
        assert.ok(output.includes(`${line}\n`), output);
      };
      await said('ready');
      return { child, said, go: () => child.stdin.write('go\n') };
    };

    it('lets one process at a time in, also when its holder is killed and three wait for it', async function () {
      this.timeout(60_000);
      const holder = await start('hold');
      holder.go();
      await holder.said('held');
      const waiters = await Promise.all([start('turns'), start('turns'), start('turns')]);
      for (const waiter of waiters) waiter.go();
      holder.child.kill('SIGKILL');
      for (const waiter of waiters) await waiter.said('done');
      assert.equal(readFileSync(join(folder.path, 'inside.log'), 'utf8').length, 15);
      rmSync(join(folder.path, 'inside.log'));
      assert.deepEqual(readdirSync(folder.path), []);
    });
  });
}
