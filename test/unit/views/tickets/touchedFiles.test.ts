import assert from 'node:assert/strict';
import { touchedFiles } from '../../../../src/views/tickets/worktreeDecorations.ts';

const changed = (path: string): string =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`;

describe('touchedFiles', () => {
  it('names the beads that changed, added, moved or removed a file', () => {
    const diffs = [
      {
        bead: 'one',
        diff: changed('src/a.ts') + 'diff --git a/n b/n\n--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1 @@\n+x\n',
      },
      {
        bead: 'two',
        diff: `${changed('src/a.ts')}diff --git a/x b/y\nsimilarity index 100%\nrename from x.ts\nrename to y.ts\n`,
      },
      { bead: 'three', diff: 'diff --git a/i.png b/i.png\nBinary files a/i.png and b/i.png differ\n' },
      { bead: 'four', diff: 'diff --git a/old b/old\n--- a/old.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n' },
    ];
    assert.deepEqual(
      [...touchedFiles(diffs)],
      [
        ['src/a.ts', ['one', 'two']],
        ['new.ts', ['one']],
        ['y.ts', ['two']],
        ['i.png', ['three']],
        ['old.ts', ['four']],
      ],
    );
  });

  it('finds nothing in an empty diff', () => {
    assert.equal(touchedFiles([{ bead: 'one', diff: '' }]).size, 0);
  });
});
