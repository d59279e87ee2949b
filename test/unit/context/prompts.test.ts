import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { promptDocs } from '../../../.build/promptDocs.mjs';
import { slicesOf } from '../../../src/context/allowlists.ts';
import { planPrompt } from '../../../src/context/planPrompt.ts';
import { hasTitle, parsePromptFile } from '../../../src/context/promptFile.ts';
import {
  promptInventory,
  type PromptName,
  promptNames,
  promptUse,
} from '../../../src/context/promptInventory.ts';
import { sectionAllowed, type SectionName, sectionTable } from '../../../src/context/sections.ts';
import { sliceNames } from '../../../src/context/slices.ts';
import {
  Bead,
  BeadExpansion,
  BeadStatusMarker,
  Blueprint,
  BlueprintBead,
  BlueprintRevision,
  DevRecord,
  RefinedBlueprint,
} from '../../../src/domain/beads/bead.ts';
import { AnalysisAnswer } from '../../../src/domain/beads/analysis.ts';
import { KickoffAnswer } from '../../../src/domain/beads/kickoff.ts';
import { contextKeys } from '../../../src/domain/workflow/contextKeys.ts';
import { VoteBallot, voteCategories } from '../../../src/domain/council/council.ts';
import { BallotAnswer, ReviewAnswer } from '../../../src/domain/findings/finding.ts';
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
import { RetrospectiveAnswer } from '../../../src/domain/retrospective/answer.ts';
import { QuickPlan, QuickQuestions } from '../../../src/phases/quick/planQuick.ts';
import { parseBeadMarker } from '../../../src/phases/coding/bead/beadMarker.ts';
import type { Parse } from '../../../src/phases/shared/structured/askTypes.ts';
import { isExample } from '../../../src/phases/shared/structured/notQuoted.ts';
import { parseLines } from '../../../src/phases/shared/structured/parseLines.ts';
import { parseStructured } from '../../../src/phases/shared/structured/parseStructured.ts';
import type { StepIo } from '../../../src/engine/run/run.ts';
import { readsAtOnce } from '../../support/fakes/readsAtOnce.ts';
import { SetupPlanDraft, SetupResult } from '../../../src/domain/documents/setupPlan.ts';
import { Resolution } from '../../../src/phases/shared/base/takeBase.ts';

const root = join(import.meta.dirname, '../../..');
const textOf = (name: string): string => readFileSync(join(root, 'prompts', `${name}.md`), 'utf8');
const file = (name: PromptName) => parsePromptFile(name, textOf(name));
const files = promptNames.map(file);
const sectionNames = Object.keys(sectionTable) as SectionName[];
/** Values or counters in code style. */
const counters = ['max_questions', 'max_follow_ups', 'follow_up_budget_remaining'];
const fields = [
  ...counters,
  'batch_number',
  'left_out',
  'anti_patterns',
  'updated_prd',
  'updated_beads',
  'already_covered',
  'left_unresolved',
  'yes_no',
  'single_choice',
  'multiple_choice',
  'free_text',
  'user_story',
  'read_only',
];
const policyOf = (name: PromptName): string => file(name).policy;

const tag = (name: string) => (body: string) =>
  document(new RegExp(`^<${name}>\\n([\\s\\S]*?)\\n</${name}>$`, 'm').exec(body)?.[1]);
const fence = (body: string): unknown => document(/^```yaml\n([\s\S]*?)\n```$/m.exec(body)?.[1]);
const jsonLines = (body: string): unknown =>
  body
    .split('\n')
    .filter((line) => line.startsWith('{"'))
    .map((line) => JSON.parse(line) as unknown);
function document(text: string | undefined): unknown {
  assert.ok(text !== undefined, 'there is no example');
  return parse(text);
}

const fixBead = BlueprintBead.extend(BeadExpansion.omit({ id: true }).shape);
const vote = [[VoteBallot, fence]] as const;
const setupPlan = [[SetupPlanDraft, tag('EXECUTION_SETUP_PLAN')]] as const;
const bead = [
  [DevRecord, tag('DEV_RECORD')],
  [BeadStatusMarker, tag('BEAD_STATUS')],
] as const;

