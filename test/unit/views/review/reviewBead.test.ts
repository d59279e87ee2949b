import assert from 'node:assert/strict';
import { parseTarget, type Target } from '../../../../src/views/commands/ticketTarget.ts';
import { blobAddress, diffAddress } from '../../../../src/views/review/blobAddress.ts';
import {
  acceptAndNext,
  acceptBead,
  rejectBead,
  reviewChanges,
} from '../../../../src/views/review/reviewBead.ts';
import { showNextFile, viewAndNext } from '../../../../src/views/review/showDiff.ts';
import { shownDiff } from '../../../../src/views/review/shownDiff.ts';
import { editor, TabInputText, TabInputTextDiff, Uri, window } from '../../../support/fakes/fakeEditor.ts';
import { type Review, reviewedPlace } from '../../../support/fakes/reviewedPlace.ts';
import { viewedFiles } from '../../../support/fakes/viewedFiles.ts';

const to = 'b'.repeat(40);

/** The bead whose diff was opened, `all` for the ticket's. */
function opened(): string | undefined {
  const [, about] = editor.ran.at(-1) ?? [];
  const target = parseTarget((about as { multiDiffSourceUri?: Uri } | undefined)?.multiDiffSourceUri);
  return target.ticket === undefined ? undefined : (target.bead ?? 'all');
}

describe('Review Changes', () => {
  for (const [what, beads, shows] of [
    ['the first bead that nobody accepted', { a: 'accepted', b: 'none', c: 'none' }, 'b'],
    ['a bead that changed since it was accepted', { a: 'accepted', b: 'changed' }, 'b'],
    ['no bead that changed nothing or isn’t finished', { a: 'empty', b: 'pending', c: 'none' }, 'c'],
    ['the whole ticket when all are accepted', { a: 'accepted', b: 'rejected' }, 'all'],
    ['the whole ticket when no bead changed anything', { a: 'empty' }, 'all'],
  ] as const satisfies readonly (readonly [string, Readonly<Record<string, Review>>, string])[])
    it(`opens ${what}`, async () => {
      await reviewChanges(reviewedPlace(beads));
      assert.equal(opened(), shows);
    });
});

describe('Accept and Next', () => {
  const ended: string[] = [];
  const accept = async (beads: Readonly<Record<string, Review>>, target: Target) => {
    ended.length = 0;
    const place = reviewedPlace(beads);
    await acceptAndNext(place, target, async ({ ticket }) => {
      ended.push(ticket);
    });
    return place;
  };

  it('accepts what is shown, and opens the next bead to review', async () => {
    const { sent } = await accept(
      { a: 'none', b: 'none', c: 'accepted', d: 'none' },
      { bead: 'b', commit: to },
    );
    assert.deepEqual(sent, [['accept_bead', { bead: 'b', sha256: 'd'.repeat(64), reason: '' }]]);
    assert.deepEqual([opened(), ended], ['d', []]);
  });

  it('goes back to those before it, and ends after the last one', async () => {
    await accept({ a: 'none', b: 'none' }, { bead: 'b' });
    assert.deepEqual([opened(), ended], ['a', []]);
    editor.reset();
    await accept({ a: 'accepted', b: 'none' }, { bead: 'b' });
    assert.deepEqual([opened(), ended], [undefined, ['TST-1']]);
  });

  it('continues after a bead that is accepted already', async () => {
    const { sent } = await accept({ a: 'accepted', b: 'none' }, { bead: 'a' });
    assert.deepEqual([sent, opened()], [[], 'b']);
  });
});

describe('a decision about a diff', () => {
  it('isn’t taken when the bead has another diff by now, which is shown instead', async () => {
    for (const decide of [acceptBead, rejectBead]) {
      editor.reset();
      const place = reviewedPlace({ a: 'none' });
      await decide(place, { bead: 'a', commit: 'f'.repeat(40) });
      assert.deepEqual([place.sent, editor.shown[0]?.kind, opened()], [[], 'information', 'a']);
    }
  });
});

