import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { coding } from '../../../../src/phases/coding/coding.ts';
import { type ExecutionWorld, executionWorlds, report } from '../../../support/engine/executionWorld.ts';

describe('rows that were changed after they were decided', () => {
  const newWorld = executionWorlds();

  const begun = async (): Promise<ExecutionWorld> => {
    const world = await newWorld.in('CODING', {
      beads: [
        { id: 'greet' },
        {
          id: 'second',
          testCommands: ['grep -q two second.txt'],
          dependencies: { blocked_by: ['greet'], blocks: [] },
        },
      ],
    });
    return world;
  };
  const sql = (world: ExecutionWorld, text: string): void => {
    const database = new DatabaseSync(join(world.stateFolder, 'state.db'));
    database.exec(text);
    database.close();
  };
  const evil = (bead: string): string =>
    `UPDATE beads SET body = json_set(body, '$.testCommands', json('["touch stolen"]')) WHERE id = '${bead}'`;
  const codes = (world: ExecutionWorld, meanwhile: () => void): void => {
    world.answers({
      coding: ({ whole }) => {
        const id = whole.includes('"id": "greet"') ? 'greet' : 'second';
        world.write(`${id}.txt`, id === 'greet' ? 'hello\n' : 'two\n');
        meanwhile();
        return report(id);
      },
    });
  };
  const blocked = async (world: ExecutionWorld): Promise<string> => {
    const { status, error } = await world.read();
    assert.deepEqual([status, error?.code], ['BLOCKED_ERROR', 'ROWS_ALTERED']);
    assert.ok(
      !world.shell.commands.some((command) => command.includes('stolen')),
      'the command that nobody approved never ran',
    );
    return String(error?.args['rows']);
  };

  it('block the ticket before anything is asked or run, and say which', async () => {
    const world = await begun();
    sql(world, evil('second'));
    codes(world, () => undefined);
    await world.drive({ coding });
    assert.equal(await blocked(world), 'bead second: testCommands');
    assert.deepEqual([world.agent.tasks, world.shell.commands], [[], []]);
  });

  it('block it before the next command when they change while an agent works', async () => {
    const world = await begun();
    codes(world, () => sql(world, evil('greet')));
    await world.drive({ coding });
    assert.equal(await blocked(world), 'bead greet: testCommands');
    assert.deepEqual(world.shell.commands, []);
  });

  it('block it when a limit or a document changes', async () => {
    const world = await begun();
    await world.prepared();
    sql(
      world,
      `UPDATE tickets SET body = json_set(body, '$.limits.maxIterations', 20);
       UPDATE artifacts SET archived = 1 WHERE type = 'execution_setup_profile'`,
    );
    await world.drive({ coding });
    assert.equal(await blocked(world), 'ticket: limits, document execution_setup_profile');
  });

  it('let it continue when they are again what they were', async () => {
    const world = await begun();
    sql(world, `CREATE TABLE kept AS SELECT * FROM beads; ${evil('second')}`);
    codes(world, () => undefined);
    await world.drive({ coding });
    await blocked(world);
    sql(world, 'UPDATE beads SET body = (SELECT body FROM kept WHERE kept.id = beads.id)');
    await world.post('retry', { note: '' });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
  });
});
