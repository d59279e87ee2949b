import assert from 'node:assert/strict';
import { limitNames, limitsHash, limitsOf, writtenLimit } from '../../../../src/domain/settings/limits.ts';
import { limitOption } from '../../../../src/cli/options/settingsOptions.ts';
import { CommandBench, itRefuses, itSends } from '../../../support/commandBench.ts';
import { ticketDetail } from '../../../support/fakes/ticketPlace.ts';

const present = limitsOf(ticketDetail().ticket);
const baseSha256 = present ? limitsHash(present) : '';

describe('limits', () => {
  itSends([
    ['limits TST-1 --iterations 7', 'limits', { baseSha256, limits: { maxIterations: 7 }, reason: '' }],
    [
      'limits TST-1 --command-timeout 60 --token-cap 5000 --reason slow',
      'limits',
      { baseSha256, limits: { commandTimeout: 60_000, tokenCap: 5_000 }, reason: 'slow' },
    ],
  ]);

  it('prints each as the option that changes it, and as JSON with its hash', async () => {
    const bench = new CommandBench();
    const { out, exit } = await bench.run('limits TST-1');
    assert.equal(exit, 0);
    for (const name of limitNames)
      assert.match(
        out,
        new RegExp(
          `^ {2}--${limitOption(name)} ${String(present && writtenLimit(name, present[name]))}  `,
          'm',
        ),
      );
    const { all, end } = await bench.json('limits TST-1');
    const [shown] = all('document');
    assert.deepEqual(
      [shown?.name, shown?.sha256, JSON.parse(shown?.content ?? '')],
      ['limits', baseSha256, present],
    );
    assert.deepEqual([end?.exit, end?.status], [0, 'WAITING_PRD_APPROVAL']);
    assert.deepEqual([bench.sent, bench.opened[0]?.drive], [[], false]);
  });

  itRefuses([
    ['limits TST-1 --iterations many', 2, /--iterations takes a whole number, not "many"\./],
    ['limits TST-1 --iterations 100000', 2, /A limit can't be used: .*maxIterations/s],
    ['limits TST-9', 2, /The ticket TST-9 doesn't exist\./],
  ]);
  itRefuses(
    [
      [
        'limits TST-1',
        2,
        /The action change limits isn't available for a ticket in Draft\..*\n.*start \(sets the limits\)/,
      ],
      ['limits TST-1 --iterations 3', 2, /change limits isn't available/],
    ],
    () => new CommandBench({ ticket: { status: 'DRAFT', settings: null, limits: null } }),
  );
});
