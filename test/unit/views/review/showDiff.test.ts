import assert from 'node:assert/strict';
import type { Bead } from '../../../../src/domain/beads/bead.ts';
import type { DiffFile, DiffScope, DiffView } from '../../../../src/protocol/review.ts';
import { parseBlobAddress } from '../../../../src/views/review/blobAddress.ts';
import { parseTarget } from '../../../../src/views/commands/ticketTarget.ts';
import { acceptBead, rejectBead, showEvidence } from '../../../../src/views/review/reviewBead.ts';
import { compareIterations, showDiff, showFileDiff } from '../../../../src/views/review/showDiff.ts';
import { editor, person, type Uri } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';
import { sampleBead } from '../../../support/samples.ts';

const [from, to] = ['a'.repeat(40), 'b'.repeat(40)];
const sha256 = 'd'.repeat(64);
const modified = (path: string): DiffFile => ({ path, oldPath: null, change: 'modified', binary: false });
const bead = (id: string, changes: Partial<Bead> = {}): Bead =>
  sampleBead({ id, status: 'done', ...changes });

let place: FakePlace;

function coded(...beads: readonly Bead[]): void {
  editor.reset();
  place = new FakePlace({ ticket: { status: 'WAITING_PR_REVIEW' }, actions: ['accept_bead', 'changes'] });
  place.client.beads = () => Promise.resolve({ beads, sha256 });
}

function changed(scope: DiffScope, files: readonly DiffFile[], over: Partial<DiffView> = {}): void {
  place.client.diffs.set({ scope, from, to, sha256, files, ...over });
}

