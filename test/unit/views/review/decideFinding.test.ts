import assert from 'node:assert/strict';
import type { Dismissal } from '../../../../src/domain/findings/dismissal.ts';
import {
  acceptFinding,
  dismissFinding,
  makeBeadOfFinding,
} from '../../../../src/views/review/decideFinding.ts';
import { showDismissals } from '../../../../src/views/review/dismissals.ts';
import { parseBlobAddress } from '../../../../src/views/review/blobAddress.ts';
import { showFinding } from '../../../../src/views/review/showFinding.ts';
import { editor, person, type Uri } from '../../../support/fakes/fakeEditor.ts';
import { findingView } from '../../../support/fakes/fakeFindings.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

const found = findingView();
const { id } = found.finding;
const picks = (label: RegExp) => person.picksWhere((item) => label.test(item.label));

describe('deciding about findings', () => {
  let place: FakePlace;

  beforeEach(() => {
    place = new FakePlace({ ticket: { status: 'CODING' }, actions: ['finding'] });
    place.client.findings.found = [found];
  });

  it('accepts the one that is named, with the hash of what was seen', async () => {
    await acceptFinding(place, { finding: id });
    assert.deepEqual(place.sent, [
      ['finding', { finding: id, verdict: 'accept', reason: '', sha256: found.sha256 }],
    ]);
  });

  it('dismisses with a reason, and never without one', async () => {
    editor.will(person.writes('  '), person.writes(' It is meant so. '));
    await dismissFinding(place, { finding: id });
    assert.deepEqual(place.sent, [
      ['finding', { finding: id, verdict: 'dismiss', reason: 'It is meant so.', sha256: found.sha256 }],
    ]);
  });

  it('asks which one, among those nobody decided about', async () => {
    const other = findingView({
      finding: { id: 'other', claim: 'Else.' },
      decision: { verdict: 'dismiss', reason: 'No.' },
    });
    place.client.findings.found = [found, other];
    editor.will(picks(/Nobody is greeted/));
    await makeBeadOfFinding(place, {});
    assert.deepEqual(place.sent, [
      ['finding', { finding: id, verdict: 'bead', reason: '', sha256: found.sha256 }],
    ]);
    place.client.findings.found = [other];
    await makeBeadOfFinding(place, {});
    assert.equal(place.sent.length, 1);
  });

  it('sends nothing about a finding that is gone', async () => {
    await acceptFinding(place, { finding: 'gone' });
    assert.deepEqual(place.sent, []);
  });

  it('opens what was reviewed at the line, while the bead has no diff', async () => {
    place.client.diffs.files.set(
      `${'c'.repeat(40)}:src/greet.ts`,
      "export function greet() {\n  return 'Hello';\n}\n",
    );
    await showFinding(place, { finding: id });
    const [command, uri] = editor.ran[0] ?? [];
    const blob = parseBlobAddress(uri as Uri);
    assert.deepEqual(
      [command, blob?.path, blob?.commit, blob?.scope],
      ['vscode.open', 'src/greet.ts', 'c'.repeat(40), { kind: 'iteration', bead: 'greet', iteration: 1 }],
    );
  });
});

describe('dismissed findings', () => {
  const dismissal: Dismissal = {
    number: 1,
    revision: 1,
    ticket: 'TST-1',
    finding: id,
    category: 'correctness',
    file: 'src/greet.ts',
    claim: 'No name.',
    reason: 'Meant so.',
    at: '',
  };
  let place: FakePlace;

  beforeEach(() => {
    place = new FakePlace();
    place.client.findings.stored = [dismissal];
  });

  it('are listed, and their reasons edited', async () => {
    editor.will(picks(/No name/), picks(/Edit Reason/), person.writes('It is a template.'), 'leave');
    await showDismissals(place.repository);
    assert.deepEqual(
      place.client.findings.stored.map(({ reason }) => reason),
      ['It is a template.'],
    );
  });

  it('are removed', async () => {
    editor.will(picks(/No name/), picks(/Remove Dismissal/));
    await showDismissals(place.repository);
    assert.deepEqual(place.client.findings.stored, []);
  });
});