const examples: Partial<Record<PromptName, readonly (readonly [z.ZodType, (body: string) => unknown])[]>> = {
  'relevant-files-scan': [[RelevantFilesResult, tag('RELEVANT_FILES_RESULT')]],
  'quick-plan': [
    [QuickPlan, tag('QUICK_PLAN')],
    [QuickQuestions, tag('QUICK_QUESTIONS')],
  ],
  'interview-draft': [[InterviewDraft, fence]],
  'interview-vote': vote,
  'interview-refine': [[CompiledInterview, fence]],
  'interview-qa': [
    [InterviewBatch, tag('INTERVIEW_BATCH')],
    [InterviewComplete, tag('INTERVIEW_COMPLETE')],
  ],
  'interview-coverage': [[InterviewCoverage, fence]],
  'full-answers': [[FilledAnswers, fence]],
  'prd-draft': [[PrdDraft, fence]],
  'prd-vote': vote,
  'prd-refine': [[RefinedPrd, fence]],
  'prd-coverage': [[CoverageAudit, fence]],
  'prd-revise': [[PrdRevision, fence]],
  'beads-draft': [[Blueprint, fence]],
  'beads-vote': vote,
  'beads-refine': [[RefinedBlueprint, fence]],
  'beads-coverage': [[CoverageAudit, fence]],
  'beads-revise': [[BlueprintRevision, fence]],
  'beads-expand': [[z.array(BeadExpansion), jsonLines]],
  'setup-plan': setupPlan,
  'setup-plan-regenerate': setupPlan,
  setup: [[SetupResult, tag('EXECUTION_SETUP_RESULT')]],
  coding: bead,
  'coding-continue': bead,
  pivot: bead,
  'failure-analysis': [[AnalysisAnswer, fence]],
  'plan-change': [[z.object({ beads: z.array(fixBead) }), fence]],
  review: [[ReviewAnswer, fence]],
  'review-again': [[ReviewAnswer, fence]],
  'review-note': [[ReviewAnswer, fence]],
  'party-vote': [[BallotAnswer, fence]],
  kickoff: [[KickoffAnswer, fence]],
  fix: [[BeadStatusMarker, tag('BEAD_STATUS')]],
  'final-test': [[FinalTestCommands, tag('FINAL_TEST_COMMANDS')]],
  'qa-checklist': [[QaChecklistDraft, tag('MANUAL_QA_CHECKLIST')]],
  'qa-fix': [[z.object({ beads: z.array(fixBead) }), fence]],
  'base-update': [[Resolution, tag('BASE_RESOLUTION')]],
  'pull-request': [[PullRequestDraft, fence]],
  retrospective: [[RetrospectiveAnswer, fence]],
};

