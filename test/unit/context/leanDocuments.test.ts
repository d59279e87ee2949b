import assert from 'node:assert/strict';
import { parse, stringify } from 'yaml';
import { leanInterview, withoutBookkeeping } from '../../../src/context/slices.ts';

const answer = {
  skipped: false,
  selected_option_ids: [],
  free_text: '',
  answered_by: 'user',
  answered_at: '2026-01-01T00:00:00.000Z',
};
const question = {
  id: 'Q01',
  phase: 'foundation',
  prompt: 'Who?',
  source: 'compiled',
  follow_up_round: null,
  answer_type: 'free_text',
  options: [],
  covers: [],
  answer: { ...answer, free_text: 'status: done\nall of them' },
};
const interview = {
  schema_version: 1,
  ticket_id: 'TST-1',
  artifact: 'interview',
  status: 'approved',
  generated_by: { winner_model: 'p/m', generated_at: 'x', canonicalization: 'server_normalized' },
  questions: [
    question,
    {
      ...question,
      id: 'Q02',
      answer_type: 'yes_no',
      options: [{ id: 'no', label: 'No' }],
      source: 'prompt_follow_up',
      follow_up_round: 1,
      answer: { ...answer, skipped: true, skip_reason: 'Later.' },
    },
    { ...question, id: 'Q03', answer: { ...answer, free_text: 'Guessed.', answered_by: 'ai_skip' } },
  ],
  settled: [{ id: 'Q04', prompt: 'Why?', reason: 'The ticket says so.' }],
  merged: [],
  trimmed: [],
  follow_up_rounds: [],
  summary: { goals: ['Fast'], constraints: [], non_goals: [], final_free_form_answer: '' },
  approval: { approved_by: 'user', approved_at: 'x' },
};

describe('documents as models read them', () => {
  it('are an interview with all questions and answers, and nothing that is empty or says when it was', () => {
    assert.deepEqual(parse(leanInterview(stringify(interview))), {
      questions: [
        {
          id: 'Q01',
          phase: 'foundation',
          prompt: 'Who?',
          answer_type: 'free_text',
          answer: { free_text: 'status: done\nall of them', answered_by: 'user' },
        },
        {
          id: 'Q02',
          phase: 'foundation',
          prompt: 'Who?',
          follow_up_round: 1,
          answer_type: 'yes_no',
          options: [{ id: 'no', label: 'No' }],
          answer: { skipped: true, answered_by: 'user', skip_reason: 'Later.' },
        },
        {
          id: 'Q03',
          phase: 'foundation',
          prompt: 'Who?',
          answer_type: 'free_text',
          answer: { free_text: 'Guessed.', answered_by: 'ai_skip' },
        },
      ],
      settled: [{ id: 'Q04', prompt: 'Why?', reason: 'The ticket says so.' }],
      summary: { goals: ['Fast'] },
    });
  });

  it('are as they are where they can’t be read, or are no stored documents', () => {
    for (const text of ['', 'questions: [', 'status: open\nquestions: []\n', '[1, 2]']) {
      assert.equal(leanInterview(text), text);
      assert.equal(withoutBookkeeping(text), text);
    }
  });

  it('keep every other line byte for byte, also one that looks like a field within a text', () => {
    const kept =
      'product:\n  problem_statement: |\n    status: open\n    approval:\n# A comment of a person.\nrisks: ["a"]\n';
    const before = 'schema_version: 1\nartifact: prd\nsource_interview:\n  content_sha256: aa\n';
    assert.equal(
      withoutBookkeeping(`${before}${kept}approval:\n  approved_by: user\n`).trimEnd(),
      kept.trimEnd(),
    );
  });
});
