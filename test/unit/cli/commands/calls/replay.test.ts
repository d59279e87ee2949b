import assert from 'node:assert/strict';
import { exitCodes } from '../../../../../src/cli/base/exitCodes.ts';
import type { ReplayedTexts } from '../../../../../src/protocol/replays.ts';
import { CommandBench, itRefuses } from '../../../../support/commandBench.ts';

const replayed = (
  number: number,
  more: Partial<ReplayedTexts['call']> = {},
  today: string | null = 'old\n',
): ReplayedTexts => ({
  call: {
    number,
    id: String(number),
    prompt: 'prd-draft',
    member: 'a/b',
    label: 'Drafting PRD',
    bead: null,
    iteration: null,
    verdict: 'same',
    reasons: [],
    gap: null,
    ...more,
  },
  sent: 'old\n',
  today,
});
const differs = replayed(2, { verdict: 'differs', reasons: [{ kind: 'instructions', part: null }] }, 'new\n');

function asked(...replays: readonly ReplayedTexts[]): CommandBench {
  const bench = new CommandBench();
  const { history } = bench.app.client;
  history.replays = replays;
  history.calls = () => Promise.resolve(replays as never);
  return bench;
}

describe('replay', () => {
  it('is done where every call is as it was', async () => {
    const { exit, out } = await asked(replayed(1)).run('replay TST-1');
    assert.equal(exit, exitCodes.done);
    assert.match(out, /1 call: 1 the same/);
    const { all, types, end } = await asked(replayed(1)).json('replay TST-1');
    assert.deepEqual(all('replay'), [
      { type: 'replay', ticket: 'TST-1', calls: 1, same: 1, differ: 0, unknown: 0, first: null },
    ]);
    assert.deepEqual(
      [types, end?.exit, end?.status],
      [['replayed', 'replay', 'end'], 0, 'WAITING_PRD_APPROVAL'],
    );
  });

  it('fails where one differs, and says which is the first', async () => {
    const { exit, all } = await asked(replayed(1), differs).json('replay TST-1');
    assert.equal(exit, exitCodes.failed);
    assert.deepEqual(
      all('replayed').map(({ number, verdict, phase, reasons }) => [number, verdict, phase, reasons]),
      [
        [1, 'same', 'Drafting PRD', []],
        [2, 'differs', 'Drafting PRD', [{ kind: 'instructions', part: null }]],
      ],
    );
    assert.equal(all('replay')[0]?.first, 2);
  });

  it('shows what differs of one call', async () => {
    for (const word of ['2', 'last']) {
      const { exit, out } = await asked(replayed(1), differs).run(`replay TST-1 ${word}`);
      assert.equal(exit, exitCodes.failed);
      assert.match(out, /-old\n\+new\n[^]*Call 2, prd-draft: differs/);
    }
    const { all } = await asked(replayed(1), differs).json('replay TST-1 2');
    assert.deepEqual(
      all('document').map(({ name }) => name),
      ['difference'],
    );
    const same = await asked(replayed(1), differs).json('replay TST-1 1');
    assert.deepEqual([same.exit, same.all('document')], [exitCodes.done, []]);
  });

  it('tells how far it is, and ends with the signal that stopped it', async () => {
    const bench = asked(replayed(1));
    bench.app.client.history.replay = (_ticket, { signal, onCall } = {}) => {
      onCall?.(1, 3);
      bench.stop.abort('SIGINT');
      return Promise.reject(signal?.aborted === true ? new Error('stopped') : new Error('not stopped'));
    };
    const { exit, all } = await bench.json('replay TST-1');
    assert.deepEqual(all('replaying'), [{ type: 'replaying', ticket: 'TST-1', number: 1, total: 3 }]);
    assert.equal(exit, exitCodes.interrupted);
  });

  itRefuses(
    [
      ['replay TST-1 9', 2, /The call 9 can't be used: there are calls 1 to 1/],
      ['replay TST-1 first', 2, /The call first can't be used/],
      ['replay TST-9', 2, /The ticket TST-9 doesn't exist\./],
      ['replay', 2, /An argument is missing/],
    ],
    () => asked(replayed(1)),
  );
  itRefuses([['replay TST-1 last', 2, /The call last can't be used: there are no model calls yet/]], () =>
    asked(),
  );
});
