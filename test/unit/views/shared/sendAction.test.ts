import assert from 'node:assert/strict';
import type { TicketDetail } from '../../../../src/protocol/api.ts';
import { sendAction, sendApproval } from '../../../../src/views/shared/sendAction.ts';
import { RefusedAction } from '../../../../src/views/shared/errorText.ts';
import { FakeClient } from '../../../support/fakes/fakeClient.ts';

describe('sendAction', () => {
  it('waits until the driver took it', async () => {
    const client = new FakeClient();
    client.becomes = undefined;
    const sent = sendAction(client, 'TST-1', 'merge', {});
    await new Promise(setImmediate);
    client.becomes = { state: 'consumed' };
    client.change();
    assert.equal(await sent, 'consumed');
    assert.deepEqual(client.sent, [{ ticket: 'TST-1', kind: 'merge', body: {} }]);
  });

  it('fails with the words of a driver that refused it', async () => {
    const client = new FakeClient();
    client.becomes = {
      state: 'refused',
      code: 'STALE_APPROVAL',
      message: 'The PRD changed since you looked at it.',
    };
    await assert.rejects(
      sendAction(client, 'TST-1', 'approve', { sha256: 'a'.repeat(64), reason: '' }),
      (error) => {
        assert.ok(error instanceof RefusedAction);
        return error.message === 'The PRD changed since you looked at it.';
      },
    );
  });

  it('does not keep a person waiting for a driver that is busy', async () => {
    const client = new FakeClient();
    client.becomes = undefined;
    assert.equal(await sendAction(client, 'TST-1', 'pause', {}, 5), 'pending');
  });
});

describe('sendApproval', () => {
  const approval = { artifact: 'prd', sha256: 'a'.repeat(64), reason: '' };
  const gated = (idle: boolean): TicketDetail =>
    ({ idle, gate: { artifact: 'prd', sha256: approval.sha256 } }) as TicketDetail;

  it('waits until the gate has checked it, because it is taken before it is refused', async () => {
    const client = new FakeClient();
    client.ticket = () => Promise.resolve(gated(false));
    const sent = sendApproval(client, 'TST-1', approval);
    await new Promise(setImmediate);
    client.becomes = {
      state: 'refused',
      code: 'STALE_APPROVAL',
      message: 'The PRD changed since you looked at it.',
    };
    client.ticket = () => Promise.resolve(gated(true));
    client.change();
    await assert.rejects(sent, /^RefusedAction: The PRD changed/);
    assert.deepEqual(client.sent, [
      { ticket: 'TST-1', kind: 'approve', body: { sha256: approval.sha256, reason: '' } },
    ]);
  });

  it('is done once the ticket moved on, and pending while nobody looks', async () => {
    const client = new FakeClient();
    client.ticket = () => Promise.resolve({ idle: false, gate: null } as TicketDetail);
    assert.equal(await sendApproval(client, 'TST-1', approval), 'consumed');
    client.becomes = undefined;
    assert.equal(await sendApproval(client, 'TST-1', approval, 5), 'pending');
  });
});
