import assert from 'node:assert/strict';
import fc from 'fast-check';
import { buildMinimalContext, shrunkTokens } from '../../../src/context/buildMinimalContext.ts';
import { ContextCache } from '../../../src/context/contextCache.ts';
import { mayLeaveOut } from '../../../src/context/partRow.ts';
import { planPrompt } from '../../../src/context/planPrompt.ts';
import { parsePromptFile } from '../../../src/context/promptFile.ts';
import {
  type Section,
  type SectionName,
  sectionAllowed,
  sectionRow,
  sectionTable,
} from '../../../src/context/sections.ts';
import { trimOrder } from '../../../src/context/slices.ts';
import type { ContextState } from '../../../src/context/contextState.ts';
import { type ContextKey, contextKeys } from '../../../src/domain/workflow/contextKeys.ts';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import type { PartRule } from '../../../src/domain/prompts/promptChoices.ts';
import { anyState, canary, contextTables, ownAllowlists } from './contextTables.ts';
import { emptyContextState } from '../../support/samples.ts';

/** Exact: a word is a token. */
const count = (text: string): number => text.split(/\s+/).filter(Boolean).length;
const words = (label: string, number: number): string =>
  Array.from({ length: number }, (_, index) => `${label}${index}`).join(' ');
const roomy = { budget: 1_000_000, count };
const file = parsePromptFile(
  'x',
  '---\nabout: x\ninputs: []\nbudget: 1\npolicy: disabled\noutput: x\n---\n# Beadsmith task: x\n\nDo it.',
);
const sectionNames = Object.keys(sectionTable) as SectionName[];
const key = fc.constantFrom(...contextKeys);

