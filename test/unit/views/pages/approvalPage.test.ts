import assert from 'node:assert/strict';
import { documentUri } from '../../../../src/views/documents/documentUri.ts';
import { pages } from '../../../../src/views/pages/pages.ts';
import type { Workbench } from '../../../../src/views/shared/workbench.ts';
import { editor, person, Uri, workspace } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

describe('the requests of the approval page', () => {
  let place: FakePlace;
  const workbench = { logError: () => undefined } as unknown as Workbench;
  const serve = (method: string, params: unknown): unknown =>
    (pages().find(({ name }) => name === 'approval') ?? assert.fail()).serve(
      method,
      params,
      place,
      workbench,
    );

  beforeEach(() => {
    editor.reset();
    place = new FakePlace({ ticket: { status: 'WAITING_PRD_APPROVAL' } });
  });

  for (const kind of ['fix_gaps', 'check_again'] as const)
    it(`send ${kind} without a question`, async () => {
      await serve('act', { kind, body: {} });
      assert.deepEqual([place.sent, editor.shown], [[[kind, {}]], []]);
    });

  it('send an approval with the hash of what was shown, and only of what is saved', async () => {
    const body = { sha256: 'a'.repeat(64), reason: 'Enough.' };
    const uri = Uri.from(documentUri('/sample', 'TST-1', 'prd'));
    workspace.textDocuments = [{ uri, isDirty: true, save: async () => true }];
    editor.will('cancel', person.presses(0));
    assert.deepEqual([await serve('act', { kind: 'approve', body }), place.sent], [{ state: 'left' }, []]);
    assert.deepEqual(await serve('act', { kind: 'approve', body }), { state: 'consumed' });
    assert.deepEqual(place.sent, [['approve', body]]);
  });

  it('send nothing that isn’t decided on this page', async () => {
    for (const kind of ['merge', 'edit', 'limits', 'constructor'])
      await assert.rejects(async () => serve('act', { kind, body: {} }), { code: 'INVALID_INPUT' }, kind);
    assert.deepEqual(place.sent, []);
  });

  it('checks again only what is saved, and asks about changes that aren’t', async () => {
    const uri = Uri.from(documentUri('/sample', 'TST-1', 'prd'));
    workspace.textDocuments = [{ uri, isDirty: true, save: async () => true }];
    editor.will('cancel', person.presses(0));
    const check = { kind: 'check_again', body: {} };
    assert.deepEqual([await serve('act', check), place.sent], [{ state: 'left' }, []]);
    await serve('act', check);
    assert.deepEqual(place.sent, [['check_again', {}]]);
  });

  it('plan in full by the command, which asks for a note, and only where that can be done', async () => {
    await assert.rejects(async () => serve('run', { command: 'planInFull' }), { code: 'STATUS_CONFLICT' });
    place.become({ actions: ['plan_in_full'] });
    await serve('run', { command: 'planInFull' });
    assert.deepEqual(editor.ran, [['beadsmith.planInFull', { root: '/sample', ticket: 'TST-1' }]]);
  });
});
