import { sha256 } from '../../../../src/base/sha256.ts';
import { CommandBench, itRefuses, itSends } from '../../../support/commandBench.ts';
import { testBead } from '../../../support/engine/executionWorld.ts';

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
