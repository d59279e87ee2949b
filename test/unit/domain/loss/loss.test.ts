import assert from 'node:assert/strict';
import { claimProblems, provedResolutions } from '../../../../src/domain/loss/claims.ts';
import { compare, lossText } from '../../../../src/domain/loss/compare.ts';
import { type Declared, undeclared } from '../../../../src/domain/loss/declared.ts';
import { putBack } from '../../../../src/domain/loss/putBack.ts';
import { beadsOutline } from '../../../../src/domain/documents/beads.ts';
import { PrdDraft, prdOutline } from '../../../../src/domain/requirements/prd.ts';
import { beads as twoBeads, prd as smallPrd } from '../../../support/models/planningAnswers.ts';

type Story = PrdDraft['epics'][number]['user_stories'][number];

const story = (id: string, title: string, ...criteria: readonly string[]): Story => ({
  id,
  title,
  interview_refs: ['Q01'],
  acceptance_criteria: [...criteria],
  implementation_steps: [],
  verification: { required_commands: ['npm test'] },
});
const epic = (id: string, title: string, ...stories: readonly Story[]): PrdDraft['epics'][number] => ({
  id,
  title,
  objective: `Why ${title}`,
  implementation_steps: [],
  user_stories: [...stories],
});
const prd: PrdDraft = PrdDraft.parse({
  ...smallPrd,
  technical_requirements: {
    data_model: ['A code has a percent'],
    security_constraints: ['Codes are secret'],
  },
  epics: [
    epic(
      'EPIC-1',
      'Codes',
      story('US-1-1', 'Apply', 'Takes off 10 %', 'Rounds down'),
      story('US-1-2', 'Expire', 'Refuses old codes'),
    ),
    epic('EPIC-2', 'Reports', story('US-2-1', 'List', 'Lists all codes')),
  ],
  risks: ['Shipping may be discounted'],
});
const edited = (change: (copy: PrdDraft) => void): PrdDraft => {
  const copy = structuredClone(prd);
  change(copy);
  return copy;
};
const open = (after: PrdDraft, declared: Partial<Declared> = {}): readonly string[] =>
  undeclared(compare(prdOutline, prd, after), { changes: [], ...declared }).map(lossText);
const restored = (after: PrdDraft): PrdDraft =>
  putBack(prdOutline, prd, after, undeclared(compare(prdOutline, prd, after), { changes: [] }));
const stories = (document: PrdDraft): readonly Story[] => document.epics.flatMap((one) => one.user_stories);
const change = (type: 'modified' | 'removed' | 'replaced', before: unknown, after: unknown = null) => ({
  type,
  before,
  after,
});

/** What a careless revision does to a PRD, and what is named as lost. */
const losses: Readonly<Record<string, readonly [PrdDraft, readonly string[]]>> = {
  'two of three stories': [
    edited((copy) => {
      copy.epics = copy.epics.slice(0, 1);
      copy.epics[0]?.user_stories.pop();
    }),
    ['user story US-1-2 "Expire"', 'epic EPIC-2 "Reports"', 'user story US-2-1 "List"'],
  ],
  'a criterion': [
    edited((copy) => copy.epics[0]?.user_stories[0]?.acceptance_criteria.pop()),
    ['US-1-1 "Apply", acceptance criterion: "Rounds down"'],
  ],
  'the words of a criterion': [
    edited((copy) => copy.epics[0]?.user_stories[0]?.acceptance_criteria.splice(0, 1, 'Takes off something')),
    ['US-1-1 "Apply", acceptance criterion: "Takes off 10 %"'],
  ],
  'a criterion that moved to another story': [
    edited((copy) =>
      copy.epics[1]?.user_stories[0]?.acceptance_criteria.push(
        ...(copy.epics[0]?.user_stories[1]?.acceptance_criteria.splice(0, 1, 'Else') ?? []),
      ),
    ),
    ['US-1-2 "Expire", acceptance criterion: "Refuses old codes"'],
  ],
  'a command': [
    edited((copy) =>
      copy.epics[0]?.user_stories[0]?.verification.required_commands.splice(0, 1, 'npm test -- "x"'),
    ),
    ['US-1-1 "Apply", required command: "npm test"'],
  ],
  'a technical requirement': [
    edited((copy) => delete copy.technical_requirements.security_constraints),
    ['security constraints: "Codes are secret"'],
  ],
  'a risk': [edited((copy) => void (copy.risks = [])), ['risk: "Shipping may be discounted"']],
  'the problem': [
    edited((copy) => void (copy.product.problem_statement = 'Else.')),
    ['problem statement: "Nobody is greeted."'],
  ],
  'what is in scope': [
    edited((copy) => void (copy.scope = { in_scope: ['Else'], out_of_scope: ['Greeting by name'] })),
    ['in scope: "Greeting by name"'],
  ],
};

