import assert from 'node:assert/strict';
import { Budgets, limitsOfBudgets } from '../../../../src/domain/settings/budgets.ts';
import {
  type RenamedSetting,
  renamedSettings,
  underNewNames,
} from '../../../../src/domain/settings/renamed.ts';
import { settingNames } from '../../../../src/domain/settings/rows.ts';

const nothing = (): undefined => undefined;

describe('settings with new names', () => {
  it('are none of today', () => {
    assert.deepEqual(
      Object.keys(renamedSettings).filter((name) => settingNames.includes(name)),
      [],
    );
  });

  it('keep each value', () => {
    const old = Object.fromEntries(
      (Object.keys(renamedSettings) as RenamedSetting[]).map((name, at) => [
        name,
        name.startsWith('notices.') ? false : at + 1,
      ]),
    );
    const { budgets, ...objects } = underNewNames(old, nothing);
    assert.deepEqual(objects, {
      timeouts: { iteration: 1, command: 2, setup: 3, answer: 4, optionalPhase: 5 },
      providerOutage: { retries: 6, delay: 7, wait: 8 },
      notifications: { needsYou: false, questions: false, blocked: false, finished: false },
    });
    const limits = limitsOfBudgets(Budgets.parse(budgets));
    for (const [name, field] of Object.entries(renamedSettings))
      if (field in limits) assert.equal(limits[field as keyof typeof limits], old[name], name);
    assert.equal(Object.keys(limits).length, 14);
  });

  it('give way to a value that the new setting has already', () => {
    const present = (setting: string): unknown =>
      ({ timeouts: { command: 30 }, budgets: [{ per: 'ticket', tokens: 7 }] })[setting];
    const old = {
      'limits.commandTimeout': 60,
      'limits.setupTimeout': 90,
      'limits.tokenCap': 1,
      'limits.costCap': 250,
    };
    assert.deepEqual(underNewNames(old, present), {
      timeouts: { command: 30, setup: 90 },
      budgets: [{ per: 'ticket', tokens: 7, dollars: 2.5 }],
    });
  });

  it('keep a 0, which takes away a limit that is there by default or in another file', () => {
    const { budgets } = underNewNames({ 'limits.optionalPhaseTokens': 0, 'limits.costCap': 0 }, nothing);
    assert.deepEqual(limitsOfBudgets(Budgets.parse(budgets)), { optionalPhaseTokens: 0, costCap: 0 });
  });

  it('are nothing where there are none', () => assert.deepEqual(underNewNames({}, nothing), {}));
});
