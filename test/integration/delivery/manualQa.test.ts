import assert from 'node:assert/strict';
import { manualQa, qaChecklist } from '../../../src/phases/delivery/manualQa.ts';
import { type ExecutionWorld, executionWorlds } from '../../support/executionWorld.ts';

const answer = [
  '<MANUAL_QA_CHECKLIST>',
  'items:',
  '  - { id: x, title: Greeting, actions: [Run it], expectedResult: hello, beadRefs: [greet] }',
  '  - { title: Colour, severity: optional, actions: [Look] }',
  '  - { title: Farewell, actions: [Leave] }',
  '</MANUAL_QA_CHECKLIST>',
].join('\n');

describe('manual QA', () => {
  const newWorld = executionWorlds();

  async function waiting(): Promise<ExecutionWorld> {
    const world = await newWorld();
    await world.begin('GENERATING_QA_CHECKLIST', { settings: { manualQaEnabled: true } });
    world.answers({ 'qa-checklist': answer });
    await world.drive({ qaChecklist });
    return world;
  }

  const result = (value: 'pass' | 'fail' | 'waive', observation = '') => ({ result: value, observation });

  it('numbers its items by round', async () => {
    const world = await waiting();
    const ids = async () => ((await world.json('manual_qa_checklist'))?.['items'] as { id: string }[]).map(({ id }) => id);
    assert.deepEqual(await ids(), ['qa-v1-001', 'qa-v1-002', 'qa-v1-003']);
    await world.enter('GENERATING_QA_CHECKLIST', { by: 'passed_qa', body: null });
    await world.drive({ qaChecklist });
    assert.deepEqual(await ids(), ['qa-v2-001', 'qa-v2-002', 'qa-v2-003']);
  });

  it('passes when every required item passes or is waived, with a receipt for what was waived', async () => {
    const world = await waiting();
    const open = await world.post('qa', { results: { 'qa-v1-001': result('pass') } });
    const unknown = await world.post('qa', { results: { 'qa-v9-001': result('pass') } });
    await world.post('qa', { results: { 'qa-v1-001': result('pass'), 'qa-v1-003': result('waive', 'No time') } });
    await world.drive({ manualQa });
    assert.deepEqual([await world.outcome(open), await world.outcome(unknown)], ['INVALID_INPUT', 'INVALID_INPUT']);
    assert.equal((await world.read()).status, 'INTEGRATING_CHANGES');
    assert.deepEqual((await world.json('skip_receipt:manual_qa_item'))?.['item_ids'], ['qa-v1-003']);
  });

  it('sends what failed back to coding with what was seen', async () => {
    const world = await waiting();
    await world.post('qa', { results: { 'qa-v1-001': result('fail', 'It says bye') } });
    await world.drive({ manualQa });
    const ticket = await world.read();
    assert.deepEqual([ticket.status, ticket.entry.by], ['CODING', 'changes']);
    assert.deepEqual(await world.json('changes_requested'), {
      items: [{ text: 'Greeting: expected "hello", but: It says bye', bead: 'greet' }],
    });
  });

  it('can be skipped as a whole, with a receipt', async () => {
    const world = await waiting();
    const one = await world.post('skip', { ids: ['qa-v1-001'], reason: '' });
    await world.post('skip', { reason: 'Tried it before' });
    await world.drive({ manualQa });
    assert.equal(await world.outcome(one), 'INVALID_INPUT');
    assert.equal((await world.read()).status, 'INTEGRATING_CHANGES');
    assert.equal((await world.json('skip_receipt:manual_qa'))?.['reason'], 'Tried it before');
  });
});
