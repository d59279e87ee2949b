import assert from 'node:assert/strict';
import { documentUri } from '../../../../src/views/documents/documentUri.ts';
import { pages } from '../../../../src/views/pages/pages.ts';
import type { Workbench } from '../../../../src/views/shared/workbench.ts';
import { editor, person, Uri, workspace } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

describe('the requests of the approval page', () => {
  let place: FakePlace;
  const workbench = { logError: () => undefined } as unknown as Workbench;
  const serve = (method: string): unknown =>
    (pages().find(({ name }) => name === 'approval') ?? assert.fail()).serve(method, {}, place, workbench);

  beforeEach(() => {
    editor.reset();
    place = new FakePlace({ ticket: { status: 'WAITING_PRD_APPROVAL' } });
  });

  for (const [method, action] of [
    ['fixGaps', 'fix_gaps'],
    ['checkAgain', 'check_again'],
  ] as const)
    it(`${method} sends ${action} without a question`, async () => {
      await serve(method);
      assert.deepEqual([place.sent, editor.shown], [[[action, {}]], []]);
    });

  it('checks again only what is saved, and asks about changes that aren’t', async () => {
    const uri = Uri.from(documentUri('/sample', 'TST-1', 'prd'));
    workspace.textDocuments = [{ uri, isDirty: true, save: async () => true }];
    editor.will('cancel', person.presses(0));
    assert.deepEqual([await serve('checkAgain'), place.sent], [{ state: 'left' }, []]);
    await serve('checkAgain');
    assert.deepEqual(place.sent, [['check_again', {}]]);
  });

  it('plans in full with the note that the editor asks for, or not at all', async () => {
    editor.will('leave', person.writes('It grew.'));
    await serve('planInFull');
    assert.deepEqual(place.sent, []);
    await serve('planInFull');
    assert.deepEqual(place.sent, [['plan_in_full', { note: 'It grew.' }]]);
  });
});
