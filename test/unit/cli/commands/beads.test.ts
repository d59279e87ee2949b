import assert from 'node:assert/strict';
import { beadLines } from '../../../../src/domain/beads/beadPlan.ts';
import { CommandBench, itRefuses, itSends } from '../../../support/commandBench.ts';
import { testBead } from '../../../support/engine/executionWorld.ts';
import { sha256 } from '../../../../src/base/sha256.ts';

const beads = [testBead({ status: 'done' }), testBead({ id: 'wave' })];
const planHash = 'b'.repeat(64);

function planned(): CommandBench {
  const bench = new CommandBench({ ticket: { status: 'WAITING_BEADS_APPROVAL', baseBranch: 'feature/x' } });
  bench.app.client.beads = () => Promise.resolve({ beads, sha256: planHash });
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
        {
          type: 'document',
          ticket: 'TST-1',
          name: 'beads/feature-x',
          sha256: planHash,
          content: beadLines(beads),
        },
      ]);
      assert.deepEqual([end?.exit, end?.status], [0, 'WAITING_BEADS_APPROVAL']);
    }
  });

  const edit = { artifact: 'beads', content: 'lines', surface: 'jsonl' };
  itSends(
    [
      ['beads put TST-1', 'edit', { ...edit, baseSha256: planHash }],
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

const [from, to] = ['1'.repeat(40), '2'.repeat(40)];
const seen = 'd'.repeat(64);

/** A ticket with a finished bead, and one that isn't. */
function reviewed(): CommandBench {
  const bench = new CommandBench({ ticket: { status: 'WAITING_PR_REVIEW' } });
  const { client } = bench.app;
  client.beads = () =>
    Promise.resolve({
      beads: [testBead({ status: 'done' }), testBead({ id: 'wave' })],
      sha256: 'b'.repeat(64),
    });
  client.diffs.set({ scope: { kind: 'bead', bead: 'greet' }, from, to, sha256: 'c'.repeat(64), files: [] });
  client.diffs.set({ scope: { kind: 'bead', bead: 'wave' }, from, to, sha256: 'c'.repeat(64), files: [] });
  client.diffs.set({ scope: { kind: 'ticket' }, from, to, sha256: 'e'.repeat(64), files: [] });
  client.diffs.files.set(`${to}:src/greet.ts`, 'old');
  bench.input = 'new';
  return bench;
}

describe('commands that review the work', () => {
  const edit = { file: 'src/greet.ts', baseSha256: sha256('old'), content: 'new' };
  itSends(
    [
      ['beads accept TST-1 greet', 'accept_bead', { bead: 'greet', sha256: 'c'.repeat(64), reason: '' }],
      [
        `beads accept TST-1 greet --sha256 ${seen} --reason fine`,
        'accept_bead',
        { bead: 'greet', sha256: seen, reason: 'fine' },
      ],
      [
        ['beads reject TST-1 greet', 'Use the name.'],
        'changes',
        { items: [{ text: 'Use the name.', bead: 'greet', rejects: 'c'.repeat(64) }] },
      ],
      [
        `beads reject TST-1 greet no --sha256 ${seen}`,
        'changes',
        { items: [{ text: 'no', bead: 'greet', rejects: seen }] },
      ],
      ['suggest TST-1 src/greet.ts', 'suggest_edit', { ...edit, reason: '' }],
      [
        'suggest TST-1 src/greet.ts --file - --bead greet --reason shorter',
        'suggest_edit',
        { ...edit, reason: 'shorter', bead: 'greet' },
      ],
    ],
    reviewed,
  );
  const unfinished = (bead: string): RegExp =>
    new RegExp(`The bead "${bead}" can't be used: it isn't a finished bead of this ticket`);
  itRefuses(
    [
      ['beads accept TST-1 wave', 2, unfinished('wave')],
      ['beads accept TST-1 nothing', 2, unfinished('nothing')],
      ['beads reject TST-1 wave no', 2, unfinished('wave')],
      ['beads reject TST-1 greet', 2, /An argument is missing/],
      [
        'suggest TST-1 src/other.ts',
        2,
        /The file "src\/other\.ts" can't be used: it isn't on the branch of the ticket/,
      ],
      ['suggest TST-1 src/greet.ts --file missing.ts', 2, /missing\.ts can't be used/],
    ],
    reviewed,
  );
  itRefuses([['suggest TST-1 src/greet.ts', 2, /isn't on the branch/]]);
});
