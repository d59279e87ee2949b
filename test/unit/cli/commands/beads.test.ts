import assert from 'node:assert/strict';
import { beadLines } from '../../../../src/domain/beads/beadPlan.ts';
import { CommandBench, itRefuses, itSends } from '../../../support/commandBench.ts';
import { testBead } from '../../../support/engine/executionWorld.ts';

const beads = [testBead({ status: 'done' }), testBead({ id: 'wave' })];
const sha256 = 'b'.repeat(64);

function planned(): CommandBench {
  const bench = new CommandBench({ ticket: { status: 'WAITING_BEADS_APPROVAL', baseBranch: 'feature/x' } });
  bench.app.client.beads = () => Promise.resolve({ beads, sha256 });
  bench.app.client.documents.set('bead_diff:greet', '+hello\u202E\n');
  bench.input = 'lines';
  return bench;
}

describe('commands about the bead plan', () => {
  it('get prints it as lines, with its hash in JSON', async () => {
    assert.equal((await planned().run('beads get TST-1')).out, beadLines(beads));
    for (const flow of ['', ' --flow feature/x', ' --flow feature-x']) {
      const { all, end } = await planned().json(`beads get TST-1${flow}`);
      assert.deepEqual(all('document'), [
        { type: 'document', ticket: 'TST-1', name: 'beads/feature-x', sha256, content: beadLines(beads) },
      ]);
      assert.deepEqual([end?.exit, end?.status], [0, 'WAITING_BEADS_APPROVAL']);
    }
  });

  const edit = { artifact: 'beads', content: 'lines', surface: 'jsonl' };
  itSends(
    [
      ['beads put TST-1', 'edit', { ...edit, baseSha256: sha256 }],
      [`beads put TST-1 --file - --base ${'c'.repeat(64)}`, 'edit', { ...edit, baseSha256: 'c'.repeat(64) }],
    ],
    planned,
  );

  it('diff prints what a bead changed, and warns of what can’t be seen', async () => {
    const { out } = await planned().run('beads diff TST-1 greet');
    assert.match(out, /^\+hello[^\u202E]*\n/);
    assert.notEqual(out.trim().split('\n').length, 1, 'a warning');
    const { all, end } = await planned().json('beads diff TST-1 greet');
    assert.deepEqual(
      all('document').map(({ name, content }) => [name, content]),
      [['bead_diff:greet', '+hello\u202E\n']],
    );
    assert.deepEqual([end?.exit, end?.ticket], [0, 'TST-1']);
  });

  const noFlow = /The flow can't be used: TST-1 has no flow "other", only "feature-x"/;
  itRefuses(
    [
      ['beads get TST-1 --flow other', 2, noFlow],
      ['beads put TST-1 --flow other', 2, noFlow],
      ['beads diff TST-1 greet --flow other', 2, noFlow],
      [
        'beads diff TST-1 wave',
        2,
        /The bead "wave" can't be used: there is no diff of it; finished beads: greet/,
      ],
      ['beads diff TST-1', 2, /An argument is missing/],
      ['beads put TST-1 --file missing.jsonl', 2, /missing\.jsonl can't be used/],
      ['beads get TST-9', 2, /The ticket TST-9 doesn't exist\./],
      ['beads polish TST-1', 2, /There is no command "beads"/],
    ],
    planned,
  );
  itRefuses([['beads diff TST-1 greet', 2, /finished beads: none yet/]]);
});
