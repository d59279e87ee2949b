import assert from 'node:assert/strict';
import type { PullRequestDraft } from '../../../../src/domain/reports.ts';
import type { TicketSnapshot } from '../../../../src/domain/ticket.ts';
import type { DeliveryFacts } from '../../../../src/phases/delivery/deliveryFacts.ts';
import { commitsText, fallbackDraft, pullRequestBody, reportsText } from '../../../../src/phases/delivery/pullRequestText.ts';

const ticket = { id: 'TST-1', title: 'Greet people' } as TicketSnapshot;
const sha = (digit: string): string => digit.repeat(40);
const ran = (command: string, passed = true): DeliveryFacts['beads'][number]['commands'][number] => ({ command, passed, seconds: 1.5 });
const bead = (fields: Partial<DeliveryFacts['beads'][number]> = {}): DeliveryFacts['beads'][number] => ({
  id: 'greet',
  title: 'Greet by name',
  iterations: 1,
  commit: sha('b'),
  commands: [ran('npm test')],
  summary: 'Names are read.',
  leftOut: [],
  weakened: [],
  ...fields,
});
const facts = (fields: Partial<DeliveryFacts> = {}): DeliveryFacts => ({
  candidate: sha('c'),
  patch: '',
  commits: [{ sha: sha('b'), subject: 'bead(greet): Greet by name' }],
  files: ['greet.txt', 'a b.txt'],
  beads: [bead()],
  finalTest: null,
  ...fields,
});
const draft = (fields: Partial<PullRequestDraft> = {}): PullRequestDraft => ({
  title: 'Greet people',
  summary: ['People are greeted.'],
  why: [],
  what_changed: [],
  validation: [],
  follow_ups: [],
  ...fields,
});
const headings = (body: string): readonly string[] => [...body.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading ?? '');

