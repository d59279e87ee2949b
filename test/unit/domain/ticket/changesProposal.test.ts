import assert from 'node:assert/strict';
import { changesProposal } from '../../../../src/domain/ticket/changesProposal.ts';
import type { InboxEntry } from '../../../../src/domain/ticket/inbox.ts';

describe('decisions while failed checks are fixed', () => {
  const entry = (kind: InboxEntry['kind'], body: unknown, state: InboxEntry['state'] = 'consumed') =>
    ({ id: '1', ticket: 'TST-1', kind, body, state, postedAt: 0, outcome: null }) as InboxEntry;
  const qa = (result: string) => entry('qa', { results: { one: { result, observation: 'seen' } } });
  const finding = (verdict: string) => entry('finding', { finding: 'one', verdict, reason: 'because' });

  it('make more of it than a fix if they change what the ticket proposes', () => {
    const changing = [
      entry('changes', {}),
      entry('fix_comment', {}),
      entry('suggest_edit', {}),
      entry('update_base', {}),
      finding('accept'),
      finding('bead'),
      qa('fail'),
    ];
    assert.deepEqual(
      changing.map(changesProposal),
      changing.map(() => true),
    );
  });

  it('leave it alone otherwise', () => {
    const others = [
      entry('changes', {}, 'refused'),
      entry('changes', {}, 'pending'),
      entry('check_pull_request', {}),
      entry('retry', {}),
      entry('question_reply', {}),
      finding('dismiss'),
      qa('pass'),
    ];
    assert.deepEqual(
      others.map(changesProposal),
      others.map(() => false),
    );
  });
});
