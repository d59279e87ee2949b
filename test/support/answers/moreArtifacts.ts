import * as z from 'zod';
import { parseBeadMarker } from '../../../src/phases/coding/bead/beadMarker.ts';
import { parseBallots } from '../../../src/phases/coding/review/partyReview.ts';
import { AnalysisAnswer } from '../../../src/domain/beads/analysis.ts';
import { BeadExpansion, BlueprintBead, DevRecord } from '../../../src/domain/beads/bead.ts';
import { KickoffAnswer } from '../../../src/domain/beads/kickoff.ts';
import { ReviewAnswer } from '../../../src/domain/findings/finding.ts';
import { RetrospectiveAnswer } from '../../../src/domain/retrospective/answer.ts';
import { QuickPlan, QuickQuestions } from '../../../src/phases/quick/planQuick.ts';
import { parseStructured } from '../../../src/phases/shared/structured/parseStructured.ts';
import { artifacts, type Artifact } from './artifacts.ts';

const bead = {
  id: 'code-model',
  title: 'Parse and check discount codes',
  prdRefs: ['US-1-1.AC1'],
  description: 'Add one function that parses codes',
  contextGuidance: {
    patterns: ['Pure functions with time handed in'],
    anti_patterns: ['Never read the clock inside it'],
  },
  acceptanceCriteria: ['A valid code gives its percent'],
  tests: ['A new test covers malformed codes'],
  testCommands: ['npm test'],
  issueType: 'feature',
  labels: ['epic:epic-1'],
  dependencies: { blocked_by: [] },
  targetFiles: ['src/cart.ts'],
};
const finding = (line: number, claim: string): object => ({
  severity: 'high',
  category: 'behaviour',
  file: 'src/cart/total.ts',
  line,
  claim,
  evidence: 'const now = new Date();',
  suggestedFix: 'Compare whole days in UTC',
  confidence: 0.8,
});

/** The answers of coding, reviews and parties, and those of quick tickets. */
const more: Readonly<Record<string, Artifact>> = {
  review: {
    read: parseStructured({ schema: ReviewAnswer }),
    value: {
      checked: ['Every caller of the total was read', 'The limits of dates were tried'],
      findings: [
        finding(18, 'A code is refused on its last day'),
        finding(40, 'A second code is taken without a word'),
      ],
    },
  },
  'party-vote': {
    read: parseBallots(['code-model.1.1.1', 'code-model.1.1.2']),
    value: {
      ballots: [
        { finding: 'code-model.1.1.1', vote: 'confirm', reason: 'It happens on the last day' },
        { finding: 'code-model.1.1.2', vote: 'reject', reason: 'No caller ever passes two codes' },
      ],
    },
  },
  kickoff: {
    read: parseStructured({ schema: KickoffAnswer }),
    value: {
      architectural_notes: ['Codes are parsed in one place alone'],
      implementation_strategy: ['First return the day as a whole day'],
      testing_approach: ['Try the last day of a code'],
      identified_risks: ['Old carts hold codes without a day'],
      key_decisions: ['Compare whole days in UTC everywhere'],
      needs_human: 'Shall old carts keep their codes',
    },
  },
  'failure-analysis': {
    read: parseStructured({ schema: AnalysisAnswer }),
    value: {
      assessments: {
        architecture: 'The place of the function is right',
        implementation: 'It compares the time of day',
        requirements: 'The criterion can be met as written',
        environment: 'The command runs where it should',
      },
      rootCause: 'A code ends at midnight in the local zone',
      plan: ['Compare whole days instead of times'],
      recommendation: 'retry',
      rationale: 'One comparison has to be changed',
      retryHint: 'Look at the zone of the day',
      confidence: 0.7,
    },
  },
  retrospective: {
    read: parseStructured({ schema: RetrospectiveAnswer }),
    value: {
      patterns: ['Pure functions take the time as input'],
      decisions: ['Days are compared in UTC everywhere'],
      gotchas: ['The clock of the runner is local'],
      went_well: ['The first test failed as it should'],
      went_badly: ['One bead needed two more iterations'],
      handoff: {
        patterns: [{ text: 'The total takes the time as input', evidence: ['src/cart/total.ts'] }],
        decisions: [],
        gotchas: [],
        files: [],
        test_patterns: [],
        risks: [],
      },
    },
  },
  'quick-plan': {
    read: parseStructured({ tag: 'QUICK_PLAN', schema: QuickPlan }),
    tag: 'QUICK_PLAN',
    value: { prd: artifacts['prd-draft']?.value, beads: [bead] },
  },
  'quick-questions': {
    read: parseStructured({ tag: 'QUICK_QUESTIONS', schema: QuickQuestions }),
    tag: 'QUICK_QUESTIONS',
    value: {
      ai_commentary: 'Two things are open so far',
      questions: [
        {
          id: 'Q01',
          question: 'May a code be used twice',
          phase: 'foundation',
          priority: 'high',
          rationale: 'Decides whether a use is stored',
          answer_type: 'free_text',
          options: [],
        },
      ],
    },
  },
  'plan-change': {
    read: parseStructured({
      schema: z.object({
        beads: z.array(BlueprintBead.extend(BeadExpansion.omit({ id: true }).shape)).min(1),
      }),
    }),
    value: { beads: [bead, { ...bead, id: 'code-total', title: 'Apply codes in the total' }] },
  },
  'dev-record': {
    read: parseStructured({ tag: 'DEV_RECORD', schema: DevRecord }),
    tag: 'DEV_RECORD',
    value: {
      summary: 'Added the parser and its tests',
      files: ['src/cart/discount.ts'],
      decisions: ['Days are compared as whole days'],
      tests: ['npm test: 6 tests have passed'],
      notes_for_reviewer: ['The format is one regular expression'],
      assumptions: ['A code without a day never ends'],
      context_acknowledged: [],
    },
  },
  'bead-status': {
    read: parseBeadMarker({ bead: 'code-model', nonce: 'n0123456789abcde' }),
    tag: 'BEAD_STATUS',
    value: {
      nonce: 'n0123456789abcde',
      bead_id: 'code-model',
      status: 'done',
      checks: { tests: 'pass', lint: 'pass', typecheck: 'pass', qualitative: 'pass' },
      reason: '',
    },
  },
};

/** Every kind of structured answer there is. */
export const everyArtifact: Readonly<Record<string, Artifact>> = { ...artifacts, ...more };