describe('what a revision lost', () => {
  for (const [name, [after, named]] of Object.entries(losses)) {
    it(`is ${name}: named, and put back where it was`, () => {
      assert.deepEqual(open(after), named);
      const again = restored(after);
      assert.deepEqual(compare(prdOutline, prd, again).losses.map(lossText), []);
      assert.ok(PrdDraft.safeParse(again).success);
    });
  }

  it('is nothing where only the spelling differs, or a line moved among the technical requirements', () => {
    const after = edited((copy) => {
      copy.risks = ['  “Shipping”  may be\n discounted.'];
      copy.technical_requirements = { data_model: ['Codes are secret', 'A code has a percent'] };
      copy.scope.in_scope.push('More');
    });
    assert.deepEqual(open(after), []);
    assert.equal(restored(after), after);
  });

  it('puts a story back with its own id, though another story took it', () => {
    const after = edited((copy) => {
      copy.epics = [
        epic('EPIC-1', 'Codes', story('US-1-1', 'Expire', 'Refuses old codes')),
        epic('EPIC-2', 'Reports', story('US-2-1', 'List', 'Lists all codes')),
      ];
    });
    assert.deepEqual(
      stories(restored(after)).map(({ id, title }) => `${id} ${title}`),
      ['US-1-1 Apply', 'US-1-2 Expire', 'US-2-1 List'],
    );
  });

  it('puts an epic back whose stories moved, with its stories', () => {
    const after = edited((copy) => {
      copy.epics = [epic('EPIC-1', 'Codes', ...stories(prd))];
    });
    assert.deepEqual(open(after), ['epic EPIC-2 "Reports"']);
    assert.deepEqual(restored(after), prd);
  });

  it('is declared by an item that was removed, replaced or modified, with all below it', () => {
    const [gone] = losses['two of three stories'] ?? [prd];
    assert.deepEqual(
      open(gone, {
        changes: [change('removed', { id: 'US-1-2' }), change('removed', { id: 'EPIC-2', label: 'Reports' })],
      }),
      [],
    );
    assert.deepEqual(
      open(gone, { changes: [change('removed', 'US-1-2: Expire'), change('replaced', 'US-2-1', 'US-1-1')] }),
      [],
    );
    const [reworded] = losses['the words of a criterion'] ?? [prd];
    assert.deepEqual(
      open(reworded, { changes: [change('modified', { id: 'US-1-1' }, { id: 'US-1-1' })] }),
      [],
    );
    assert.deepEqual(open(reworded, { changes: [change('modified', { id: 'US-1-1.AC1' })] }), []);
    assert.equal(open(reworded, { changes: [change('modified', { id: 'US-1-1.AC2' })] }).length, 1);
    assert.equal(open(reworded, { changes: [change('modified', { id: 'US-1-10' })] }).length, 1);
  });

  it('is not declared by a modification of what is gone', () => {
    const [gone] = losses['two of three stories'] ?? [prd];
    assert.equal(open(gone, { changes: [change('modified', { id: 'US-1-2' }, { id: 'US-1-2' })] }).length, 3);
  });

  it('is declared for a line by its words, or by its list as far as the list has new lines', () => {
    const [gone] = losses['a risk'] ?? [prd];
    assert.deepEqual(
      open(gone, { changes: [{ ...change('removed', 'Shipping may be discounted'), item_type: 'risk' }] }),
      [],
    );
    assert.equal(
      open(gone, { changes: [{ ...change('removed', 'It was wrong'), item_type: 'risk' }] }).length,
      1,
    );
    const reworded = edited((copy) => void (copy.risks = ['Shipping is discounted']));
    assert.deepEqual(open(reworded, { changes: [{ ...change('modified', 'x'), item_type: 'risk' }] }), []);
  });

  it('is declared by a resolution that says so', () => {
    const [reworded] = losses['the words of a criterion'] ?? [prd];
    const resolutions = [
      {
        gap: 'g',
        action: 'updated_prd' as const,
        rationale: '',
        affected_items: [{ item_type: 'user_story', id: 'US-1-1', label: '' }],
      },
    ];
    assert.deepEqual(open(reworded, { resolutions }), []);
    assert.equal(
      open(reworded, {
        resolutions: resolutions.map((one) => ({ ...one, action: 'already_covered' as const })),
      }).length,
      1,
    );
  });

  it('works for beads, their criteria and commands', () => {
    const before = { beads: twoBeads };
    const after = { beads: [{ ...twoBeads[0], testCommands: [], acceptanceCriteria: ['It sings.'] }] };
    const found = compare(beadsOutline, before, after).losses;
    assert.deepEqual(found.map(lossText), [
      'greet-by-name "Do greet-by-name", acceptance criterion: "It greets."',
      'greet-by-name "Do greet-by-name", test command: "node --test"',
      'bead greet-nobody "Do greet-nobody"',
    ]);
    assert.deepEqual(putBack(beadsOutline, before, after, found).beads, [
      { ...twoBeads[0], acceptanceCriteria: ['It greets.', 'It sings.'] },
      twoBeads[1],
    ]);
  });
});

