import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { planLines, planHash } from '../../../../src/domain/beads/beadPlan.ts';
import { approvalHash } from '../../../../src/domain/documents/workDocuments.ts';
import { Prd } from '../../../../src/domain/requirements/prd.ts';
import { ApprovalReceipt } from '../../../../src/domain/workflow/receipts.ts';
import { approvalTarget } from '../../../../src/app/tickets/ticketView.ts';
import { behaviour } from '../../../../src/phases/index.ts';
import { ExecutionWorld } from '../../../support/engine/executionWorld.ts';
import { tempRepository } from '../../../support/git/tempRepository.ts';
import {
  prdFrom,
  quickPlan,
  quickPlanAnswer,
  quickQuestions,
  scanAnswer,
} from '../../../support/models/planningAnswers.ts';

describe('a quick ticket', () => {
  let world: ExecutionWorld;
  const { preflight: _later, draftInterview: _council, ...handlers } = behaviour.handlers;
  const drive = async (): Promise<string> => {
    const idle = await world.drive(handlers);
    const { status, error } = await world.read();
    return `${status} ${idle.state}${error ? ` ${error.code} ${JSON.stringify(error.args)}` : ''}`;
  };
  const begin = async (answers: Parameters<ExecutionWorld['answers']>[0] = {}): Promise<string> => {
    world.answers({ 'relevant-files-scan': scanAnswer, 'quick-plan': quickPlanAnswer(), ...answers });
    await world.begin('SCANNING_RELEVANT_FILES', {
      settings: { depth: 'quick', councilMembers: ['demo/second'] },
    });
    return drive();
  };
  const prd = async (): Promise<{ readonly content: string; readonly sha256: string }> => {
    const { info, content = '' } = (await world.store.artifact(world.ticket, 'prd')) ?? {};
    return { content, sha256: info?.sha256 ?? '' };
  };
  const hash = async (): Promise<string> =>
    (await approvalTarget(world.store, await world.read()))?.sha256 ?? '';
  const edit = (
    artifact: 'prd' | 'beads' | 'interview',
    baseSha256: string | null,
    content: string,
  ): Promise<string> =>
    world.post('edit', {
      artifact,
      baseSha256,
      content,
      surface: artifact === 'beads' ? 'jsonl' : 'raw',
    });
  const answerInDanish = (): Promise<string> =>
    world.post('answer', {
      batch: 1,
      answers: { Q01: { selected_option_ids: [], free_text: 'In Danish.', skipped: false } },
    });
  /** A model that asks so many questions first, and then plans. */
  const afterQuestions = (count: number, plan: string): (() => string) => {
    const answers = [quickQuestions(count)];
    return () => answers.shift() ?? plan;
  };
  const receipts = async (): Promise<ApprovalReceipt[]> => {
    const infos = await world.store.artifacts(world.ticket, { type: 'approval_receipt' });
    return Promise.all(
      infos.map(async ({ id }) =>
        ApprovalReceipt.parse(JSON.parse((await world.store.artifactContent(id)) ?? '')),
      ),
    );
  };

  beforeEach(async () => {
    world = new ExecutionWorld(await tempRepository());
  });

  afterEach(() => world.remove());

  it('is planned in one call and approved by one decision, which leaves a receipt for each document', async () => {
    assert.equal(await begin(), 'WAITING_PLAN_APPROVAL waiting');
    assert.deepEqual(world.agent.tasks, ['relevant-files-scan', 'quick-plan']);
    assert.equal(Prd.parse(parse((await prd()).content)).epics[0]?.user_stories[0]?.id, 'US-1-1');
    const beads = await world.store.beads(world.ticket);
    assert.deepEqual(
      beads.map(({ id, dependencies, targetFiles }) => [id, dependencies, targetFiles]),
      [
        ['greet-by-name', { blocked_by: [], blocks: ['greet-nobody'] }, ['src/greet.ts']],
        ['greet-nobody', { blocked_by: ['greet-by-name'], blocks: [] }, ['src/greet.ts']],
      ],
    );
    const seen = { prd: (await prd()).sha256, beads: planHash(beads) };
    await world.post('approve', { sha256: approvalHash([seen.prd, seen.beads]), reason: '' });
    assert.equal(await drive(), 'PRE_FLIGHT_CHECK waiting');
    assert.deepEqual(
      (await receipts()).map(({ artifact, content_sha256 }) => [artifact, content_sha256]),
      [
        ['prd', seen.prd],
        ['beads', seen.beads],
      ],
    );
    assert.equal(Prd.parse(parse((await prd()).content)).status, 'approved');
  });

  it('refuses an approval of what has changed in either document, and takes edits of both', async () => {
    await begin();
    const seen = await hash();
    const { content, sha256 } = await prd();
    const edited = content.replace('Nobody is greeted.', 'Nobody greets.');
    await edit('prd', sha256, edited);
    const stale = await world.post('approve', { sha256: seen, reason: '' });
    assert.equal(await drive(), 'WAITING_PLAN_APPROVAL waiting');
    assert.equal(await world.outcome(stale), 'STALE_APPROVAL');
    assert.match((await prd()).content, /Nobody greets\./);
    const beads = await world.store.beads(world.ticket);
    const lines = planLines(beads).replace('Do greet-by-name', 'Greet them');
    await edit('beads', planHash(beads), lines);
    const interview = await edit('interview', null, 'a: 1');
    await drive();
    assert.equal((await world.bead('greet-by-name')).title, 'Greet them');
    assert.match(await world.said(interview), /only prd and beads are edited at this gate/);
    await world.post('approve', { sha256: await hash(), reason: '' });
    assert.equal(await drive(), 'PRE_FLIGHT_CHECK waiting');
  });

  it('is planned again with what its person edited in both documents, and noted', async () => {
    await begin();
    const { content, sha256 } = await prd();
    await edit('prd', sha256, content.replace('Greeting by name', 'Greeting by first name'));
    const beads = await world.store.beads(world.ticket);
    const lines = planLines(beads).replace('It greets.', 'It greets in Danish.');
    await edit('beads', planHash(beads), lines);
    await world.post('regenerate', { note: 'One bead only.' });
    assert.equal(await drive(), 'WAITING_PLAN_APPROVAL waiting');
    const asked = world.agent.calls.at(-1)?.whole ?? '';
    for (const decision of ['Greeting by first name', 'It greets in Danish.', 'One bead only.'])
      assert.ok(asked.includes(decision), decision);
  });

  it('asks what it can’t decide once, on the interview page, and plans with the answers', async () => {
    const answer = afterQuestions(2, quickPlanAnswer({ ...quickPlan, prd: prdFrom('Q01') }));
    assert.equal(await begin({ 'quick-plan': answer }), 'WAITING_QUICK_ANSWERS waiting');
    await answerInDanish();
    assert.equal(await drive(), 'WAITING_QUICK_ANSWERS waiting');
    await world.post('skip', { reason: 'You decide.' });
    assert.equal(await drive(), 'WAITING_PLAN_APPROVAL waiting');
    assert.match(world.agent.calls.at(-1)?.whole ?? '', /In Danish\./);
    const interview = await world.store.artifact(world.ticket, 'interview');
    assert.equal(
      Prd.parse(parse((await prd()).content)).source_interview.content_sha256,
      interview?.info.sha256,
    );
    await world.post('regenerate', { note: 'One bead only.' });
    assert.equal(await drive(), 'WAITING_PLAN_APPROVAL waiting');
    assert.match(world.agent.calls.at(-1)?.whole ?? '', /In Danish\.[\s\S]*One bead only\./);
    assert.equal((await world.read()).attempts['PLANNING_QUICK'], 2);
  });

  it('asks no second time: a model that does is told to plan', async () => {
    await begin({ 'quick-plan': quickQuestions(1), 'structured-repair': quickPlanAnswer() });
    await world.post('skip', { reason: '' });
    assert.equal(await drive(), 'WAITING_PLAN_APPROVAL waiting');
    assert.deepEqual(world.agent.tasks.slice(1), ['quick-plan', 'quick-plan', 'structured-repair']);
    assert.match(world.agent.calls.at(-1)?.text ?? '', /Write the plan now/);
  });

  it('goes to the full journey when it asks too much, with its council', async () => {
    assert.equal(await begin({ 'quick-plan': quickQuestions(4) }), 'COUNCIL_DELIBERATING waiting');
    const { settings } = await world.read();
    assert.deepEqual([settings?.depth, settings?.councilMembers], ['full', ['demo/second']]);
  });

  it('goes to the full journey when its person wants that, and keeps what was answered', async () => {
    const answer = afterQuestions(1, quickPlanAnswer({ ...quickPlan, prd: prdFrom('Q01') }));
    await begin({ 'quick-plan': answer });
    await answerInDanish();
    await drive();
    await world.post('plan_in_full', { note: 'Ask me about plurals.' });
    assert.equal(await drive(), 'COUNCIL_DELIBERATING waiting');
    assert.deepEqual(await world.store.beads(world.ticket), []);
    assert.equal(await world.store.artifact(world.ticket, 'prd'), undefined);
    assert.notEqual(await world.store.artifact(world.ticket, 'relevant_files'), undefined);
    const said = (await world.store.artifact(world.ticket, 'user_context'))?.content ?? '';
    assert.match(said, /Open 1\? In Danish\.[\s\S]*Ask me about plurals\./);
    assert.equal((await world.read()).settings?.depth, 'full');
  });

  it('has a plan repaired that its beads contradict', async () => {
    const [first, second] = quickPlan.beads;
    const circular = {
      ...quickPlan,
      beads: [{ ...first, dependencies: { blocked_by: ['greet-nobody'] } }, second],
    };
    assert.equal(
      await begin({ 'quick-plan': quickPlanAnswer(circular), 'structured-repair': quickPlanAnswer() }),
      'WAITING_PLAN_APPROVAL waiting',
    );
    assert.match(
      world.agent.calls.at(-1)?.text ?? '',
      /blocked_by names greet-nobody, which is no earlier bead/,
    );
  });

  it('has a plan repaired with holes: an answer without a story, a criterion without a bead', async () => {
    const beads = quickPlan.beads.map((bead) => ({ ...bead, prdRefs: [] }));
    const answer = afterQuestions(1, quickPlanAnswer({ ...quickPlan, beads }));
    await begin({
      'quick-plan': answer,
      'structured-repair': quickPlanAnswer({ ...quickPlan, prd: prdFrom('Q01') }),
    });
    await answerInDanish();
    assert.equal(await drive(), 'WAITING_PLAN_APPROVAL waiting');
    const told = world.agent.calls.at(-1)?.text ?? '';
    for (const hole of [/No story names Q01/, /No bead names US-1-1\.AC1/, /greet-by-name has no criterion/])
      assert.match(told, hole);
  });

  it('never sends its prompt twice, wherever it is killed', async () => {
    let killed = false;
    world.answers({
      'relevant-files-scan': scanAnswer,
      'quick-plan': () => {
        if (!killed) world.crash();
        killed = true;
        return quickPlanAnswer();
      },
    });
    await world.begin('SCANNING_RELEVANT_FILES', { settings: { depth: 'quick' } });
    await world.driveUntilKilled(handlers);
    assert.equal(await drive(), 'WAITING_PLAN_APPROVAL waiting');
    assert.deepEqual(world.agent.tasks, ['relevant-files-scan', 'quick-plan']);
    assert.ok((await world.store.verify(world.ticket)).ok);
  });
});
