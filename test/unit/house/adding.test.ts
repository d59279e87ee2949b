import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { addingPatches, applyPatch, listedFiles } from '../../support/addingPatches.ts';

const root = join(import.meta.dirname, '../../..');

describe('docs/adding.md', () => {
  for (const patch of addingPatches())
    describe(patch.path, () => {
      it('touches few files, the ones that the page lists', () => {
        assert.ok(
          patch.files.length <= patch.most,
          `${String(patch.files.length)} files, at most ${String(patch.most)}`,
        );
        assert.deepEqual(listedFiles(patch.path).toSorted(), patch.files.toSorted());
      });

      it('applies to the code as it is', () => {
        applyPatch(root, patch, '--check');
      });
    });

  it('has a patch for each thing that is added most', () => {
    const names = addingPatches().map(({ path }) => basename(path));
    for (const name of ['setting.patch', 'bead-stage.patch']) assert.ok(names.includes(name), name);
  });

  it('says how to refresh a patch that no longer applies', () => {
    const [patch] = addingPatches();
    assert.ok(patch);
    assert.throws(
      () => applyPatch(root, patch, '--check', '--reverse'),
      /no longer applies\. To refresh it.*\n {2}git apply --3way/,
    );
  });
});
