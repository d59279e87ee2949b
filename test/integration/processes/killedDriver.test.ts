import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../src/adapters/clock/systemClock.ts';
import { RunningCommands } from '../../../src/adapters/process/runningCommands.ts';
import { Shell } from '../../../src/adapters/process/shell.ts';
import { ownIdentity } from '../../../src/adapters/system/processes.ts';
import { tempFolders } from '../../support/git/tempRepository.ts';
import { canTrySandbox } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';

describe('commands of a killed driver', () => {
  const makeFolder = tempFolders();
  const shell = new Shell({ clock: systemClock, graceMs: 200 });
  const run = (command: string, cwd: string) => shell.run(command, { cwd, timeoutMs: 5_000 });

  // Until its parent has reaped it, a killed process exists.
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
    const notes = (): readonly string[] =>
      existsSync(join(folder, 'commands')) ? readdirSync(join(folder, 'commands')) : [];
    const isNoted = (): boolean =>
      notes().length === 1 && notes().every((name) => statSync(join(folder, 'commands', name)).size > 0);
    await until(() => existsSync(join(folder, 'left')) && isNoted(), 'the command runs');
    driver.kill('SIGKILL');
    // The number of another process now.
    await writeFile(
      join(folder, 'commands', 'reused.json'),
      JSON.stringify({ ...(await ownIdentity()), started: 'earlier' }),
    );
    await running.endAll();
    assert.equal((await run(isGone('left'), folder)).exitCode, 0);
    assert.equal((await run(isGone('away'), folder)).exitCode, 0);
    assert.deepEqual(readdirSync(join(folder, 'commands')), []);
  });

  it('end with it where they are in a sandbox, although nobody comes after it', async function () {
    if (!(await canTrySandbox())) this.skip();
    const folder = await makeFolder();
    const tree = join(folder, 'trees', 'A-1');
    mkdirSync(tree, { recursive: true });
    mkdirSync(join(folder, 'repo', '.git'), { recursive: true });
    const source = JSON.stringify(new URL('../../../src/', import.meta.url).href);
    const command = 'setsid sh -c "echo > left; exec sleep 765432" & trap "" TERM; sleep 765432';
    const program = `
      const { Shell } = await import(${source} + 'adapters/process/shell.ts');
      const { findSandbox } = await import(${source} + 'adapters/sandbox/findSandbox.ts');
      const { TicketSandboxes } = await import(${source} + 'app/localPorts.ts');
      const { systemClock } = await import(${source} + 'adapters/clock/systemClock.ts');
      const at = (name) => ${JSON.stringify(`${folder}/`)} + name;
      const place = (name) => ({ temporary: at(name + '.tmp'), sandbox: at(name + '.box') });
      const reserve = async () => ({ portBase: 1, ports: 1, ...place('A-1'), proof: place('proof') });
      const sandboxes = new TicketSandboxes({ repository: { root: at('repo'), commonDir: at('repo/.git') }, reserve });
      const sandbox = await findSandbox('auto', { commonDir: at('repo/.git') });
      const shell = new Shell({ clock: systemClock, sandbox, policyFor: (command) => sandboxes.forCommand(command) });
      await shell.run(${JSON.stringify(command)}, { cwd: ${JSON.stringify(tree)}, timeoutMs: 60000 });`;
    const driver = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
    const asleep = (): number =>
      spawnSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })
        .stdout.split('\n')
        .filter((line) => line.trim() === 'sleep 765432').length;
    await until(() => existsSync(join(tree, 'left')) && asleep() === 2, 'the command runs');
    driver.kill('SIGKILL');
    await until(() => asleep() === 0, 'everything in the sandbox to end', 10_000);
  });
});
