import assert from 'node:assert/strict';
import { rowsProblem, settlingRows, withHoles } from '../../../../src/domain/links/auditRows.ts';
import { planSubject, prdSubject } from '../../../../src/domain/links/subjects.ts';
import type { CoverageRow } from '../../../../src/domain/requirements/interview.ts';
import type { CoverageAudit } from '../../../../src/domain/requirements/prd.ts';
import { beads, prd as draft } from '../../../support/models/planningAnswers.ts';
import { prdBody } from '../../../../src/domain/requirements/prd.ts';

const prd = prdBody({ ...draft, scope: { in_scope: ['Greeting'], out_of_scope: ['Shouting'] } });
const questions = ['Q01', 'Q02', 'Q03'].map((id) => ({ id, prompt: id }));
const ofPrd = prdSubject(prd, questions);
const ofPlan = planSubject(prd, beads);
const row = (id: string, met_by: string[] = ['US-1-1.AC1'], note = ''): CoverageRow => ({ id, met_by, note });
const audit = (rows: CoverageRow[], ...gaps: string[]): CoverageAudit => ({
  rows,
  gaps,
  follow_up_questions: [],
  status: gaps.length > 0 ? 'gaps' : 'clean',
});
const settled = row('Q03', [], 'Says who asked.');

describe('the rows of an audit', () => {
  it('speak of each answer once, and name places that exist', () => {
    assert.equal(
      rowsProblem(
        [
          row('q01'),
          row('Q02', ['us-1-1 ac1', 'EPIC-1', 'scope.out_of_scope', 'scope.in_scope[0]']),
          settled,
        ],
        ofPrd,
      ),
      undefined,
    );
    assert.match(rowsProblem([row('Q01'), row('Q02')], ofPrd) ?? '', /no row for Q03/);
    assert.match(
      rowsProblem([row('Q01'), row('Q01'), row('Q02'), settled], ofPrd) ?? '',
      /more than one row for Q01/,
    );
    assert.match(
      rowsProblem([row('Q01'), row('Q02'), settled, row('Q09')], ofPrd) ?? '',
      /Q09[\s\S]*Q01, Q02, Q03/,
    );
    const odd =
      rowsProblem([row('Q01', ['US-9-9', 'US-1-1.AC2', 'risks']), row('Q02'), settled], ofPrd) ?? '';
    assert.match(
      odd,
      /Q01 is said to be met by US-9-9, US-1-1\.AC2, risks/,
      'a section without a line is no place',
    );
    assert.match(odd, /The places are EPIC-1, US-1-1, US-1-1\.AC1/);
  });

  it('of a plan speak of each criterion, and name beads', () => {
    assert.equal(rowsProblem([row('US-1-1.AC1', ['greet-nobody'])], ofPlan), undefined);
    assert.match(rowsProblem([], ofPlan) ?? '', /no row for US-1-1\.AC1/);
    assert.match(
      rowsProblem([row('US-1-1.AC1', ['greet-all'])], ofPlan) ?? '',
      /The places are greet-by-name, greet-nobody/,
    );
  });
});

describe('an audit with the holes that are computed', () => {
  it('stays clean where the documents link everything, and the rows settle the rest', () => {
    assert.deepEqual(
      withHoles(audit([row('Q01'), row('Q02'), settled]), ofPrd),
      audit([row('Q01'), row('Q02'), settled]),
    );
  });

  it('has the hole as a gap even if it says that it is clean', () => {
    const { status, gaps } = withHoles(audit([row('Q01'), row('Q02'), row('Q03')]), ofPrd);
    assert.equal(status, 'gaps');
    assert.match(gaps.join(), /^No story names Q03/);
  });

  it('does not say twice what a gap of its own speaks of', () => {
    const told = audit(
      [row('Q01'), row('Q02'), row('Q03', [])],
      'Q03 rules out shouting; no criterion mentions it.',
    );
    assert.deepEqual(withHoles(told, ofPrd).gaps, told.gaps);
  });

  it('has a gap for what no row meets', () => {
    assert.deepEqual(withHoles(audit([row('Q01', []), row('Q02'), settled]), ofPrd).gaps, [
      'The audit names nothing that meets Q01.',
    ]);
    const noted = audit([row('US-1-1.AC1', [], 'Nobody does.')]);
    assert.deepEqual(withHoles(noted, ofPlan).gaps, ['The audit names nothing that meets US-1-1.AC1.']);
  });

  it('counts rows that are missing or name nothing real as unmet, where the model gave no better ones', () => {
    const { rows, gaps } = withHoles(audit([row('Q01', ['US-9-9']), row('Q09'), settled]), ofPrd);
    assert.deepEqual(rows, [row('Q01', []), settled]);
    assert.deepEqual(gaps, [
      'The audit names nothing that meets Q01.',
      'The audit names nothing that meets Q02.',
    ]);
  });

  it('of a plan has the criterion that no bead names', () => {
    const nameless = planSubject(
      prd,
      beads.map((bead) => ({ ...bead, prdRefs: [] })),
    );
    const { gaps } = withHoles(audit([row('US-1-1.AC1', ['greet-by-name'])]), nameless);
    assert.deepEqual(
      gaps.map((gap) => gap.slice(0, 30)),
      ['No bead names US-1-1.AC1 in pr', 'The bead greet-by-name has no ', 'The bead greet-nobody has no c'],
    );
  });

  it('settles nothing that an open gap speaks of', () => {
    assert.deepEqual(settlingRows([row('Q01'), settled], ['Q03 is ignored.']), [row('Q01')]);
  });
});
