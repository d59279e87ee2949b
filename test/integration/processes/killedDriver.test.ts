import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../src/adapters/clock/systemClock.ts';
import { RunningCommands } from '../../../src/adapters/process/runningCommands.ts';
import { Shell } from '../../../src/adapters/process/shell.ts';
import { ownIdentity } from '../../../src/adapters/system/processes.ts';
import { tempFolders } from '../../support/git/tempRepository.ts';
import { until } from '../../support/until.ts';

describe('commands of a killed driver', () => {
  const makeFolder = tempFolders();
  const shell = new Shell({ clock: systemClock, graceMs: 200 });
  const run = (command: string, cwd: string) => shell.run(command, { cwd, timeoutMs: 5_000 });

  // A killed process exists until its parent has reaped it.
  const isGone = (file: string) =>
    `i=0; while kill -0 $(cat ${file}) 2>/dev/null; do i=$((i+1)); [ $i -lt 100 ] || exit 1; sleep 0.02; done`;

  it('are ended by the next driver, and nothing else is', async () => {
    const folder = await makeFolder();
    const running = new RunningCommands(join(folder, 'commands'));
    const place = JSON.stringify(new URL('../../../src/adapters/process/', import.meta.url).href);
    const program = `
      const { Shell } = await import(${place} + 'shell.ts');
      const { RunningCommands } = await import(${place} + 'runningCommands.ts');
      const { systemClock } = await import(${place} + '../clock/systemClock.ts');
      const shell = new Shell({ clock: systemClock, running: new RunningCommands(${JSON.stringify(join(folder, 'commands'))}) });
      await shell.run('true', { cwd: '/', timeoutMs: 5000 });
      await shell.run('setsid sh -c "echo \\\\$\\\\$ > away; exec sleep 60" & sleep 60 & while ! test -s away; do sleep 0.02; done; echo $! > left; wait', { cwd: ${JSON.stringify(folder)}, timeoutMs: 60000 });`;
    const driver = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
    const notes = (): readonly string[] => (existsSync(join(folder, 'commands')) ? readdirSync(join(folder, 'commands')) : []);
    const isNoted = (): boolean => notes().length === 1 && notes().every((name) => statSync(join(folder, 'commands', name)).size > 0);
    await until(() => existsSync(join(folder, 'left')) && isNoted(), 'the command runs');
    driver.kill('SIGKILL');
    // The number of another process now: it has another start.
    await writeFile(join(folder, 'commands', 'reused.json'), JSON.stringify({ ...(await ownIdentity()), started: 'earlier' }));
    await running.endAll();
    assert.equal((await run(isGone('left'), folder)).exitCode, 0);
    assert.equal((await run(isGone('away'), folder)).exitCode, 0);
    assert.deepEqual(readdirSync(join(folder, 'commands')), []);
  });
});
