import assert from 'node:assert/strict';
import { checkBody } from '../../../src/app/checkBody.ts';
import { Limits, Settings } from '../../../src/domain/settings/settings.ts';
import type { Ticket } from '../../../src/domain/ticket/ticket.ts';

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
    [
      'with a command and a reason why there is none',
      { loop: { ...loop, noTests: 'why' } },
      {},
      /either test commands, or a reason/,
    ],
    ['with a command that is too long', { loop: { ...loop, setup: ['x'.repeat(4_001)] } }, {}, /setup/],
    [
      'with an order to the terminal',
      { loop: { ...loop, tests: ['echo \u001b[31m'] } },
      {},
      /control characters/,
    ],
    [
      'at another depth',
      { loop, settings: { ...settings, depth: 'solo' } },
      {},
      /a ticket of depth solo isn't a loop/,
    ],
  ];
  for (const [what, body, changes, reason] of refused)
    it(`is refused ${what}`, () => {
      assert.throws(() => check(body, changes), reason);
    });
});

describe('an edit, before it is filed,', () => {
  const sent = (
    artifact: string,
    status: Ticket['status'],
    previousStatus: Ticket['previousStatus'] = null,
  ): string => {
    const body = { artifact, baseSha256: 'a'.repeat(64), content: 'x', surface: 'raw' };
    try {
      return checkBody({ status, previousStatus, hold: null } as Ticket, 'edit', body).kind;
    } catch (error) {
      return String(error);
    }
  };

  it('is refused where neither a gate nor an earlier status would take it', () => {
    for (const status of ['PRE_FLIGHT_CHECK', 'WAITING_EXECUTION_SETUP_APPROVAL', 'CODING'] as const)
      assert.match(sent('prd', status), /An edit of prd.*can't be edited while/, status);
    assert.match(sent('prd', 'BLOCKED_ERROR', 'CODING'), /can't be edited/);
    assert.match(sent('beads', 'BLOCKED_ERROR', 'DRAFTING_BEADS'), /can't be edited/);
  });

  it('may be of the plan from its approval on, and of what is still to be approved', () => {
    for (const status of [
      'WAITING_BEADS_APPROVAL',
      'PRE_FLIGHT_CHECK',
      'GENERATING_EXECUTION_SETUP_PLAN',
      'PREPARING_EXECUTION_ENV',
    ] as const)
      assert.equal(sent('beads', status), 'edit', status);
    for (const previous of ['CODING', 'PREPARING_EXECUTION_ENV', 'PRE_FLIGHT_CHECK'] as const)
      assert.equal(sent('beads', 'BLOCKED_ERROR', previous), 'edit', previous);
    assert.equal(sent('execution_setup_plan', 'WAITING_EXECUTION_SETUP_APPROVAL'), 'edit');
    assert.equal(sent('prd', 'WAITING_BEADS_APPROVAL'), 'edit');
  });
});
