import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { coding } from '../../../src/phases/coding/coding.ts';
import { executionWorlds, report } from '../../support/engine/executionWorld.ts';

describe('the proof of a bead', () => {
  const newWorld = executionWorlds();

  /** Drives one bead whose coder writes these files; answers the ticket's world. */
  async function coded(files: Readonly<Record<string, string>>, bead: { testCommands: string[]; targetFiles?: string[] }) {
    const world = await newWorld();
    await world.begin('CODING', { beads: [bead], limits: { maxIterations: 0, maxContinuations: 0 } });
    world.answers({
      coding: () => {
        for (const [path, content] of Object.entries(files)) {
          mkdirSync(join(world.worktree, path, '..'), { recursive: true });
          world.write(path, content);
        }
        return report('greet');
      },
    });
    await world.drive({ coding });
    return world;
  }

  const committed = async (world: Awaited<ReturnType<typeof newWorld>>) =>
    (await world.repository.git('diff', '--name-only', 'main', 'ticket/TST-1')).split('\n');

  it('commits the only file of a bead, whatever its folder is called', async () => {
    const world = await coded({ 'bin/tool.sh': 'echo hello\n' }, { testCommands: ['sh bin/tool.sh | grep -q hello'] });
    assert.equal((await world.bead('greet')).status, 'done');
    assert.deepEqual(await committed(world), ['bin/tool.sh']);
  });

  it('commits a file with the name of an output, if the tests need it and do not make it', async () => {
    const files = { 'greet.txt': 'hello\n', 'build/rules.log': 'hello\n' };
    const world = await coded(files, { testCommands: ['cmp greet.txt build/rules.log'] });
    assert.equal((await world.bead('greet')).status, 'done');
    assert.deepEqual(await committed(world), ['build/rules.log', 'greet.txt']);
  });

  it('leaves out what the tests make themselves, in the worktree or in the proof', async () => {
    const files = { 'greet.txt': 'hello\n', 'main.o': 'object\n', 'junit.xml': '<x/>\n' };
    const make = 'cp greet.txt main.o && touch junit.xml late.txt && echo hello >> README.md && grep -q hello main.o';
    const world = await coded(files, { testCommands: [make] });
    assert.deepEqual(await committed(world), ['greet.txt']);
    assert.deepEqual((await world.json('bead_commit:greet'))?.['leftOut'], ['junit.xml', 'main.o']);
    assert.equal(existsSync(join(world.worktree, 'late.txt')), false);
    assert.equal(world.readWorktree('README.md'), '# Sample\n');
  });

  it('takes nothing as proved that is green only by what is not committed', async () => {
    const world = await coded({ 'greet.txt': 'hello\n', 'secret.ignored': 'x\n' }, { testCommands: ['test -f secret.ignored'] });
    const { error } = await world.read();
    assert.equal(error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
    assert.ok(world.agent.calls.some(({ whole }) => /test -f secret\.ignored.*exited with 1/.test(whole)));
  });

  it('shows where it ran, which is not the ticket’s worktree', async () => {
    const world = await coded({ 'greet.txt': 'hello\n' }, { testCommands: ['grep -q hello greet.txt'] });
    const execution = (await world.json('bead_execution:greet')) as { evidence: { cwd: string }[]; candidate: string };
    assert.notEqual(execution.evidence[0]?.cwd, world.worktree);
    assert.equal(await world.git.head(world.worktree), execution.candidate);
  });
});
