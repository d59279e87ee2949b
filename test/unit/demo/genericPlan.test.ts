import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { QuickPlan } from '../../../src/phases/quick/planQuick.ts';
import { answer } from '../../../src/demo/answer.ts';
import { parseChat } from '../../../src/demo/script/parsedChat.ts';
import { genericTasks } from '../../../src/demo/generic/genericPlan.ts';
import {
  BeadExpansion,
  BeadStatusMarker,
  Blueprint,
  BlueprintBead,
  BlueprintRevision,
  DevRecord,
  RefinedBlueprint,
} from '../../../src/domain/beads/bead.ts';
import { VoteBallot } from '../../../src/domain/council/council.ts';
import {
  CompiledInterview,
  FilledAnswers,
  InterviewBatch,
  InterviewComplete,
  InterviewCoverage,
  InterviewDraft,
} from '../../../src/domain/requirements/interview.ts';
import { CoverageAudit, PrdDraft, PrdRevision, RefinedPrd } from '../../../src/domain/requirements/prd.ts';
import { QaChecklistDraft } from '../../../src/domain/documents/qaChecklist.ts';
import { RelevantFilesResult } from '../../../src/domain/documents/relevantFiles.ts';
import { FinalTestCommands, PullRequestDraft } from '../../../src/domain/beads/reports.ts';
import { SetupPlanDraft, SetupResult } from '../../../src/domain/documents/setupPlan.ts';
import { type Turn, chat, prompt, ticketPart } from '../../support/models/chat.ts';

/** What the model says to a first prompt, once its tools have answered. */
function reply(
  task: string,
  parts: Readonly<Record<string, string>> = {},
  before: readonly Turn[] = [],
): string {
  const turns: Turn[] = [...before, prompt(task, { ticket_details: ticketPart, ...parts })];
  for (let tries = 0; tries < 20; tries++) {
    const move = answer(parseChat(chat(turns, { tools: ['bash', 'edit', 'glob', 'grep', 'read', 'write'] })));
    if (move.kind === 'text') return move.text;
    assert.ok(move.kind === 'call');
    turns.push({ calls: move.call.tool, args: move.call.args, output: 'ok' });
  }
  throw new Error('the model never stops calling tools');
}

const inFence = (text: string): unknown => parse(/^```yaml\n([\s\S]*)```\n$/.exec(text)?.[1] ?? '');
const inTag = (tag: string, text: string): unknown =>
  parse(new RegExp(`<${tag}>\\n([\\s\\S]*)</${tag}>`).exec(text)?.[1] ?? '');

const drafts = (task: string): string =>
  ['alpha', 'beta']
    .map((model, index) => {
      const move = answer(parseChat(chat([prompt(task, { ticket_details: ticketPart })], { model })));
      return `### Draft ${String(index + 1)}\n\n${move.kind === 'text' ? (/```yaml\n([\s\S]*)```/.exec(move.text)?.[1] ?? '') : ''}`;
    })
    .join('\n\n');
const prd = (): string => String(/```yaml\n([\s\S]*)```/.exec(reply('prd-draft'))?.[1]);
const blueprint = (): string =>
  String(/```yaml\n([\s\S]*)```/.exec(reply('beads-draft', { prd: prd() }))?.[1]);
const beads = (): z.infer<typeof Blueprint> => Blueprint.parse(parse(blueprint()));
const beadLines = (): string =>
  beads()
    .beads.map((bead) => JSON.stringify(bead))
    .join('\n');
const beadData = JSON.stringify({ id: 'note-x-1', title: 'Do "this"', testCommands: [], iteration: 1 });

