import type * as z from 'zod';
import { isRecord } from '../../base/json.ts';
import {
  type CoveringQuestion,
  type DraftQuestion,
  InterviewDraft,
} from '../../domain/requirements/interview.ts';
import {
  readDocument,
  readRecords,
  recordsIn,
  tagged,
  textField,
  yamlFence,
} from '../script/documentText.ts';
import type { ModelScript } from '../script/modelScript.ts';
import type { ParsedChat } from '../script/parsedChat.ts';
import { winningDraft } from './council.ts';
import { ticketFacts } from './planning.ts';

type Checklist = readonly z.infer<typeof DraftQuestion>[];
const finalId = 'QFF1';
const batchSize = 2;

export function interviewDraft({ parts, model }: ParsedChat): string {
  return yamlFence({ questions: genericQuestions(ticketFacts(parts).title, model) });
}

export function interviewRefine({ parts, model }: ParsedChat): string {
  const winner = winningDraft(parts, (value) => InterviewDraft.safeParse(value).data);
  return yamlFence({
    questions: winner?.questions ?? genericQuestions(ticketFacts(parts).title, model),
    changes: [],
  });
}

/** The rest of the checklist, then a free-form question, then the end. */
export function nextBatch(
  chat: ParsedChat,
  script: Partial<Pick<ModelScript, 'questions' | 'settled'>> = {},
): string {
  const { questions: forms = {}, settled: reasons = {} } = script;
  const { parts, model } = chat;
  const asked = askedBefore(chat);
  const listed = readChecklist(parts.get('checklist'));
  const checklist = listed.length > 0 ? listed : genericQuestions(ticketFacts(parts).title, model);
  const settled = checklist.flatMap(({ id }) =>
    reasons[id] === undefined ? [] : [{ id, reason: reasons[id] }],
  );
  const open = checklist.filter(({ id }) => !asked.ids.has(id) && reasons[id] === undefined);
  const total = Math.ceil((checklist.length - settled.length) / batchSize) + 1;
  const progress = { current: asked.batches + 1, total: Math.max(total, asked.batches + 1) };
  const batch = { batch_number: asked.batches + 1, progress };
  if (open.length > 0)
    return tagged('INTERVIEW_BATCH', {
      ...batch,
      is_final_free_form: false,
      ai_commentary: 'These questions were written by a scripted model.',
      questions: open
        .slice(0, batchSize)
        .map((question) => ({ ...plainForm(question), ...forms[question.id] })),
      settled: asked.batches === 0 ? settled : [],
    });
  if (!asked.ids.has(finalId))
    return tagged('INTERVIEW_BATCH', {
      ...batch,
      is_final_free_form: true,
      ai_commentary: 'That was the checklist.',
      questions: [
        {
          id: finalId,
          question: 'Is there anything else that matters for this ticket?',
          phase: 'assembly',
          priority: 'low',
          rationale: 'The last word is yours.',
          answer_type: 'free_text',
        },
      ],
    });
  return interviewComplete(chat);
}

function interviewComplete({ parts }: ParsedChat): string {
  const { title } = ticketFacts(parts);
  return tagged('INTERVIEW_COMPLETE', {
    summary: {
      goals: [`Deliver what the ticket "${title}" asks for.`],
      constraints: ['What exists keeps working.'],
      non_goals: ['Anything the ticket does not name.'],
      final_free_form_answer: '',
    },
    settled: [],
  });
}

export function fullAnswers({ parts }: ParsedChat, prepared: Readonly<Record<string, string>> = {}): string {
  const skipped = readRecords(parts.get('interview'), 'questions').filter(
    (question) => isRecord(question['answer']) && question['answer']['skipped'] === true,
  );
  return yamlFence({
    questions: skipped.map((question) => {
      const id = textField(question, 'id');
      const options = recordsIn(question['options']);
      const wanted = options.find((option) => textField(option, 'id') === prepared[id]) ?? options[0];
      const text =
        prepared[id] ??
        `The scripted model assumes the simplest choice for: ${textField(question, 'prompt')}`;
      return {
        id,
        answer: wanted
          ? { selected_option_ids: [textField(wanted, 'id')], free_text: '' }
          : { selected_option_ids: [], free_text: text },
      };
    }),
  });
}

/** From this session's answers and the session state. */
function askedBefore({ parts, said }: ParsedChat): {
  readonly ids: ReadonlySet<string>;
  readonly batches: number;
} {
  const ids = new Set<string>();
  let batches = 0;
  for (const text of said) {
    const batch = readDocument(/<INTERVIEW_BATCH>([\s\S]*?)<\/INTERVIEW_BATCH>/.exec(text)?.[1]);
    if (!isRecord(batch)) continue;
    if (typeof batch['batch_number'] === 'number') batches = Math.max(batches, batch['batch_number']);
    for (const question of recordsIn(batch['questions'])) ids.add(textField(question, 'id'));
  }
  const state = readDocument(parts.get('session_state'));
  if (isRecord(state)) {
    if (isRecord(state['answers'])) for (const id of Object.keys(state['answers'])) ids.add(id);
    for (const entry of [...recordsIn(state['asked']), ...recordsIn(state['answered'])]) {
      ids.add(textField(entry, 'id'));
      if (typeof entry['batch'] === 'number') batches = Math.max(batches, entry['batch']);
    }
  }
  return { ids, batches };
}

function readChecklist(text: string | undefined): Checklist {
  const parsed = InterviewDraft.safeParse({
    questions: readRecords(text, 'questions').map((question) => ({
      id: question['id'],
      phase: typeof question['phase'] === 'string' ? question['phase'].toLowerCase() : 'structure',
      question: question['question'] ?? question['prompt'],
    })),
  });
  return parsed.data?.questions ?? [];
}

function plainForm(question: Checklist[number]): Partial<CoveringQuestion> {
  return {
    ...question,
    priority: 'medium',
    rationale: 'From the checklist.',
    answer_type: 'free_text',
    options: [],
    covers: [],
  };
}

function genericQuestions(title: string, model: string): Checklist {
  return [
    {
      id: 'Q01',
      phase: 'foundation',
      question: `Who needs "${title}", and how will they notice that it is done?`,
    },
    {
      id: 'Q02',
      phase: 'structure',
      question: 'Which parts of the repository may change, and which may not?',
    },
    {
      id: 'Q03',
      phase: 'assembly',
      question: `What must a test of this ticket prove? (asked by the scripted model ${model})`,
    },
  ];
}
