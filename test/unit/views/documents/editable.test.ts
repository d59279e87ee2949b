import assert from 'node:assert/strict';
import type { Ticket } from '../../../../src/domain/ticket/ticket.ts';
import type { Status } from '../../../../src/domain/workflow/workflow.ts';
import { editable } from '../../../../src/views/documents/saveDocument.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';

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
