import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { coding } from '../../../src/phases/coding/coding.ts';
import { executionWorlds, report } from '../../support/engine/executionWorld.ts';

describe('ignored files of an iteration that is rejected', () => {
  const newWorld = executionWorlds();

  it('are gone for the next one and kept, and those that were there before stay', async () => {
    const world = await newWorld.in('CODING');
    world.write('setup.ignored', 'made before');
    world.answers({
      coding: ({ turn }) => {
        if (turn === 1) {
          world.write('greet.ignored', 'a result that looks done');
          return report('greet', { status: 'error' });
        }
        assert.equal(existsSync(join(world.worktree, 'greet.ignored')), false);
        assert.equal(world.readWorktree('setup.ignored'), 'made before');
        world.write('greet.txt', 'hello\n');
        return report('greet');
      },
      'coding-continue': () => report('greet', { status: 'error' }),
    });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    const said = world.events
      .flatMap((event) => ('text' in event ? [event.text] : []))
      .find((line) => line.includes('/left/'));
    const [, folder = ''] = / is in (\S+):/.exec(said ?? '') ?? [];
    assert.equal(readFileSync(join(folder, 'greet.ignored'), 'utf8'), 'a result that looks done');
  });
});

describe('ignored files that the plan names', () => {
  const newWorld = executionWorlds();

  it('are what the coder is told of, until they are committed', async () => {
    const world = await newWorld();
    const bead = { targetFiles: ['greet.txt', 'greet.ignored'], testCommands: ['grep -q hello greet.txt'] };
    await world.begin('CODING', { beads: [bead], limits: { maxIterations: 0, maxContinuations: 1 } });
    world.answers({
      coding: world.writing({ 'greet.txt': 'hello\n', 'greet.ignored': 'hello\n' }),
      'coding-continue': world.writing({ '.gitignore': '*.ignored\n!greet.ignored\n' }),
    });
    await world.drive({ coding });
    assert.match(
      world.agent.calls.at(-1)?.whole ?? '',
      /git ignores them, so they wouldn't be committed: greet\.ignored\./,
    );
    assert.equal((await world.bead('greet')).status, 'done', JSON.stringify((await world.read()).error));
    assert.equal(await world.repository.git('show', 'ticket/TST-1:greet.ignored'), 'hello');
  });
});