describe('the diff in front', () => {
  const scope = { kind: 'bead', bead: 'a' } as const;
  const side = (which: 'old' | 'new'): Uri =>
    Uri.from(blobAddress('/sample', { ticket: 'TST-1', path: 'a.ts', commit: to, side: which, scope }));
  const shows = (input: unknown): Target => {
    window.tabGroups.activeTabGroup.activeTab = { input };
    return parseTarget(shownDiff());
  };

  it('is found by a command that comes by a key: one file, or several in one editor', () => {
    const several = parseTarget(diffAddress('/sample', { ticket: 'TST-1', scope, commit: to }));
    assert.deepEqual([several.bead, several.commit], ['a', to]);
    const one = { ...several, file: 'a.ts' };
    assert.deepEqual(shows(new TabInputTextDiff(side('old'), side('new'))), one);
    assert.deepEqual(shows(new TabInputText(side('new'))), one);
    assert.deepEqual(shows({ textDiffs: [{ original: side('old'), modified: side('new') }] }), several);
    window.visibleTextEditors = [Uri.file('/a'), side('old'), side('new')].map((uri) => ({
      document: { uri },
    }));
    assert.deepEqual(shows({ textDiffs: [] }), several, 'all files were added');
  });

  it('is none where another editor is in front', () => {
    window.visibleTextEditors = [{ document: { uri: side('new') } }];
    for (const input of [undefined, {}, { textDiffs: 1 }, new TabInputText(Uri.file('/a'))])
      assert.deepEqual(shows(input), {});
  });
});

describe('the next file of a diff', () => {
  it('opens in the place of this one, and after the last one comes the first', async () => {
    const place = reviewedPlace({ a: 'none' });
    for (const [file, next] of [
      ['a.ts', 'a.test.ts'],
      ['a.test.ts', 'a.ts'],
    ] as const) {
      editor.reset();
      await showNextFile(place, { bead: 'a', file });
      const [command, , right] = editor.ran[0] ?? [];
      assert.deepEqual([command, parseTarget(right).file], ['vscode.diff', next]);
    }
  });

  it('is one that wasn’t viewed, once this one is', async () => {
    const place = reviewedPlace({ a: 'none' });
    const viewed = viewedFiles();
    const about = { root: place.repository.root, ticket: place.ticket };
    const has = (path: string): boolean => viewed.of(about).has('a', { path });
    await viewAndNext(place, { bead: 'a', file: 'a.ts', commit: 'a'.repeat(40) }, viewed);
    assert.deepEqual([has('a.ts'), editor.ran.length], [false, 1], 'another version is shown');
    editor.reset();
    await viewAndNext(place, { bead: 'a', file: 'a.ts', commit: to }, viewed);
    assert.deepEqual([has('a.ts'), parseTarget(editor.ran[0]?.[2]).file], [true, 'a.test.ts']);
    editor.reset();
    await viewAndNext(place, { bead: 'a', file: 'a.test.ts' }, viewed);
    assert.deepEqual([has('a.test.ts'), editor.ran], [true, []]);
    assert.equal(editor.shown[0]?.text, 'You viewed all files of a.');
  });

  it('comes into view in an editor with several files', async () => {
    const place = reviewedPlace({ a: 'none' });
    const uri = Uri.from(
      blobAddress('/sample', {
        ticket: 'TST-1',
        path: 'a.ts',
        commit: to,
        side: 'new',
        scope: { kind: 'bead', bead: 'a' },
      }),
    );
    window.activeTextEditor = { document: { uri } };
    await showNextFile(place, { bead: 'a' });
    const [command, about] = editor.ran[0] ?? [];
    const { reveal } = about as { reveal?: { modifiedUri: Uri } };
    assert.deepEqual(
      [command, parseTarget(reveal?.modifiedUri).file],
      ['_workbench.openMultiDiffEditor', 'a.test.ts'],
    );
  });
});