describe('the diffs of a ticket', () => {
  beforeEach(() => coded(bead('greet'), bead('leave', { status: 'pending' })));

  type Side = Uri | undefined;
  const side = (uri: Side): unknown => {
    const blob = uri && parseBlobAddress(uri);
    return blob ? [blob.path, blob.commit] : 'none';
  };

  const sides = (): unknown[] => {
    const [command, about, resources] = editor.ran[0] ?? [];
    assert.equal(command, '_workbench.openMultiDiffEditor');
    assert.equal(resources, undefined);
    const shown = about as { resources: { originalUri: Side; modifiedUri: Side }[] };
    return shown.resources.map(({ originalUri, modifiedUri }) => [side(originalUri), side(modifiedUri)]);
  };
  const compared = (): unknown[] => {
    const [command, , resources] = editor.ran[0] ?? [];
    assert.equal(command, 'vscode.changes');
    return (resources as [Uri, Side, Side][]).map(([, left, right]) => [side(left), side(right)]);
  };

  it('open in the multi-diff editor, with both sides of each file', async () => {
    const files: DiffFile[] = [
      modified('src/greet.ts'),
      { path: 'new.ts', oldPath: null, change: 'added', binary: false },
      { path: 'gone.ts', oldPath: null, change: 'deleted', binary: false },
      { path: 'there.ts', oldPath: 'here.ts', change: 'renamed', binary: false },
    ];
    changed({ kind: 'ticket' }, files);
    await showDiff(place, { scope: 'ticket' });
    assert.deepEqual(sides(), [
      [
        ['src/greet.ts', from],
        ['src/greet.ts', to],
      ],
      ['none', ['new.ts', to]],
      [['gone.ts', from], 'none'],
      [
        ['here.ts', from],
        ['there.ts', to],
      ],
    ]);
  });

  it('of the whole ticket hold what isn’t committed yet, while there is such', async () => {
    changed({ kind: 'ticket' }, [modified('a.ts'), modified('b.ts')]);
    const tree = 'c'.repeat(40);
    changed({ kind: 'worktree', since: 'base' }, [modified('a.ts'), modified('c.ts')], { to: tree });
    await showDiff(place, { scope: 'ticket' });
    assert.deepEqual(sides(), [
      [
        ['a.ts', from],
        ['a.ts', tree],
      ],
      [
        ['c.ts', from],
        ['c.ts', tree],
      ],
    ]);
    const { resources } = editor.ran[0]?.[1] as { resources: { modifiedUri: Uri }[] };
    // Comments written here are found on the ticket's later diffs.
    assert.deepEqual(resources[0] && parseBlobAddress(resources[0].modifiedUri)?.scope, { kind: 'ticket' });
    editor.will('leave');
    await showDiff(place, {});
    assert.deepEqual(
      editor.shown[0]?.items.map(({ label }) => label),
      ['The whole ticket, with uncommitted changes'],
    );
  });

  it('have an address, by which menus and commands know what is shown', async () => {
    changed({ kind: 'bead', bead: 'greet' }, [modified('a.ts'), modified('b.ts')]);
    await showDiff(place, { bead: 'greet' });
    const { multiDiffSourceUri, title } = editor.ran[0]?.[1] as { multiDiffSourceUri: Uri; title: string };
    const { repository: _, ...target } = parseTarget(multiDiffSourceUri);
    assert.deepEqual(target, { ticket: 'TST-1', bead: 'greet', commit: to });
    assert.equal(title, 'TST-1: greet');
  });

  it('open without an address in an editor that no longer has the command for that', async () => {
    editor.answers.set('_workbench.openMultiDiffEditor', Promise.reject(new Error('not found')));
    changed({ kind: 'ticket' }, [modified('a.ts'), modified('b.ts')]);
    await showDiff(place, { scope: 'ticket' });
    assert.deepEqual(
      editor.ran.map(([command]) => command),
      ['_workbench.openMultiDiffEditor', 'vscode.changes'],
    );
  });

  it('are chosen among those that there are', async () => {
    changed({ kind: 'ticket' }, [modified('a.ts'), modified('b.ts')]);
    changed({ kind: 'bead', bead: 'greet' }, [modified('a.ts')]);
    editor.will(person.picksWhere(({ value }) => (value as DiffView).scope.kind === 'bead'));
    await showDiff(place, {});
    assert.equal(editor.shown[0]?.items.length, 2, 'a bead without changes is not offered');
    assert.deepEqual(sides(), [
      [
        ['a.ts', from],
        ['a.ts', to],
      ],
    ]);
  });

  it('show nothing when the person leaves', async () => {
    changed({ kind: 'ticket' }, [modified('a.ts')]);
    editor.will('leave');
    await showDiff(place, {});
    assert.deepEqual(editor.ran, []);
  });

  it('say so when there are none', async () => {
    for (const target of [
      {},
      { scope: 'ticket' },
      { bead: 'greet' },
      { bead: 'greet', iteration: 2 },
    ] as const) {
      editor.reset();
      await showDiff(place, target);
      assert.deepEqual([editor.shown[0]?.kind, editor.ran], ['information', []]);
    }
  });

  it('say so when they hold no file', async () => {
    changed({ kind: 'ticket' }, []);
    await showDiff(place, { scope: 'ticket' });
    assert.deepEqual([editor.shown[0]?.kind, editor.ran], ['information', []]);
  });

  it('open one file in the diff editor, without a question where there is only one', async () => {
    changed({ kind: 'bead', bead: 'greet' }, [modified('src/greet.ts')]);
    await showFileDiff(place, { bead: 'greet' });
    const [command, left, right, title] = editor.ran[0] ?? [];
    assert.equal(command, 'vscode.diff');
    assert.deepEqual(
      [parseBlobAddress(left as Uri)?.commit, parseBlobAddress(right as Uri)?.commit],
      [from, to],
    );
    assert.match(String(title), /greet\.ts/);
  });

  for (const [name, show] of [
    ['in the diff editor', showFileDiff],
    ['alone', showDiff],
  ] as const) {
    const [added, deleted] = (['added', 'deleted'] as const).map((change): DiffFile => ({
      ...modified('src/greet.ts'),
      change,
    }));

    it(`open an added file that is opened ${name} as a document, with no left side`, async () => {
      changed({ kind: 'bead', bead: 'greet' }, [added!]);
      await show(place, { bead: 'greet' });
      const [command, shown, , title] = editor.ran[0] ?? [];
      assert.deepEqual(
        [editor.ran.length, command, side(shown as Uri)],
        [1, 'vscode.open', ['src/greet.ts', to]],
      );
      assert.equal(parseBlobAddress(shown as Uri)?.side, 'new', 'where comments belong');
      assert.match(String(title), /greet\.ts .*added/);
    });

    it(`open a deleted file that is opened ${name} as it was`, async () => {
      changed({ kind: 'bead', bead: 'greet' }, [deleted!]);
      await show(place, { bead: 'greet' });
      const [command, shown, , title] = editor.ran[0] ?? [];
      assert.deepEqual(
        [editor.ran.length, command, side(shown as Uri)],
        [1, 'vscode.open', ['src/greet.ts', from]],
      );
      assert.match(String(title), /greet\.ts .*deleted/);
    });
  }

  it('ask which file, and report the result', async () => {
    changed({ kind: 'bead', bead: 'greet' }, [
      modified('a.ts'),
      { path: 'there.ts', oldPath: 'here.ts', change: 'renamed', binary: false },
    ]);
    editor.will(person.picksWhere(({ value }) => (value as DiffFile).path === 'there.ts'));
    await showFileDiff(place, { bead: 'greet' });
    assert.match(editor.shown[0]?.items[1]?.description ?? '', /here\.ts/);
    assert.equal(editor.ran.length, 1);
  });

  it('ask nothing about a file that is named, unless the diff has none of that name', async () => {
    changed({ kind: 'bead', bead: 'greet' }, [modified('a.ts'), modified('b.ts')]);
    await showFileDiff(place, { bead: 'greet', file: 'b.ts' });
    const [command, left, right, title] = editor.ran[0] ?? [];
    assert.deepEqual(
      [command, side(left as Uri), side(right as Uri)],
      ['vscode.diff', ['b.ts', from], ['b.ts', to]],
    );
    assert.match(String(title), /^b\.ts \(.*greet/);
    editor.will('leave');
    await showFileDiff(place, { bead: 'greet', file: 'gone.ts' });
    assert.deepEqual([editor.shown.length, editor.ran.length], [1, 1]);
  });

  describe('of two iterations', () => {
    const iteration = (number: number, commit: string): void =>
      changed({ kind: 'iteration', bead: 'greet', iteration: number }, [modified('a.ts'), modified('b.ts')], {
        to: commit,
      });

    beforeEach(() => coded(bead('greet', { iteration: 3 })));

    it('show what differs between what they came to', async () => {
      const [one, two] = ['1'.repeat(40), '2'.repeat(40)];
      iteration(1, one);
      iteration(2, two);
      for (const [key, text] of [
        [`${one}:a.ts`, 'x'],
        [`${two}:a.ts`, 'y'],
        [`${one}:b.ts`, 'same'],
        [`${two}:b.ts`, 'same'],
      ] as const)
        place.client.diffs.files.set(key, text);
      await compareIterations(place, { bead: 'greet', iteration: 2 });
      assert.deepEqual(compared(), [
        [
          ['a.ts', one],
          ['a.ts', two],
        ],
      ]);
    });

    it('show a file that is only in one of them', async () => {
      const [one, two] = ['1'.repeat(40), '2'.repeat(40)];
      iteration(1, one);
      iteration(2, two);
      place.client.diffs.files.set(`${one}:a.ts`, 'old');
      place.client.diffs.files.set(`${two}:b.ts`, 'new');
      await compareIterations(place, { bead: 'greet' });
      assert.deepEqual(compared(), [
        [['a.ts', one], 'none'],
        ['none', ['b.ts', two]],
      ]);
    });

    it('ask with which one, if there are several', async () => {
      for (const number of [1, 2, 3]) {
        iteration(number, String(number).repeat(40));
        place.client.diffs.files.set(`${String(number).repeat(40)}:a.ts`, String(number));
      }
      editor.will(
        person.picksWhere(({ value }) => (value as { scope: { iteration: number } }).scope.iteration === 1),
      );
      await compareIterations(place, { bead: 'greet', iteration: 3 });
      assert.equal(editor.shown[0]?.items.length, 2);
      assert.deepEqual(compared(), [
        [
          ['a.ts', '1'.repeat(40)],
          ['a.ts', '3'.repeat(40)],
        ],
      ]);
    });

    it('say so when there aren’t two', async () => {
      iteration(1, '1'.repeat(40));
      await compareIterations(place, { bead: 'greet' });
      assert.deepEqual([editor.shown[0]?.kind, editor.ran], ['information', []]);
    });
  });
});

describe('the review of a bead', () => {
  beforeEach(() => {
    coded(bead('greet'), bead('leave', { status: 'pending' }));
    changed({ kind: 'bead', bead: 'greet' }, [modified('a.ts')]);
  });

  it('accepts exactly the diff that there is', async () => {
    await acceptBead(place, { bead: 'greet' });
    assert.deepEqual(place.sent, [['accept_bead', { bead: 'greet', sha256, reason: '' }]]);
    assert.equal(editor.said.length, 1);
  });

  it('does not accept the same diff twice, but another one', async () => {
    const review = {
      schema_version: 1,
      bead_id: 'greet',
      verdict: 'accepted',
      reason: '',
      reviewed_by: 'user',
      reviewed_at: 'now',
    };
    place.client.documents.set('bead_review:greet', JSON.stringify({ ...review, diff_sha256: sha256 }));
    await acceptBead(place, { bead: 'greet' });
    assert.deepEqual([place.sent, editor.shown[0]?.kind], [[], 'information']);
    place.client.documents.set(
      'bead_review:greet',
      JSON.stringify({ ...review, diff_sha256: 'e'.repeat(64) }),
    );
    await acceptBead(place, { bead: 'greet' });
    assert.equal(place.sent.length, 1);
  });

  it('rejects with a reason', async () => {
    editor.will(person.writes(' '), person.writes(' Too loud. '));
    await rejectBead(place, { bead: 'greet' });
    assert.equal(editor.refusals.length, 1);
    assert.deepEqual(place.sent, [
      ['changes', { items: [{ text: 'Too loud.', bead: 'greet', rejects: sha256 }] }],
    ]);
  });

  it('rejects nothing when the person leaves', async () => {
    editor.will('leave');
    await rejectBead(place, { bead: 'greet' });
    assert.deepEqual(place.sent, []);
  });

  it('asks which bead, of those that are done', async () => {
    editor.will(person.picks('greet'));
    await acceptBead(place, {});
    assert.deepEqual(
      editor.shown[0]?.items.map(({ value }) => value),
      ['greet'],
    );
    assert.equal(place.sent.length, 1);
  });

  it('says so when the bead isn’t done, or none is', async () => {
    await acceptBead(place, { bead: 'leave' });
    coded(bead('leave', { status: 'pending' }));
    await rejectBead(place, {});
    await showEvidence(place, {});
    assert.deepEqual(
      editor.shown.map(({ kind }) => kind),
      ['information', 'information'],
    );
    assert.deepEqual(place.sent, []);
  });

  it('opens the evidence of its checks', async () => {
    place.client.documents.set('bead_execution:greet', '{}');
    await showEvidence(place, { bead: 'greet' });
    assert.match(editor.opened[0] ?? '', /greet/);
  });
});
