import assert from 'node:assert/strict';
import { testClient } from '../engine/testClient.ts';
import type { NewStore } from './anyStore.ts';

export function dismissalsContract(newStore: NewStore): void {
  describe('dismissals of a repository', () => {
    const claim = {
      category: 'style',
      file: 'a.ts',
      claim: 'No capital.',
      reason: 'Not here.',
      at: '2026-01-01T00:00:00.000Z',
    };

    it('are remembered once a finding, edited, and removed for good', async () => {
      const { store } = newStore();
      const client = testClient(store);
      const { id } = await client.create({ title: 'One' });
      const dismiss = (finding: string, reason = claim.reason): Promise<unknown> =>
        store.commit({
          ticket: id,
          journal: [],
          changes: [{ type: 'dismissal', finding, claim: { ...claim, reason } }],
        });
      await dismiss('a.1.1.1');
      await dismiss('a.1.1.2');
      await dismiss('a.1.1.1', 'Never.');
      const known = async (): Promise<readonly (readonly unknown[])[]> =>
        (await client.findings.dismissals()).map(({ number, revision, finding, reason }) => [
          number,
          revision,
          finding,
          reason,
        ]);
      assert.deepEqual(await known(), [
        [1, 2, 'a.1.1.1', 'Never.'],
        [2, 1, 'a.1.1.2', 'Not here.'],
      ]);
      const changed = await client.findings.changeDismissal({ number: 2, revision: 1, reason: ' Later. ' });
      assert.deepEqual([changed.revision, changed.reason, changed.claim], [2, 'Later.', 'No capital.']);
      await assert.rejects(client.findings.changeDismissal({ number: 2, revision: 1, reason: 'Other.' }), {
        code: 'EDIT_CONFLICT',
      });
      for (const reason of ['  ', 'x'.repeat(4_001)])
        await assert.rejects(client.findings.changeDismissal({ number: 2, revision: 2, reason }), {
          code: 'INVALID_INPUT',
        });
      await client.findings.removeDismissal(2);
      await assert.rejects(client.findings.removeDismissal(2), { code: 'DISMISSAL_UNKNOWN' });
      await assert.rejects(client.findings.changeDismissal({ number: 9, revision: 1, reason: 'None.' }), {
        code: 'DISMISSAL_UNKNOWN',
      });
      await dismiss('a.1.1.3');
      await store.commit({
        ticket: id,
        journal: [],
        changes: [{ type: 'dismissal', finding: 'a.1.1.1', claim: null }],
      });
      const [last, ...others] = await client.findings.dismissals();
      assert.deepEqual([last?.finding, others.length], ['a.1.1.3', 0]);
      assert.ok((last?.number ?? 0) > 2, 'a number was used twice');
    });
  });
}