describe('the text of a pull request', () => {
  it('has the words of the model first, then the facts, and ends with ticket and commit', () => {
    const body = pullRequestBody(
      ticket,
      draft({ why: ['So far nobody was.'], validation: ['Ran it.'], follow_ups: ['Farewells'] }),
      facts(),
    );
    assert.deepEqual(headings(body), ['Summary', 'Why', 'Beads', 'Evidence', 'Validation', 'Follow-ups']);
    assert.match(body, /^## Summary\n\n- People are greeted\.\n\n## Why\n\n- So far nobody was\.\n/);
    assert.ok(body.endsWith('\n\nTicket TST-1, commit `cccccccccccc`.\n'));
  });

  it('leaves out every part about which there is nothing to say', () => {
    const bare = facts({ beads: [bead({ commands: [] })] });
    assert.deepEqual(headings(pullRequestBody(ticket, draft({ summary: ['', ' \n '] }), bare)), ['Beads']);
  });

  it('lists what no command proves, and what is flaky', () => {
    const commands = [{ ...ran('npm test'), flaky: true, flakyTests: ['adds', 'subtracts'] }];
    const beads = [bead({ unproved: 'Only words change.' }), bead({ id: 'other', unproved: '' }), bead({ id: 'third', commands })];
    const body = pullRequestBody(ticket, draft(), facts({ beads }));
    assert.match(body, /## Not proved by a command\n\n- greet: Only words change\.\n- other: the plan gives no reason\n/);
    assert.match(body, /## Flaky tests\n\n- `npm test`: adds, subtracts\n/);
  });

  it('has a row for each bead, with commit, iterations and how many checks passed', () => {
    const beads = [
      bead({ iterations: 3, commands: [ran('npm test'), ran('npm run lint', false)] }),
      bead({ id: 'more', commit: null, commands: [] }),
    ];
    const rows = pullRequestBody(ticket, draft(), facts({ beads }))
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'));
    assert.deepEqual(rows.slice(1), [
      '| greet | Greet by name | `bbbbbbbbbbbb` | 3 | 1 of 2 passed |',
      '| more | Greet by name | no change | 1 | none |',
    ]);
  });

  it('is not broken by what models and people write: bars, line breaks and control characters', () => {
    const title = 'Greet | by\nname\u0007';
    const written = draft({ summary: ['One\r\ntwo\u2028three\n## Not a heading'] });
    const body = pullRequestBody(ticket, written, facts({ beads: [bead({ title })] }));
    assert.match(body, /^- One two three ## Not a heading$/m);
    assert.match(body, /^\| greet \| Greet \\\| by name \| `b{12}` \| 1 \| 1 of 1 passed \|$/m);
    assert.deepEqual(headings(body), ['Summary', 'Beads', 'Evidence']);
  });

  it('names a command once, with its last outcome, and the whole suite apart', () => {
    const finalTest = {
      summary: 'Greets\neverybody.',
      attempts: 2,
      commands: [ran('npm test', false)],
      regression: [ran('npm run everything')],
      weakened: [],
    };
    const body = pullRequestBody(ticket, draft(), facts({ beads: [bead(), bead({ id: 'more' })], finalTest }));
    const evidence = body.slice(body.indexOf('## Evidence'), body.indexOf('\n\nTicket'));
    assert.equal(
      evidence,
      [
        '## Evidence',
        '',
        'Final test: Greets everybody.',
        '',
        'Run by the engine:',
        '',
        '- `npm test` failed in 1.5 s',
        '- `npm run everything` passed in 1.5 s (whole suite)',
      ].join('\n'),
    );
  });

  it('lists each generated file that was left out once', () => {
    const beads = [bead({ leftOut: ['dist/a.js', 'dist/b.js'] }), bead({ id: 'more', leftOut: ['dist/a.js'] })];
    const body = pullRequestBody(ticket, draft(), facts({ beads }));
    assert.match(body, /## Left out\n\nGenerated files that were not committed: `dist\/a\.js`, `dist\/b\.js`\./);
  });

  it('is made of the facts alone when no model gave usable words', () => {
    const long = { ...ticket, title: 'x'.repeat(300) };
    const own = fallbackDraft(long, facts({ beads: [bead(), bead({ title: 'Count', summary: '' })] }));
    assert.equal(own.title.length, 200);
    assert.deepEqual(own.what_changed, ['Greet by name: Names are read.', 'Count']);
    assert.deepEqual(headings(pullRequestBody(ticket, own, facts())), ['Summary', 'What changed', 'Beads', 'Evidence']);
  });

  it('tells the model which commits there are and what was run', () => {
    assert.equal(commitsText(facts()), 'bbbbbbbbbbbb bead(greet): Greet by name');
    const finalTest = { summary: '', attempts: 1, commands: [ran('sh all.sh')], regression: [ran('npm test', false)], weakened: [] };
    const beads = [bead({ iterations: 2, commands: [ran('a'), ran('b', false)] }), bead({ id: 'more', commands: [], summary: '' })];
    assert.deepEqual(reportsText(facts({ beads, finalTest })).split('\n'), [
      'greet (2 iterations): `a` passed in 1.5 s; `b` failed in 1.5 s',
      '  Names are read.',
      'more (1 iteration): no commands',
      'Final test (1 attempt): `sh all.sh` passed in 1.5 s',
      'Whole suite: `npm test` failed in 1.5 s',
      '',
      'Changed files: greet.txt, a b.txt',
    ]);
  });

  it('lists tests that became weaker, and says what was red before and what is flaky', () => {
    const weakened = [{ kind: 'skipped', path: 'a.test.ts', line: 3, text: 'it.skip(`a`)' }] as const;
    const commands = [
      { ...ran('npm test'), known: 2 },
      { ...ran('npm run lint'), known: 0 },
      { ...ran('npm run e2e'), flaky: true },
    ];
    const body = pullRequestBody(ticket, draft(), facts({ beads: [bead({ weakened: [...weakened], commands })] }));
    assert.ok(headings(body).includes('Weaker tests'));
    assert.ok(body.includes("- `a.test.ts:3`: a test is skipped (`it.skip('a')`)"));
    assert.ok(body.includes('- `npm test` failed in 1.5 s only as it does on the base (2 tests)'));
    assert.ok(body.includes('- `npm run lint` failed in 1.5 s only as it does on the base\n'));
    assert.ok(body.includes('- `npm run e2e` passed in 1.5 s, after it failed once'));
  });
});
