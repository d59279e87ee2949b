import assert from 'node:assert/strict';
import type { ActionOutcome, TicketDetail } from '../../../../src/protocol/api.ts';
import { editable, saveDocument, savedText } from '../../../../src/views/documents/saveDocument.ts';
import { RefusedAction } from '../../../../src/views/shared/errorText.ts';
import type { Ticket } from '../../../../src/domain/ticket/ticket.ts';
import type { Status } from '../../../../src/domain/workflow/workflow.ts';
import { FakeClient, ticketView } from '../../../support/fakes/fakeClient.ts';

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

describe('editable', () => {
  it('is the document of a gate that waits', () => {
    assert.deepEqual(editable(at('WAITING_PRD_APPROVAL', 'prd'), 'prd', 'driver'), {
      kind: 'gate',
      artifact: 'prd',
    });
    assert.deepEqual(
      editable(
        at('WAITING_EXECUTION_SETUP_APPROVAL', 'execution_setup_plan'),
        'execution_setup_plan',
        'follower',
      ).kind,
      'gate',
    );
  });

  it('is an approved document as long as planning can go back to it', () => {
    assert.deepEqual(editable(at('WAITING_PRD_APPROVAL', 'prd'), 'interview', 'driver'), {
      kind: 'rewind',
      artifact: 'interview',
      to: 'DRAFTING_PRD',
    });
    assert.equal(editable(at('DRAFTING_BEADS'), 'prd', 'driver').kind, 'rewind');
    assert.equal(editable(at('CODING', undefined, []), 'prd', 'driver').kind, 'no');
  });

  it('is nothing else', () => {
    assert.equal(editable(at('WAITING_PRD_APPROVAL', 'prd'), 'final_test_report', 'driver').kind, 'no');
    assert.equal(editable(at('WAITING_PRD_APPROVAL', 'prd'), 'beads', 'driver').kind, 'no');
    assert.equal(editable(at('DRAFT'), 'ticket', 'driver').kind, 'no');
  });

  it('is nothing where nobody may write, or nobody would take it', () => {
    assert.equal(editable(at('WAITING_PRD_APPROVAL', 'prd'), 'prd', 'readOnly').kind, 'no');
    const held = { kind: 'paused', since: 0, detail: '' } as const;
    assert.equal(editable(at('WAITING_PRD_APPROVAL', 'prd', ['edit'], held), 'prd', 'driver').kind, 'no');
  });
});

function at(
  status: Status,
  artifact?: string,
  actions: readonly 'edit'[] = ['edit'],
  hold: Ticket['hold'] = null,
): Parameters<typeof editable>[0] {
  const gate = artifact === undefined ? null : { artifact, sha256: 'a'.repeat(64) };
  return { ticket: { status, hold } as Ticket, view: ticketView({ status, actions }), gate };
}
