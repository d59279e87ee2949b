import assert from 'node:assert/strict';
import { holeText, type Hole, names, unnamedHoles } from '../../../../src/domain/links/holes.ts';
import { type LinkSources, linksOf } from '../../../../src/domain/links/links.ts';

const story = (id: string, interview_refs: readonly string[], ...acceptance_criteria: readonly string[]) => ({
  id,
  title: id,
  interview_refs: [...interview_refs],
  acceptance_criteria: [...acceptance_criteria],
  implementation_steps: [],
  verification: { required_commands: [] },
});
const epic = (id: string, ...user_stories: readonly ReturnType<typeof story>[]) => ({
  id,
  title: id,
  objective: '',
  implementation_steps: [],
  user_stories: [...user_stories],
});
const bead = (id: string, prdRefs: readonly string[], over: object = {}) => ({
  id,
  title: id,
  prdRefs,
  testCommands: ['npm test'],
  ...over,
});
const question = (id: string) => ({ id, prompt: `What about ${id}?` });

const whole: LinkSources = {
  questions: [question('Q01'), question('Q02')],
  prd: {
    epics: [
      epic(
        'EPIC-1',
        story('US-1-1', ['Q01'], 'It greets', 'It greets nobody'),
        story('US-1-2', ['Q02', 'ticket'], 'It is loud'),
      ),
      epic('EPIC-2', story('US-2-1', ['ticket'], 'It is polite')),
    ],
  },
  beads: [
    bead('greet', ['US-1-1.AC1', 'us-1-1 AC 2']),
    bead('shout', ['EPIC-1', 'US-1-2']),
    bead('thank', ['EPIC-2']),
  ],
};
const holesOf = (over: Partial<LinkSources>): readonly Hole[] => linksOf({ ...whole, ...over }).holes;

