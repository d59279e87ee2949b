import type { ParsedChat } from '../parsedChat.ts';
import { type Plan, say } from '../modelScript.ts';
import * as beads from './beads.ts';
import * as council from './council.ts';
import * as delivery from './delivery.ts';
import * as execution from './execution.ts';
import * as interview from './interview.ts';
import * as prd from './prd.ts';
import { scanPlan } from './scan.ts';
import { yamlFence } from '../documentText.ts';

type Answer = (chat: ParsedChat) => Plan;
const text =
  (write: (chat: ParsedChat) => string): Answer =>
  (chat) =>
    say(write(chat));

/** An answer for every task, built from the request alone: it fits any repository and any ticket. */
const answers: Readonly<Record<string, Answer>> = {
  'relevant-files-scan': scanPlan,
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
  'prd-coverage': text(prd.cleanAudit),
  'prd-revise': text(prd.prdRevise),
  'beads-draft': text(beads.beadsDraft),
  'beads-vote': text(council.vote),
  'beads-refine': text(beads.beadsRefine),
  'beads-coverage': text(prd.cleanAudit),
  'beads-revise': text(beads.beadsRevise),
  'beads-expand': text((chat) => beads.beadsExpand(chat)),
  'capability-probe': () => say('OK'),
  'setup-plan': text(execution.setupPlan),
  'setup-plan-regenerate': text(execution.setupPlan),
  setup: execution.setup,
  'setup-note': text(execution.retryNote),
  coding: execution.coding,
  'context-wipe': text(execution.retryNote),
  'final-test': execution.finalTest,
  'final-test-note': text(execution.retryNote),
  'qa-checklist': text(delivery.qaChecklist),
  'qa-fix': text(beads.fixBeads),
  'pull-request': text(delivery.pullRequest),
  title: () => say('Scripted session'),
};

export const genericTasks = Object.keys(answers);

/** What the scripted model does about a request it has no script for. */
export function genericPlan(chat: ParsedChat): Plan {
  const answer = answers[chat.task];
  return answer ? answer(chat) : say('This is a scripted model. It recognised no Beadsmith task in the request.');
}
