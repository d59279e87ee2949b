import { yamlFence, readRecords, textField, tagged } from '../script/documentText.ts';
import { type Plan, say } from '../script/modelScript.ts';
import type { ParsedChat } from '../script/parsedChat.ts';
import { audit } from './audit.ts';
import * as beads from './beads.ts';
import * as council from './council.ts';
import * as execution from './execution.ts';
import * as interview from './interview.ts';
import * as prd from './prd.ts';
import { quickPlan } from './quick.ts';
import { scanPlan } from './scan.ts';
import { lookBack } from './retrospective.ts';
import { ticketFacts } from './ticketFacts.ts';

type Answer = (chat: ParsedChat) => Plan;
const text =
  (write: (chat: ParsedChat) => string): Answer =>
  (chat) =>
    say(write(chat));

/** An answer for every task, built from the request alone: it fits any repository and any ticket. */
const answers: Readonly<Record<string, Answer>> = {
  'relevant-files-scan': scanPlan,
  'quick-plan': text(quickPlan),
  'interview-draft': text(interview.interviewDraft),
  'interview-vote': text(council.vote),
  'interview-refine': text(interview.interviewRefine),
  'interview-qa': text((chat) => interview.nextBatch(chat)),
  'interview-answers': text((chat) => interview.nextBatch(chat)),
  'interview-coverage': text(() => yamlFence({ status: 'clean', gaps: [], follow_up_questions: [] })),
  'full-answers': text((chat) => interview.fullAnswers(chat)),
  'prd-draft': text(prd.prdDraft),
  'prd-vote': text(council.vote),
  'prd-refine': text(prd.prdRefine),
  'prd-coverage': text((chat) => audit(chat)),
  'prd-revise': text(prd.prdRevise),
  'beads-draft': text(beads.beadsDraft),
  'beads-vote': text(council.vote),
  'beads-refine': text(beads.beadsRefine),
  'beads-coverage': text((chat) => audit(chat)),
  'beads-revise': text(beads.beadsRevise),
  'beads-expand': text((chat) => beads.beadsExpand(chat)),
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
  'context-wipe': text(execution.retryNote),
  'final-test': execution.finalTest,
  'final-test-note': text(execution.retryNote),
  'qa-checklist': text(qaChecklist),
  'qa-fix': text(beads.fixBeads),
  'plan-change': text(beads.fixBeads),
  'base-update': execution.resolveBase,
  'pull-request': text(pullRequest),
  retrospective: lookBack,
  title: () => say('Scripted session'),
};

export const genericTasks = Object.keys(answers);

/** Returns the scripted model's response to a request that it has no script for. */
export function genericPlan(chat: ParsedChat): Plan {
  const answer = answers[chat.task];
  return answer
    ? answer(chat)
    : say('This is a scripted model. It recognised no Beadsmith task in the request.');
}

function qaChecklist({ parts }: ParsedChat): string {
  const beads = readRecords(parts.get('beads') ?? parts.get('bead_list'), 'beads');
  const listed = beads.length > 0 ? beads : [{ id: '', title: ticketFacts(parts).title }];
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
  const { title, id } = ticketFacts(parts);
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
