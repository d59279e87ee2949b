import assert from 'node:assert/strict';
import { join } from 'node:path';
import { coding } from '../../../../src/phases/coding/coding.ts';
import { codedBead } from '../../../support/engine/codedBead.ts';
import { executionWorlds, oneTry, report } from '../../../support/engine/executionWorld.ts';
import { reservationIn } from '../../../support/fakes/fakeWorkplace.ts';

describe('a proof on its own tree', () => {
  const newWorld = executionWorlds();

  const coded = async (files: Parameters<typeof codedBead>[1], bead: Parameters<typeof codedBead>[2]) =>
    codedBead(await newWorld(), files, bead);

  it('runs each check on the files of the commit, whatever the checks before it wrote', async () => {
    const repairs =
      'echo repaired > greet.txt && echo new > new.txt && git update-index --assume-unchanged greet.txt';
    for (const later of ['grep -q repaired greet.txt', 'test -f new.txt']) {
      const world = await coded({ 'greet.txt': 'hello\n' }, { testCommands: [repairs, later] });
      assert.equal((await world.read()).error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED', later);
      const told = world.agent.calls.at(-1)?.whole ?? '';
      assert.match(
        told,
        /each check has to pass on the files that are committed:\n- `echo repaired [^`]*` changed greet\.txt, new\.txt\n/,
      );
    }
  });

  it('keeps for the next check what git ignores and what has the name of an output, and says in the evidence what else a check wrote', async () => {
    const builds =
      'mkdir -p dist && cp greet.txt dist/greet.txt && cp greet.txt built.ignored && echo x >> README.md';
    const world = await coded(
      { 'greet.txt': 'hello\n' },
      { testCommands: [builds, 'cmp greet.txt dist/greet.txt && cmp greet.txt built.ignored'] },
    );
    assert.equal((await world.bead('greet')).status, 'done');
    const execution = (await world.json('bead_execution:greet')) as { evidence: { changed?: string[] }[] };
    assert.deepEqual(
      execution.evidence.map(({ changed }) => changed),
      [['README.md'], undefined],
    );
  });

  it('begins without what a check of an earlier proof hid from git', async () => {
    const world = await newWorld({ 'check.sh': 'exit 1\n' });
    const cheats =
      'test -f second.txt || { echo exit 0 > check.sh && git update-index --assume-unchanged check.sh; }';
    const second = { id: 'second', testCommands: ['test -f second.txt && sh check.sh'], targetFiles: [] };
    await world.begin('CODING', {
      beads: [{ testCommands: ['test -f greet.txt', cheats] }, second],
      limits: oneTry,
    });
    world.answers({
      coding: ({ whole }) => {
        const id = whole.includes('"id": "second"') ? 'second' : 'greet';
        world.write(`${id}.txt`, `${id}\n`);
        return report(id);
      },
    });
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done');
    assert.notEqual((await world.bead('second')).status, 'done');
  });

  it('finds nothing of the ticket’s worktree around it, and nothing that an earlier proof left in the temporary folder', async () => {
    const world = await newWorld();
    world.workplace.reservation = reservationIn(join(world.repository.root, '..', 'own'));
    const around = ['..', '../..', '../../..']
      .map((up) => `${up}/TST-1/secret.ignored ${up}/*/secret.ignored`)
      .join(' ');
    const check = (name: string) =>
      `test -f ${name} && test -z "$(ls ${around} 2>/dev/null)" && test ! -e "$TMPDIR/mark" && touch "$TMPDIR/mark"`;
    await world.begin('CODING', {
      beads: [
        { testCommands: [check('greet.txt')] },
        { id: 'second', testCommands: [check('second.txt')], targetFiles: [] },
      ],
      limits: oneTry,
    });
    world.answers({
      coding: ({ whole }) => {
        const id = whole.includes('"id": "second"') ? 'second' : 'greet';
        world.write('secret.ignored', 'x\n');
        world.write(`${id}.txt`, `${id}\n`);
        return report(id);
      },
    });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
  });

  const twoBeads = async (first: string, second: string) => {
    const world = await newWorld({ '.gitignore': 'node_modules/\n' });
    const beads = [
      { testCommands: [`${first}; test -f greet.txt`] },
      { id: 'second', testCommands: [`test -f second.txt && ${second}`], targetFiles: [] },
    ];
    await world.begin('CODING', { beads, limits: oneTry });
    await world.prepared({ bootstrap_commands: [bootstrap] });
    world.answers({
      coding: ({ whole }) => {
        const id = whole.includes('"id": "second"') ? 'second' : 'greet';
        world.write(`${id}.txt`, `${id}\n`);
        return report(id);
      },
    });
    await world.drive({ coding });
    assert.equal((await world.bead('second')).status, 'done', JSON.stringify((await world.read()).error));
    const { evidence } = (await world.json('bead_execution:second')) as { evidence: { remade?: string[] }[] };
    return {
      remade: evidence[0]?.remade,
      bootstraps: world.shell.commands.filter((command) => command === bootstrap).length,
    };
  };
  const bootstrap = 'mkdir -p node_modules/tool && echo honest > node_modules/tool/check';

  it('has the tools as the bootstrap made them again where a check of an earlier proof changed one, and says so in the evidence', async () => {
    const { remade, bootstraps } = await twoBeads(
      'echo patched > node_modules/tool/check',
      'grep -q honest node_modules/tool/check',
    );
    assert.deepEqual(remade, ['node_modules/tool/check']);
    assert.ok(bootstraps > 1);
  });

  it('keeps the environment where earlier checks wrote caches only', async () => {
    const cache = 'mkdir -p node_modules/.cache && echo cached > node_modules/.cache/x';
    const { remade, bootstraps } = await twoBeads(cache, 'test -f node_modules/.cache/x');
    assert.deepEqual([remade, bootstraps], [undefined, 1]);
  });
});
