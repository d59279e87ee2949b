import assert from 'node:assert/strict';
import type { ArtifactInfo } from '../../../src/domain/ticket/artifacts.ts';
import type { ApprovalReceipt } from '../../../src/domain/workflow/receipts.ts';
import { approvalText, readApprovals } from '../../../src/protocol/approvals.ts';
import { readNotes } from '../../../src/protocol/readNotes.ts';
import { FakeClient } from '../../support/fakes/fakeClient.ts';
import { sampleReceipt } from '../../support/samples.ts';

const hash = 'a'.repeat(64);

describe('the approvals of a ticket', () => {
  const clientOf = (
    receipts: readonly (Partial<ApprovalReceipt> & { readonly archived?: boolean })[],
  ): FakeClient => {
    const client = new FakeClient();
    const infos = receipts.map(({ archived = false }, index): ArtifactInfo => {
      const info = {
        id: index,
        ticket: 'TST-1',
        type: 'approval_receipt',
        attempt: 1,
        sha256: hash,
        bytes: 1,
      };
      return { ...info, status: 'DRAFT', version: index + 1, createdAt: 0, archived };
    });
    client.artifacts = () => Promise.resolve(infos);
    client.artifact = (_ticket, type, version = 0) => {
      const info = infos[version - 1];
      const { archived: _state, ...receipt } = receipts[version - 1] ?? {};
      const whole = sampleReceipt(hash, { approved_at: '2026-01-01', ...receipt });
      return Promise.resolve(
        type === 'approval_receipt' && info ? { info, content: JSON.stringify(whole) } : undefined,
      );
    };
    return client;
  };

  it('are the newest that hold, in the order of the documents, and say who decided', async () => {
    const client = clientOf([
      {
        artifact: 'execution_setup_plan',
        approved_by: 'policy',
        rule: 'setup_ready',
        reason: 'I approve this.',
      },
      { artifact: 'beads', reason: 'first' },
      { artifact: 'beads', reason: 'second' },
      { artifact: 'prd', archived: true },
      { artifact: 'something else' },
    ]);
    const found = await readApprovals(client, 'TST-1');
    assert.deepEqual(
      found.map(({ artifact, reason }) => [artifact, reason]),
      [
        ['beads', 'second'],
        [
          'execution_setup_plan',
          'Passed by policy: nothing to set up, and nothing that wasn’t approved before.',
        ],
      ],
    );
    assert.deepEqual(found.map(approvalText), [
      'Beads: approved by a person',
      'Setup plan: passed by policy: nothing to set up, and nothing that wasn’t approved before.',
    ]);
  });

  it('are noted beside a document that a rule passed, and not beside another one', async () => {
    const client = clientOf([
      { artifact: 'execution_setup_plan', approved_by: 'policy', rule: 'setup_ready' },
      { artifact: 'beads' },
    ]);
    assert.match(
      (await readNotes(client, 'TST-1', 'execution_setup_plan'))[0]?.text ?? '',
      /^Passed by policy: /,
    );
    assert.deepEqual(await readNotes(client, 'TST-1', 'beads'), []);
  });
});
