import assert from 'node:assert/strict';
import { parse, stringify } from 'yaml';
import {
  CoverageReport,
  Interview,
  InterviewSession,
} from '../../../../src/domain/requirements/interview.ts';
import { interview } from '../../../../src/phases/interview/interview.ts';
import { interviewCoverage } from '../../../../src/phases/interview/interviewCoverage.ts';
import { gaps, questions } from '../../../support/models/planningAnswers.ts';
import { type PhaseWorld, phaseWorlds } from '../../../support/engine/phaseWorld.ts';
import { sampleInterview } from '../../../support/samples.ts';

const waits = { waits: ['answer', 'skip'] };
const batchWith = (more: object, ...asked: readonly object[]): string =>
  `<INTERVIEW_BATCH>\n${stringify({ batch_number: 1, questions: asked, ...more })}</INTERVIEW_BATCH>`;
const batch = (...asked: readonly object[]): string => batchWith({ ai_commentary: 'Well.' }, ...asked);
const ended = (more: object = {}): string =>
  `<INTERVIEW_COMPLETE>\n${stringify({ summary: { goals: ['Greet.'] }, ...more })}</INTERVIEW_COMPLETE>`;
const end = ended({ settled: ['Q02', 'Q03'].map((id) => ({ id, reason: 'The ticket says so.' })) });
const follow = (id: string, priority = 'medium'): object => ({
  id,
  question: `And ${id}?`,
  priority,
  answer_type: 'free_text',
});
const q01 = { ...questions[0], answer_type: 'yes_no' };
const q02 = {
  ...questions[1],
  answer_type: 'multiple_choice',
  options: ['en', 'de'].map((id) => ({ id, label: id.toUpperCase() })),
};
const q03 = { ...questions[2], answer_type: 'free_text' };
const last = { id: 'QFF1', question: 'Anything else?', phase: 'assembly', answer_type: 'free_text' };

