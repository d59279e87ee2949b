import assert from 'node:assert/strict';
import { showArtifact } from '../../../../src/views/documents/openDocument.ts';
import type { Uri } from '../../../support/fakes/fakeEditor.ts';
import { editor, TabInputCustom, window } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

describe('a document that is opened', () => {
  let place: FakePlace;
  const rendered = (): unknown[] => editor.ran.map(([command, uri, viewType]) => [command, (uri as Uri).path, viewType]);

  beforeEach(() => {
    editor.reset();
    place = new FakePlace();
    for (const type of ['pull_request_report', 'prd']) place.client.documents.set(type, 'text');
  });

  it('is rendered if it is Markdown, and leaves the focus where it is', async () => {
    await showArtifact(place, 'pull_request_report');
    assert.deepEqual(editor.opened, []);
    assert.deepEqual(rendered(), [['vscode.openWith', '/TST-1/pull-request.md', 'vscode.markdown.preview.editor']]);
    const [, , , options] = editor.ran[0] ?? [];
    assert.equal((options as { preserveFocus: boolean }).preserveFocus, true);
  });

  it('is shown as text otherwise', async () => {
    await showArtifact(place, 'prd');
    assert.deepEqual(rendered(), []);
    assert.match(editor.opened.join(), /\/TST-1\/prd\.yaml/);
  });

  it('goes where a rendered one is already, beside what the person works on', async () => {
    await showArtifact(place, 'pull_request_report');
    const [, uri] = editor.ran[0] ?? [];
    window.tabGroups.all = [
      { viewColumn: 1, tabs: [{ input: undefined }] },
      { viewColumn: 2, tabs: [{ input: new TabInputCustom(uri as Uri) }] },
    ];
    await showArtifact(place, 'pull_request_report');
    const [, , , options] = editor.ran[1] ?? [];
    assert.equal((options as { viewColumn: number }).viewColumn, 2);
  });

  it('is not opened where the ticket doesn’t have it', async () => {
    await showArtifact(place, 'beads');
    assert.deepEqual([editor.opened, editor.ran, editor.shown[0]?.kind], [[], [], 'information']);
  });
});
