import assert from 'node:assert/strict';
import { coding } from '../../../../src/phases/coding/coding.ts';
import { type ExecutionWorld, executionWorlds, report } from '../../../support/engine/executionWorld.ts';
import { until } from '../../../support/until.ts';

/** The base moves while the ticket is blocked. */
describe('an update from the base in the middle of coding', () => {
  const newWorld = executionWorlds();
  const log = (world: ExecutionWorld) => world.repository.git('log', '--format=%s', 'ticket/TST-1');

  /** `first` is done and `second` needs what the base has now. */
  async function blocked(theirs: Readonly<Record<string, string>>): Promise<ExecutionWorld> {
    const world = await newWorld();
    const beads = [
      { id: 'first', testCommands: ['grep -q hello first.txt'] },
      { id: 'second', testCommands: ['test -f theirs.txt && grep -q hello second.txt'] },
    ];
    await world.begin('CODING', { beads, limits: { maxIterations: 1, maxContinuations: 0 } });
    await world.prepared({
      project_commands: {
        prepare: [],
        lint_full: [],
        typecheck_full: [],
        build_full: [],
        test_full: ['test ! -f broken'],
      },
    });
    world.answers({
      coding: ({ whole }) => {
        const id = whole.includes('"id": "first"') ? 'first' : 'second';
        world.write(`${id}.txt`, 'hello\n');
        return report(id);
      },
      'coding-note': 'theirs.txt is missing.',
    });
    await world.drive({ coding });
    const { status, error } = await world.read();
    assert.deepEqual(
      [status, error?.code, (await world.bead('second')).status],
      ['BLOCKED_ERROR', 'BEAD_RETRY_BUDGET_EXHAUSTED', 'error'],
    );
    await world.repository.commit(theirs, 'Somebody else');
    return world;
  }

  it('puts what is finished on it, proved, and the blocked bead continues from there', async () => {
    const world = await blocked({ 'theirs.txt': 'theirs\n' });
    const base = await world.repository.git('rev-parse', 'main');
    world.shell.commands.length = 0;
    await world.post('update_base', { keep: false });
    await world.drive({ coding });
    const ticket = await world.read();
    assert.equal(ticket.status, 'RUNNING_FINAL_TEST', JSON.stringify(ticket.error));
    assert.equal(
      await log(world),
      'bead(second): Greet by name\nbead(first): Greet by name\nSomebody else\nFirst commit',
    );
    assert.equal(ticket.baseCommit, base);
    assert.equal((await world.bead('second')).iteration, 2);
    const update = await world.json('base_update');
    const proved = (update?.['evidence'] as { command: string }[]).map(({ command }) => command);
    assert.deepEqual(
      [update?.['how'], update?.['to'], proved],
      ['rebase', base, ['grep -q hello first.txt', 'test ! -f broken']],
    );
    assert.equal(
      (await world.json('baseline'))?.['commit'],
      base,
      'what failed before is judged by the new base',
    );
    assert.equal((await world.json('commit_evidence:second'))?.['base'], base);
  });

  it('asks where it conflicts, and codes on where the person leaves it', async () => {
    const world = await blocked({ 'theirs.txt': 'theirs\n', 'first.txt': 'theirs\n' });
    await world.post('update_base', { keep: false });
    const driving = world.drive({ coding });
    const { id, text } = await until(() => world.request().catch(() => undefined), 'the question');
    assert.match(text, /main moved, and these files conflict with it: - first\.txt/);
    await world.post('question_reply', { request: id, answers: [['Leave']] });
    await driving;
    assert.equal((await world.read()).error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
    assert.equal(await log(world), 'bead(first): Greet by name\nFirst commit');
    assert.equal((await world.bead('second')).iteration, 2);
  });

  it('is no way out for a ticket that is at work', async () => {
    const world = await newWorld.in('CODING');
    await world.post('update_base', { keep: false });
    world.answersGreeting();
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.equal(await world.json('base_update'), undefined);
  });
});