describe('links of a plan', () => {
  it('lead from each question over stories and criteria to the beads and their commands', () => {
    const { questions, criteria, beads, holes } = linksOf(whole);
    assert.deepEqual(holes, []);
    assert.deepEqual(
      questions.map(({ id, stories }) => [id, stories]),
      [
        ['Q01', ['US-1-1']],
        ['Q02', ['US-1-2']],
      ],
    );
    assert.deepEqual(
      criteria.map(({ id, questions: from, beads: to }) => [id, from, to]),
      [
        ['US-1-1.AC1', ['Q01'], ['greet']],
        ['US-1-1.AC2', ['Q01'], ['greet']],
        ['US-1-2.AC1', ['Q02', 'ticket'], ['shout']],
        ['US-2-1.AC1', ['ticket'], ['thank']],
      ],
    );
    assert.deepEqual(beads[0]?.commands, ['npm test']);
  });

  it('take a story for all of its criteria, and an epic for all of its stories, unless the bead names a part of it', () => {
    const criteriaBy = (refs: readonly string[]) =>
      linksOf({ ...whole, beads: [bead('one', refs)] }).beads[0]?.criteria;
    assert.deepEqual(criteriaBy(['EPIC-1']), ['US-1-1.AC1', 'US-1-1.AC2', 'US-1-2.AC1']);
    assert.deepEqual(criteriaBy(['EPIC-1', 'US-1-1']), ['US-1-1.AC1', 'US-1-1.AC2']);
    assert.deepEqual(criteriaBy(['EPIC-1', 'US-1-1', 'US-1-1.AC2']), ['US-1-1.AC2']);
    assert.deepEqual(criteriaBy(['EPIC-2', 'US-1-2.AC1']), ['US-1-2.AC1', 'US-2-1.AC1']);
  });

  it('have a hole for a question that no story names', () => {
    const questions = [...whole.questions, question('Q03')];
    assert.deepEqual(holesOf({ questions }), [{ kind: 'question', id: 'Q03' }]);
  });

  it('settle a question by the audit that says why nothing follows, or which section holds it', () => {
    const questions = [...whole.questions, question('Q03')];
    const audited = (met_by: string[], note: string) =>
      holesOf({ questions, audited: [{ id: 'Q03', met_by, note }] });
    assert.deepEqual(audited([], 'Says who asked.'), []);
    assert.deepEqual(audited(['scope.out_of_scope'], ''), []);
    assert.equal(audited([], ' ').length, 1, 'a row without a word settles nothing');
    assert.equal(audited(['US-1-1'], 'Met there.').length, 1, 'an audit makes no link to a story');
  });

  it('have a hole for a story without a source, and for a question that does not exist', () => {
    const prd = {
      epics: [epic('EPIC-1', story('US-1-1', ['Q01', 'Q02'], 'A'), story('US-1-2', ['Q09'], 'B'))],
    };
    assert.deepEqual(holesOf({ prd, beads: [bead('all', ['EPIC-1'])] }), [
      { kind: 'story', id: 'US-1-2' },
      { kind: 'unknownQuestion', id: 'US-1-2', name: 'Q09' },
    ]);
  });

  it('need no source where nothing was asked', () => {
    const prd = { epics: [epic('EPIC-1', story('US-1-1', [], 'A'))] };
    assert.deepEqual(holesOf({ questions: [], prd, beads: [bead('all', ['US-1-1'])] }), []);
  });

  it('have a hole for a criterion without a bead, once there is a plan', () => {
    const beads = [bead('greet', ['US-1-1.AC1']), bead('rest', ['US-1-2', 'EPIC-2'])];
    assert.deepEqual(holesOf({ beads }), [{ kind: 'criterion', id: 'US-1-1.AC2' }]);
    const { beads: _later, ...planless } = whole;
    assert.deepEqual(linksOf(planless).holes, []);
  });

  it('have a hole for a bead without a criterion, without commands, or with names that do not exist', () => {
    const beads = [
      ...(whole.beads ?? []),
      bead('lost', []),
      bead('odd', ['US-1-1', 'US-9-9', 'US-1-1.AC3']),
      bead('mute', ['US-1-1'], { testCommands: [] }),
      bead('words', ['US-1-1'], { testCommands: [], unprovedReason: 'Only words change.' }),
      bead('fix', [], { issueType: 'qa-fix' }),
    ];
    assert.deepEqual(holesOf({ beads }), [
      { kind: 'bead', id: 'lost' },
      { kind: 'command', id: 'mute' },
      { kind: 'unknownName', id: 'odd', name: 'US-9-9' },
      { kind: 'unknownName', id: 'odd', name: 'US-1-1.AC3' },
    ]);
  });

  it('show what coding has proved', () => {
    const commit = 'a'.repeat(40);
    const { beads } = linksOf({ ...whole, evidence: { greet: { commit, tests: ['greets Ada'] } } });
    assert.deepEqual(beads[0]?.evidence, { commit, tests: ['greets Ada'] });
    assert.equal(beads[1]?.evidence, undefined);
  });
});

describe('holes', () => {
  it('are sentences with what they are about', () => {
    assert.equal(holeText({ kind: 'criterion', id: 'US-1-1.AC2' }), 'No bead names US-1-1.AC2 in prdRefs.');
    assert.match(holeText({ kind: 'unknownName', id: 'odd', name: 'US-9-9' }), /odd names US-9-9/);
  });

  it('are left out where a gap speaks of them already', () => {
    const holes: Hole[] = [
      { kind: 'criterion', id: 'US-1-1.AC1' },
      { kind: 'criterion', id: 'US-1-1.AC10' },
    ];
    assert.deepEqual(unnamedHoles(holes, ['US-1-1.AC10 is met by no bead.']), holes.slice(0, 1));
    assert.ok(
      names('Q05 says so', 'Q05') && !names('Q055 says so', 'Q05') && !names('US-1-1.AC2 fails', 'US-1-1'),
    );
  });
});
