import assert from 'node:assert/strict';
import type { PullRequestDraft } from '../../../../src/domain/beads/reports.ts';
import type { TicketSnapshot } from '../../../../src/domain/ticket/ticket.ts';
import type { DeliveryFacts } from '../../../../src/phases/delivery/deliveryFacts.ts';
import {
  commitsText,
  fallbackDraft,
  pullRequestBody,
  reportsText,
} from '../../../../src/phases/delivery/pullRequest.ts';

const ticket = { id: 'TST-1', title: 'Greet people' } as TicketSnapshot;
type Proof = DeliveryFacts['proofs'][number];
const sha = (digit: string): string => digit.repeat(40);
const ran = (command: string, passed = true): DeliveryFacts['beads'][number]['commands'][number] => ({
  command,
  passed,
  seconds: 1.5,
});
const bead = (fields: Partial<DeliveryFacts['beads'][number]> = {}): DeliveryFacts['beads'][number] => ({
  id: 'greet',
  title: 'Greet by name',
  assumptions: [],
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
  missing: [],
  guarded: [],
  proofs: [],
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
/** The text with the usual words. */
const bodyOf = (fields: Partial<DeliveryFacts> = {}): string =>
  pullRequestBody(ticket, draft(), facts(fields));
const headings = (body: string): readonly string[] =>
  [...body.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading ?? '');

describe('the text of a pull request', () => {
  it('says why nothing confined the work, and nothing where something did', () => {
    assert.match(
      bodyOf({ unsandboxed: 'missing' }),
      /## Sandbox\n\nAgents and commands run without a sandbox: bubblewrap/,
    );
    assert.doesNotMatch(bodyOf(), /Sandbox/);
  });

  it('AT-25: names what the ticket lacks, and why, so that nobody takes it for the whole', () => {
    const missing = [{ bead: 'wave', title: 'Wave', state: 'skipped', reason: 'No hand.' }];
    const body = bodyOf({ missing });
    assert.match(
      body,
      /## Missing\n\nThe ticket is incomplete\. [^\n]+\n\n- wave \(skipped\): Wave\. No hand\./,
    );
    assert.doesNotMatch(bodyOf(), /Missing|incomplete/);
  });

  it('has the words of the model first, then the facts, and ends with ticket and commit', () => {
    const body = pullRequestBody(
      ticket,
      draft({ why: ['So far nobody was.'], validation: ['Ran it.'], follow_ups: ['Farewells'] }),
      facts(),
    );
    assert.deepEqual(headings(body), ['Summary', 'Why', 'Beads', 'Validation', 'Follow-ups']);
    assert.match(body, /^## Summary\n\n- People are greeted\.\n\n## Why\n\n- So far nobody was\.\n/);
    assert.ok(body.endsWith('\n\nTicket TST-1, commit `cccccccccccc`.\n'));
  });

  it('has the template of the repository as its frame, with the facts behind it', () => {
    const template = '## Description\n\n## Checklist\n\n- [x] Tests\n';
    const body = pullRequestBody(ticket, draft({ why: ['So far nobody was.'] }), facts({ template }));
    assert.match(
      body,
      /^## Description\n\n- People are greeted\.\n\n## Checklist\n\n- \[ \] Tests\n\n## Why\n/,
    );
    assert.deepEqual(headings(body), ['Description', 'Checklist', 'Why', 'Beads']);
  });

  it('names what the work made and git ignores, as code', () => {
    assert.match(
      bodyOf({ ignored: ['cache/', 'a`b @me.txt'] }),
      /## Ignored files\n\nThe work made [^\n]+:\n\n- `cache\/`\n- ``a`b @me\.txt``/,
    );
  });

  it('leaves out every part about which there is nothing to say', () => {
    const bare = facts({ beads: [bead({ commands: [] })] });
    assert.deepEqual(headings(pullRequestBody(ticket, draft({ summary: ['', ' \n '] }), bare)), ['Beads']);
  });

  it('lists what no command proves, and what is flaky', () => {
    const commands = [{ ...ran('npm test'), flaky: true, flakyTests: ['adds', 'subtracts'] }];
    const beads = [
      bead({ unproved: 'Only words change.' }),
      bead({ id: 'other', unproved: '' }),
      bead({ id: 'third', commands }),
    ];
    const body = bodyOf({ beads });
    assert.match(
      body,
      /## Not proved by a command\n\n- greet: Only words change\.\n- other: the plan gives no reason\n/,
    );
    assert.match(body, /## Flaky tests\n\n- `npm test`: adds, subtracts\n/);
  });

  it('has a row for each bead, with commit, iterations and how many checks passed', () => {
    const beads = [
      bead({ iterations: 3, commands: [ran('npm test'), ran('npm run lint', false)] }),
      bead({ id: 'more', commit: null, commands: [] }),
    ];
    const rows = bodyOf({ beads })
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
    assert.deepEqual(headings(body), ['Summary', 'Beads']);
  });

  /** What a forge would act on: the text without code and without what is escaped. */
  const live = (body: string): string =>
    body
      .replace(/(?<!\\)(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g, '')
      .replace(/<code>.*?<\/code>/g, '')
      .replace(/\\[^\w\s]/g, '');
  const attack =
    'fixes #12 a/b#3 GH-4 https://evil.example/1 www.evil.example @all <img src=x> <!-- x --> ![i](j) [x] `\\|<b>` \u202E\u200B ` | \n## Approved';
  const said = (words: Partial<PullRequestDraft>): string => pullRequestBody(ticket, draft(words), facts());
  const ofBead = (fields: Partial<DeliveryFacts['beads'][number]>): string =>
    bodyOf({ beads: [bead(fields)] });
  const bodies: Readonly<Record<string, () => string>> = {
    summary: () => said({ summary: [attack] }),
    why: () => said({ why: [attack] }),
    'what changed': () => said({ what_changed: [attack] }),
    validation: () => said({ validation: [attack] }),
    'follow-ups': () => said({ follow_ups: [attack] }),
    'the title of the ticket': () => said(fallbackDraft({ ...ticket, title: attack }, facts())),
    'the id of a bead': () => ofBead({ id: attack }),
    'the title of a bead': () => ofBead({ title: attack }),
    'the reason for no proof': () => ofBead({ unproved: attack }),
    assumptions: () => ofBead({ assumptions: [attack] }),
    'files that were left out': () => ofBead({ leftOut: [attack] }),
    'flaky tests': () => ofBead({ commands: [{ ...ran(attack), flaky: true, flakyTests: [attack] }] }),
    'weaker tests': () => ofBead({ weakened: [{ kind: 'skipped', path: attack, line: 3, text: attack }] }),
    'guarded changes': () => {
      const found = { kind: 'editor', path: attack, line: null, text: attack } as const;
      return bodyOf({ guarded: [{ ...found, name: attack, acceptedAt: '2026-01-01' }] });
    },
    'what is missing': () =>
      bodyOf({ missing: [{ bead: attack, title: attack, state: 'skipped', reason: attack }] }),
    'the final test': () => {
      const ending = { attempts: 1, regression: [], summary: attack, weakened: [] };
      return bodyOf({ finalTest: { ...ending, commands: [ran(attack)] } });
    },
    'evidence, by its commands and beads': () => {
      const commands = [seen(attack, { exitCode: null, signal: attack })];
      return bodyOf({ proofs: [proved({ bead: attack, commands })] });
    },
  };
  for (const [field, body] of Object.entries(bodies)) {
    it(`acts on nothing that is written in ${field}, and shows it`, () => {
      const text = body();
      assert.doesNotMatch(live(text), /[<>\u202E\u200B]|@\w|#\d|GH-\d|:\/\/|www\.|\]\(|\[x\]|^## Approved/m);
      assert.match(text, /fixes .*#12.* ## Approved|fixes .*#12|&#35;12/);
      const rows = live(text)
        .split('\n')
        .filter((row) => row.startsWith('| '));
      for (const row of rows) assert.ok([6, 7].includes(row.split('|').length - 1), row);
    });
  }

  const proved = (fields: Partial<Proof> = {}): Proof => ({
    of: 'bead',
    bead: 'greet',
    commit: sha('b'),
    tree: sha('d'),
    made: true,
    commands: [seen('npm test')],
    ...fields,
  });
  const seen = (
    command: string,
    fields: Partial<Proof['commands'][number]> = {},
  ): Proof['commands'][number] => ({
    command,
    exitCode: 0,
    signal: null,
    timedOut: false,
    durationMs: 1_500,
    ...fields,
  });
  const evidenceOf = (fields: Partial<DeliveryFacts>): readonly string[] => {
    const body = bodyOf(fields);
    return body.slice(body.indexOf('## Evidence'), body.indexOf('\n\nTicket')).split('\n');
  };
  const rowsOf = (fields: Partial<DeliveryFacts>) =>
    evidenceOf(fields)
      .filter((row) => row.startsWith('| '))
      .slice(2);

  it('has the evidence of each commit: command, exit code, duration, known and flaky tests, and how it ended without the work', () => {
    const commands = [
      seen('npm test', {
        without: { tree: sha('e'), exitCode: 1 },
        counts: { ran: 12, passed: 12, failed: 0, skipped: 0 },
      }),
      seen('npm run lint | cat', { exitCode: 2, knownFailures: ['a', 'b'] }),
      seen('make', { exitCode: 1, knownFailures: [], counts: { ran: 1, passed: 0, failed: 1, skipped: 2 } }),
      seen('npm run e2e', {
        flaky: true,
        flakyTests: ['opens'],
        changed: ['a'],
        remade: ['node_modules/b', 'node_modules/c'],
      }),
    ];
    const proofs = [
      proved({ commands }),
      proved({ bead: 'words', made: false, commands: [] }),
      proved({
        of: 'final_test',
        bead: null,
        commit: sha('c'),
        commands: [seen('sh whole.sh', { exitCode: null, signal: 'SIGKILL' })],
      }),
    ];
    assert.deepEqual(rowsOf({ proofs }), [
      '| greet | `bbbbbbbbbbbb` | `dddddddddddd` | `npm test` | exit 0; 12 tests ran; without the work: exit 1 | 1.5 s |',
      '|  |  |  | `npm run lint \\| cat` | exit 2; no new failures, 2 known on the base | 1.5 s |',
      '|  |  |  | `make` | exit 1; 1 test ran, 1 failed, 2 skipped; no new failures, fails on the base | 1.5 s |',
      '|  |  |  | `npm run e2e` | exit 0; flaky (1 test); changed 1 file, put back; tools installed again (2 files differed) | 1.5 s |',
      '| words | no change, on `bbbbbbbbbbbb` | `dddddddddddd` | none | | |',
      '| final test | `cccccccccccc`, rewritten since | `dddddddddddd` | `sh whole.sh` | SIGKILL | 1.5 s |',
    ]);
    const evidence = evidenceOf({
      proofs,
      finalTest: { summary: 'Greets\neverybody.', attempts: 2, commands: [], regression: [], weakened: [] },
    });
    assert.deepEqual(evidence.slice(0, 5), [
      '## Evidence',
      '',
      'Final test: Greets everybody.',
      '',
      'Beadsmith ran these commands on the files of each commit:',
    ]);
    assert.match(
      evidence.at(-1) ?? '',
      /^`beadsmith verify TST-1` runs them again\. .*`refs\/notes\/beadsmith`/,
    );
  });

  it('stays readable and short enough for a forge, however many beads and commands there are', () => {
    const commands = Array.from({ length: 5 }, (_, index) =>
      seen(`npm run check-${String(index)} -- ${'x'.repeat(4_000)}`, index === 0 ? { flaky: true } : {}),
    );
    const many = Array.from({ length: 120 }, (_, index) =>
      proved({ bead: `bead-${String(index)}`, commands }),
    );
    const rows = rowsOf({ proofs: many });
    assert.equal(rows.length, 100);
    assert.equal(
      rows[0],
      '| bead-0 | `bbbbbbbbbbbb` | `dddddddddddd` | 5 commands | 5 of 5 passed, 1 flaky | 7.5 s |',
    );
    assert.match(
      evidenceOf({ proofs: many }).join('\n'),
      /\n20 more commits: see `\.ticket\/evidence\.json`\./,
    );
    assert.ok(rowsOf({ proofs: many.slice(0, 10) }).every((row) => row.length < 250));
    const long = pullRequestBody(
      ticket,
      draft({ summary: Array.from({ length: 90 }, () => 'y'.repeat(3_000)) }),
      facts({ proofs: many }),
    );
    assert.ok(long.length < 65_536);
    assert.match(long, /\n## Evidence\n/);
    assert.match(
      long,
      /\n… Left out, because [^\n]+ at most: the end of Summary\. [^\n]+\n\nTicket TST-1, commit `c{12}`\.\n$/,
    );
  });

  it('folds which criterion is met by which beads and commands, with a count', () => {
    const commands = ['npm test', 'a | b', 'c', 'd'];
    const criteria = [
      { id: 'US-1-1.AC1', text: 'A name | <b>is</b> read.', beads: [{ id: 'greet', commands, done: true }] },
      { id: 'US-1-1.AC2', text: 'Else nobody.', beads: [{ id: 'wave', commands: [], done: false }] },
      { id: 'US-1-1.AC3', text: 'Late.', beads: [] },
    ];
    const [, folded = ''] =
      /\n## Traceability\n\n([^]+?)\n\n## /.exec(`${bodyOf({ criteria })}\n\n## `) ?? [];
    assert.match(
      folded,
      /^<details><summary>1 of 3 acceptance criteria have all their beads done<\/summary>\n\n\|[^]+\n\n<\/details>/,
    );
    assert.match(
      folded,
      /\| US-1-1\.AC1 \| A name [^\n]*\| greet \| `npm test`<br>`a \\\| b`<br>`c` and 1 more \|/,
    );
    assert.match(folded, /\| US-1-1\.AC2 \| Else nobody\. \| wave \(not done\) \|  \|/);
    assert.match(folded, /\| US-1-1\.AC3 \| Late\. \| none \|  \|/);
    assert.doesNotMatch(bodyOf(), /Traceability/);
  });

  it('closes the issue that the ticket was imported from, and no other', () => {
    const issue = 'octo/sample#7';
    const summary = ['Closes octo/sample#8'];
    const body = pullRequestBody(ticket, draft({ summary }), facts({ issue }));
    assert.match(body, /\n\nCloses octo\/sample#7\n\nTicket TST-1, commit `c{12}`\.\n$/);
    assert.match(body, /Closes `octo\/sample#8`/);
    assert.doesNotMatch(bodyOf(), /Closes/);
  });

  it('names who accepted weaker tests: the bead and the day', () => {
    const weakened = [{ kind: 'deleted', path: 'a.test.js', line: null, text: '' } as const];
    const body = bodyOf({ beads: [bead({ weakened, weakenedAt: '2026-11-23T08:00:00.000Z' })] });
    assert.match(
      body,
      /A person accepted these changes:\n\n- `a\.test\.js`: a test was deleted; bead greet, accepted 2026-11-23\n/,
    );
  });

  it('names accepted secrets and protected files, the work and the day, and never the secret', () => {
    const accepted = { name: 'greet', acceptedAt: '2026-11-23T08:00:00.000Z' };
    const guarded = [
      { kind: 'secret', path: 'key.sh', line: 1, text: 'github GITHUB_TOKEN', ...accepted } as const,
      { kind: 'workflow', path: '.github/workflows/ci.yml', line: null, text: '', ...accepted } as const,
      {
        kind: 'agent',
        path: 'AGENTS.md',
        line: null,
        text: 'agents',
        ...accepted,
        byRepository: true,
      } as const,
    ];
    const body = bodyOf({ guarded });
    const [first, second, third] = body
      .slice(body.indexOf('## Secrets and protected files'))
      .split('\n')
      .slice(4);
    assert.equal(
      first,
      '- `key.sh:1`: looks like a secret (`github GITHUB_TOKEN`); greet, accepted 2026-11-23',
    );
    assert.equal(second, '- `.github/workflows/ci.yml`: changes what runs in CI; greet, accepted 2026-11-23');
    assert.equal(
      third,
      '- `AGENTS.md`: changes what agents are told or may run (`agents`); greet, accepted by `.beadsmith/accepted-changes`',
    );
  });

  it('lists each generated file that was left out once', () => {
    const beads = [
      bead({ leftOut: ['dist/a.js', 'dist/b.js'] }),
      bead({ id: 'more', leftOut: ['dist/a.js'] }),
    ];
    const body = bodyOf({ beads });
    assert.match(
      body,
      /## Left out\n\nGenerated files that were not committed: `dist\/a\.js`, `dist\/b\.js`\./,
    );
  });

  it('is made of the facts alone when no model gave usable words', () => {
    const long = { ...ticket, title: 'x'.repeat(300) };
    const own = fallbackDraft(long, facts({ beads: [bead(), bead({ title: 'Count', summary: '' })] }));
    assert.equal(own.title.length, 200);
    assert.deepEqual(own.what_changed, ['Greet by name: Names are read.', 'Count']);
    assert.deepEqual(headings(pullRequestBody(ticket, own, facts())), ['Summary', 'What changed', 'Beads']);
  });

  it('tells the model which commits there are and what was run', () => {
    assert.equal(commitsText(facts()), 'bbbbbbbbbbbb bead(greet): Greet by name');
    const finalTest = {
      summary: '',
      attempts: 1,
      commands: [ran('sh all.sh')],
      regression: [ran('npm test', false)],
      weakened: [],
    };
    const beads = [
      bead({ iterations: 2, commands: [ran('a'), ran('b', false)] }),
      bead({ id: 'more', commands: [], summary: '' }),
    ];
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
    const body = bodyOf({ beads: [bead({ weakened: [...weakened], commands })] });
    assert.ok(headings(body).includes('Weaker tests'));
    assert.ok(body.includes('- `a.test.ts:3`: a test is skipped (``it.skip(`a`)``)'));
    const told = reportsText(facts({ beads: [bead({ commands })] }));
    assert.ok(told.includes('`npm test` failed in 1.5 s only as it does on the base (2 tests); '));
    assert.ok(told.includes('`npm run lint` failed in 1.5 s only as it does on the base; '));
    assert.ok(told.includes('`npm run e2e` passed in 1.5 s, after it failed once'));
  });
});
