import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import type { LinkSources } from '../../../src/domain/links/links.ts';
import type { DocumentKind } from '../../../src/domain/workflow/rows.ts';
import { codeLensesOf, codeLensText } from '../../../src/language/links.ts';
import { linkProblems } from '../../../src/language/problems.ts';
import { readModel } from '../../../src/language/model.ts';
import { beadLine, marked, prdText } from './samples.ts';

const story = (id: string, interview_refs: string[], ...acceptance_criteria: string[]) => ({
  id,
  interview_refs,
  acceptance_criteria,
});
const bead = (id: string, prdRefs: string[], more: object = {}) => ({
  id,
  title: id,
  prdRefs,
  testCommands: ['node --test'],
  ...more,
});

/** Two questions, two stories with three criteria, three beads with two different commands. */
const whole: LinkSources = {
  questions: [
    { id: 'Q01', prompt: 'Who is greeted?' },
    { id: 'Q02', prompt: 'How loudly?' },
  ],
  prd: {
    epics: [
      {
        id: 'EPIC-1',
        user_stories: [
          story('US-1-1', ['Q01'], 'It greets.', 'It greets nobody.'),
          story('US-1-2', ['Q02', 'ticket'], 'It is loud.'),
        ],
      },
    ],
  },
  beads: [
    bead('greet', ['US-1-1.AC1']),
    bead('nobody', ['US-1-1'], { testCommands: ['npm test'] }),
    bead('shout', ['US-1-2']),
  ],
  audited: [],
};

function prd(sources: LinkSources = whole): string {
  return stringify({ artifact: 'prd', epics: sources.prd?.epics });
}
function plan(sources: LinkSources = whole): string {
  return (sources.beads ?? []).map(({ id, ...more }) => beadLine(id, [], [], more)).join('\n');
}
function interview(sources: LinkSources = whole): string {
  return stringify({ artifact: 'interview', questions: sources.questions });
}
function without(...keys: (keyof LinkSources)[]): LinkSources {
  const left = Object.fromEntries(
    Object.entries(whole).filter(([key]) => !keys.includes(key as keyof LinkSources)),
  );
  return { questions: [], ...left };
}

function codeLenses(kind: DocumentKind, text: string, sources: LinkSources): string[] {
  const model = readModel(kind, text);
  return codeLensesOf(kind, model.located, sources).map(({ span, parts, opens }) => {
    const to = opens ? ` → ${opens.kind} ${opens.items.join(' ')}` : '';
    return `${marked(text, span)}: ${codeLensText(parts)}${to}`;
  });
}

function problems(kind: DocumentKind, text: string, sources: LinkSources): string[] {
  const model = readModel(kind, text);
  return linkProblems(kind, model.located, sources).map(
    ({ severity, code, span }) => `${severity} ${code}: ${marked(text, span)}`,
  );
}

describe('the links over the parts of a PRD', () => {
  it('say where a story comes from, and what becomes of it; a criterion, by which beads it is met', () => {
    assert.deepEqual(codeLenses('prd', prd(), whole), [
      'US-1-1: from Q01 → interview Q01',
      'US-1-1: 2 beads · 2 commands → beads greet nobody',
      'It greets.: US-1-1.AC1 · 2 beads → beads greet nobody',
      'It greets nobody.: US-1-1.AC2 · 1 bead → beads nobody',
      'US-1-2: from Q02, ticket → interview Q02',
      'US-1-2: 1 bead · 1 command → beads shout',
      'It is loud.: US-1-2.AC1 · 1 bead → beads shout',
    ]);
  });

  it('lead nowhere where nothing is, and say so', () => {
    const text = prd().replace('- Q01', '- Q09');
    const sources = { ...whole, beads: [bead('shout', ['US-1-2'])] };
    assert.deepEqual(codeLenses('prd', text, sources).slice(0, 4), [
      'US-1-1: no source',
      'US-1-1: no bead',
      'It greets.: US-1-1.AC1 · no bead',
      'It greets nobody.: US-1-1.AC2 · no bead',
    ]);
  });

  it('follow what the person types, not what is stored', () => {
    const text = prd().replace('- Q01', '- Q02');
    assert.equal(codeLenses('prd', text, whole)[0], 'US-1-1: from Q02 → interview Q02');
  });

  it('say nothing of documents that are not there', () => {
    assert.deepEqual(codeLenses('prd', prd(), without('questions', 'beads')), []);
    assert.deepEqual(codeLenses('prd', prd(), without('beads')), [
      'US-1-1: from Q01 → interview Q01',
      'US-1-2: from Q02, ticket → interview Q02',
    ]);
  });

  it('are left out of a text that is no PRD yet, and of every other document', () => {
    for (const odd of ['', 'hello', 'epics: 7', 'epics:\n  - id: EPIC-1\n    user_stories:\n      - 3\n'])
      assert.deepEqual(codeLenses('prd', odd, whole), []);
    assert.deepEqual(codeLenses('relevant_files', 'files: []', whole), []);
  });
});

