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
      ['findings', 2, /Specify a ticket, or use --reviewers\./],
      ['findings TST-1 --reviewers', 2, /Specify a ticket, or use --reviewers\./],
    ],
    reviewed,
  );

  it('show what is decided before it is', async () => {
    assert.match(
      (await reviewed().run(`finding accept TST-1 ${id}`)).out,
      /greet\.1\.1\.1 {2}to be fixed {2}High, correctness, src\/greet\.ts:2\n {4}Nobody is greeted by name\./,
    );
  });

  it('list findings with where each stands, and the notes that wait', async () => {
    const bench = reviewed();
    bench.app.client.findings.notes = [{ id: 'n', text: 'Check the names.', at: 0 }];
    const { out } = await bench.run('findings TST-1');
    assert.match(out, /^greet\.1\.1\.1 {2}to be fixed {2}High/);
    assert.match(out, /greet\.1\.1\.2 {2}dismissed: As planned\. {2}High/);
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
    assert.equal((await new CommandBench().run('findings TST-1')).out, 'No findings yet.\n');
  });

  it('count what each reviewer raised', async () => {
    const bench = new CommandBench();
    assert.equal((await bench.run('findings --reviewers')).out, 'No reviews yet.\n');
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
      /^demo\/reviewer {2}confirmed 1 of 4 \(25%\) {2}raised 4 in 2 reviews, well-founded 3, fixed 2, dismissed 1\n/,
    );
    assert.match(out, /demo\/other {2}confirmed 0 of 0 \(–\)/);
    const { all, end } = await bench.json('findings --reviewers');
    assert.deepEqual(all('reviewer')[0], { type: 'reviewer', ...count });
    assert.deepEqual([end?.exit, end?.ticket], [0, null]);
  });
});

const dismissal = {
  number: 3,
  revision: 1,
  ticket: 'TST-1',
  finding: 'greet.1.1.1',
  category: 'naming',
  file: 'src/greet.ts',
  claim: 'The name is odd.',
  reason: 'It is a brand.',
  at: '2026-01-02T03:04:05.000Z',
};
const line = '3  TST-1, 2026-01-02, naming, src/greet.ts\n    The name is odd.\n    Dismissed: ';

function dismissed(types: CommandBench['types'] | 'nobody' = 'the word'): CommandBench {
  const bench = new CommandBench();
  bench.app.client.findings.stored = [dismissal];
  bench.types = types === 'nobody' ? undefined : types;
  return bench;
}
const stored = (bench: CommandBench) => bench.app.client.findings.stored;

describe('commands about dismissals', () => {
  it('list them', async () => {
    assert.equal((await new CommandBench().run('dismissals list')).out, 'No dismissed findings yet.\n');
    assert.equal((await dismissed().run('dismissals list')).out, `${line}It is a brand.\n`);
    const { all, end } = await dismissed().json('dismissals list');
    assert.deepEqual(all('dismissal'), [{ type: 'dismissal', state: 'remembered', ...dismissal }]);
    assert.deepEqual([end?.exit, end?.ticket], [0, null]);
  });

  it('change the reason of one, once a person confirmed it', async () => {
    const bench = dismissed();
    const { out } = await bench.run('dismissals edit 3 --reason', 'It is their name.');
    assert.equal(out, `${line}It is their name.\n`);
    assert.match(
      bench.questions[0] ?? '',
      /^3 {2}TST-1[^]*Dismissed: It is a brand\.\nNew reason: It is their name\.\nTo confirm, type \w+: $/,
    );
    assert.deepEqual(stored(bench), [{ ...dismissal, revision: 2, reason: 'It is their name.' }]);
    const { all, exit } = await dismissed().json('dismissals edit 3 --reason Other');
    assert.deepEqual(
      [exit, all('dismissal').map(({ state, reason }) => [state, reason])],
      [0, [['changed', 'Other']]],
    );
  });

  it('remove one, once a person confirmed it', async () => {
    const bench = dismissed();
    assert.equal((await bench.run('dismissals remove 3')).out, 'Removed dismissal 3.\n');
    assert.match(bench.questions[0] ?? '', /It will be removed\.\nTo confirm, type/);
    assert.deepEqual(stored(bench), []);
    const { all, exit } = await dismissed().json('dismissals remove 3');
    assert.deepEqual([exit, all('dismissal')], [0, [{ type: 'dismissal', state: 'removed', ...dismissal }]]);
  });

  const nobody = /This decision needs a person, and there is no terminal to ask one\./;
  const words = ['dismissals edit 3 --reason Other', 'dismissals remove 3'] as const;
  itRefuses(
    words.map((one) => [one, 6, nobody]),
    () => dismissed('nobody'),
  );
  itRefuses(
    words.map((one) => [one, 6, /The confirmation didn't match\. Nothing was changed\./]),
    () => dismissed('something else'),
  );
  itRefuses(
    [
      ['dismissals edit 4 --reason Other', 2, /There is no dismissal 4\./],
      ['dismissals remove 4', 2, /There is no dismissal 4\./],
      ['dismissals edit 3', 2, /Specify the new reason: --reason TEXT\./],
      [
        'dismissals edit first --reason x',
        2,
        /Specify a dismissal by its number; "dismissals list" shows them\./,
      ],
      ['dismissals remove 0', 2, /Specify a dismissal by its number/],
      ['dismissals remove', 2, /An argument is missing/],
    ],
    dismissed,
  );

  it('change nothing that was not confirmed', async () => {
    for (const types of ['nobody', 'something else'] as const)
      for (const one of words) {
        const bench = dismissed(types);
        await bench.run(one);
        assert.deepEqual(stored(bench), [dismissal]);
      }
  });
});
