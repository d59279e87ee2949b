import { Interview } from '../../../../src/domain/requirements/interview.ts';
import { Prd } from '../../../../src/domain/requirements/prd.ts';
import { SetupPlan } from '../../../../src/domain/documents/setupPlan.ts';
import { prd } from '../../../support/models/planningAnswers.ts';

export function storedInterview(): Interview {
  const question = (id: string, answer: object): object => ({
    id,
    phase: 'foundation',
    prompt: `${id}?`,
    source: 'compiled',
    follow_up_round: null,
    answer_type: 'free_text',
    options: [],
    answer: {
      skipped: false,
      selected_option_ids: [],
      free_text: '',
      answered_by: 'user',
      answered_at: 'then',
      ...answer,
    },
  });
  return Interview.parse({
    schema_version: 1,
    ticket_id: 'TST-1',
    artifact: 'interview',
    status: 'draft',
    generated_by: { winner_model: 'a/one', generated_at: 'then', canonicalization: 'server_normalized' },
    questions: [
      question('Q01', { free_text: 'People.' }),
      question('Q02', { skipped: true, skip_reason: 'You know.' }),
    ],
    follow_up_rounds: [],
    summary: { goals: [], constraints: [], non_goals: [], final_free_form_answer: '' },
    approval: { approved_by: '', approved_at: '' },
  });
}

export function storedPrd(): Prd {
  return Prd.parse({
    schema_version: 1,
    ticket_id: 'TST-1',
    artifact: 'prd',
    status: 'draft',
    source_interview: { content_sha256: 'c'.repeat(64) },
    ...prd,
    approval: { approved_by: '', approved_at: '' },
  });
}

export function storedSetup(): SetupPlan {
  return SetupPlan.parse({
    schema_version: 1,
    ticket_id: 'TST-1',
    artifact: 'execution_setup_plan',
    status: 'draft',
    readiness: { status: 'partial', actions_required: true, evidence: [], gaps: ['No linter.'] },
    steps: [{ id: 'setup-step-1', commands: ['npm ci'] }],
  });
}
