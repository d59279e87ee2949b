import assert from 'node:assert/strict';
import { parse, stringify } from 'yaml';
import { Interview, InterviewSession } from '../../../../src/domain/requirements/interview.ts';
import { compileInterview, draftInterview } from '../../../../src/phases/interview/questionList.ts';
import { interview } from '../../../../src/phases/interview/interview.ts';
import { sameQuestion } from '../../../../src/phases/interview/interviewQuestions.ts';
import {
  draftsDocument,
  interviewDocument,
  questions,
  winnerDocument,
} from '../../../support/models/planningAnswers.ts';
import { type PhaseWorld, phaseWorlds } from '../../../support/engine/phaseWorld.ts';

const at = '2026-01-01T00:00:00.000Z';
const said = (free_text: string): object => ({
  skipped: false,
  selected_option_ids: [],
  free_text,
  answered_by: 'user',
  answered_at: at,
});
const asked = (id: string, prompt: string, answer: object, more: object = {}): object => ({
  id,
  prompt,
  phase: 'structure',
  source: 'compiled',
  follow_up_round: null,
  answer_type: 'free_text',
  options: [],
  answer,
  ...more,
});
const refined = (...list: readonly object[]): string => stringify({ questions: list, changes: [] });
const batch = (...list: readonly object[]): string =>
  `<INTERVIEW_BATCH>\n${stringify({ batch_number: 1, questions: list })}</INTERVIEW_BATCH>`;

