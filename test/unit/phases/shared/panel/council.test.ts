import assert from 'node:assert/strict';
import { parse, stringify } from 'yaml';
import { sha256 } from '../../../../../src/base/sha256.ts';
import { ContextEntries } from '../../../../../src/domain/prompts/contextEntries.ts';
import {
  type CouncilDraft,
  CouncilDrafts,
  CouncilVotes,
  CouncilWinner,
} from '../../../../../src/domain/council/council.ts';
import { Interview, InterviewSession } from '../../../../../src/domain/requirements/interview.ts';
import { Prd } from '../../../../../src/domain/requirements/prd.ts';
import { Limits, type Settings } from '../../../../../src/domain/settings/settings.ts';
import { compileInterview, draftInterview } from '../../../../../src/phases/interview/questionList.ts';
import { draftBeads, refineBeads } from '../../../../../src/phases/plan/blueprint.ts';
import { draftPrd } from '../../../../../src/phases/prd/draftPrd.ts';
import { refinePrd } from '../../../../../src/phases/prd/prd.ts';
import { voteCouncil } from '../../../../../src/phases/shared/panel/voteCouncil.ts';
import {
  ballot,
  beads,
  draftsDocument,
  interviewDocument,
  prd,
  prdText,
  questions,
  winnerDocument,
} from '../../../../support/models/planningAnswers.ts';
import { until } from '../../../../support/until.ts';
import { hang, quota, unavailable } from '../../../../support/models/fakeAgent.ts';
import { type PhaseWorld, phaseWorlds } from '../../../../support/engine/phaseWorld.ts';

const three = { councilMembers: ['demo/second', 'demo/third'] };

const draftsOf = async (world: PhaseWorld, domain: 'interview' | 'prd') =>
  CouncilDrafts.parse(parse(await world.content(`${domain}_drafts`))).drafts;
const outcomesOf = (drafts: readonly CouncilDraft[]) => drafts.map(({ outcome }) => outcome);