describe('what a resolution claims', () => {
  const resolution = (...ids: readonly string[]) => ({
    gap: 'A gap.',
    action: 'updated_prd' as const,
    rationale: 'Done.',
    affected_items: ids.map((id) => ({ item_type: 'user_story', id, label: '' })),
  });
  const difference = (after: PrdDraft) => ({
    lost: compare(prdOutline, prd, after),
    gained: compare(prdOutline, after, prd),
  });
  const more = edited((copy) => copy.epics[0]?.user_stories[0]?.acceptance_criteria.push('One more'));

  it('has to be seen in the document', () => {
    assert.deepEqual(
      claimProblems(difference(more), [
        resolution('US-1-1'),
        resolution('EPIC-1'),
        resolution('US-1-1.AC3'),
        resolution(),
      ]),
      [],
    );
    assert.deepEqual(claimProblems(difference(more), [resolution('US-1-2')]), [
      'The gap "A gap.": updated_prd, but user story US-1-2 is what it was.',
    ]);
    assert.deepEqual(claimProblems(difference(prd), [resolution()]), [
      'The gap "A gap.": updated_prd, but nothing of the document changed.',
    ]);
    assert.equal(claimProblems(difference(more), [resolution('US-9-9')]).length, 1);
  });

  it('may be a line of the document itself', () => {
    const risk = edited((copy) => copy.risks.push('Another'));
    const affected = (item_type: string, id: string, label: string) => ({
      ...resolution(),
      affected_items: [{ item_type, id, label }],
    });
    assert.deepEqual(
      claimProblems(difference(risk), [
        affected('risk', '', 'Another'),
        affected('risks', '', ''),
        affected('section', 'risks', ''),
      ]),
      [],
    );
    assert.equal(claimProblems(difference(risk), [affected('scope', 'in_scope', '')]).length, 1);
  });

  it('is corrected where the document does not show it', () => {
    const [mixed, none] = provedResolutions(difference(more), [
      resolution('US-1-1', 'US-1-2'),
      resolution('US-1-2'),
    ]);
    assert.deepEqual([mixed?.action, mixed?.affected_items.map(({ id }) => id)], ['updated_prd', ['US-1-1']]);
    assert.deepEqual([none?.action, none?.affected_items], ['left_unresolved', []]);
    assert.match(
      none?.rationale ?? '',
      /said to be done \(updated_prd\), and the document doesn't show it\. Done\./,
    );
  });
});
