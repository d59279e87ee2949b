import assert from 'node:assert/strict';
import type { ActionOutcome, TicketDetail } from '../../../../src/protocol/api.ts';
import { saveDocument, savedText } from '../../../../src/views/documents/saveDocument.ts';
import { RefusedAction } from '../../../../src/views/shared/sendAction.ts';
import { FakeClient } from '../../../support/fakes/fakeClient.ts';

const base = 'a'.repeat(64);
const edit = { artifact: 'prd', content: 'epics: []\n', base } as const;

describe('saveDocument', () => {
  let client: FakeClient;
  let idle: boolean;
  let present: string;

  beforeEach(() => {
    client = new FakeClient();
    idle = false;
    present = base;
    client.ticket = () =>
      Promise.resolve({ idle, gate: { artifact: 'prd', sha256: present } } as TicketDetail);
  });

  it('files an edit with the version it was made from, and is done when there is another one', async () => {
    const saved = saveDocument(client, 'TST-1', edit, 1_000);
    await new Promise(setImmediate);
    present = 'c'.repeat(64);
    client.change();
    assert.equal(await saved, 'saved');
    const body = { artifact: 'prd', baseSha256: base, content: edit.content, surface: 'raw' };
    assert.deepEqual(client.sent, [{ ticket: 'TST-1', kind: 'edit', body }]);
  });

  it('is not taken in by a gate that takes an edit first and refuses it then', async () => {
    const saved = saveDocument(client, 'TST-1', edit, 1_000);
    await new Promise(setImmediate);
    client.becomes = { state: 'refused', code: 'INVALID_ARTIFACT', message: 'The PRD is not valid: epics' };
    idle = true;
    client.change();
    await assert.rejects(
      saved,
      (error) => error instanceof RefusedAction && /not valid: epics/.test(error.message),
    );
  });

  it('checks the outcome again when the gate waits, because the refusal came with that', async () => {
    const outcomes: ActionOutcome[] = [
      { state: 'consumed' },
      { state: 'refused', code: 'EDIT_CONFLICT', message: 'changed' },
    ];
    client.outcome = () => Promise.resolve(outcomes.shift());
    idle = true;
    await assert.rejects(saveDocument(client, 'TST-1', edit, 1_000), RefusedAction);
  });

  it('says when nobody took it, so that the text is kept', async () => {
    client.becomes = undefined;
    assert.equal(await saveDocument(client, 'TST-1', edit, 5), 'pending');
  });
});

describe('savedText', () => {
  it('reads UTF-8 and nothing else', () => {
    assert.equal(savedText(new TextEncoder().encode('ä'), 'prd.yaml'), 'ä');
    assert.throws(() => savedText(new Uint8Array([0xff, 0xfe]), 'prd.yaml'), /prd.yaml can't be used/);
  });
});