describe('prompt files', () => {
  it('are those of the inventory, and all of them parse', () => {
    const found = readdirSync(join(root, 'prompts'), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name.replace(/\.md$/, ''));
    assert.deepEqual(found.sort(), [...promptNames].sort());
    assert.equal(files.length, promptNames.length);
  });

  it('serve every key that a model is asked for', () => {
    const served = new Set(
      promptNames.map((name) => promptUse(name).keys).flatMap((keys) => (keys === 'any' ? [] : keys)),
    );
    assert.deepEqual([...new Set(contextKeys).difference(served)], ['preflight']);
  });

  for (const [name, given] of Object.entries(examples)) {
    it(`show in ${name} a whole answer that its schema accepts as it stands`, () => {
      for (const [schema, find] of given) {
        const example = find(file(name as PromptName).body);
        assert.deepEqual(schema.parse(example), example);
      }
    });

    it(`refuse the example of ${name} as an answer, in whatever form it is sent back`, async () => {
      const { body } = file(name as PromptName);
      if (given.some(([schema]) => schema === BeadStatusMarker)) {
        // No example has the nonce of a prompt.
        const read = parseBeadMarker({ bead: 'discount-code-model', nonce: 'n1111111111111111' })(
          body.slice(body.search(/^<[A-Z_]+>$/m)),
        );
        assert.ok(!read.ok && /nonce/.test(read.problem));
        return;
      }
      const io = {
        ports: { texts: readsAtOnce, prompts: { read: async () => ({ text: textOf(name) }) } },
      } as unknown as StepIo;
      const tags = [undefined, ...Array.from(body.matchAll(/^<([A-Z_]+)>$/gm), ([, tagName]) => tagName)];
      for (const [schema, find] of given) {
        const example = find(body);
        const refused = await Promise.all(
          tags.map(async (tagName) => {
            const about = tagName === undefined ? {} : { tag: tagName };
            const parse: Parse<unknown> =
              schema instanceof z.ZodArray
                ? parseLines({ schema: schema.element as z.ZodType, ...about })
                : parseStructured({ schema, ...about });
            const lines = Array.isArray(example)
              ? example.map((line) => JSON.stringify(line)).join('\n')
              : JSON.stringify(example);
            const sent = tagName === undefined ? lines : `<${tagName}>\n${lines}\n</${tagName}>`;
            const read = parse(`${sent}\nEND_OF_ANSWER`);
            return read.ok && isExample(io, parse, read.value, [name]);
          }),
        );
        assert.ok(refused.includes(true));
      }
    });
  }

  it('ask reviewers for verdicts before anything else that was checked', () => {
    for (const name of ['review', 'review-again'] as const) {
      const { body } = file(name);
      assert.match(
        body,
        /`checked` comes first: [^]*each acceptance criterion[^]*met, unmet or unclear[^]*then what else you looked for/,
        name,
      );
      assert.match(body, /checked:\n[^]*"Criterion \d, [^"]*unmet[^"]*:\d+"/, name);
    }
    assert.match(file('review-again').body, /a line for each of `findings`, fixed, not fixed or unclear/);
  });

  it('have an example wherever the answer is a structure', () => {
    const plain = files.filter(
      ({ name, output }) => hasTitle(name) && /YAML|JSONL/.test(output) && !(name in examples),
    );
    // They refer to the format in their session.
    assert.deepEqual(plain.map(({ name }) => name).sort(), ['interview-answers']);
  });

  it('ask voters for every category, by a rubric of the domain', () => {
    const rubrics = (['interview-vote', 'prd-vote', 'beads-vote'] as const).map((name) => {
      const { body } = file(name);
      const lines = voteCategories.map(
        (category) => new RegExp(`^- \`${category}\`: (.+)$`, 'm').exec(body)?.[1] ?? '',
      );
      assert.ok(
        lines.every((line) => line !== ''),
        name,
      );
      return lines.join('\n');
    });
    assert.equal(new Set(rubrics).size, 3);
  });

  it('give votes and notes no tools, and planning only looks', () => {
    const none: PromptName[] = [
      'interview-vote',
      'prd-vote',
      'beads-vote',
      'coding-note',
      'setup-note',
      'final-test-note',
      'pull-request',
      'structured-repair',
    ];
    for (const name of none) assert.equal(policyOf(name), 'disabled', name);
    const planning = promptNames.filter(
      (name) => /^(relevant|interview|full|prd|beads|setup-plan|qa)/.test(name) && !name.endsWith('-vote'),
    );
    assert.equal(planning.length, 20);
    for (const name of planning) assert.equal(policyOf(name), 'read_only', name);
    assert.deepEqual(
      promptNames.filter((name) => policyOf(name) === 'execution_setup_online'),
      ['setup', 'agent-execution-setup-online'],
    );
    assert.equal(policyOf('coding'), 'default');
  });

  it('leave it to the system prompt to say which tools there are, and what nobody who works may do', () => {
    const tools = /You have no tools|You can (?:only )?read and search/;
    const limits = /(?:n’t|n't)[^.]*switch branches|touch `\.git`|stop to report progress/;
    const told = files.filter(
      ({ name, body, policy }) =>
        hasTitle(name) && (tools.test(body) || (policy === 'default' && limits.test(body))),
    );
    assert.deepEqual(
      told.map(({ name }) => name),
      [],
    );
  });

  it('say of each part that a bead or its ticket may not have “if given”: a loop has no plan, no PRD and no named files', () => {
    const optional = [
      'prd_parts',
      'target_files',
      'seen_evidence',
      'handoff',
      'attempts',
      'dev_record',
      'repository_rules',
      'reviewer_notes',
    ];
    const says = (body: string, part: string): boolean =>
      body.includes(`\`${part}\``) && !new RegExp(`^${part}:`, 'm').test(body);
    const without = files.flatMap(({ name, body }) =>
      optional
        .filter((part) => says(body, part) && !body.includes(`\`${part}\`, if given`))
        .map((part) => `${name}: ${part}`),
    );
    assert.deepEqual(without, []);
  });

  it('tell planners of a coder only what is so: it also sees the stories that its bead names', () => {
    assert.deepEqual(
      files.filter(({ body }) => /sees only (?:this|that) bead/.test(body)).map(({ name }) => name),
      [],
    );
  });

  it('say how large a bead may be wherever beads are cut', () => {
    const cut = files.filter(({ body }) => /^beads:$/m.test(body) && /^ +testCommands:/m.test(body));
    assert.ok(cut.length >= 4);
    assert.deepEqual(
      cut.filter(({ body }) => !/five files or 300 changed lines/.test(body)).map(({ name }) => name),
      [],
    );
  });

  it('speak only of parts that their key may hold', () => {
    const parts: readonly string[] = [...sliceNames, ...sectionNames];
    for (const { name, body } of files) {
      const named = new Set(Array.from(body.matchAll(/`([a-z]+(?:_[a-z]+)*)`/g), ([, word]) => word ?? ''));
      const meant = [...named].filter((word) => !new RegExp(`\\b${word}"?:`).test(body));
      const { keys } = promptUse(name);
      const allowed =
        keys === 'any'
          ? []
          : keys.flatMap((key) => [
              ...slicesOf(key),
              ...sectionNames.filter((other) => sectionAllowed(other, key)),
            ]);
      const wrong = meant.filter((word) =>
        parts.includes(word)
          ? !(allowed as string[]).includes(word)
          : word.includes('_') && !fields.includes(word),
      );
      assert.deepEqual(wrong, [], name);
    }
  });

  it('keep second-level headings for the parts, so that instructions never look like one', () => {
    for (const { name, body } of files) assert.doesNotMatch(body, /^## /m, name);
  });

  it('end the coding task with the record and then the marker', () => {
    const { body } = file('coding');
    assert.ok(
      body.indexOf('<DEV_RECORD>') > 0 && body.indexOf('<DEV_RECORD>') < body.indexOf('<BEAD_STATUS>'),
    );
    assert.ok(
      body.includes('.ticket/runtime/execution-setup/run') &&
        body.includes('.ticket/runtime/execution-setup-profile.json'),
    );
  });

  it('keep the system prompts of the agents as short as they can be: each request repeats them', () => {
    const most = {
      'agent-disabled': 700,
      'agent-read-only': 1_300,
      'agent-default': 2_400,
      'agent-execution-setup-online': 1_400,
    } as const;
    for (const [name, characters] of Object.entries(most)) {
      const { body } = file(name as keyof typeof most);
      assert.ok(body.length <= characters, `${name}: ${String(body.length)} characters`);
    }
  });

  it('tell the agents that work how to: where, in which order, with which tools, and how to end', () => {
    const { body } = file('agent-default');
    const wanted = [
      /absolute paths/,
      /grep and glob before you read/,
      /in one turn/,
      /Read a file before you edit/,
      /three steps or more, keep a todo list/,
    ];
    for (const rule of [
      ...wanted,
      /only the tools you are offered/,
      /Nothing outside it is yours/,
      /`timeout`/,
      /End with the blocks/,
    ])
      assert.match(body, rule);
    for (const name of [
      'agent-default',
      'agent-read-only',
      'agent-disabled',
      'agent-execution-setup-online',
    ] as const)
      assert.match(file(name).body, /double quotes[^]*`\\\\`[^]*language of the ticket/);
  });

  it('continue a session with exactly these words', () => {
    const empty = {
      key: 'coding',
      inputs: {},
      parts: [],
      reductions: [],
      tokens: 3,
      budget: 10,
      model: 'p/m',
    } as const;
    const { stable, text } = planPrompt({ ...empty, file: file('continue') });
    assert.deepEqual([stable, text], ['', 'continue please']);
  });

  it('take inputs only where the session knows everything else', () => {
    const taking = files.filter(({ inputs }) => inputs.length > 0).map(({ name, inputs }) => [name, inputs]);
    assert.deepEqual(taking.sort(), [
      ['answer-rest', ['line']],
      ['structured-repair', ['problem', 'output']],
    ]);
    for (const name of ['answer-rest', 'structured-repair'] as const)
      assert.equal(promptInventory[name].session, 'same');
  });
});

describe('docs/prompts.md', () => {
  it('is what the generator writes (npm run docs)', async () => {
    assert.equal(readFileSync(join(root, 'docs/prompts.md'), 'utf8'), await promptDocs());
  });
});

describe('the example bead', () => {
  it('is a bead', () => {
    const example: unknown = JSON.parse(readFileSync(join(root, 'test/fixtures/bead.json'), 'utf8'));
    assert.deepEqual(Bead.parse(example), example);
  });
});
