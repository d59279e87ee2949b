import assert from 'node:assert/strict';
import { checkBody } from '../../../src/app/checkBody.ts';
import { Limits, Settings } from '../../../src/domain/settings.ts';
import type { Ticket } from '../../../src/domain/ticket.ts';

describe('the start of a loop, before it is filed,', () => {
  const limits = Limits.parse({});
  const settings = Settings.parse({ mainImplementer: 'demo/main', depth: 'loop', minPasses: 3 });
  const loop = { tests: ['npm test'], setup: [], noTests: '' };
  const ticket = { status: 'DRAFT', hold: null, description: '# Tidy up' } as Ticket;
  const check = (body: object, changes: Partial<Ticket> = {}) =>
    checkBody({ ...ticket, ...changes }, 'start', { settings, limits, ...body });

  it('carries what stands in for a plan, and whole settings', () => {
    const checked = check({ loop });
    assert.ok(checked.kind === 'start');
    assert.deepEqual(checked.body.loop, loop);
    const { depth, maxPasses, councilMembers, review } = checked.body.settings;
    assert.deepEqual([depth, maxPasses, councilMembers, review], ['loop', 3, [], 'off']);
  });

  const refused: readonly [what: string, body: object, changes: Partial<Ticket>, reason: RegExp][] = [
    ['without it', {}, {}, /a loop needs test commands/],
    ['without a prompt', { loop }, { description: ' \n' }, /a loop needs a prompt/],
    ['with a command and a reason why there is none', { loop: { ...loop, noTests: 'why' } }, {}, /either test commands, or a reason/],
    ['with a command that is too long', { loop: { ...loop, setup: ['x'.repeat(4_001)] } }, {}, /setup/],
    ['with an order to the terminal', { loop: { ...loop, tests: ['echo \u001b[31m'] } }, {}, /control characters/],
    ['at another depth', { loop, settings: { ...settings, depth: 'solo' } }, {}, /a ticket of depth solo isn't a loop/],
  ];
  for (const [what, body, changes, reason] of refused)
    it(`is refused ${what}`, () => {
      assert.throws(() => check(body, changes), reason);
    });
});
