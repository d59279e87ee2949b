import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BatchQuestion } from '../../../../src/domain/requirements/interview.ts';
import { CommandBench, itRefuses, itSends } from '../../../support/commandBench.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';
import { sampleInterview } from '../../../support/samples.ts';

const hash = (letter: string): string => letter.repeat(64);
const options = [
  { id: 'o1', label: 'Red' },
  { id: 'o2', label: 'Blue' },
];
const question = (id: string, answer_type: BatchQuestion['answer_type']) => ({
  id,
  question: `What about ${id}?`,
  phase: 'foundation',
  priority: 'medium',
  rationale: '',
  answer_type,
  covers: [],
  options: answer_type === 'free_text' || answer_type === 'yes_no' ? [] : options,
  source: 'compiled',
  round: 1,
  batch: 2,
});

/** A ticket with four open questions, one of each kind. */
function interview(): CommandBench {
  const bench = new CommandBench({ ticket: { status: 'WAITING_INTERVIEW_ANSWERS' } });
  const asked = [
    question('q1', 'free_text'),
    question('q2', 'single_choice'),
    question('q3', 'multiple_choice'),
    question('q4', 'yes_no'),
  ];
  const session = sampleInterview({
    asked,
    currentBatch: { number: 2, source: 'prompt', questionIds: asked.map(({ id }) => id), commentary: '' },
  });
  bench.app.client.documents.set('interview_session', JSON.stringify(session));
  return bench;
}

function checklist(): CommandBench {
  const bench = new CommandBench({ ticket: { status: 'WAITING_MANUAL_QA' } });
  const items = ['qa-v1-001', 'qa-v1-002'].map((id) => ({ id, title: 'Greets', actions: ['Start it.'] }));
  bench.app.client.documents.set(
    'manual_qa_checklist',
    JSON.stringify({ schema_version: 1, round: 1, items }),
  );
  return bench;
}

const text = (free_text: string) => ({ selected_option_ids: [], free_text, skipped: false });
const chosen = (...selected_option_ids: string[]) => ({ selected_option_ids, free_text: '', skipped: false });

