import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import { CoverageReport } from '../../../../src/domain/requirements/interview.ts';
import { documentUri } from '../../../../src/views/documents/documentUri.ts';
import { approveGate, requestChanges } from '../../../../src/views/gates/approveGate.ts';
import { editor, type OpenDocument, person, Uri, workspace } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace, type TicketChanges } from '../../../support/fakes/ticketPlace.ts';

const gate = { artifact: 'prd', sha256: 'a'.repeat(64) };
const hash = { sha256: 'a'.repeat(64), reason: '' };

describe('the Quick Pick of a gate', () => {
  function waiting(changes: TicketChanges = {}): FakePlace {
    const place = new FakePlace({ gate, actions: ['approve', 'edit', 'regenerate', 'fix_gaps'], ...changes });
    place.client.documents.set('prd', 'title: Greeting\n');
    return place;
  }

  function withGaps(place: FakePlace, ...open_gaps: readonly string[]): FakePlace {
    const passes = [{ pass: 1, status: 'gaps', gaps: open_gaps, candidate: 'b'.repeat(64) }];
    const report = CoverageReport.parse({ schema_version: 1, passes, outcome: 'limit', open_gaps });
    place.client.documents.set('prd_coverage', stringify(report));
    return place;
  }

  function unsaved(save: () => boolean = () => true): OpenDocument {
    const uri = Uri.from(documentUri('/sample', 'TST-1', 'prd'));
    return { uri, isDirty: true, save: () => Promise.resolve(save()) };
  }

  const values = (): readonly unknown[] =>
    editor.shown.find(({ kind }) => kind === 'pick')?.items.map(({ value }) => value) ?? [];

  it('opens the document beside what the person works on, and approves exactly that', async () => {
    const place = waiting();
    editor.will(person.picks('approve'), person.presses(1));
    await approveGate(place);
    assert.equal(editor.opened.length, 1);
    assert.match(editor.opened[0] ?? '', /\/TST-1\/prd\.yaml$/, 'the person stays where they are');
    assert.deepEqual(place.sent, [['approve', hash]]);
    assert.equal(editor.said.length, 1);
  });

  it('says so when there is nothing to approve', async () => {
    for (const place of [new FakePlace(), new FakePlace({ gate })]) {
      editor.reset();
      await approveGate(place);
      assert.deepEqual(
        editor.shown.map(({ kind }) => kind),
        ['information'],
      );
      assert.match(editor.shown[0]?.text ?? '', /TST-1/);
      assert.deepEqual(place.sent, []);
    }
  });

  it('offers what the gate allows, and the gaps only while some are open', async () => {
    editor.will('leave', 'leave', 'leave');
    await approveGate(waiting());
    assert.deepEqual(values(), ['later', 'approve', 'regenerate', 'edit']);
    editor.shown.length = 0;
    await approveGate(withGaps(waiting(), 'Nobody says goodbye.', 'No tests.'));
    assert.deepEqual(values(), ['later', 'approve', 'fix_gaps', 'regenerate', 'edit']);
    assert.equal(
      editor.shown[0]?.items.find(({ value }) => value === 'fix_gaps')?.detail,
      'Nobody says goodbye. · No tests.',
    );
    editor.shown.length = 0;
    await approveGate(withGaps(waiting({ actions: ['approve'] }), 'A gap.'));
    assert.deepEqual(values(), ['later', 'approve', 'edit']);
  });

  it('says what regenerating does before it is chosen', async () => {
    editor.will('leave');
    const place = waiting({ gate: { artifact: 'interview', sha256: 'a'.repeat(64) } });
    place.client.documents.set('interview', 'questions: []\n');
    await approveGate(place);
    assert.match(
      editor.shown[0]?.items.find(({ value }) => value === 'regenerate')?.detail ?? '',
      /Your answers are kept/,
    );
  });

  it('asks why gaps may stay open, and sends the reason', async () => {
    const place = withGaps(waiting(), 'A gap.');
    editor.will(
      person.picks('approve'),
      person.writes(' '),
      person.writes('It is for later.'),
      person.presses(1),
    );
    await approveGate(place);
    assert.equal(editor.refusals.length, 1);
    assert.deepEqual(place.sent, [['approve', { ...hash, reason: 'It is for later.' }]]);
  });

  it('has the gaps fixed', async () => {
    const place = withGaps(waiting(), 'A gap.');
    editor.will(person.picks('fix_gaps'));
    await approveGate(place);
    assert.deepEqual(place.sent, [['fix_gaps', {}]]);
  });

  it('has the document checked again, as it is saved', async () => {
    const place = waiting({ actions: ['approve', 'edit', 'check_again'] });
    editor.will(person.picks('check_again'));
    await approveGate(place);
    assert.deepEqual(values(), ['later', 'approve', 'check_again', 'edit']);
    assert.deepEqual(place.sent, [['check_again', {}]]);
  });

  it('has the document made again, with a note', async () => {
    const place = waiting();
    editor.will(person.picks('regenerate'), person.writes('Smaller.'));
    await approveGate(place);
    assert.deepEqual(place.sent, [['regenerate', { note: 'Smaller.' }]]);
  });

  it('sends nothing when the person leaves, at either question, or wants to decide later', async () => {
    for (const answers of [
      ['leave'],
      [person.picks('later')],
      [person.picks('approve'), 'leave'],
      // What Enter takes in either.
      [person.picks('approve'), person.presses(0)],
      [person.picks('regenerate'), 'leave'],
    ] as const) {
      const place = waiting();
      editor.will(...answers);
      await approveGate(place);
      assert.deepEqual(place.sent, []);
    }
  });

  it('leads into the document for an edit', async () => {
    const place = waiting();
    editor.will(person.picks('edit'));
    await approveGate(place);
    assert.match(editor.opened.at(-1) ?? '', /\/TST-1\/prd\.yaml focused$/);
    assert.deepEqual(place.sent, []);
  });

  describe('with changes that are not saved', () => {
    it('saves them first when the person wants that', async () => {
      const place = waiting();
      let saved = 0;
      workspace.textDocuments = [unsaved(() => saved++ === 0)];
      editor.will(person.presses(0), person.picks('approve'), person.presses(1));
      await approveGate(place);
      assert.deepEqual([saved, place.sent.length], [1, 1]);
    });

    it('decides nothing when they can’t be saved, or the person cancels', async () => {
      for (const answer of [person.presses(0), 'cancel'] as const) {
        const place = waiting();
        workspace.textDocuments = [unsaved(() => false)];
        editor.will(answer);
        await approveGate(place);
        assert.deepEqual([place.sent, editor.left], [[], 0]);
      }
    });

    it('continues without them when the person says so', async () => {
      const place = waiting();
      workspace.textDocuments = [unsaved(() => assert.fail('nothing is saved'))];
      editor.will(person.presses(1), person.picks('approve'), person.presses(1));
      await approveGate(place);
      assert.deepEqual(place.sent, [['approve', hash]]);
    });

    it('does not mind those of other tickets and repositories', async () => {
      const place = waiting();
      const elsewhere = [
        documentUri('/sample', 'TST-2', 'prd'),
        documentUri('/other', 'TST-1', 'prd'),
        Uri.file('/sample/prd.yaml'),
      ];
      workspace.textDocuments = elsewhere.map((uri) => ({ ...unsaved(), uri: Uri.from(uri) }));
      editor.will(person.picks('approve'), person.presses(1));
      await approveGate(place);
      assert.equal(place.sent.length, 1);
    });
  });

  it('fails with the words of a driver that refuses it, and claims nothing', async () => {
    const place = waiting();
    place.client.becomes = { state: 'refused', code: 'STALE_APPROVAL', message: 'It changed.' };
    editor.will(person.picks('approve'), person.presses(1));
    await assert.rejects(approveGate(place), /It changed\./);
    assert.deepEqual(editor.said, []);
  });
});

