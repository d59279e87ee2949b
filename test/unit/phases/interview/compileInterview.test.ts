import assert from 'node:assert/strict';
import { parse, stringify } from 'yaml';
import { InterviewSession } from '../../../../src/domain/requirements/interview.ts';
import { compileInterview } from '../../../../src/phases/interview/questionList.ts';
import { draftsDocument, questions, winnerDocument } from '../../../support/models/planningAnswers.ts';
import { type PhaseWorld, phaseWorlds } from '../../../support/engine/phaseWorld.ts';

const [q01, q02, q03] = questions;
const added = { id: 'Q04', phase: 'assembly', question: 'How loud?' };

describe('compiling the interview', () => {
  const worlds = phaseWorlds();
  let world: PhaseWorld;
  const compiled = async (
    ...answers: readonly object[]
  ): Promise<{ ids: readonly string[]; restored: readonly string[] }> => {
    const texts = answers.map((answer) => stringify({ changes: [], ...answer }));
    world.agent.answer = () => texts.shift() ?? assert.fail('asked too often');
    await world.drive(compileInterview);
    const { checklist } = InterviewSession.parse(parse(await world.content('interview_session')));
    const { restored } = parse(await world.content('interview_compiled')) as { restored: string[] };
    return { ids: checklist.map(({ id, question }) => `${id} ${question}`), restored };
  };

  beforeEach(async () => {
    world = await worlds('COMPILING_INTERVIEW', { interviewQuestions: 4 });
    await world.put(
      'interview_drafts',
      draftsDocument({
        'demo/main': stringify({ questions }),
        'demo/second': stringify({ questions: [added] }),
      }),
    );
    await world.put('interview_winner', winnerDocument());
  });

  it('puts back what was left out without a word', async () => {
    const { ids, restored } = await compiled({ questions: [q01, q03, added] });
    assert.deepEqual(ids, [
      'Q01 Who is greeted?',
      'Q02 In which languages?',
      'Q03 What about nobody?',
      'Q04 How loud?',
    ]);
    assert.deepEqual(restored, ['Q02']);
  });

  it('takes what is listed as removed, replaced or modified for what it says', async () => {
    const changes = [
      { type: 'removed', item_type: 'question', before: 'Q02', after: null },
      {
        type: 'replaced',
        item_type: 'question',
        before: { id: 'Q03', label: 'What about nobody?' },
        after: 'Q04',
      },
    ];
    const { ids, restored } = await compiled({
      questions: [{ ...q01, question: 'Who is greeted first?' }, added],
      changes,
    });
    assert.deepEqual([ids, restored], [['Q01 Who is greeted first?', 'Q04 How loud?'], []]);
  });

  it('keeps a question whose id was given to another one, under a new id', async () => {
    const { ids, restored } = await compiled({
      questions: [q01, { ...q02, question: 'Should it say farewell?' }, q03],
    });
    assert.deepEqual(ids, [
      'Q01 Who is greeted?',
      'Q02 Should it say farewell?',
      'Q04 In which languages?',
      'Q03 What about nobody?',
    ]);
    assert.deepEqual(restored, ['Q04']);
  });

  it('takes renumbered questions for what they are', async () => {
    const { restored } = await compiled({ questions: [{ ...q02, id: 'Q01' }, { ...q01, id: 'Q02' }, q03] });
    assert.deepEqual(restored, []);
  });

  it('lets the model choose where that is more than may be asked, and then drops what it added', async () => {
    const more = [1, 2].map((number) => ({
      ...added,
      id: `Q1${String(number)}`,
      question: `More ${String(number)}?`,
    }));
    const { ids } = await compiled({ questions: [q01, q03, ...more] }, { questions: [q01, q03, ...more] });
    assert.deepEqual(ids, [
      'Q01 Who is greeted?',
      'Q02 In which languages?',
      'Q03 What about nobody?',
      'Q11 More 1?',
    ]);
    assert.match(world.agent.calls[1]?.text ?? '', /- Q02: In which languages\?/);
    assert.match(await world.content('interview_compiled'), /type: removed[\s\S]*Q12: More 2\?/);
  });
});
