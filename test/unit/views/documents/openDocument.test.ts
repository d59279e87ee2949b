import assert from 'node:assert/strict';
import { showArtifact } from '../../../../src/views/documents/openDocument.ts';
import { editHandoff } from '../../../../src/views/gates/editHandoff.ts';
import { changeLimits } from '../../../../src/views/tickets/changeLimits.ts';
import { choosePromptParts } from '../../../../src/views/tickets/promptChoices.ts';
import type { Uri } from '../../../support/fakes/fakeEditor.ts';
import { editor, person, TabInputCustom, window } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

describe('a document that is opened', () => {
  let place: FakePlace;
  const rendered = (): unknown[] =>
    editor.ran.map(([command, uri, viewType]) => [command, (uri as Uri).path, viewType]);

  beforeEach(() => {
    place = new FakePlace();
    for (const type of ['pull_request_report', 'prd']) place.client.documents.set(type, 'text');
  });

  for (const [name, command, path] of [
    ['limits', changeLimits, '/TST-1/limits.yaml'],
    ['prompt rules', choosePromptParts, '/TST-1/prompt-rules.yaml'],
    ['the received handoff', editHandoff, '/TST-1/received-handoff.yaml'],
  ] as const)
    it(`can be edited where it is changed otherwise: ${name}`, async () => {
      place.client.documents.set('received_handoff', 'from: TST-7\n');
      editor.will(person.picksWhere(({ label }) => label.endsWith('Edit as File')));
      await command(place);
      assert.match(editor.opened.join(), new RegExp(`${path} focused$`));
      assert.deepEqual(place.sent, []);
    });

  it('is rendered if it is Markdown, and leaves the focus where it is', async () => {
    await showArtifact(place, 'pull_request_report');
    assert.deepEqual(editor.opened, []);
    assert.deepEqual(rendered(), [
      ['vscode.openWith', '/TST-1/pull-request.md', 'vscode.markdown.preview.editor'],
    ]);
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

  describe('at one of its items', () => {
    const at = (line: number): unknown => ({ start: { line } });
    const symbol = (
      name: string,
      detail: string,
      line: number,
      ...children: readonly unknown[]
    ): unknown => ({
      name,
      detail,
      selectionRange: at(line),
      children,
    });

    beforeEach(() => {
      const story = symbol('US-1-1', 'Greet by name', 3, symbol('US-1-1.AC1', 'It greets.', 5));
      editor.answers.set('vscode.executeDocumentSymbolProvider', [symbol('EPIC-1', 'Greet', 1, story)]);
    });

    it('shows the item, and takes the focus there', async () => {
      await showArtifact(place, 'prd', { items: ['US-1-1.AC1'] });
      assert.match(editor.opened.join(), /\/TST-1\/prd\.yaml focused$/);
      assert.deepEqual([editor.selected, editor.shown], [[at(5)], []]);
    });

    it('asks which, where there are several, and says what they are; who leaves stays where they are', async () => {
      editor.will(person.picks('US-1-1'), 'leave');
      await showArtifact(place, 'prd', { items: ['US-1-1', 'US-1-1.AC1', 'US-9-9'] });
      assert.deepEqual(editor.selected, [at(3)]);
      assert.deepEqual(
        [editor.shown[0]?.text, editor.shown[0]?.items.map(({ label, description }) => [label, description])],
        [
          'PRD',
          [
            ['US-1-1', 'Greet by name'],
            ['US-1-1.AC1', 'It greets.'],
            ['US-9-9', ''],
          ],
        ],
      );
      await showArtifact(place, 'prd', { items: ['US-1-1', 'US-1-1.AC1'] });
      assert.equal(editor.opened.length, 1);
    });

    it('shows its beginning where the item is gone, or nobody knows its items', async () => {
      await showArtifact(place, 'prd', { items: ['US-9-9'] });
      editor.answers.clear();
      await showArtifact(place, 'prd', { items: ['US-1-1'] });
      assert.deepEqual([editor.opened.length, editor.selected], [2, [undefined, undefined]]);
    });
  });
});
