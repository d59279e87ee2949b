import assert from 'node:assert/strict';
import { setupPlanDocument } from '../../../../src/domain/documents/setupPlan.ts';
import { Services, serviceCommands } from '../../../../src/domain/environment/services.ts';

const store = { name: 'store', start: 'serve', ready: 'ask' };

describe('services of a setup plan', () => {
  it('are named before they are approved, with what starts them', () => {
    const plan = {
      schema_version: 1,
      ticket_id: 'TST-1',
      artifact: 'execution_setup_plan',
      status: 'draft',
      summary: 'A store.',
      readiness: { status: 'ready', actions_required: false },
      services: [store],
    };
    assert.deepEqual(setupPlanDocument.summary(plan), {
      text: 'Steps: {0}. Services: {1}. {2}',
      args: [0, 'store (serve)', 'A store.'],
    });
    assert.equal(setupPlanDocument.summary({ ...plan, services: [] })?.text, 'Nothing to set up. {0}');
  });

  it('have a limit that a form may write as text', () => {
    const limits = (value: unknown) =>
      Services.safeParse([{ ...store, ready_timeout_seconds: value }]).data?.[0]?.ready_timeout_seconds;
    assert.deepEqual(
      [limits('90'), limits(undefined), limits('soon'), limits('')],
      [90, 60, undefined, undefined],
    );
  });

  it('run no stop command that is empty', () => {
    const services = Services.parse([store, { ...store, name: 'cache', stop: 'end' }]);
    assert.deepEqual(serviceCommands(services), ['serve', 'ask', 'serve', 'ask', 'end']);
  });
});
