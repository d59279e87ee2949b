import assert from 'node:assert/strict';
import { RefusedAction, sendAction } from '../../../src/views/sendAction.ts';
import { FakeClient } from '../../support/fakeClient.ts';

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
    client.becomes = { state: 'refused', code: 'STALE_APPROVAL', message: 'The PRD changed since you looked at it.' };
    await assert.rejects(sendAction(client, 'TST-1', 'approve', { sha256: 'a'.repeat(64), reason: '' }), (error) => {
      assert.ok(error instanceof RefusedAction);
      return error.message === 'The PRD changed since you looked at it.';
    });
  });

  it('does not keep a person waiting for a driver that is busy', async () => {
    const client = new FakeClient();
    client.becomes = undefined;
    assert.equal(await sendAction(client, 'TST-1', 'pause', {}, 5), 'pending');
  });
});