describe('the links over beads and questions', () => {
  it('say which criteria a bead meets, and how many commands prove it', () => {
    assert.deepEqual(codeLenses('beads', plan(), whole), [
      '"greet": meets US-1-1.AC1 → prd US-1-1.AC1',
      '"greet": 1 command',
      '"nobody": meets US-1-1.AC1, US-1-1.AC2 → prd US-1-1.AC1 US-1-1.AC2',
      '"nobody": 1 command',
      '"shout": meets US-1-2.AC1 → prd US-1-2.AC1',
      '"shout": 1 command',
    ]);
  });

  it('say why no command proves a bead, and that it meets nothing; a fix has to meet nothing', () => {
    const beads = [
      bead('a', [], { testCommands: [], unprovedReason: 'Only\nwords $(bug) change.' }),
      bead('b', ['gone'], { testCommands: [] }),
    ];
    const fix = bead('c', [], { issueType: 'qa-fix', testCommands: ['a', 'b'] });
    assert.deepEqual(codeLenses('beads', plan({ ...whole, beads: [...beads, fix] }), whole), [
      '"a": no criterion',
      '"a": no command: Only words $(bug) change.',
      '"b": no criterion',
      '"b": no command',
      '"c": 2 commands',
    ]);
    assert.deepEqual(codeLenses('beads', plan(), without('prd'))[0], '"greet": 1 command');
  });

  it('say which stories an answer led to, or why to none', () => {
    const audited = [{ id: 'Q02', met_by: [], note: 'A matter of taste.' }];
    assert.deepEqual(codeLenses('interview', interview(), whole), [
      'Q01: leads to US-1-1 → prd US-1-1',
      'Q02: leads to US-1-2 → prd US-1-2',
    ]);
    const open = {
      ...whole,
      prd: { epics: [{ id: 'EPIC-1', user_stories: [story('US-1-1', ['ticket'], 'It greets.')] }] },
    };
    assert.deepEqual(codeLenses('interview', interview(), { ...open, audited }), [
      'Q01: no story',
      'Q02: no story: A matter of taste.',
    ]);
    assert.deepEqual(codeLenses('interview', interview(), without('prd', 'beads')), []);
  });

  it('name the first few where there are many', () => {
    const many = Array.from({ length: 9 }, (_, place) =>
      story(`US-1-${String(place + 1)}`, ['Q01'], 'It greets.'),
    );
    const sources = { ...whole, prd: { epics: [{ id: 'EPIC-1', user_stories: many }] } };
    assert.match(
      codeLenses('interview', interview(), sources)[0] ?? '',
      /leads to US-1-1, US-1-2, US-1-3, US-1-4, \+5 → prd US-1-1 .*US-1-9$/,
    );
  });
});

describe('holes as problems of documents', () => {
  it('are none where everything leads on', () => {
    assert.deepEqual(problems('prd', prd(), whole), []);
    assert.deepEqual(problems('beads', plan(), whole), []);
    assert.deepEqual(problems('interview', interview(), whole), []);
  });

  it('stand at the story, the criterion and the name in a PRD', () => {
    const sources = { ...whole, beads: [bead('shout', ['US-1-2', 'US-1-1.AC1'])] };
    assert.deepEqual(problems('prd', prd().replace('- Q01', '- Q09'), sources), [
      'warning noSource: interview_refs',
      'error unknownSource: Q09',
      'warning openCriterion: It greets nobody.',
    ]);
    assert.deepEqual(problems('prd', prdText(), without('beads')), [
      'warning noSource: US-1-1',
      'warning noSource: US-1-2',
    ]);
  });

  it('stand at the bead and the name in a plan; that commands are missing is said already', () => {
    const beads = [
      bead('a', ['US-9-9'], { testCommands: [] }),
      bead('b', []),
      bead('c', ['US-1-2', 'US-1-2', 'Q01', 'Q01']),
    ];
    assert.deepEqual(problems('beads', plan({ ...whole, beads }), whole), [
      'warning noCriterion: "prdRefs"',
      'warning noCriterion: "prdRefs"',
      'error unknownCriterion: "US-9-9"',
      'error unknownCriterion: "Q01"',
      'error unknownCriterion: "Q01"',
    ]);
  });

  it('stand at the question from whose answer nothing follows, unless the audit says why', () => {
    const stories = {
      ...whole,
      prd: { epics: [{ id: 'EPIC-1', user_stories: [story('US-1-1', ['Q01'], 'It greets.')] }] },
    };
    assert.deepEqual(problems('interview', interview(), stories), ['warning openAnswer: Q02']);
    assert.deepEqual(
      problems('interview', interview(), {
        ...stories,
        audited: [{ id: 'Q02', met_by: [], note: 'Taste.' }],
      }),
      [],
    );
  });

  it('are not seen towards a document that is not there', () => {
    const text = prd().replace('- Q01', '- Q09');
    assert.deepEqual(problems('prd', text, without('questions', 'beads')), []);
    assert.deepEqual(problems('beads', plan({ ...whole, beads: [bead('a', ['gone'])] }), without('prd')), []);
    assert.deepEqual(problems('interview', interview(), without('prd')), []);
  });

  it('wait until a broken text can be read again; the other lines of a broken plan are checked', () => {
    assert.deepEqual(problems('prd', `${prd().replace('- Q01', '- Q09')}\nrisks: [`, whole), []);
    assert.deepEqual(
      problems('beads', `${beadLine('a', [], [], { prdRefs: ['gone'] })}\n{"id": "b",}`, whole),
      ['warning noCriterion: "prdRefs"', 'error unknownCriterion: "gone"'],
    );
  });
});