describe('commands that answer the interview', () => {
  itSends(
    [
      [['answer TST-1', 'q1=By name'], 'answer', { batch: 2, answers: { q1: text('By name') } }],
      ['answer TST-1 q2=red', 'answer', { batch: 2, answers: { q2: chosen('o1') } }],
      ['answer TST-1 q2=o2', 'answer', { batch: 2, answers: { q2: chosen('o2') } }],
      [['answer TST-1', 'q3=Red, Blue'], 'answer', { batch: 2, answers: { q3: chosen('o1', 'o2') } }],
      ['answer TST-1 q3=Red,Green', 'answer', { batch: 2, answers: { q3: text('Red,Green') } }],
      ['answer TST-1 q4=Yes', 'answer', { batch: 2, answers: { q4: chosen('yes') } }],
      [
        'answer TST-1 q1=a=b q2=neither',
        'answer',
        { batch: 2, answers: { q1: text('a=b'), q2: text('neither') } },
      ],
      ['skip TST-1', 'skip', { reason: '' }],
      ['skip TST-1 q1 q2 --reason later', 'skip', { ids: ['q1', 'q2'], reason: 'later' }],
    ],
    interview,
  );

  const makeFolder = tempFolders();
  it('takes answers from a file, and words before it', async () => {
    const bench = interview();
    bench.cwd = await makeFolder();
    await writeFile(
      join(bench.cwd, 'answers.yaml'),
      '- {match: q1, text: From the file}\n- {match: q2, select: Red}\n- {match: "*", skip: true}\n',
    );
    await bench.run('answer TST-1 q2=Blue --file answers.yaml');
    const skipped = { selected_option_ids: [], free_text: '', skipped: true };
    assert.deepEqual(bench.sent, [
      [
        'answer',
        { batch: 2, answers: { q1: text('From the file'), q2: chosen('o2'), q3: skipped, q4: skipped } },
      ],
    ]);
  });

  it('takes answers from standard input', async () => {
    const bench = interview();
    bench.input = '[{"match": "q1", "text": "Piped"}]';
    await bench.run('answer TST-1 --file -');
    assert.deepEqual(bench.sent, [['answer', { batch: 2, answers: { q1: text('Piped') } }]]);
  });

  itRefuses(
    [
      ['answer TST-1', 2, /Specify QUESTION=ANSWER, or --file FILE with answers to the open questions\./],
      ['answer TST-1 q1', 2, /"q1" should be ID=VALUE\./],
      ['answer TST-1 =x', 2, /"=x" should be ID=VALUE\./],
      ['answer TST-1 q9=x', 2, /The answer can't be used: no question "q9" is open; open: q1, q2, q3, q4/],
      [
        'answer TST-1 --file missing.yaml',
        2,
        /missing\.yaml can't be used: no such file or directory \(ENOENT\)/,
      ],
      [
        'answer TST-1 --answers a --skip-interview',
        2,
        /Use either --answers or --skip-interview, not both\./,
      ],
      [
        'answer TST-1 q1=x --approve everything',
        2,
        /--approve knows no gate "everything"\. Gates: interview-answers, plan, interview/,
      ],
      ['answer TST-1 q1=x --end never', 2, /--end is one of close, merge, not "never"\./],
    ],
    interview,
  );
  itRefuses([['answer TST-1 q1=x', 2, /The answer can't be used: no question is open/]]);

  it('refuses a file that is no list of answers, and one that selects what there isn’t', async () => {
    const bench = interview();
    for (const [input, said] of [
      ['- {match: q1}', /Standard input|An entry has either/],
      ['- {match: q2, select: Green}', /question q2 has no option "Green"; its options: Red, Blue\./],
    ] as const) {
      bench.input = input;
      const { exit, err } = await bench.run('answer TST-1 --file -');
      assert.match(err, said);
      assert.equal(exit, 2);
    }
    assert.deepEqual(bench.sent, []);
  });
});

describe('commands that decide at gates', () => {
  const gate = { artifact: 'prd', sha256: hash('c') };
  const atGate = (): CommandBench => new CommandBench({ gate });
  itSends(
    [
      ['approve TST-1', 'approve', { sha256: hash('c'), reason: '' }],
      [`approve TST-1 --sha256 ${hash('d')} --reason read`, 'approve', { sha256: hash('d'), reason: 'read' }],
      ['fix-gaps TST-1', 'fix_gaps', {}],
      ['check-again TST-1', 'check_again', {}],
      ['regenerate TST-1', 'regenerate', { note: '' }],
      ['regenerate TST-1 --note shorter', 'regenerate', { note: 'shorter' }],
      ['plan-in-full TST-1', 'plan_in_full', { note: '' }],
      ['plan-in-full TST-1 --note larger', 'plan_in_full', { note: 'larger' }],
    ],
    atGate,
  );
  itRefuses([
    [
      'approve TST-1',
      2,
      /The action approve isn't available for a ticket in Approve the PRD \(nothing to approve yet\)\..*\n.*Possible now: /,
    ],
  ]);
  itRefuses(
    [['approve TST-1', 2, /isn't available for a ticket in Coding\./]],
    () => new CommandBench({ ticket: { status: 'CODING' }, view: { label: 'Coding' } }),
  );

  const edits = (): CommandBench => {
    const bench = atGate();
    bench.input = 'new text';
    bench.app.client.documents.set('prd', 'old text');
    return bench;
  };
  const edited = { content: 'new text', surface: 'raw' };
  itSends(
    [
      ['edit TST-1 --file -', 'edit', { artifact: 'prd', baseSha256: hash('a'), ...edited }],
      ['edit TST-1 interview --file -', 'edit', { artifact: 'interview', baseSha256: null, ...edited }],
      [
        'edit TST-1 setup --file -',
        'edit',
        { artifact: 'execution_setup_plan', baseSha256: null, ...edited },
      ],
      [
        `edit TST-1 prd --file - --base ${hash('e')}`,
        'edit',
        { artifact: 'prd', baseSha256: hash('e'), ...edited },
      ],
      [
        'edit TST-1 beads --file -',
        'edit',
        { artifact: 'beads', baseSha256: hash('b'), content: 'new text', surface: 'jsonl' },
      ],
    ],
    edits,
  );
  itRefuses(
    [
      [
        'edit TST-1 poem --file -',
        2,
        /Specify what to edit: interview, prd, .*beads.* or execution_setup_plan\./,
      ],
      ['edit TST-1 prd', 2, /Specify --file FILE with the new content\./],
      ['edit TST-1 prd --file missing.md', 2, /missing\.md can't be used/],
    ],
    edits,
  );
  itRefuses([['edit TST-1 --file -', 2, /Specify what to edit/]]);

  const draft = (): CommandBench => {
    const bench = new CommandBench({ ticket: { status: 'DRAFT', settings: null } });
    bench.input = 'From a pipe.';
    return bench;
  };
  const draftEdit = (title: string, description: string) => ({
    artifact: 'ticket',
    baseSha256: null,
    surface: 'structured',
    content: JSON.stringify({ title, description }),
  });
  itSends(
    [
      ['edit TST-1 --title Wave', 'edit', draftEdit('Wave', 'By name.')],
      ['edit TST-1 --description Loudly.', 'edit', draftEdit('Greet people', 'Loudly.')],
      ['edit TST-1 --title Wave --description-file -', 'edit', draftEdit('Wave', 'From a pipe.')],
    ],
    draft,
  );
  itSends(
    [
      [
        'edit TST-1 --priority 1',
        'edit',
        {
          ...draftEdit('Greet people', 'By name.'),
          content: JSON.stringify({ title: 'Greet people', description: 'By name.', priority: 1 }),
        },
      ],
    ],
    draft,
  );
  itRefuses(
    [['edit TST-1 prd --file -', 2, /For a draft, specify --title, --description-file or --priority\./]],
    draft,
  );
});

describe('qa', () => {
  const pass = { result: 'pass', observation: '' };
  itSends(
    [
      [
        ['qa TST-1 qa-v1-001=pass', 'qa-v1-002=fail: It crashed: twice.'],
        'qa',
        {
          results: { 'qa-v1-001': pass, 'qa-v1-002': { result: 'fail', observation: 'It crashed: twice.' } },
        },
      ],
      ['qa TST-1 --pass-rest', 'qa', { results: { 'qa-v1-001': pass, 'qa-v1-002': pass } }],
      [
        'qa TST-1 --pass-rest qa-v1-002=waive',
        'qa',
        { results: { 'qa-v1-001': pass, 'qa-v1-002': { result: 'waive', observation: '' } } },
      ],
    ],
    checklist,
  );
  itRefuses(
    [
      ['qa TST-1', 2, /Specify ITEM=pass, ITEM=waive or ITEM="fail: what you saw", or --pass-rest\./],
      [
        'qa TST-1 qa-v1-001=maybe',
        2,
        /"qa-v1-001=maybe" should be qa-v1-001=pass, qa-v1-001=waive or qa-v1-001="fail: what you saw"\./,
      ],
      ['qa TST-1 qa-v1-001', 2, /"qa-v1-001" should be ID=VALUE\./],
    ],
    checklist,
  );
});