describe('the live interview', () => {
  const worlds = phaseWorlds();
  let world: PhaseWorld;
  const answer = (answers: Readonly<Record<string, object>>, number?: number): Promise<string> =>
    world.post('answer', { ...(number === undefined ? {} : { batch: number }), answers } as never);
  const sayYes = (): Promise<string> => answer({ Q01: { selected_option_ids: ['yes'] } });
  const record = async (): Promise<InterviewSession> =>
    InterviewSession.parse(parse(await world.content('interview_session')));
  /** Questions of the current batch. */
  const asks = async (): Promise<readonly string[] | undefined> => (await record()).currentBatch?.questionIds;
  const document = async (): Promise<Interview> => Interview.parse(parse(await world.content('interview')));
  const turns = (...texts: readonly string[]): void => {
    const left = [...texts];
    world.agent.answer = () => left.shift() ?? assert.fail('asked too often');
  };

  beforeEach(async () => {
    world = await worlds('WAITING_INTERVIEW_ANSWERS', {
      interviewQuestions: 10,
      coverageFollowUpBudgetPercent: 20,
    });
    const session = sampleInterview({ winner: 'demo/second', checklist: questions });
    await world.put('interview_session', stringify(session), 'COMPILING_INTERVIEW');
  });

  it('asks in batches in one session with the winner, and writes the document from its own record', async () => {
    turns(batch(q01, q02), batch(q03), batch(last), end);
    assert.deepEqual(await world.drive(interview), waits);
    assert.deepEqual(await asks(), ['Q01', 'Q02']);
    assert.deepEqual(
      (await record()).asked[0]?.options.map((option) => option.id),
      ['yes', 'no'],
    );
    await answer(
      {
        Q01: { selected_option_ids: ['yes'] },
        Q02: { selected_option_ids: ['en', 'de'], free_text: 'And more.' },
      },
      1,
    );
    assert.deepEqual(await world.drive(interview), waits);
    await answer({ Q03: { free_text: 'Say nothing.' } }, 2);
    await world.drive(interview);
    await answer({ QFF1: { free_text: 'Be kind.' } }, 3);
    assert.deepEqual(await world.drive(interview), { exit: 'complete' });

    assert.deepEqual(world.agent.tasks, [
      'interview-qa',
      'interview-answers',
      'interview-answers',
      'interview-answers',
    ]);
    assert.deepEqual([world.agent.sessions.size, world.agent.calls[0]?.member], [1, 'demo/second']);
    assert.match(world.agent.calls[0]?.whole ?? '', /## checklist\n[\s\S]*Who is greeted\?/);
    assert.match(world.agent.calls[1]?.text ?? '', /## answers\n[\s\S]*EN[\s\S]*And more\./);
    const { questions: asked, summary, status } = await document();
    assert.deepEqual(
      asked.map((question) => [question.id, question.source]),
      [
        ['Q01', 'compiled'],
        ['Q02', 'compiled'],
        ['Q03', 'compiled'],
        ['QFF1', 'final_free_form'],
      ],
    );
    assert.deepEqual(
      [summary.goals, summary.final_free_form_answer, status],
      [['Greet.'], 'Be kind.', 'draft'],
    );
  });

  it('asks the last question itself when the model ends without it', async () => {
    turns(batch(q01), end);
    await world.drive(interview);
    await answer({ Q01: { selected_option_ids: ['no'] } });
    assert.deepEqual(await world.drive(interview), waits);
    assert.deepEqual(await asks(), ['QFF1']);
    await world.post('skip', { ids: ['QFF1'], reason: 'No.' });
    assert.deepEqual(await world.drive(interview), { exit: 'complete' });
    assert.equal((await document()).questions.at(-1)?.answer.skip_reason, 'No.');
    assert.match(await world.content('skip_receipt:interview_question'), /QFF1/);
  });

  it('refuses a stale batch, unknown questions and options, and keeps waiting', async () => {
    turns(batch(q01, q02));
    await world.drive(interview);
    const posts = [
      await answer({ Q01: { selected_option_ids: ['yes'] } }, 7),
      await answer({ Q09: { free_text: 'x' } }),
      await answer({ Q01: { selected_option_ids: ['maybe'] } }),
      await answer({ Q01: { selected_option_ids: ['yes', 'no'] } }),
      await answer({}),
      await world.post('skip', { ids: ['Q03'], reason: '' }),
    ];
    assert.deepEqual(await world.drive(interview), waits);
    assert.deepEqual(await world.outcomes(...posts), [
      'STALE_APPROVAL',
      ...Array<string>(5).fill('INVALID_INPUT'),
    ]);
    assert.deepEqual((await record()).answers, {});
  });

  it('takes answers one by one, lets earlier ones be changed, and reads silence as a skip', async () => {
    turns(batch(q01, q02), batch(q03));
    await world.drive(interview);
    await sayYes();
    assert.deepEqual(await world.drive(interview), waits);
    await answer({ Q01: { selected_option_ids: ['no'] }, Q02: { free_text: ' ' } });
    assert.deepEqual(await world.drive(interview), waits);
    assert.deepEqual((await record()).answers['Q01']?.selected_option_ids, ['no']);
    assert.equal((await record()).answers['Q02']?.skipped, true);
    assert.deepEqual(await asks(), ['Q03']);
  });

  it('tells the interviewer when an answer to an earlier batch was changed, and only then', async () => {
    turns(batch(q01), batch(q02), batch(q03));
    await world.drive(interview);
    await sayYes();
    await world.drive(interview);
    assert.doesNotMatch(world.agent.calls[1]?.text ?? '', /## session_state/);
    await answer({ Q01: { selected_option_ids: ['no'], free_text: 'Rather not.' } });
    await answer({ Q02: { selected_option_ids: ['en'] } });
    await world.drive(interview);
    assert.match(world.agent.calls[2]?.text ?? '', /## session_state\n[\s\S]*Q01[\s\S]*Rather not\./);
    assert.deepEqual((await record()).answers['Q01']?.selected_option_ids, ['no']);
    assert.deepEqual(await asks(), ['Q03']);
  });

  it('skips everything: keeps what was answered, marks the rest, and needs no audit', async () => {
    turns(batch(q01, q02));
    await world.drive(interview);
    await sayYes();
    await world.post('skip', { reason: 'Enough.' });
    assert.deepEqual(await world.drive(interview), { exit: 'skip_all' });
    assert.deepEqual(
      (await document()).questions.map(({ id, answer: given }) => [id, given.skipped, given.skip_reason]),
      [
        ['Q01', false, undefined],
        ['Q02', true, 'Enough.'],
        ['Q03', true, 'Enough.'],
      ],
    );
    assert.equal(CoverageReport.parse(parse(await world.content('interview_coverage'))).outcome, 'clean');
    assert.match(await world.content('skip_receipt:interview_all'), /Enough\./);
  });

  it('has a batch repaired that repeats a question', async () => {
    turns(batch(q01), batch(q01), batch(follow('FU1')));
    await world.drive(interview);
    await sayYes();
    await world.drive(interview);
    assert.deepEqual(world.agent.tasks, ['interview-qa', 'interview-answers', 'structured-repair']);
    assert.match(world.agent.calls[2]?.text ?? '', /Q01 was asked before/);
    assert.equal((await record()).asked.at(-1)?.source, 'prompt_follow_up');
  });

  it('asks a fresh session where repairs in the conversation are no use', async () => {
    turns(batch(q01), 'Well.', 'I would rather talk about something else.', batch(q02));
    await world.drive(interview);
    await answer({ Q01: { free_text: 'Loud.' } }, 1);
    assert.deepEqual(await world.drive(interview), waits);
    assert.equal(world.agent.sessions.size, 2);
    assert.match(world.agent.calls.at(-1)?.whole ?? '', /## session_state\n[\s\S]*Q01[\s\S]*Loud\./);
  });

  it('begins a lost session again from the record, without asking anything twice', async () => {
    turns(batch(q01), batch(q03));
    await world.drive(interview);
    world.agent.sessions.clear();
    await answer({ Q01: { selected_option_ids: ['yes'], free_text: 'Loud.' } });
    assert.deepEqual(await world.drive(interview), waits);
    assert.deepEqual(world.agent.tasks, ['interview-qa', 'interview-qa']);
    assert.match(world.agent.calls[1]?.whole ?? '', /## session_state\n[\s\S]*Q01[\s\S]*Loud\./);
    assert.equal((await record()).currentBatch?.number, 2);
  });

  it('loses no answer when the status is tried again', async () => {
    turns(batch(q01, q02));
    await world.drive(interview);
    await sayYes();
    await world.drive(interview);
    await world.change({ type: 'artifacts.archive', statuses: ['WAITING_INTERVIEW_ANSWERS'] });
    await world.enter('WAITING_INTERVIEW_ANSWERS', { by: 'retry', body: null });
    assert.deepEqual(await world.drive(interview), waits);
    assert.deepEqual(Object.keys((await record()).answers), ['Q01']);
    assert.equal(world.agent.calls.length, 1);
  });

  describe('its checklist', () => {
    const fates = async (): Promise<Pick<Interview, 'settled' | 'merged' | 'trimmed'>> => {
      const { settled, merged, trimmed } = await document();
      return { settled, merged, trimmed };
    };

    it('is asked, merged or settled, and the document says what became of each question', async () => {
      const both = { ...q01, covers: ['q2', 'Q77'] };
      turns(
        batchWith({ settled: [{ id: 'Q03', reason: 'The ticket greets somebody always.' }] }, both),
        batch(last),
        ended(),
      );
      await world.drive(interview);
      await sayYes();
      await world.drive(interview);
      await answer({ QFF1: { free_text: '' } });
      assert.deepEqual(await world.drive(interview), { exit: 'complete' });
      assert.equal(world.agent.calls.length, 3);
      assert.deepEqual((await document()).questions[0]?.covers, ['Q02']);
      assert.deepEqual(await fates(), {
        settled: [{ id: 'Q03', prompt: 'What about nobody?', reason: 'The ticket greets somebody always.' }],
        merged: [{ id: 'Q02', prompt: 'In which languages?', into: 'Q01' }],
        trimmed: [],
      });
    });

    it('has the model account for what it left out, by its ids', async () => {
      turns(batch(q01), ended({ settled: [{ id: 'Q02', reason: 'In English.' }] }), batch(q03));
      await world.drive(interview);
      await sayYes();
      assert.deepEqual(await world.drive(interview), waits);
      assert.equal(world.agent.tasks.at(-1), 'structured-repair');
      assert.match(world.agent.calls.at(-1)?.text ?? '', /- Q03: What about nobody\?/);
      assert.doesNotMatch(world.agent.calls.at(-1)?.text ?? '', /- Q0[12]:/);
      assert.deepEqual(await asks(), ['Q03']);
    });

    it('asks what the model still leaves out, as it stands, and then the last question', async () => {
      turns(batch(q01), ended(), ended());
      await world.drive(interview);
      await sayYes();
      assert.deepEqual(await world.drive(interview), waits);
      assert.deepEqual(await asks(), ['Q02', 'Q03']);
      await answer({ Q02: { free_text: 'In German.' }, Q03: { free_text: 'Silence.' } });
      assert.deepEqual(await world.drive(interview), waits);
      assert.deepEqual(await asks(), ['QFF1']);
      await answer({ QFF1: { free_text: 'No.' } });
      assert.deepEqual(await world.drive(interview), { exit: 'complete' });
      assert.equal(world.agent.calls.length, 3);
      const { questions: asked, summary } = await document();
      assert.deepEqual(
        asked.map(({ id, source, prompt, answer: given }) => [id, source, prompt, given.free_text]),
        [
          ['Q01', 'compiled', 'Who is greeted?', ''],
          ['Q02', 'compiled', 'In which languages?', 'In German.'],
          ['Q03', 'compiled', 'What about nobody?', 'Silence.'],
          ['QFF1', 'final_free_form', 'Is there anything else that matters for this ticket?', 'No.'],
        ],
      );
      assert.deepEqual(summary.goals, ['Greet.']);
    });

    it('takes a question with an id of its own that asks what is open for one of the list', async () => {
      turns(batch({ ...follow('FU1'), covers: ['Q01', 'Q02'] }, follow('FU2'), follow('FU3')));
      await world.drive(interview);
      assert.deepEqual(
        (await record()).asked.map(({ id, source }) => [id, source]),
        [
          ['FU1', 'compiled'],
          ['FU2', 'prompt_follow_up'],
          ['FU3', 'prompt_follow_up'],
        ],
      );
    });

    it('leaves out the least important follow-up questions beyond the budget, and tells the model', async () => {
      turns(batch(follow('FU1', 'low'), follow('FU2', 'critical'), follow('FU3', 'high')), batch(q01));
      await world.drive(interview);
      assert.deepEqual(await asks(), ['FU2', 'FU3']);
      await answer({ FU2: { free_text: 'Yes.' }, FU3: { free_text: 'No.' } });
      await world.drive(interview);
      assert.match(world.agent.calls.at(-1)?.text ?? '', /left_out:\n {2}- id: FU1\n/);
      await world.post('skip', { reason: '' });
      assert.deepEqual(await world.drive(interview), { exit: 'skip_all' });
      assert.deepEqual((await fates()).trimmed, [{ id: 'FU1', prompt: 'And FU1?', priority: 'low' }]);
    });

    it('ends an interview whose model only asks beyond the budget, after asking what is open itself', async () => {
      turns(batch(q01, follow('FU1'), follow('FU2')), batch(follow('FU3')), batch(follow('FU4')));
      await world.drive(interview);
      await answer({
        Q01: { selected_option_ids: ['yes'] },
        FU1: { free_text: 'Yes.' },
        FU2: { free_text: 'No.' },
      });
      assert.deepEqual(await world.drive(interview), waits);
      assert.match(world.agent.calls.at(-1)?.text ?? '', /no follow-up question is left/);
      assert.deepEqual(await asks(), ['Q02', 'Q03']);
    });

    it('skips nothing that was settled or merged', async () => {
      turns(batchWith({ settled: [{ id: 'Q03', reason: 'Known.' }] }, { ...q01, covers: ['Q02'] }));
      await world.drive(interview);
      await world.post('skip', { reason: '' });
      await world.drive(interview);
      assert.deepEqual(
        (await document()).questions.map(({ id }) => id),
        ['Q01'],
      );
    });
  });

  describe('its coverage', () => {
    const followUp = { id: 'CFU1', question: 'How loud?', answer_type: 'free_text' };
    const withFollowUps = (...asked: readonly object[]): string =>
      stringify({ status: 'gaps', gaps: ['Loudness.'], follow_up_questions: asked });
    const finish = async (): Promise<void> => {
      turns(batch(q01), batch(last), end);
      await world.drive(interview);
      await sayYes();
      await world.drive(interview);
      await answer({ QFF1: { free_text: '' } });
      assert.deepEqual(await world.drive(interview), { exit: 'complete' });
      await world.enter('VERIFYING_INTERVIEW_COVERAGE');
    };

    it('leads back with questions while passes are left, then continues with its gaps', async () => {
      await finish();
      turns(withFollowUps(followUp));
      assert.deepEqual(await world.drive(interviewCoverage), { exit: 'gaps' });
      assert.match(world.agent.calls.at(-1)?.whole ?? '', /follow_up_budget_remaining: 2/);
      assert.match(world.agent.calls.at(-1)?.whole ?? '', /## user_answers\n/);

      await world.enter('WAITING_INTERVIEW_ANSWERS');
      const asked = world.agent.calls.length;
      assert.deepEqual(await world.drive(interview), waits);
      assert.deepEqual(await asks(), ['CFU1']);
      await answer({ CFU1: { free_text: 'Very.' } });
      assert.deepEqual(await world.drive(interview), { exit: 'complete' });
      assert.equal(world.agent.calls.length, asked);
      assert.deepEqual((await document()).follow_up_rounds, [
        { round_number: 1, source: 'coverage', question_ids: ['CFU1'] },
      ]);
      assert.deepEqual((await document()).summary.goals, ['Greet.']);

      await world.enter('VERIFYING_INTERVIEW_COVERAGE');
      turns(withFollowUps({ ...followUp, id: 'CFU2' }));
      assert.deepEqual(await world.drive(interviewCoverage), { exit: 'limit' });
      const report = CoverageReport.parse(parse(await world.content('interview_coverage')));
      assert.deepEqual([report.passes.length, report.outcome, report.open_gaps], [2, 'limit', ['Loudness.']]);
    });

    it('ends clean, and at its limit when no question is allowed or none was found', async () => {
      await finish();
      turns(stringify({ status: 'clean', gaps: [], follow_up_questions: [] }));
      assert.deepEqual(await world.drive(interviewCoverage), { exit: 'clean' });
      await world.enter('VERIFYING_INTERVIEW_COVERAGE');
      turns(gaps('Loudness.'));
      assert.deepEqual(await world.drive(interviewCoverage), { exit: 'limit' });
    });

    it('asks the weightiest questions of an audit that the budget allows, and keeps the others in the record', async () => {
      await finish();
      const ranked = (['low', 'critical', 'medium', 'high'] as const).map((priority) => {
        return { ...followUp, id: `C-${priority}`, question: `${priority}?`, priority };
      });
      turns(withFollowUps(...ranked));
      assert.deepEqual(await world.drive(interviewCoverage), { exit: 'gaps' });
      assert.deepEqual(await asks(), ['C-critical', 'C-high']);
      assert.deepEqual(
        (await record()).trimmed.map(({ id }) => id),
        ['C-low', 'C-medium'],
      );
    });

    it('shows in the document what an audit could not ask when no question is left', async () => {
      await finish();
      await world.put(
        'interview_session',
        stringify({ ...(await record()), maxFollowUps: 0 }),
        'COMPILING_INTERVIEW',
      );
      turns(withFollowUps(followUp));
      assert.deepEqual(await world.drive(interviewCoverage), { exit: 'limit' });
      assert.deepEqual((await document()).trimmed, [{ id: 'CFU1', prompt: 'How loud?', priority: 'medium' }]);
    });

    it('has an audit repaired that reuses an id, then refuses it', async () => {
      await finish();
      turns(...Array<string>(4).fill(withFollowUps({ ...followUp, id: 'Q01' })));
      await assert.rejects(world.drive(interviewCoverage), {
        code: 'RESPONSE_INVALID',
        message: /id Q01 is in use/,
      });
    });
  });
});
