import assert from 'node:assert/strict';
import { QaChecklist } from '../../../../src/domain/documents/qaChecklist.ts';
import { answerQa } from '../../../../src/views/gates/answerQa.ts';
import { editor, person } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

const checklist = QaChecklist.parse({
  schema_version: 1,
  round: 1,
  items: [
    { id: 'qa-v1-001', title: 'Greeting', actions: ['Run it', 'Type a name'], expectedResult: 'hello' },
    { id: 'qa-v1-002', title: 'Colour', actions: ['Look'], severity: 'optional' },
  ],
});

describe('manual QA by Quick Pick', () => {
  let place: FakePlace;

  beforeEach(() => {
    place = new FakePlace({ ticket: { status: 'WAITING_MANUAL_QA' }, actions: ['qa'] });
    place.client.documents.set('manual_qa_checklist', JSON.stringify(checklist));
  });

  it('goes through the items and sends what was found', async () => {
    editor.will(
      person.picks('fail'),
      person.writes(' It says bye. '),
      person.picks('waive'),
      person.writes(''),
    );
    await answerQa(place);
    const results = {
      'qa-v1-001': { result: 'fail', observation: 'It says bye.' },
      'qa-v1-002': { result: 'waive', observation: '' },
    };
    assert.deepEqual(place.sent, [['qa', { results }]]);
  });

  it('shows what to do and what should come of it', async () => {
    editor.will('leave');
    await answerQa(place);
    assert.equal(editor.shown[0]?.detail, 'Run it → Type a name → hello');
    assert.equal(editor.shown[0].items.find(({ value }) => value === 'pass')?.detail, 'hello');
  });

  it('wants to know what was seen where something failed', async () => {
    editor.will(person.picks('fail'), person.writes(' '), person.writes('Nothing.'), person.picks('pass'));
    await answerQa(place);
    assert.equal(editor.refusals.length, 1);
    const [, body] = place.sent[0] ?? [];
    assert.deepEqual(body, {
      results: {
        'qa-v1-001': { result: 'fail', observation: 'Nothing.' },
        'qa-v1-002': { result: 'pass', observation: '' },
      },
    });
  });

  it('leads back to the item before, and sends nothing when the person leaves', async () => {
    editor.will(person.picks('pass'), 'back', person.picks('pass'), 'leave');
    await answerQa(place);
    assert.deepEqual([place.sent, editor.left], [[], 0]);
    assert.equal(editor.shown[2]?.text, editor.shown[0]?.text);
  });

  it('says so when there is no checklist', async () => {
    place.client.documents.clear();
    await answerQa(place);
    assert.deepEqual([editor.shown[0]?.kind, place.sent], ['information', []]);
  });
});