describe('asking for changes', () => {
  let place: FakePlace;

  beforeEach(() => {
    place = new FakePlace({
      ticket: { status: 'WAITING_PR_REVIEW' },
      actions: ['changes'],
    });
  });

  it('notes changes one by one, and sends them at an empty line', async () => {
    editor.will(person.writes(' Louder. '), person.writes('And shorter.'), person.writes(''));
    await requestChanges(place);
    assert.deepEqual(place.sent, [['changes', { items: [{ text: 'Louder.' }, { text: 'And shorter.' }] }]]);
    assert.match(editor.shown[2]?.detail ?? '', /2/, 'it says how many are noted');
  });

  it('wants at least one change', async () => {
    editor.will(person.writes('  '), person.writes('Louder.'), person.writes(''));
    await requestChanges(place);
    assert.equal(editor.refusals.length, 1);
    assert.deepEqual(place.sent, [['changes', { items: [{ text: 'Louder.' }] }]]);
  });

  it('asks who leaves whether to send what was noted', async () => {
    editor.will(person.writes('Louder.'), person.writes('Shorter.'), 'leave', person.presses(0));
    await requestChanges(place);
    assert.equal(editor.shown.at(-1)?.detail, '- Louder.\n- Shorter.');
    assert.deepEqual(place.sent, [['changes', { items: [{ text: 'Louder.' }, { text: 'Shorter.' }] }]]);
  });

  it('sends nothing when the person throws that away, or noted nothing', async () => {
    editor.will(person.writes('Louder.'), 'leave', 'cancel');
    await requestChanges(place);
    editor.will('leave');
    await requestChanges(place);
    assert.deepEqual([place.sent, editor.left], [[], 0]);
  });

  it('sends after fifty, because no more fit', async () => {
    editor.will(...Array.from({ length: 50 }, (_, index) => person.writes(`Point ${String(index)}`)));
    await requestChanges(place);
    const [, body] = place.sent[0] ?? [];
    assert.equal((body as { items: unknown[] }).items.length, 50);
  });
});