describe('the generic answers', () => {
  const yamlAnswers: readonly [
    task: string,
    schema: z.ZodType,
    parts: () => Readonly<Record<string, string>>,
  ][] = [
    ['interview-draft', InterviewDraft, () => ({})],
    ['interview-vote', VoteBallot, () => ({ drafts: drafts('interview-draft') })],
    ['interview-refine', CompiledInterview, () => ({ drafts: drafts('interview-draft') })],
    ['interview-coverage', InterviewCoverage, () => ({})],
    [
      'full-answers',
      FilledAnswers,
      () => ({ interview: 'questions: [{id: Q1, prompt: p, answer: {skipped: true}}]' }),
    ],
    ['prd-draft', PrdDraft, () => ({})],
    ['prd-vote', VoteBallot, () => ({ drafts: drafts('prd-draft') })],
    ['prd-refine', RefinedPrd, () => ({ drafts: drafts('prd-draft') })],
    ['prd-coverage', CoverageAudit, () => ({ prd: prd() })],
    ['prd-revise', PrdRevision, () => ({ prd: prd(), gaps: '- one gap\n- another' })],
    ['beads-draft', Blueprint, () => ({ prd: prd() })],
    ['beads-vote', VoteBallot, () => ({ drafts: drafts('beads-draft') })],
    ['beads-refine', RefinedBlueprint, () => ({ drafts: drafts('beads-draft') })],
    ['beads-coverage', CoverageAudit, () => ({ beads: blueprint() })],
    ['beads-revise', BlueprintRevision, () => ({ beads: blueprint(), gaps: '- one gap' })],
    [
      'qa-fix',
      z.object({ beads: z.array(z.object({ ...BlueprintBead.shape, ...BeadExpansion.shape })).min(1) }),
      () => ({ beads: beadLines(), observations: '- The button is grey' }),
    ],
    ['pull-request', PullRequestDraft, () => ({ beads: beadLines() })],
  ];
  for (const [task, schema, parts] of yamlAnswers) {
    it(`give ${task} what its schema asks for`, () => {
      schema.parse(inFence(reply(task, parts())));
    });
  }

  const taggedAnswers: readonly [
    task: string,
    tag: string,
    schema: z.ZodType,
    parts: () => Readonly<Record<string, string>>,
  ][] = [
    ['relevant-files-scan', 'RELEVANT_FILES_RESULT', RelevantFilesResult, () => ({})],
    ['quick-plan', 'QUICK_PLAN', QuickPlan, () => ({})],
    ['interview-qa', 'INTERVIEW_BATCH', InterviewBatch, () => ({})],
    ['setup-plan', 'EXECUTION_SETUP_PLAN', SetupPlanDraft, () => ({})],
    ['setup-plan-regenerate', 'EXECUTION_SETUP_PLAN', SetupPlanDraft, () => ({})],
    ['setup', 'EXECUTION_SETUP_RESULT', SetupResult, () => ({})],
    ['coding', 'DEV_RECORD', DevRecord, () => ({ bead_data: beadData })],
    ['coding', 'BEAD_STATUS', BeadStatusMarker, () => ({ bead_data: beadData })],
    ['fix', 'BEAD_STATUS', BeadStatusMarker, () => ({ bead_data: beadData })],
    ['final-test', 'FINAL_TEST_COMMANDS', FinalTestCommands, () => ({ beads: beadLines() })],
    ['qa-checklist', 'MANUAL_QA_CHECKLIST', QaChecklistDraft, () => ({ beads: beadLines() })],
  ];
  for (const [task, tag, schema, parts] of taggedAnswers) {
    it(`give ${task} a ${tag} that its schema takes`, () => {
      schema.parse(inTag(tag, reply(task, parts())));
    });
  }

  it('expand every bead on a line of its own, each waiting for the one before', () => {
    const lines = reply('beads-expand', { beads_draft: blueprint() }).split('\n');
    const expanded = lines.map((line) => BeadExpansion.parse(JSON.parse(line)));
    assert.deepEqual(
      expanded.map(({ id }) => id),
      beads().beads.map(({ id }) => id),
    );
    assert.deepEqual(expanded[1]?.dependencies.blocked_by, [expanded[0]?.id]);
  });

  it('say plain words where a note or a probe is asked for', () => {
    assert.equal(reply('capability-probe'), 'OK');
    for (const task of ['setup-note', 'coding-note', 'final-test-note']) {
      assert.match(reply(task, { bead_data: beadData, error_context: 'exit 1' }), /exit 1/);
    }
  });

  it('know every prompt file except those that only continue another', () => {
    const files = globSync(join(import.meta.dirname, '../../../prompts/*.md')).map((file) =>
      basename(file, '.md'),
    );
    const others = [
      'structured-repair',
      'shorter-answer',
      'answer-rest',
      'coding-continue',
      'pivot',
      'continue',
      'preamble',
    ];
    assert.deepEqual(
      files.filter(
        (name) => !name.startsWith('agent-') && !others.includes(name) && !genericTasks.includes(name),
      ),
      [],
    );
  });

  it('vote for the same draft in whatever order the drafts are shown', () => {
    const shown = drafts('prd-draft').split(/(?=### Draft)/);
    const turned = `### Draft 1\n\n${(shown[1] ?? '').replace(/^### Draft 2\n\n/, '')}\n\n### Draft 2\n\n${(shown[0] ?? '').replace(/^### Draft 1\n\n/, '')}`;
    const scores = (text: string): unknown[] =>
      Object.values(VoteBallot.parse(inFence(reply('prd-vote', { drafts: text }))).draft_scores);
    assert.deepEqual(scores(turned), scores(shown.join('')).reverse());
  });

  it('ask the checklist, then one free-form question, then end the interview', () => {
    const checklist =
      'questions:\n  - {id: Q01, phase: foundation, question: a}\n  - {id: Q02, phase: structure, question: b}\n  - {id: Q03, phase: assembly, question: c}\n';
    const turns: Turn[] = [prompt('interview-qa', { ticket_details: ticketPart, checklist })];
    const batches: string[][] = [];
    let last = '';
    for (let round = 1; round < 6; round++) {
      const move = answer(parseChat(chat(turns)));
      last = move.kind === 'text' ? move.text : '';
      if (last.includes('<INTERVIEW_COMPLETE>')) break;
      const batch = InterviewBatch.parse(inTag('INTERVIEW_BATCH', last));
      assert.equal(batch.batch_number, round);
      batches.push(batch.questions.map(({ id }) => id));
      turns.push({ says: last }, prompt('interview-answers', { answers: 'x' }));
    }
    assert.deepEqual(batches, [['Q01', 'Q02'], ['Q03'], ['QFF1']]);
    InterviewComplete.parse(inTag('INTERVIEW_COMPLETE', last));
  });

  it('continue an interview whose session was lost', () => {
    const session_state = 'asked: [{id: Q01, batch: 1}, {id: Q02, batch: 1}]\nanswers: {Q01: {}, Q02: {}}\n';
    const checklist =
      '[{id: Q01, phase: foundation, question: a}, {id: Q02, phase: structure, question: b}, {id: Q03, phase: assembly, question: c}]';
    const batch = InterviewBatch.parse(
      inTag('INTERVIEW_BATCH', reply('interview-qa', { checklist, session_state })),
    );
    assert.deepEqual([batch.batch_number, batch.questions.map(({ id }) => id)], [2, ['Q03']]);
  });

  it('make one fix bead a finding, with ids that are not in use', () => {
    const Fixes = z.object({ beads: z.array(z.object({ id: z.string(), description: z.string() })) });
    const observations =
      'Finding 1 (src/a.js, line 3):\nThe button is grey\nreally\n\nFinding 2, about bead x:\nIt is slow';
    const first = Fixes.parse(inFence(reply('qa-fix', { observations, beads: beadLines() }))).beads;
    assert.equal(first.length, 2);
    assert.match(first[0]?.description ?? '', /The button is grey/);
    const again = Fixes.parse(
      inFence(reply('qa-fix', { observations, beads: first.map((bead) => JSON.stringify(bead)).join('\n') })),
    ).beads;
    assert.equal(new Set([...first, ...again].map(({ id }) => id)).size, 4);
  });

  it('work for a ticket without any Latin letter', () => {
    const parts = { ticket_details: 'ABC-1: добавить вещь\n\n' };
    Blueprint.parse(inFence(reply('beads-draft', parts)));
  });
});