describe('a council', () => {
  const worlds = phaseWorlds();
  it('drafts questions side by side, each member in a session of its own, and keeps who failed and why', async () => {
    const world = await worlds('COUNCIL_DELIBERATING', three);
    world.agent.answer = (call) =>
      call.member === 'demo/third' ? hang : stringify({ questions: questions.toReversed() });
    world.killAt = 'exit';
    const killed = world.drive(draftInterview);
    await until(() => world.agent.calls.length === 3, 'all members are asked');
    await world.clock.advance(1_300_000);
    assert.equal(await killed, 'killed');
    world.agent.answer = () => assert.fail('a replay asks nobody');
    assert.deepEqual(await world.drive(draftInterview), { exit: 'ready' });
    const drafts = await draftsOf(world, 'interview');
    assert.deepEqual(
      drafts.map((draft) => [draft.member, draft.outcome]),
      [
        ['demo/main', 'completed'],
        ['demo/second', 'completed'],
        ['demo/third', 'timed_out'],
      ],
    );
    assert.equal(drafts[0]?.metrics['questionCount'], 3);
    assert.deepEqual(parse(drafts[0].content), { questions }, 'in the order of phases');
    assert.equal(world.agent.sessions.size, 3);
  });

  it('blocks without a quorum, naming every reason', async () => {
    const world = await worlds('COUNCIL_DELIBERATING', { ...three, structuredRetryCount: 1 });
    world.agent.answer = (call) =>
      call.member === 'demo/main'
        ? stringify({ questions })
        : call.member === 'demo/second'
          ? unavailable
          : 'nonsense';
    await assert.rejects(world.drive(draftInterview), {
      code: 'QUORUM_NOT_MET',
      message: /Only 1 of 2 .*demo\/second: .*down.*demo\/third: .*usable/s,
    });
    const drafts = await draftsOf(world, 'interview');
    assert.deepEqual(outcomesOf(drafts), ['completed', 'failed', 'invalid_output']);
    assert.equal(world.agent.calls.filter((call) => call.member === 'demo/third').length, 4);
  });

  it('asks only the members that are missing when it is tried again', async () => {
    const world = await worlds('COUNCIL_DELIBERATING', three);
    world.agent.answer = (call) => (call.member === 'demo/main' ? stringify({ questions }) : unavailable);
    await assert.rejects(world.drive(draftInterview), { code: 'QUORUM_NOT_MET' });
    await world.change({ type: 'ticket', set: { attempts: { COUNCIL_DELIBERATING: 2 } } });
    await world.enter('COUNCIL_DELIBERATING', { by: 'retry', body: { note: '' } });
    const before = world.agent.calls.length;
    world.agent.answer = () => stringify({ questions: questions.toReversed() });
    assert.deepEqual(await world.drive(draftInterview), { exit: 'ready' });
    assert.deepEqual(
      world.agent.calls
        .slice(before)
        .map(({ member }) => member)
        .sort(),
      ['demo/second', 'demo/third'],
    );
    const drafts = await draftsOf(world, 'interview');
    assert.deepEqual(
      drafts.map(({ member, outcome }) => [member, outcome]),
      ['demo/main', 'demo/second', 'demo/third'].map((member) => [member, 'completed']),
    );
  });

  it('of two continues with the one that is left, and says why the other isn’t there', async () => {
    const world = await worlds('COUNCIL_DELIBERATING', { councilMembers: ['demo/second'] });
    world.agent.answer = (call) => (call.member === 'demo/main' ? stringify({ questions }) : unavailable);
    assert.deepEqual(await world.drive(draftInterview), { exit: 'ready' });
    const drafts = await draftsOf(world, 'interview');
    assert.deepEqual(
      drafts.map(({ member, outcome, error }) => [member, outcome, error?.includes('down') ?? false]),
      [
        ['demo/main', 'completed', false],
        ['demo/second', 'failed', true],
      ],
    );
  });

  it('waits for members whose provider says when it can be asked again, and shows the wait that ends last', async () => {
    const world = await worlds('COUNCIL_DELIBERATING', three);
    await world.change({ type: 'ticket', set: { limits: Limits.parse({}) } });
    const minute = 60_000;
    const start = world.clock.now();
    const over = (minutes: number) => ({ ...quota, retryAfterMs: minutes * minute });
    world.agent.answer = ({ member, text }) => {
      if (member === 'demo/main' || text === 'continue please') return stringify({ questions });
      return over(member === 'demo/second' ? 40 : 10);
    };
    const driven = world.drive(draftInterview);
    const hold = async () => (await world.ticket()).hold;
    const latest = start + 40 * minute + 5_000;
    await until(
      async () => (await hold())?.until === latest && world.agent.calls.length === 3,
      'the hold that ends last',
    );
    assert.equal((await hold())?.kind, 'quota');
    await world.clock.advance(11 * minute);
    await until(() => world.agent.calls.length === 4, 'the third member continues');
    assert.equal((await hold())?.until, latest, 'the second one still waits');
    await world.clock.advance(30 * minute);
    assert.deepEqual(await driven, { exit: 'ready' });
    assert.equal(await hold(), null);
    const drafts = await draftsOf(world, 'interview');
    assert.deepEqual(outcomesOf(drafts), ['completed', 'completed', 'completed']);
    assert.equal(world.agent.sessions.size, 3, 'each continues in its own session');
  });

  it('continues without a member that can’t be asked again within the cap, or at no known time', async () => {
    for (const retryAfterMs of [2 * 3_600_000, undefined]) {
      const world = await worlds('COUNCIL_DELIBERATING', three);
      await world.change({ type: 'ticket', set: { limits: Limits.parse({ providerWait: 3_600_000 }) } });
      world.agent.answer = ({ member }) =>
        member === 'demo/third'
          ? { ...quota, ...(retryAfterMs && { retryAfterMs }) }
          : stringify({ questions });
      assert.deepEqual(await world.drive(draftInterview), { exit: 'ready' });
      const drafts = await draftsOf(world, 'interview');
      assert.deepEqual(outcomesOf(drafts), ['completed', 'completed', 'failed']);
    }
  });

  it('interrupts, to be continued, when the only member fails', async () => {
    const world = await worlds('COUNCIL_DELIBERATING', {
      depth: 'solo',
      councilMembers: [],
      minCouncilQuorum: 1,
    });
    world.agent.answer = () => unavailable;
    await assert.rejects(world.drive(draftInterview), { code: 'PROVIDER_ERROR', continuable: true });
    world.agent.answer = () => stringify({ questions });
    await world.post('continue', {});
    assert.deepEqual(await world.drive(draftInterview), { exit: 'ready' });
    assert.equal(world.agent.calls[1]?.text, 'continue please');
  });

  it('refuses more questions than allowed, and tells members what a person noted', async () => {
    const world = await worlds('COUNCIL_DELIBERATING', { interviewQuestions: 2 });
    await world.enter('COUNCIL_DELIBERATING', { by: 'regenerate', body: { note: 'Fewer!' } });
    await world.post('context', { text: 'For children too.', scope: 'always' });
    await world.post('context', { text: 'In one sitting.', scope: 'until_done' });
    world.agent.answer = (call) =>
      stringify({ questions: call.task === 'structured-repair' ? questions.slice(0, 2) : questions });
    await world.drive(draftInterview);
    assert.deepEqual(world.agent.tasks.sort(), [
      'interview-draft',
      'interview-draft',
      'structured-repair',
      'structured-repair',
    ]);
    assert.match(world.agent.calls[0]?.whole ?? '', /Fewer!/);
    assert.match(world.agent.calls[0]?.whole ?? '', /For children too\.[^]*In one sitting\./);
    const { entries } = ContextEntries.parse(await world.json('context_entries'));
    assert.deepEqual(
      entries.map(({ text, mode, state }) => [text, mode, state]),
      [
        ['For children too.', 'pinned', 'queued'],
        ['In one sitting.', 'pinned', 'queued'],
      ],
    );
  });

  describe('votes', () => {
    const drafts = {
      'demo/main': 'draft of main',
      'demo/second': 'draft of second',
      'demo/third': 'draft of third',
    };

    it('on the drafts of the others, in an order of each voter, and the best mean wins', async () => {
      const world = await worlds('COUNCIL_VOTING_PRD', three);
      await world.put('prd_drafts', draftsDocument(drafts));
      world.answers({
        'prd-vote': (call) => {
          const shown = [...call.whole.matchAll(/draft of (\w+)/g)].map(([, name]) => name);
          assert.ok(!shown.includes(call.member.slice('demo/'.length)), 'nobody sees its own draft');
          assert.equal(shown.length, 2);
          assert.doesNotMatch(call.whole, /demo\/(?:main|second|third)/);
          return ballot(...shown.map((name) => (name === 'third' ? 20 : 5)));
        },
      });
      world.killAt = 'exit';
      assert.equal(await world.drive(voteCouncil), 'killed');
      assert.deepEqual(await world.drive(voteCouncil), { exit: 'winner' });
      const winner = CouncilWinner.parse(parse(await world.content('prd_winner')));
      assert.deepEqual([winner.winner, winner.tie, winner.totals['demo/third']], ['demo/third', false, 60]);
      const { votes } = CouncilVotes.parse(parse(await world.content('prd_votes')));
      assert.deepEqual(
        votes.map((vote) => vote.order.length),
        [2, 2, 2],
      );
      assert.equal(votes[0]?.scores['demo/third']?.coverage, 20);
      assert.equal(world.agent.calls[0]?.policy, 'disabled');
      assert.equal(world.agent.calls.length, 3, 'asked once, over the kill');
    });

    it('without a call when there is only one valid draft, and records that', async () => {
      const world = await worlds('COUNCIL_VOTING_BEADS', three);
      await world.put('beads_drafts', draftsDocument({ 'demo/second': 'the only one' }));
      assert.deepEqual(await world.drive(voteCouncil), { exit: 'winner' });
      assert.equal(CouncilWinner.parse(parse(await world.content('beads_winner'))).winner, 'demo/second');
      assert.deepEqual(CouncilVotes.parse(parse(await world.content('beads_votes'))).votes, []);
      assert.equal(world.agent.calls.length, 0);
    });

    it('and blocks when too few do', async () => {
      const world = await worlds('COUNCIL_VOTING_INTERVIEW', three);
      await world.put('interview_drafts', draftsDocument(drafts));
      world.agent.answer = (call) => (call.member === 'demo/main' ? ballot(10, 10) : unavailable);
      await assert.rejects(world.drive(voteCouncil), {
        code: 'QUORUM_NOT_MET',
        message: /Only 1 of 2 .*vote/,
      });
      assert.equal(await world.artifact('interview_winner'), undefined);
    });
  });

  it('lets the winner compile the interview from its draft, shown first, and lays out the record', async () => {
    const world = await worlds('COMPILING_INTERVIEW', { coverageFollowUpBudgetPercent: 10 });
    await world.put('interview_drafts', draftsDocument({ 'demo/main': 'loser', 'demo/second': 'mine' }));
    await world.put('interview_winner', winnerDocument('demo/second'));
    world.answers({ 'interview-refine': stringify({ questions, changes: [] }) });
    assert.deepEqual(await world.drive(compileInterview), { exit: 'ready' });
    assert.equal(world.agent.calls[0]?.member, 'demo/second');
    assert.match(world.agent.calls[0].whole, /### Draft 1\n\nmine\n\n### Draft 2\n\nloser/);
    const session = InterviewSession.parse(parse(await world.content('interview_session')));
    assert.deepEqual([session.winner, session.maxFollowUps, session.checklist.length], ['demo/second', 5, 3]);
  });

  describe('of the PRD', () => {
    const ready = async (
      interview = interviewDocument(),
      settings: Partial<Settings> = {},
    ): Promise<PhaseWorld> => {
      const world = await worlds('DRAFTING_PRD', settings);
      await world.put('interview', stringify(interview), 'WAITING_INTERVIEW_ANSWERS');
      return world;
    };
    const filled = stringify({
      questions: [{ id: 'Q02', answer: { selected_option_ids: ['no'], free_text: 'Quiet is fine.' } }],
    });

    it('fills in what was skipped and nothing else, then drafts from that alone', async () => {
      const world = await ready();
      world.answers({ 'full-answers': filled, 'prd-draft': stringify(prd) });
      world.killAt = 'exit';
      assert.equal(await world.drive(draftPrd), 'killed');
      assert.deepEqual(await world.drive(draftPrd), { exit: 'ready' });
      const full = Interview.parse(parse(await world.content('full_answers:demo/second')));
      const [kept, answered] = full.questions;
      assert.deepEqual(kept, interviewDocument().questions[0]);
      assert.deepEqual(
        [answered?.answer.answered_by, answered?.answer.selected_option_ids, answered?.answer.skipped],
        ['ai_skip', ['no'], false],
      );
      const call = world.agent.calls.find(({ task }) => task === 'prd-draft');
      assert.match(call?.whole ?? '', /## full_answers\n/);
      assert.doesNotMatch(call?.whole ?? '', /## interview\n/);
      const drafts = await draftsOf(world, 'prd');
      assert.match(drafts[0]?.content ?? '', /id: EPIC-1[\s\S]*id: US-1-1/);
      assert.equal(world.agent.calls.length, 4, 'asked once, over the kill');
    });

    it('makes no call for answers when nothing was skipped', async () => {
      const document = interviewDocument();
      const world = await ready({ ...document, questions: document.questions.slice(0, 1) });
      world.answers({ 'prd-draft': stringify(prd) });
      await world.drive(draftPrd);
      assert.deepEqual(world.agent.tasks, ['prd-draft', 'prd-draft']);
      assert.equal(Interview.parse(parse(await world.content('full_answers:demo/main'))).questions.length, 1);
    });

    it('refuses answers with options that are not offered, and leaves that member out', async () => {
      const world = await ready(undefined, { minCouncilQuorum: 1 });
      world.agent.answer = (call) => {
        if (call.task === 'prd-draft') return stringify(prd);
        return call.member === 'demo/second' ? filled.replace('no', 'maybe') : filled;
      };
      await world.drive(draftPrd);
      const drafts = await draftsOf(world, 'prd');
      assert.deepEqual(outcomesOf(drafts), ['completed', 'invalid_output']);
      assert.match(drafts[1]?.error ?? '', /no option maybe/);
    });

    it('applies the edit it was entered by first, as approved and with receipts', async () => {
      const world = await ready(interviewDocument({ status: 'approved' }));
      const base = sha256(await world.content('interview'));
      const edited = stringify(interviewDocument({ questions: interviewDocument().questions.slice(0, 1) }));
      await world.enter('DRAFTING_PRD', {
        by: 'edit',
        body: { artifact: 'interview', baseSha256: base, content: edited, surface: 'raw' },
      });
      world.answers({ 'prd-draft': stringify(prd) });
      await world.drive(draftPrd);
      const stored = Interview.parse(parse(await world.content('interview')));
      assert.deepEqual(
        [stored.status, stored.approval.approved_by, stored.questions.length],
        ['approved', 'user', 1],
      );
      assert.equal((await world.artifact('interview'))?.info.status, 'WAITING_INTERVIEW_ANSWERS');
      const receipt = JSON.parse(await world.content('user_edit_receipt:interview')) as {
        action: string;
        before: { sha256: string };
      };
      assert.deepEqual([receipt.action, receipt.before.sha256], ['save_and_rewind', base]);
      assert.match(await world.content('approval_receipt'), /"artifact": "interview"/);
    });

    it('keeps the previous document when that edit is no use', async () => {
      for (const [over, code] of [
        [{ baseSha256: 'f'.repeat(64) }, 'EDIT_CONFLICT'],
        [{ content: 'questions: none' }, 'INVALID_ARTIFACT'],
      ] as const) {
        const world = await ready();
        const before = await world.content('interview');
        const body = {
          artifact: 'interview',
          baseSha256: sha256(before),
          content: before,
          surface: 'raw',
          ...over,
        };
        await world.enter('DRAFTING_PRD', { by: 'edit', body });
        await assert.rejects(world.drive(draftPrd), { code });
        assert.equal(await world.content('interview'), before);
      }
    });

    it('refines with the Full Answers of all, the winner first, and stores the PRD with ids and source', async () => {
      const world = await ready();
      await world.enter('REFINING_PRD');
      await world.put('prd_drafts', draftsDocument({ 'demo/main': 'loser', 'demo/second': 'mine' }));
      await world.put('prd_winner', winnerDocument('demo/second'));
      await world.put(
        'full_answers:demo/main',
        stringify(interviewDocument({ summary: { ...interviewDocument().summary, goals: ['of main'] } })),
      );
      await world.put(
        'full_answers:demo/second',
        stringify(interviewDocument({ summary: { ...interviewDocument().summary, goals: ['of second'] } })),
      );
      world.answers({ 'prd-refine': stringify({ ...prd, changes: [] }) });
      assert.deepEqual(await world.drive(refinePrd), { exit: 'refined' });
      assert.match(world.agent.calls[0]?.whole ?? '', /of second[\s\S]*of main/);
      const stored = Prd.parse(parse(await world.content('prd')));
      assert.deepEqual([stored.status, stored.ticket_id, stored.epics[0]?.id], ['draft', 'TST-1', 'EPIC-1']);
      assert.equal(stored.source_interview.content_sha256, sha256(await world.content('interview')));
    });
  });

  it('drafts and refines beads, and refuses a plan with an id twice, or names that the PRD does not have', async () => {
    const world = await worlds('DRAFTING_BEADS');
    await world.put('prd', prdText());
    const lost = beads.map((bead) => ({ ...bead, prdRefs: ['US-1-1.AC7'] }));
    let drafts = 0;
    world.agent.answer = (call) =>
      stringify({
        beads: call.task === 'structured-repair' ? beads : drafts++ === 0 ? [beads[0], beads[0]] : lost,
      });
    assert.deepEqual(await world.drive(draftBeads), { exit: 'ready' });
    assert.ok(world.agent.calls.some((call) => /greet-by-name is used more than once/.test(call.text)));
    const refusal =
      /greet-by-name: prdRefs names US-1-1\.AC7, which the PRD doesn't have\.[\s\S]*The PRD has EPIC-1, US-1-1, US-1-1\.AC1\./;
    assert.ok(world.agent.calls.some((call) => refusal.test(call.text)));

    await world.enter('REFINING_BEADS');
    await world.put('beads_winner', winnerDocument());
    world.answers({ 'beads-refine': stringify({ beads, changes: [] }) });
    assert.deepEqual(await world.drive(refineBeads), { exit: 'refined' });
    assert.deepEqual(parse(await world.content('beads_blueprint')), { beads });
  });
});
