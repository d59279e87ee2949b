import { yamlFence, readRecords, textField, tagged, readDocument } from '../script/documentText.ts';
import { type Plan, say } from '../script/modelScript.ts';
import type { ParsedChat } from '../script/parsedChat.ts';
import * as council from './council.ts';
import * as execution from './execution.ts';
import * as interview from './interview.ts';
import * as planning from './planning.ts';
import { scanPlan } from './scan.ts';
import { noteFiles } from './noteFiles.ts';
import * as z from 'zod';
import { Blueprint } from '../../domain/beads/bead.ts';
import type { CoverageRow } from '../../domain/requirements/interview.ts';
import { PrdDraft } from '../../domain/requirements/prd.ts';
import { RetrospectiveAnswer } from '../../domain/retrospective/answer.ts';
import { linksOf } from '../../domain/links/links.ts';
import { names } from '../../domain/links/holes.ts';

type Answer = (chat: ParsedChat) => Plan;
const text =
  (write: (chat: ParsedChat) => string): Answer =>
  (chat) =>
    say(write(chat));

/** Built from the request alone: fits any repository and ticket. */
const answers: Readonly<Record<string, Answer>> = {
  'relevant-files-scan': scanPlan,
  'quick-plan': text(planning.quickPlan),
  'interview-draft': text(interview.interviewDraft),
  'interview-vote': text(council.vote),
  'interview-refine': text(interview.interviewRefine),
  'interview-qa': text((chat) => interview.nextBatch(chat)),
  'interview-answers': text((chat) => interview.nextBatch(chat)),
  'interview-coverage': text(() => yamlFence({ status: 'clean', gaps: [], follow_up_questions: [] })),
  'full-answers': text((chat) => interview.fullAnswers(chat)),
  'prd-draft': text(planning.prdDraft),
  'prd-vote': text(council.vote),
  'prd-refine': text(planning.prdRefine),
  'prd-coverage': text((chat) => audit(chat)),
  'prd-revise': text(planning.prdRevise),
  'beads-draft': text(planning.beadsDraft),
  'beads-vote': text(council.vote),
  'beads-refine': text(planning.beadsRefine),
  'beads-coverage': text((chat) => audit(chat)),
  'beads-revise': text(planning.beadsRevise),
  'beads-expand': text(planning.beadsExpand),
  'capability-probe': () => say('OK'),
  'setup-plan': text(execution.setupPlan),
  'setup-plan-regenerate': text(execution.setupPlan),
  setup: execution.setup,
  'setup-note': text(execution.retryNote),
  coding: execution.coding,
  review: text(execution.review),
  'review-again': text(execution.review),
  'review-note': text(execution.review),
  'party-vote': text(execution.partyVote),
  kickoff: text(execution.kickoff),
  fix: text(execution.fix),
  'failure-analysis': text(execution.failureAnalysis),
  'coding-note': text(execution.retryNote),
  'final-test': execution.finalTest,
  'final-test-note': text(execution.retryNote),
  'qa-checklist': text(qaChecklist),
  'qa-fix': text(planning.fixBeads),
  'plan-change': text(planning.fixBeads),
  'base-update': execution.resolveBase,
  'pull-request': text(pullRequest),
  retrospective: text(lookBack),
  title: () => say('Scripted session'),
};

export const genericTasks = Object.keys(answers);

export function genericPlan(chat: ParsedChat): Plan {
  const answer = answers[chat.task];
  return answer
    ? answer(chat)
    : say('This is a scripted model. It recognised no Beadsmith task in the request.');
}

function qaChecklist({ parts }: ParsedChat): string {
  const beads = readRecords(parts.get('beads') ?? parts.get('bead_list'), 'beads');
  const listed = beads.length > 0 ? beads : [{ id: '', title: planning.ticketFacts(parts).title }];
  return tagged('MANUAL_QA_CHECKLIST', {
    items: listed.slice(0, 20).map((bead, index) => ({
      id: `qa-${String(index + 1).padStart(3, '0')}`,
      title: textField(bead, 'title') || 'The ticket as a whole',
      behavior: 'What the bead describes can be seen.',
      severity: 'required',
      prerequisites: [],
      actions: ['Look at the files of this bead.', 'Run its test commands.'],
      expectedResult: 'The tests pass. (A scripted item.)',
      beadRefs: textField(bead, 'id') === '' ? [] : [textField(bead, 'id')],
      prdRefs: [],
    })),
  });
}

function pullRequest({ parts }: ParsedChat): string {
  const { title, id } = planning.ticketFacts(parts);
  const beads = readRecords(parts.get('bead_list') ?? parts.get('beads'), 'beads').map((bead) =>
    textField(bead, 'title'),
  );
  return yamlFence({
    title: title.slice(0, 200),
    summary: [`Does what ${id} asks for. This text was written by a scripted model.`],
    why: [title],
    what_changed: beads.length > 0 ? beads : ['See the commits.'],
    validation: ['The tests of every bead and the final test were run by the engine.'],
    follow_ups: [],
  });
}

function lookBack({ parts }: ParsedChat): string {
  const { id, title } = planning.ticketFacts(parts);
  const beads = [...(parts.get('bead_stories') ?? '').matchAll(/^### ([a-z0-9-]+): /gm)].map(
    ([, bead = '']) => bead,
  );
  const { module, test } = noteFiles(beads[0] ?? 'unknown-bead');
  const said = RetrospectiveAnswer.parse({
    patterns: ['Each note is a module. (A scripted answer.)'],
    went_well: [`${title}: done as scripted.`],
    handoff: {
      patterns: [
        { text: `${id} keeps each note in a module of its own. (A scripted handoff.)`, evidence: [module] },
      ],
      test_patterns: [{ text: 'Each note has a test beside it. (A scripted handoff.)', evidence: [test] }],
    },
  });
  return yamlFence(said);
}

const PrdPart = z.object({ epics: PrdDraft.shape.epics });

export function audit(chat: ParsedChat, gaps: readonly string[] = []): string {
  const rows = chat.task === 'beads-coverage' ? planRows(chat) : prdRows(chat, gaps);
  return yamlFence({ rows, status: gaps.length > 0 ? 'gaps' : 'clean', gaps, follow_up_questions: [] });
}

function prdRows({ parts }: ParsedChat, gaps: readonly string[]): readonly CoverageRow[] {
  const questions = readRecords(parts.get('full_answers'), 'questions').map((one) => ({
    id: textField(one, 'id'),
    prompt: '',
  }));
  const { data: prd } = PrdPart.safeParse(readDocument(parts.get('prd')));
  return linksOf({ questions, ...(prd ? { prd } : {}) }).questions.map(({ id, stories }) => {
    const isOpen = stories.length > 0 || gaps.some((gap) => names(gap, id));
    return {
      id,
      met_by: [...stories],
      note: isOpen ? '' : 'Nothing in the product follows from this answer. (Scripted.)',
    };
  });
}

function planRows({ parts }: ParsedChat): readonly CoverageRow[] {
  const { data: prd } = PrdPart.safeParse(readDocument(parts.get('prd')));
  const { data: plan } = Blueprint.safeParse({ beads: readRecords(parts.get('beads'), 'beads') });
  const { criteria } = linksOf({ questions: [], beads: plan?.beads ?? [], ...(prd ? { prd } : {}) });
  return criteria.map(({ id, beads }) => ({ id, met_by: [...beads], note: '' }));
}
