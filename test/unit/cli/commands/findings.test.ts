import assert from 'node:assert/strict';
import { CommandBench, itRefuses, itSends } from '../../../support/commandBench.ts';
import { findingView } from '../../../support/fakes/fakeFindings.ts';

const found = findingView();
const id = found.finding.id;

function reviewed(): CommandBench {
  const bench = new CommandBench({ ticket: { status: 'CODING' } });
  bench.app.client.findings.found = [
    found,
    findingView({ finding: { id: 'greet.1.1.2' }, decision: { verdict: 'dismiss', reason: 'As planned.' } }),
  ];
  return bench;
}

describe('commands about findings', () => {
  const { sha256 } = found;
  itSends(
    [
      [`finding accept TST-1 ${id}`, 'finding', { finding: id, verdict: 'accept', reason: '', sha256 }],
      [
        [`finding accept TST-1 ${id} --reason`, 'Names matter.'],
        'finding',
        { finding: id, verdict: 'accept', reason: 'Names matter.', sha256 },
      ],
      [
        [`finding dismiss TST-1 ${id} --reason`, 'As planned.'],
        'finding',
        { finding: id, verdict: 'dismiss', reason: 'As planned.', sha256 },
      ],
      [`finding bead TST-1 ${id}`, 'finding', { finding: id, verdict: 'bead', reason: '', sha256 }],
      [['review note TST-1', 'Check the names.'], 'review_note', { text: 'Check the names.' }],
    ],
    reviewed,
  );
  itRefuses(
    [
      [`finding dismiss TST-1 ${id}`, 2, /A dismissal needs a reason: --reason TEXT\./],
      [[`finding dismiss TST-1 ${id} --reason`, '  '], 2, /A dismissal needs a reason/],
      [
        'finding accept TST-1 greet.9.9.9',
        2,
        /TST-1 has no finding "greet\.9\.9\.9"\..*\n.*"beadsmith findings TST-1" lists them/,
      ],
      ['finding bead TST-1', 2, /An argument is missing/],
      ['review note TST-1', 2, /An argument is missing/],
      ['findings', 2, /Name a ticket, or say --reviewers\./],
      ['findings TST-1 --reviewers', 2, /Name a ticket, or say --reviewers\./],
    ],
    reviewed,
  );

  it('show what is decided before it is', async () => {
    assert.match(
      (await reviewed().run(`finding accept TST-1 ${id}`)).out,
      /greet\.1\.1\.1 {2}fix {2}high, correctness, src\/greet\.ts:2\n {4}Nobody is greeted by name\./,
    );
  });

  it('list findings with where each stands, and the notes that wait', async () => {
    const bench = reviewed();
    bench.app.client.findings.notes = [{ id: 'n', text: 'Check the names.', at: 0 }];
    const { out } = await bench.run('findings TST-1');
    assert.match(out, /^greet\.1\.1\.1 {2}fix {2}high/);
    assert.match(out, /greet\.1\.1\.2 {2}dismissed \(dismissed: As planned\.\) {2}high/);
    assert.match(out, /Notes that wait for the next review:\n {4}Check the names\./);
    const { all, end } = await bench.json('findings TST-1');
    assert.deepEqual(
      all('finding').map((event) => [
        event.id,
        event.standing,
        event.verdict,
        event['reviewer'],
        event.sha256,
      ]),
      bench.app.client.findings.found.map((one) => [
        one.finding.id,
        one.standing,
        one.decision?.verdict ?? null,
        'demo/reviewer',
        one.sha256,
      ]),
    );
    assert.deepEqual([end?.exit, end?.ticket, bench.sent], [0, 'TST-1', []]);
    assert.equal((await new CommandBench().run('findings TST-1')).out, 'No review found anything yet.\n');
  });

  it('count what each reviewer raised', async () => {
    const bench = new CommandBench();
    assert.equal((await bench.run('findings --reviewers')).out, 'Nothing was reviewed yet.\n');
    const count = {
      reviewer: 'demo/reviewer',
      reviews: 2,
      raised: 4,
      founded: 3,
      confirmed: 1,
      fixed: 2,
      dismissed: 1,
    };
    bench.app.client.findings.counts = [count, { ...count, reviewer: 'demo/other', raised: 0, confirmed: 0 }];
    const { out } = await bench.run('findings --reviewers');
    assert.match(
      out,
      /^demo\/reviewer {2}confirmed 1 of 4 \(25%\) {2}raised 4 in 2 reviews, founded 3, fixed 2, dismissed 1\n/,
    );
    assert.match(out, /demo\/other {2}confirmed 0 of 0 \(–\)/);
    const { all, end } = await bench.json('findings --reviewers');
    assert.deepEqual(all('reviewer')[0], { type: 'reviewer', ...count });
    assert.deepEqual([end?.exit, end?.ticket], [0, null]);
  });
});
