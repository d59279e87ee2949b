import assert from 'node:assert/strict';
import type { QaResults } from '../../../../src/domain/documents/qaChecklist.ts';
import { manualQa, qaChecklist } from '../../../../src/phases/delivery/manualQa.ts';
import { type PhaseWorld, phaseWorlds } from '../../../support/engine/phaseWorld.ts';

const answer = [
  '<MANUAL_QA_CHECKLIST>',
  'items:',
  '  - { id: x, title: Greeting, actions: [Run it], expectedResult: hello, beadRefs: [greet] }',
  '  - { title: Colour, severity: optional, actions: [Look] }',
  '  - { title: Farewell, actions: [Leave], beadRefs: ["no bead at all"] }',
  '</MANUAL_QA_CHECKLIST>',
].join('\n');

describe('manual QA', () => {
  const worlds = phaseWorlds();
  const gate = { waits: ['qa', 'skip', 'changes', 'suggest_edit', 'finding'] };
  const result = (value: 'pass' | 'fail' | 'waive', observation = ''): QaResults['results'][string] => ({
    result: value,
    observation,
  });
  const post = (world: PhaseWorld, results: QaResults['results']): Promise<string> =>
    world.post('qa', { results });

  async function waiting(): Promise<PhaseWorld> {
    const world = await worlds('GENERATING_QA_CHECKLIST', { manualQaEnabled: true });
    world.answers({ 'qa-checklist': answer });
    assert.deepEqual(await world.drive(qaChecklist), { exit: 'ready' });
    assert.equal((await world.ticket()).status, 'WAITING_MANUAL_QA');
    return world;
  }

  it('numbers its items by round', async () => {
    const world = await waiting();
    const ids = async () =>
      ((await world.json('manual_qa_checklist'))?.['items'] as { id: string }[]).map(({ id }) => id);
    assert.deepEqual(await ids(), ['qa-v1-001', 'qa-v1-002', 'qa-v1-003']);
    await world.enter('GENERATING_QA_CHECKLIST', { by: 'passed_qa', body: null });
    await world.drive(qaChecklist);
    assert.deepEqual(await ids(), ['qa-v2-001', 'qa-v2-002', 'qa-v2-003']);
  });

  it('is told what a person wants every model to know', async () => {
    const world = await worlds('GENERATING_QA_CHECKLIST', { manualQaEnabled: true });
    await world.post('context', { text: 'We test on phones.', scope: 'once' });
    world.answers({ 'qa-checklist': answer });
    await world.drive(qaChecklist);
    assert.match(world.agent.calls[0]?.whole ?? '', /We test on phones\./);
  });

  it('passes when every required item passes or is waived, with a receipt for what was waived', async () => {
    const world = await waiting();
    const open = await post(world, { 'qa-v1-001': result('pass') });
    const unknown = await post(world, { 'qa-v9-001': result('pass') });
    await post(world, { 'qa-v1-001': result('pass'), 'qa-v1-003': result('waive', 'No time') });
    assert.deepEqual(await world.drive(manualQa), { exit: 'passed' });
    assert.deepEqual(await world.outcomes(open, unknown), ['INVALID_INPUT', 'INVALID_INPUT']);
    assert.match((await world.entry(open))?.outcome?.message ?? '', /no result: qa-v1-003/);
    assert.match((await world.entry(unknown))?.outcome?.message ?? '', /not on the checklist: qa-v9-001/);
    assert.equal((await world.ticket()).status, 'INTEGRATING_CHANGES');
    const receipt = await world.json('skip_receipt:manual_qa_item');
    assert.deepEqual([receipt?.['item_ids'], receipt?.['reason']], [['qa-v1-003'], 'No time']);
  });

  it('leaves no receipt of a waiver when nothing was waived', async () => {
    const world = await waiting();
    await post(world, {
      'qa-v1-001': result('pass'),
      'qa-v1-002': result('pass'),
      'qa-v1-003': result('pass'),
    });
    assert.deepEqual(await world.drive(manualQa), { exit: 'passed' });
    assert.equal(await world.json('skip_receipt:manual_qa_item'), undefined);
    assert.equal((await world.json('manual_qa_results'))?.['round'], 1);
  });

  it('sends what failed back to coding with what was seen, and needs no results for the rest then', async () => {
    const world = await waiting();
    await post(world, {
      'qa-v1-001': result('fail', 'It says bye'),
      'qa-v1-003': result('fail', 'Nobody leaves'),
    });
    assert.deepEqual(await world.drive(manualQa), { exit: 'changes' });
    const ticket = await world.ticket();
    assert.deepEqual([ticket.status, ticket.entry.by], ['CODING', 'changes']);
    // The second names no bead, because what the model wrote there is none.
    assert.deepEqual(await world.json('changes_requested'), {
      items: [
        { text: 'Greeting: expected "hello", but: It says bye', bead: 'greet' },
        { text: 'Farewell: expected "", but: Nobody leaves' },
      ],
    });
  });

  it('takes changes that have nothing to do with the checklist', async () => {
    const world = await waiting();
    await world.post('changes', { items: [{ text: 'Louder.', bead: 'greet', rejects: 'a'.repeat(64) }] });
    assert.deepEqual(await world.drive(manualQa), { exit: 'changes' });
    assert.deepEqual(await world.json('changes_requested'), {
      items: [{ text: 'Louder.', bead: 'greet', rejects: 'a'.repeat(64) }],
    });
    const rejected = await world.json('bead_review:greet');
    assert.deepEqual(
      [rejected?.['verdict'], rejected?.['reason'], rejected?.['diff_sha256']],
      ['rejected', 'Louder.', 'a'.repeat(64)],
    );
  });

  it('can be skipped as a whole, with a receipt', async () => {
    const world = await waiting();
    const one = await world.post('skip', { ids: ['qa-v1-001'], reason: '' });
    await world.post('skip', { reason: 'Tried it before' });
    assert.deepEqual(await world.drive(manualQa), { exit: 'passed' });
    assert.deepEqual(await world.outcomes(one), ['INVALID_INPUT']);
    const receipt = await world.json('skip_receipt:manual_qa');
    assert.deepEqual(
      [receipt?.['reason'], receipt?.['item_ids']],
      ['Tried it before', ['qa-v1-001', 'qa-v1-002', 'qa-v1-003']],
    );
  });

  it('refuses results as long as there is no checklist, and stays open', async () => {
    const world = await worlds('WAITING_MANUAL_QA', { manualQaEnabled: true });
    const early = await post(world, { 'qa-v1-001': result('pass') });
    assert.deepEqual(await world.drive(manualQa), gate);
    assert.match((await world.entry(early))?.outcome?.message ?? '', /there is no checklist/);
  });

  it('judges results once, though the process was killed before the ticket moved on', async () => {
    const world = await waiting();
    await post(world, { 'qa-v1-001': result('fail', 'It says bye') });
    world.killAt = 'exit';
    assert.equal(await world.drive(manualQa), 'killed');
    assert.deepEqual(await world.drive(manualQa), { exit: 'changes' });
    assert.equal((await world.store.artifacts('TST-1', { type: 'manual_qa_results' })).length, 1);
  });
});
