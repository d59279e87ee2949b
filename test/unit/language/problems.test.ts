import assert from 'node:assert/strict';
import { readModel } from '../../../src/language/model.ts';
import { problemsOf } from '../../../src/language/problems.ts';
import type { DocumentKind } from '../../../src/domain/workflow/rows.ts';
import { beadLine, marked, prdText } from './samples.ts';

function found(kind: DocumentKind, text: string): string[] {
  const { located } = readModel(kind, text);
  return problemsOf(kind, located, 'TST-1').map(({ code, span }) => `${code}: ${marked(text, span)}`);
}

describe('problems of a PRD', () => {
  it('are none when it is as it should be', () => {
    assert.deepEqual(found('prd', prdText()), []);
  });

  it('stand where the YAML breaks, and nothing else is guessed then', () => {
    const text = prdText().replace('title: Greet', 'title: "Greet');
    const problems = found('prd', text);
    assert.ok(problems.length > 0);
    assert.ok(problems.every((problem) => problem.startsWith('syntax: ')));
  });

  it('mark the value that is wrong, and the key around what is missing', () => {
    assert.deepEqual(found('prd', prdText().replace('status: draft', 'status: done')), ['schema: done']);
    assert.deepEqual(found('prd', prdText().replace(/ +problem_statement: .*\n/, '  target_users: []\n')), [
      'missing: product',
    ]);
  });

  it('mark a story without acceptance criteria', () => {
    const text = prdText().replace(/acceptance_criteria:\n +- It greets\./, 'acceptance_criteria: []');
    assert.deepEqual(found('prd', text), ['schema: acceptance_criteria']);
  });

  it('are an id used twice and another ticket', () => {
    assert.deepEqual(found('prd', prdText().replace('US-1-2', 'US-1-1')), ['duplicateId: US-1-1']);
    assert.deepEqual(found('prd', prdText().replace('TST-1', 'TST-2')), ['wrongTicket: TST-2']);
  });

  it('are an empty document, and one that is no document', () => {
    assert.deepEqual(found('prd', ''), ['empty: ']);
    assert.deepEqual(found('prd', 'hello'), ['schema: hello']);
  });

  it('are found without going through what a few aliases stand for', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'.split('').map((c, i) => `${c}: &${c} [${`*${'abcdefgh'[i] ?? 'a'},`.repeat(9)}]`),
    ].join('\n');
    assert.match(found('prd', bomb)[0] ?? '', /^syntax/);
  });
});

describe('problems of documents without a gate', () => {
  it('mark unknown keys, values out of range, and a second rule for a part', () => {
    const rule = '  - part: prd\n    rule: pin\n';
    assert.deepEqual(found('prompt_rules', `rules:\n${rule}`), []);
    assert.deepEqual(found('prompt_rules', `rules:\n${rule}    always: 1\n`), ['schema: 1']);
    assert.deepEqual(found('prompt_rules', `rules:\n${rule}${rule}`), ['schema: prd']);
    const limits = found('ticket_limits', 'maxIterations: 21\ntokenCap: -1\neverything: 2\n');
    assert.deepEqual(
      limits.filter((problem) => problem.startsWith('schema')),
      ['schema: 21', 'schema: -1', 'schema: 2'],
    );
  });
});

