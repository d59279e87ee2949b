import assert from 'node:assert/strict';
import { factsOf, ticketFacts } from '../../../../src/domain/facts/ticketFacts.ts';
import { report } from '../../../../src/cli/output/report.ts';
import { reportText } from '../../../../src/cli/output/reportText.ts';
import { FakeApp } from '../../../support/fakes/fakeApp.ts';
import { BeadsmithError, filled, type Words } from '../../../../src/domain/core/errors.ts';
import { failure as failed } from '../../../../src/domain/beads/failure.ts';
import { forgeState } from '../../../support/forge/forgeState.ts';
import { FakePlace, ticketDetail } from '../../../support/fakes/ticketPlace.ts';

const known = { branch: 'ticket/TST-1', baseBranch: 'main', worktree: '/w/TST-1', startedAt: 0 };

describe('the facts of a ticket', () => {
  it('are those that are known, in the order of the table', async () => {
    const { ticket } = await new FakePlace({ ticket: known }).repository.client.ticket('TST-1');
    const names = factsOf(ticket).map(({ name }) => name);
    assert.deepEqual(
      names,
      Object.keys(ticketFacts).filter((name) => names.some((one) => one === name)),
    );
    assert.ok(names.includes('worktree'));
    assert.deepEqual(
      factsOf({ ...ticket, worktree: null, branch: null }).filter(
        ({ name }) => name === 'worktree' || name === 'branch',
      ),
      [],
    );
  });

  it('are what `show` says of it, each in a line', async () => {
    const app = new FakeApp({ ticket: known });
    const detail = await app.client.ticket('TST-1');
    const text = reportText(await report(app, detail), [], { short: false });
    for (const { label, text: value, at } of factsOf(detail.ticket))
      assert.ok(
        text.includes(`  ${label.toLowerCase()}: ${value ?? new Date(at ?? 0).toISOString()}`),
        label,
      );
  });

  it('say what became of a pull request, what to do, and when it is checked next', () => {
    const location = 'https://github.com/octo/sample/pull/7';
    const news = { code: 'FORGE_CLOSED', args: { location }, continuable: false, diagnostics: {} } as const;
    const checks = { passed: 2, failed: 1, pending: 1, failing: ['test'], failedRuns: [] };
    const forge = { ...forgeState(), state: 'closed', review: 'approved', checks, news } as const;
    const failure = new BeadsmithError('FORGE_UNREACHABLE', { host: 'github.com', reason: 'no network.' });
    const facts = factsOf({ ...ticketDetail().ticket, forge }, { nextAt: 5, failure });
    const shown = facts.flatMap(({ name, label, text, at }) =>
      name.startsWith('pullRequest') ? [`${label}: ${text ?? String(at)}`] : [],
    );
    assert.deepEqual(shown, [
      'Pull request: #7 closed, approved, 2 of 4 checks passed, 1 failed, 1 pending',
      `Action required: The pull request was closed without merging: ${location} Reopen it there, or close the ticket without merging.`,
      "Last check failed: github.com can't be reached: no network. Try again later. Everything else works without it.",
      'Next check on GitHub: 5',
    ]);
  });

  it('are said in the language of the person, except for names and output', () => {
    const failure = failed('forge_step', { step: 'Run npm test', check: 'build' }, { about: 'not ok 3' });
    const check = { name: 'build', id: 1, attempt: 1, onBase: true, conclusion: 'failure', failure };
    const threads = { open: 2, sha256: 'x' };
    const forge = { ...forgeState(), failures: [check], threads };
    const loud: Words = (text, args) => filled(text.replace(/(?<!\{)\b[a-z]+\b(?!\})/g, 'x'), args);
    const shown = factsOf({ ...ticketDetail().ticket, forge }, undefined, loud).flatMap(
      ({ isOfForge, text = '' }) => (isOfForge === true ? [text] : []),
    );
    assert.deepEqual(shown, [
      '#7 x, 2 x x x',
      'The x "Run npm test" x x x "build" x x GitHub. It x x x main.\nnot ok 3',
    ]);
  });

  it('name the issue that it was imported from, with its host only where that says something', async () => {
    const { ticket } = await new FakePlace({ ticket: known }).repository.client.ticket('TST-1');
    const issueOn = (host: string): string | undefined => {
      const origin = { kind: 'issue', host, owner: 'octo', name: 'sample', number: 12, url: '' } as const;
      return factsOf({ ...ticket, origin }).find(({ name }) => name === 'issue')?.text;
    };
    assert.deepEqual(
      [issueOn('github.com'), issueOn('git.example')],
      ['octo/sample#12', 'git.example/octo/sample#12'],
    );
  });
});