describe('a regenerated interview', () => {
  const worlds = phaseWorlds();
  let world: PhaseWorld;
  const record = async (): Promise<InterviewSession> =>
    InterviewSession.parse(parse(await world.content('interview_session')));

  /** A ticket whose finished interview was archived by a regenerate. */
  beforeEach(async () => {
    world = await worlds('COUNCIL_DELIBERATING', { depth: 'solo', councilMembers: [] });
    const list = [
      asked('Q01', 'Who is greeted?', said('Everyone, by name.')),
      asked('Q02', 'In which language should it greet?', said('German.')),
      asked('Q03', 'Loudly?', { ...said(''), skipped: true, skip_reason: 'Ask Maria.' }),
      asked('FU1', 'How long may a greeting be?', said('80 characters.'), {
        source: 'prompt_follow_up',
        follow_up_round: 1,
      }),
      asked('QFF1', 'Anything else?', said('Be kind.'), { source: 'final_free_form' }),
    ];
    await world.put(
      'interview',
      stringify({ ...interviewDocument(), questions: list }),
      'WAITING_INTERVIEW_ANSWERS',
    );
    await world.change({ type: 'artifacts.archive', statuses: ['WAITING_INTERVIEW_ANSWERS'] });
    await world.enter('COUNCIL_DELIBERATING', { by: 'regenerate', body: { note: 'Ask about farewells.' } });
  });

  const compiled = async (...list: readonly object[]): Promise<void> => {
    await world.put('interview_drafts', draftsDocument({ 'demo/main': 'mine' }));
    await world.put('interview_winner', winnerDocument());
    await world.enter('COMPILING_INTERVIEW', { by: 'winner', body: null });
    world.answers({ 'interview-refine': refined(...list) });
    assert.deepEqual(await world.drive(compileInterview), { exit: 'ready' });
  };

  it('shows the answers and the note to those who draft and compile the questions again', async () => {
    world.answers({ 'interview-draft': stringify({ questions }) });
    await world.drive(draftInterview);
    const prompt = world.agent.calls[0]?.whole ?? '';
    assert.match(prompt, /## given_answers\n[\s\S]*Everyone, by name\.[\s\S]*80 characters\./);
    assert.match(prompt, /skipped: Ask Maria\./);
    assert.match(prompt, /Ask about farewells\./);
    await compiled(...questions);
    assert.match(world.agent.calls.at(-1)?.whole ?? '', /## given_answers\n[\s\S]*German\./);
  });

  it('carries over the answers of questions that come again, also under other ids, and keeps the others as given facts', async () => {
    await compiled(
      { id: 'Q01', phase: 'foundation', question: 'Should it say farewell?' },
      { id: 'Q02', phase: 'structure', question: 'In which language should it greet people?' },
      { id: 'Q03', phase: 'assembly', question: 'Who is greeted?' },
    );
    const { asked: known, answers } = await record();
    assert.deepEqual(
      known.map(({ id, source, question }) => [id, source, question, answers[id]?.free_text]),
      [
        ['Q03', 'compiled', 'Who is greeted?', 'Everyone, by name.'],
        ['Q02', 'compiled', 'In which language should it greet?', 'German.'],
        ['E01', 'earlier', 'How long may a greeting be?', '80 characters.'],
        ['QFF1', 'final_free_form', 'Anything else?', 'Be kind.'],
      ],
    );
  });

  it('asks only what is new, and ends with all answers in the document', async () => {
    await compiled(
      { id: 'Q01', phase: 'foundation', question: 'Should it say farewell?' },
      { ...questions[0], id: 'Q02' },
    );
    await world.enter('WAITING_INTERVIEW_ANSWERS');
    const farewell = { id: 'Q01', question: 'Should it say farewell?', answer_type: 'yes_no' };
    const texts = [
      batch({ id: 'Q02', question: 'Who is greeted?' }),
      batch(farewell, { id: 'FU1', question: 'How long may a greeting be?' }),
    ];
    world.agent.answer = () =>
      texts.shift() ?? '<INTERVIEW_COMPLETE>\nsummary:\n  goals: [Greet]\n</INTERVIEW_COMPLETE>';
    assert.deepEqual(await world.drive(interview), { waits: ['answer', 'skip'] });
    assert.match(
      world.agent.calls.find(({ task }) => task === 'interview-qa')?.whole ?? '',
      /## session_state\n[\s\S]*Everyone, by name\./,
    );
    const { currentBatch, answers } = await record();
    assert.deepEqual(
      currentBatch?.questionIds.filter((id) => answers[id] === undefined),
      ['Q01'],
    );
    await world.post('answer', {
      batch: currentBatch.number,
      answers: { Q01: { selected_option_ids: ['yes'], free_text: '', skipped: false } },
    });
    assert.deepEqual(await world.drive(interview), { exit: 'complete' });
    const document = Interview.parse(parse(await world.content('interview')));
    assert.deepEqual(
      document.questions
        .map(({ id, answer }) => [id, answer.free_text || answer.selected_option_ids.join()])
        .sort(),
      [
        ['E01', 'German.'],
        ['FU1', '80 characters.'],
        ['Q01', 'yes'],
        ['Q02', 'Everyone, by name.'],
        ['QFF1', 'Be kind.'],
      ],
    );
    assert.deepEqual([document.summary.final_free_form_answer, document.follow_up_rounds], ['Be kind.', []]);
  });

  it('lets a carried answer be changed', async () => {
    await compiled(...questions);
    await world.enter('WAITING_INTERVIEW_ANSWERS');
    world.agent.answer = () => batch({ id: 'Q02', question: 'In which languages?' });
    await world.drive(interview);
    await world.post('answer', {
      answers: { Q01: { selected_option_ids: [], free_text: 'Only friends.', skipped: false } },
    });
    await world.drive(interview);
    assert.equal((await record()).answers['Q01']?.free_text, 'Only friends.');
  });
});

describe('two questions', () => {
  const same = (a: string, b: string, id = 'Q01'): boolean =>
    sameQuestion({ id: 'Q01', text: a }, { id, text: b });

  it('are the same in the same words, whatever their ids', () => {
    assert.equal(same('Who is greeted?', 'who is  greeted', 'Q07'), true);
    assert.equal(same('Who is greeted?', 'Who is greeted first?', 'Q07'), false);
  });

  it('are the same under one id in mostly the same words, but not with another negation or number', () => {
    assert.equal(
      same('In which language should it greet?', 'In which language should it greet people?'),
      true,
    );
    assert.equal(
      same('May codes be combined in one order?', 'May codes not be combined in one order?'),
      false,
    );
    assert.equal(
      same('Is a greeting of 80 characters enough?', 'Is a greeting of 20 characters enough?'),
      false,
    );
    assert.equal(same('Who is greeted?', 'What about nobody?'), false);
  });
});