describe('problems of beads', () => {
  it('are none in a plan whose edges agree', () => {
    assert.deepEqual(found('beads', `${beadLine('one', [], ['two'])}\n${beadLine('two', ['one'])}\n`), []);
  });

  it('are in the line that is no JSON; the other lines are checked as usual', () => {
    const text = `${beadLine('one')}\n{"id": "two",}\n${beadLine('three', ['gone'])}\n`;
    assert.deepEqual(
      found('beads', text).map((problem) => problem.split(':')[0]),
      ['syntax', 'unknownBead'],
    );
  });

  it('mark exactly the id that is unknown, repeated, or the bead itself', () => {
    assert.deepEqual(found('beads', beadLine('one', ['gone'])), ['unknownBead: "gone"']);
    assert.deepEqual(found('beads', beadLine('one', ['one'])), ['selfBlocked: "one"']);
    assert.deepEqual(found('beads', `${beadLine('one')}\n${beadLine('one')}`), ['duplicateId: "one"']);
  });

  it('mark an edge that only the other side names', () => {
    assert.deepEqual(found('beads', `${beadLine('one', [], ['two'])}\n${beadLine('two')}`), [
      'unanswered: "two"',
    ]);
    assert.deepEqual(found('beads', `${beadLine('one')}\n${beadLine('two', ['one'])}`), []);
  });

  it('mark where a circle closes, once', () => {
    const text = [beadLine('a', ['c']), beadLine('b', ['a']), beadLine('c', ['b'])].join('\n');
    const { located } = readModel('beads', text);
    const circles = problemsOf('beads', located, undefined).filter(({ code }) => code === 'circle');
    assert.deepEqual(
      circles.map(({ args }) => args['path']),
      ['a → c → b → a'],
    );
  });

  it('continue where circles cross', () => {
    const text = [beadLine('a', ['b', 'c']), beadLine('b', ['a']), beadLine('c', ['a'])].join('\n');
    assert.equal(found('beads', text).filter((problem) => problem.startsWith('circle')).length, 2);
  });

  it('are a missing id, a wrong path and empty acceptance criteria', () => {
    assert.deepEqual(found('beads', beadLine('one').replace('"id":"one",', '')), ['missing: "title"']);
    assert.deepEqual(found('beads', beadLine('one').replace('a.js', '../a.js')), ['schema: "../a.js"']);
    assert.deepEqual(found('beads', beadLine('one').replace('["It works."]', '[]')), [
      'noAcceptance: "acceptanceCriteria"',
    ]);
  });

  it('are missing commands, unless there is a reason', () => {
    assert.deepEqual(found('beads', beadLine('one', [], [], { testCommands: [] })), [
      'unproved: "testCommands"',
    ]);
    assert.deepEqual(
      found('beads', beadLine('one', [], [], { testCommands: [], unprovedReason: 'Only words change.' })),
      [],
    );
  });

  it('say which beads there are, where one is named that does not exist', () => {
    const { located } = readModel('beads', `${beadLine('one')}\n${beadLine('two', ['gone'])}`);
    const [problem] = problemsOf('beads', located, 'TST-1');
    assert.deepEqual([problem?.code, problem?.args], ['unknownBead', { id: 'gone', known: 'one, two' }]);
  });

  it('stand in the right line of a JSON array, too', () => {
    assert.deepEqual(found('beads', `[\n${beadLine('one')},\n${beadLine('two', ['gone'])}\n]`), [
      'unknownBead: "gone"',
    ]);
    assert.match(found('beads', '[{"id": 1},]')[0] ?? '', /^syntax/);
  });

  it('of ten thousand lines in a row are found in a moment', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => `b${String(index)}`);
    const text = ids
      .map((id) => `{"id":"${id}","dependencies":{"blocked_by":["${ids[ids.indexOf(id) - 1] ?? 'b0'}"]}}`)
      .join('\n');
    assert.ok(found('beads', text).includes('selfBlocked: "b0"'));
  });
});

describe('problems of other documents', () => {
  it('are a round of an interview that names no question', () => {
    const text = 'questions: []\nfollow_up_rounds:\n  - round_number: 1\n    question_ids:\n      - Q7\n';
    assert.ok(found('interview', text).includes('unknownQuestion: Q7'));
  });

  it('are services that cannot be started as they are written', () => {
    const plan = (services: string) =>
      `schema_version: 1\nticket_id: TST-1\nartifact: execution_setup_plan\nstatus: draft\nreadiness:\n  status: ready\n  actions_required: false\nservices:\n${services}`;
    const store = '  - { name: store, start: serve, ready: ask }\n';
    assert.deepEqual(found('execution_setup_plan', plan(store)), []);
    assert.deepEqual(found('execution_setup_plan', plan(store.replace('store', 'The Store'))), [
      'schema: The Store',
    ]);
    assert.deepEqual(found('execution_setup_plan', plan(store.replace(', ready: ask', ''))), [
      'missing: name',
    ]);
    assert.deepEqual(
      found('execution_setup_plan', plan(store.replace('ask', 'ask, ready_timeout_seconds: 0'))),
      ['schema: 0'],
    );
    assert.match(found('execution_setup_plan', plan(store + store)).join('\n'), /^schema: /);
  });

  it('are a setup plan that contradicts itself', () => {
    const plan = (status: string) =>
      `schema_version: 1\nticket_id: TST-1\nartifact: execution_setup_plan\nstatus: draft\nreadiness:\n  status: ${status}\n  actions_required: false\nsteps:\n  - commands: [npm ci]\n`;
    assert.deepEqual(found('execution_setup_plan', plan('partial')), []);
    assert.deepEqual(found('execution_setup_plan', plan('ready')), ['contradiction: readiness']);
  });
});
