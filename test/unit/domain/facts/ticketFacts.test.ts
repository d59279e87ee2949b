import assert from 'node:assert/strict';
import { factsOf, ticketFacts } from '../../../../src/domain/facts/ticketFacts.ts';
import { report } from '../../../../src/cli/output/report.ts';
import { reportText } from '../../../../src/cli/output/reportText.ts';
import { FakeApp } from '../../../support/fakes/fakeApp.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

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