function sliceOfField(field: string): string {
  const own = ['ticketId', 'title', 'description'].includes(field);
  return own ? 'ticket_details' : field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

async function promptFor(
  key: ContextKey,
  state: ContextState,
  sections: readonly Section[] = [],
): Promise<string> {
  const context = await buildMinimalContext(key, state, { ...roomy, sections });
  const { stable, text } = planPrompt({
    key,
    file,
    inputs: {},
    ...context,
    budget: roomy.budget,
    model: 'provider/model',
  });
  return `${stable}\n${text}`;
}

describe('buildMinimalContext', () => {
  it('lets nothing into a prompt that the key does not list, whatever the state', async () => {
    await fc.assert(
      fc.asyncProperty(key, anyState, async (key, state) => {
        const prompt = await promptFor(key, state);
        const listed = contextTables.allowlists[key] ?? ownAllowlists[key] ?? [];
        const allowed = key === 'prd_draft' ? listed.filter((name) => name !== 'interview') : listed;
        for (const field of Object.keys(state)) {
          assert.equal(
            prompt.includes(canary(field)),
            allowed.includes(sliceOfField(field)),
            `${key}: ${field}`,
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it('never shows the interview to a PRD draft, only to the step before it', async () => {
    const state = { ...emptyContextState, title: 'T', interview: 'SECRET', fullAnswers: ['FULL'] };
    assert.ok(!(await promptFor('prd_draft', state)).includes('SECRET'));
    assert.ok((await promptFor('prd_draft', state)).includes('FULL'));
    assert.ok((await promptFor('full_answers_fill', state)).includes('SECRET'));
  });

  it('takes the sections that the key allows and refuses every other', async () => {
    for (const key of contextKeys) {
      for (const name of sectionNames) {
        const built = buildMinimalContext(key, emptyContextState, {
          ...roomy,
          sections: [{ name, content: 'MARK' }],
        });
        if (sectionAllowed(name, key))
          assert.ok((await built).parts.some((part) => part.name === name && part.kind === 'section'));
        else
          await assert.rejects(
            built,
            (error) => error instanceof BeadsmithError && error.code === 'INVALID_INPUT',
          );
      }
    }
  });

  it('puts the ticket first, then class by class, slices before sections, each in list order', async () => {
    const state = {
      ...emptyContextState,
      ticketId: 'A-1',
      title: 'T',
      relevantFiles: 'r',
      prd: 'p',
      beads: 'b',
      executionSetupPlanNotes: ['n'],
    };
    const sections: Section[] = [
      { name: 'user_note', content: 'u' },
      { name: 'host', content: 'h' },
      { name: 'user_context', content: 'c' },
    ];
    const { parts } = await buildMinimalContext(
      'execution_setup_plan',
      { ...state, executionSetupProfile: 'e' },
      { ...roomy, sections },
    );
    assert.deepEqual(
      parts.map((part) => part.name),
      [
        'ticket_details',
        'relevant_files',
        'prd',
        'beads',
        'host',
        'execution_setup_profile',
        'execution_setup_plan_notes',
        'user_context',
        'user_note',
      ],
    );
  });

  it('keeps the order of the fixture for every key', async () => {
    const full = Object.fromEntries(
      Object.entries(emptyContextState).map(([field, empty]) => [field, Array.isArray(empty) ? ['x'] : 'x']),
    );
    for (const [key, listed] of Object.entries(contextTables.allowlists)) {
      const { parts } = await buildMinimalContext(key as ContextKey, full as unknown as ContextState, roomy);
      const rest = listed.filter(
        (name) => name !== 'ticket_details' && !(key === 'prd_draft' && name === 'interview'),
      );
      assert.deepEqual(
        parts.map((part) => part.name),
        listed.includes('ticket_details') ? ['ticket_details', ...rest] : rest,
      );
    }
  });

  it('AT-10: leaves out what is empty', async () => {
    const { parts, tokens } = await buildMinimalContext(
      'coding',
      { ...emptyContextState, beadData: 'one two', beadNotes: [] },
      roomy,
    );
    assert.deepEqual(
      parts.map((part) => part.name),
      ['bead_data'],
    );
    assert.equal(tokens, 2);
  });

  it('numbers drafts and notes, so that votes and changes can refer to them', async () => {
    const { parts } = await buildMinimalContext(
      'interview_vote',
      { ...emptyContextState, drafts: ['a: 1', 'b: 2'] },
      roomy,
    );
    assert.equal(parts.at(-1)?.content, '### Draft 1\n\na: 1\n\n### Draft 2\n\nb: 2');
  });
});

describe('over budget', () => {
  const state = {
    ...emptyContextState,
    ticketId: 'A-1',
    title: 'T',
    prd: words('p', 3_000),
    beads: words('b', 3_000),
    finalTestNotes: [words('n', 3_000)],
  };
  const build = (budget: number, given: ContextState = state, sections: readonly Section[] = []) =>
    buildMinimalContext(sections.length > 0 ? 'pull_request' : 'final_test', given, {
      budget,
      count,
      sections,
    });

  it('changes nothing while everything fits', async () => {
    const { tokens } = await build(1_000_000);
    assert.deepEqual((await build(tokens)).reductions, []);
    assert.notDeepEqual((await build(tokens - 1)).reductions, []);
  });

  it('shrinks the first of the trim order to 500 tokens, and says so in the text and in the plan', async () => {
    const { parts, reductions } = await build(7_000);
    assert.deepEqual(
      reductions.map(({ name, action }) => [name, action]),
      [['final_test_notes', 'shrunk']],
    );
    const notes = parts.find((part) => part.name === 'final_test_notes');
    assert.ok(
      notes && notes.tokens <= shrunkTokens && notes.tokens > shrunkTokens * 0.8,
      String(notes?.tokens),
    );
    assert.equal(notes.tokens, count(notes.content));
    assert.match(
      notes.content,
      /^### Note 1\n\nn0 n1 [\s\S]*\n\[… \d+ of \d+ characters left out …\]\n[\s\S]* n2999$/,
    );
    assert.equal(reductions[0]?.tokensBefore, 3_003);
    assert.equal(reductions[0].tokensAfter, notes.tokens);
  });

  it('drops it when shrinking was not enough, and continues with the next', async () => {
    const { parts, reductions } = await build(3_600);
    assert.deepEqual(reductions.map(({ name, action }) => [name, action]).sort(), [
      ['beads', 'shrunk'],
      ['final_test_notes', 'dropped'],
    ]);
    assert.deepEqual(
      parts.map((part) => part.name),
      ['ticket_details', 'prd', 'beads'],
    );
  });

  it('cuts sections only when no slice is left to cut, the last one first', async () => {
    const sections: Section[] = [
      { name: 'commits', content: words('c', 900) },
      { name: 'reports', content: words('r', 900) },
    ];
    const { parts, reductions } = await build(3_602, state, sections);
    assert.deepEqual(
      reductions.map(({ name }) => name),
      ['prd'],
    );
    assert.ok(!reductions.some(({ name }) => name === 'commits' || name === 'reports'));
    assert.ok(parts.some((part) => part.name === 'reports'));
    const tight = await build(1_200, state, [
      { name: 'user_context', content: words('u', 300) },
      { name: 'reports', content: words('r', 300) },
      { name: 'patch', content: words('x', 300) },
      { name: 'commits', content: words('c', 300) },
    ]);
    assert.deepEqual(
      tight.parts.map((part) => part.name),
      ['ticket_details', 'commits', 'user_context', 'reports'],
    );
  });

  it('holds a section to its cap, and to a quarter of the budget', async () => {
    const sections: Section[] = [{ name: 'patch', content: words('x', 50_000) }];
    const wide = await build(1_000_000, state, sections);
    assert.ok((wide.parts.at(-1)?.tokens ?? Infinity) <= sectionRow('patch').cap);
    const narrow = await build(20_000, state, sections);
    assert.ok((narrow.parts.at(-1)?.tokens ?? Infinity) <= 5_000);
    assert.deepEqual(narrow.reductions, [
      { name: 'patch', action: 'shrunk', tokensBefore: 50_000, tokensAfter: narrow.parts.at(-1)?.tokens },
    ]);
  });

  it('AT-12: refuses the call when the ticket or the bead alone does not fit', async () => {
    const isOver = (error: unknown): boolean =>
      error instanceof BeadsmithError && error.code === 'CONTEXT_OVER_BUDGET';
    await assert.rejects(build(99, { ...state, description: words('d', 100) }), isOver);
    await assert.rejects(
      buildMinimalContext('coding', { ...state, beadData: words('d', 101) }, { budget: 100, count }),
      isOver,
    );
    const { parts } = await buildMinimalContext(
      'coding',
      { ...state, beadData: words('d', 100), beadNotes: ['x'] },
      { budget: 100, count },
    );
    assert.deepEqual(
      parts.map((part) => part.name),
      ['bead_data'],
    );
  });

  it('AT-12: always keeps to the budget, keeps ticket and bead whole, and cuts in the order of the fixture', async () => {
    const sizes = fc.record({
      prd: fc.nat(4_000),
      beads: fc.nat(4_000),
      notes: fc.nat(4_000),
      user: fc.nat(4_000),
      title: fc.nat(50),
    });
    await fc.assert(
      fc.asyncProperty(key, sizes, fc.integer({ min: 200, max: 16_000 }), async (key, size, budget) => {
        const text = (label: string, number: number) => (number === 0 ? '' : words(label, number));
        const given: ContextState = {
          ...emptyContextState,
          title: words('t', size.title + 1),
          prd: text('p', size.prd),
          beads: text('b', size.beads),
          beadData: words('d', 50),
          interview: text('i', size.prd),
          relevantFiles: text('r', size.beads),
          fullAnswers: [text('f', size.notes)],
          drafts: [text('x', size.notes)],
          beadNotes: [text('n', size.notes)],
          errorContext: text('e', size.notes),
        };
        const sections: Section[] = sectionAllowed('user_context', key)
          ? [{ name: 'user_context', content: text('u', size.user) }]
          : [];
        const built = await buildMinimalContext(key, given, { budget, count, sections });

        assert.ok(built.tokens <= budget);
        assert.equal(
          built.tokens,
          built.parts.reduce((total, part) => total + count(part.content), 0),
        );
        for (const { name } of built.reductions) assert.ok(!['ticket_details', 'bead_data'].includes(name));
        // In the fixture's order, what was spared comes after what was cut.
        const cut = built.reductions
          .map(({ name }) => trimOrder.findIndex((other) => other === name))
          .filter((place) => place >= 0);
        const spared = built.parts.filter(
          (part) => part.kind === 'slice' && !built.reductions.some(({ name }) => name === part.name),
        );
        for (const { name } of spared) {
          const place = trimOrder.findIndex((other) => other === name);
          if (name !== 'ticket_details' && place >= 0)
            assert.ok(place > Math.max(-1, ...cut), `${key}: ${name} was spared`);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('sameness', () => {
  it('AT-1: gives the same bytes for the same input, with a cold cache, a warm one and none', async () => {
    await fc.assert(
      fc.asyncProperty(key, anyState, fc.integer({ min: 300, max: 2_000 }), async (key, state, budget) => {
        const cache = new ContextCache();
        const build = (options: object) =>
          buildMinimalContext(key, structuredClone(state), { budget, count, ...options });
        const bare = await build({});
        assert.deepEqual(await build({ cache, now: 1 }), bare);
        assert.deepEqual(await build({ cache, now: 2 }), bare);
      }),
      { numRuns: 100 },
    );
  });

  it('AT-1: gives the same bytes in whichever order sections are added', async () => {
    const some = fc
      .tuple(key, fc.subarray(sectionNames))
      .map(([one, names]) => [one, names.filter((name) => sectionAllowed(name, one))] as const)
      .chain(([one, names]) =>
        fc.tuple(
          fc.constant(one),
          fc.constant(names),
          fc.shuffledSubarray(names, { minLength: names.length }),
        ),
      );
    await fc.assert(
      fc.asyncProperty(some, anyState, async ([one, names, shuffled], state) => {
        const added = (all: readonly SectionName[]): readonly Section[] =>
          all.map((name) => ({ name, content: `content of ${name}` }));
        assert.equal(await promptFor(one, state, added(shuffled)), await promptFor(one, state, added(names)));
      }),
      { numRuns: 100 },
    );
  });

  it('keeps what people pinned whole, leaves out what they excluded, and lets nothing in for it, whatever they chose', async () => {
    const anyRules = fc
      .dictionary(fc.constantFrom(...trimOrder, ...sectionNames), fc.constantFrom<PartRule>('pin', 'exclude'))
      .map((rules) => new Map(Object.entries(rules)));
    await fc.assert(
      fc.asyncProperty(
        key,
        anyState,
        anyRules,
        fc.integer({ min: 20, max: 400 }),
        async (key, state, rules, budget) => {
          const sections = sectionNames
            .filter((name) => sectionAllowed(name, key))
            .map((name) => ({ name, content: words(name, sectionRow(name).cap > 30_000 ? 10 : 40) }));
          const whole = await buildMinimalContext(key, state, { ...roomy, sections });
          const contents = new Map(whole.parts.map(({ name, content }) => [name, content]));
          const built = await buildMinimalContext(key, state, { budget, count, sections, rules }).catch(
            (error: unknown) => error,
          );
          if (built instanceof BeadsmithError) {
            const kept = whole.parts.filter(({ name }) => rules.get(name) === 'pin' || !mayLeaveOut(name));
            assert.equal(built.code, 'CONTEXT_OVER_BUDGET');
            assert.ok(
              kept.reduce((sum, { tokens }) => sum + tokens, 0) > budget,
              'only what may not be cut is too much',
            );
            return;
          }
          const { parts, reductions, tokens } = built as Awaited<ReturnType<typeof buildMinimalContext>>;
          assert.ok(tokens <= budget);
          for (const { name, content, pinned } of parts) {
            assert.ok(contents.has(name), `${name} was let in`);
            assert.ok(rules.get(name) !== 'exclude' || !mayLeaveOut(name), `${name} was left out`);
            assert.equal(pinned === true, rules.get(name) === 'pin');
            if (pinned === true) assert.equal(content, contents.get(name));
          }
          const present = new Set(parts.map(({ name }) => name));
          for (const [name, rule] of rules) {
            if (!contents.has(name)) continue;
            if (rule === 'pin') assert.ok(present.has(name), `${name} is pinned`);
            else if (mayLeaveOut(name))
              assert.ok(reductions.some((one) => one.name === name && one.action === 'excluded'));
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('counts a document once for as long as it stays the same, and again when it changed', async () => {
    const counted: string[] = [];
    const cache = new ContextCache();
    const build = (prd: string, now: number) =>
      buildMinimalContext(
        'pull_request',
        { ...emptyContextState, ticketId: 'A-1', title: 'T', prd },
        { budget: 1_000, cache, now, count: (text) => (counted.push(text), count(text)) },
      );
    await build('first', 0);
    await build('first', 1_000);
    assert.deepEqual(counted, ['A-1: T', 'first']);
    const { parts } = await build('second', 2_000);
    assert.equal(parts.at(-1)?.content, 'second');
    assert.deepEqual(counted, ['A-1: T', 'first', 'second']);
  });
});
