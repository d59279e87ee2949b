import assert from 'node:assert/strict';
import { completionsAt, definitionOf, idAt, readModel, usesOf } from '../../../src/language/model.ts';
import type { DocumentKind } from '../../../src/domain/workflow/rows.ts';
import { beadLine, marked, prdText } from './samples.ts';

function offered(kind: DocumentKind, withCursor: string): string[] {
  const offset = withCursor.indexOf('|');
  return completionsAt(readModel(kind, withCursor.replace('|', '')), offset).map(({ text }) => text);
}

describe('ids in a plan', () => {
  const text = `${beadLine('one', [], ['two'])}\n${beadLine('two', ['one'])}\n`;
  const model = readModel('beads', text);

  it('lead from where they are named to the bead, and back', () => {
    const named = idAt(model, text.lastIndexOf('"one"') + 2);
    assert.equal(named?.id, 'one');
    const found = definitionOf(model, 'one');
    assert.equal(found?.item.title, 'Bead one');
    assert.equal(found.span.start, text.indexOf('"one"'));
    assert.deepEqual(
      usesOf(model, 'one').map((span) => [span.start, marked(text, span)]),
      [[text.lastIndexOf('"one"'), '"one"']],
    );
  });

  it('are found at the bead itself, and nowhere in its title', () => {
    assert.equal(idAt(model, text.indexOf('"two"', text.indexOf('\n')) + 1)?.id, 'two');
    assert.equal(idAt(model, text.indexOf('Bead one')), undefined);
  });

  it('are offered in a dependency that is being written, without the bead itself and what is there', () => {
    const plan = [beadLine('one'), beadLine('two'), beadLine('three')].join('\n');
    assert.deepEqual(offered('beads', `${plan}\n{"id":"four","dependencies":{"blocked_by":["two","|`), [
      'one',
      'three',
    ]);
    assert.deepEqual(offered('beads', plan.replace('"blocked_by":[]', '"blocked_by":["|"]')), [
      'two',
      'three',
    ]);
    assert.deepEqual(offered('beads', plan.replace('"Bead one"', '"Bead |one"')), []);
  });
});

describe('a PRD', () => {
  const text = prdText();

  it('has epics with their stories below them', () => {
    const [epic] = readModel('prd', text).items;
    assert.deepEqual(
      [epic?.id, epic?.children.map(({ id, title }) => `${id} ${title}`)],
      ['EPIC-1', ['US-1-1 Story US-1-1', 'US-1-2 Story US-1-2']],
    );
  });

  it('folds what spans lines, from the line that names it', () => {
    const folds = readModel('prd', text).located.foldable();
    const firstLines = folds.map((span) => marked(text, span).split('\n')[0]?.trim());
    assert.ok(firstLines.includes('epics:'));
    assert.ok(firstLines.includes('id: US-1-2'));
    assert.ok(folds.every((span) => marked(text, span).includes('\n') && !/\s$/.test(marked(text, span))));
  });

  it('offers the values a field may have', () => {
    assert.deepEqual(offered('prd', text.replace('status: draft', 'status: |')), ['draft', 'approved']);
    assert.deepEqual(offered('prd', text.replace('artifact: prd', 'artifact: p|')), ['prd']);
    assert.deepEqual(offered('prd', text.replace('title: Greet', 'title: |')), []);
  });
});

describe('a setup plan and an interview', () => {
  it('offer values deep inside', () => {
    assert.deepEqual(offered('execution_setup_plan', 'readiness:\n  status: |\n'), [
      'ready',
      'partial',
      'missing',
    ]);
    assert.deepEqual(offered('execution_setup_plan', 'steps:\n  - commands: [a]\n    required: t|\n'), [
      'true',
      'false',
    ]);
    assert.deepEqual(offered('interview', 'questions:\n  - phase: |\n'), [
      'foundation',
      'structure',
      'assembly',
    ]);
  });
});
