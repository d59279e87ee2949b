import assert from 'node:assert/strict';
import { Limits } from '../../../../src/domain/settings/settings.ts';
import {
  broughtNear,
  budgetReached,
  budgetUses,
  isBudgetError,
  isNear,
  isOfDay,
  type Spent,
} from '../../../../src/domain/usage/budgets.ts';
import { type RunSpending, spentIn } from '../../../../src/domain/usage/spending.ts';

const spent = (tokens: number, cents = 0, minutes = 0): Spent => ({ tokens, cents, minutes });

describe('the budgets of a ticket', () => {
  const limits = Limits.parse({
    tokenCap: 1_000,
    costCap: 50,
    timeCap: 10,
    beadTokenCap: 100,
    dayCostCap: 70,
  });
  const ofTicket = (...amounts: Parameters<typeof spent>) =>
    budgetUses(limits, { ticket: spent(...amounts) });

  it('are near from seven tenths on, where they are set and the ticket is in their scope', () => {
    const near = (...amounts: Parameters<typeof spent>) =>
      ofTicket(...amounts)
        .filter(isNear)
        .map(({ unit }) => unit);
    assert.deepEqual(near(699, 34.9, 6.9), []);
    assert.deepEqual(near(700, 34.9, 6.9), ['tokens']);
    assert.deepEqual(near(0, 0, 7), ['minutes']);
    assert.deepEqual(near(2_000, 36, 11), ['tokens', 'cents', 'minutes']);
    assert.deepEqual(budgetUses(Limits.parse({}), { ticket: spent(5, 5, 5), day: spent(5) }), []);
    assert.deepEqual(
      budgetUses(limits, { ticket: spent(1), phase: spent(1), bead: spent(80), day: spent(0, 7) }).map(
        ({ limit, used }) => [limit, used],
      ),
      [
        ['tokenCap', 1],
        ['costCap', 0],
        ['timeCap', 0],
        ['beadTokenCap', 80],
        ['dayCostCap', 7],
      ],
    );
  });

  it('are told once, with what brought them near', () => {
    const told = (before: readonly [number, number?, number?], after: readonly [number, number?, number?]) =>
      broughtNear(ofTicket(...before), ofTicket(...after)).map(({ limit, used, cap }) => [limit, used, cap]);
    assert.deepEqual(told([100], [699]), []);
    assert.deepEqual(told([100], [700]), [['tokenCap', 700, 1_000]]);
    assert.deepEqual(told([700], [800]), []);
    assert.deepEqual(told([0, 0, 6], [0, 0, 8]), [['timeCap', 8, 10]]);
  });

  it('are used up from their whole on, and the error says whose and by which limit', () => {
    assert.equal(budgetReached(ofTicket(999, 49.9, 9.9)), undefined);
    const ofBead = budgetReached(budgetUses(limits, { ticket: spent(120), bead: spent(120) }));
    assert.ok(ofBead && isBudgetError(ofBead) && !isOfDay(ofBead));
    assert.equal(ofBead.message, 'The bead used 120 of 100 tokens.');
    assert.deepEqual(ofBead.diagnostics, { limit: 'beadTokenCap', used: 120 });
    const ofDay = budgetReached(budgetUses(limits, { day: spent(0, 70.25) }));
    assert.ok(ofDay && isBudgetError(ofDay) && isOfDay(ofDay));
    assert.equal(ofDay.message, 'All tickets together today cost 70.3 of 70 US cents.');
  });

  it('count the ticket whole, a phase over its runs and iterations, and a bead over its iterations', () => {
    const run = (
      id: string,
      parent: string | null,
      status: RunSpending['status'],
      tokens: number,
    ): RunSpending => ({
      run: id,
      parent,
      status,
      ...spent(tokens),
    });
    const runs = [
      run('TST-1/1/SCANNING_RELEVANT_FILES', null, 'SCANNING_RELEVANT_FILES', 1),
      run('TST-1/2/CODING', null, 'CODING', 10),
      run('TST-1/2/CODING:bead:one:1', 'TST-1/2/CODING', 'CODING', 100),
      run('TST-1/2/CODING:bead:one:2', 'TST-1/2/CODING', 'CODING', 1_000),
      run('TST-1/3/CODING:bead:two:1', 'TST-1/3/CODING', 'CODING', 10_000),
    ];
    const tokens = (at: Parameters<typeof spentIn>[1]) => {
      const { ticket, phase, bead } = spentIn(runs, at);
      return [ticket?.tokens, phase?.tokens, bead?.tokens];
    };
    assert.deepEqual(tokens({ status: 'CODING', bead: 'one' }), [11_111, 11_110, 1_100]);
    assert.deepEqual(tokens({ status: 'SCANNING_RELEVANT_FILES', bead: undefined }), [11_111, 1, undefined]);
  });
});
