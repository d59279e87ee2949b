import assert from 'node:assert/strict';
import { decidesBootstrap } from '../../../../src/domain/proof/provingFiles.ts';

describe('a file that decides what a bootstrap installs', () => {
  const decides = (path: string, ...commands: string[]): boolean => decidesBootstrap(path, commands);

  it('says what a project needs, wherever it is', () => {
    for (const path of [
      'package-lock.json',
      'packages/app/package.json',
      'Cargo.lock',
      'requirements-dev.txt',
    ])
      assert.ok(decides(path), path);
    assert.equal(decides('src/index.js', 'npm ci'), false);
  });

  it('is named in a command, or has the targets that a command runs', () => {
    assert.ok(decides('scripts/prepare.sh', 'sh ./scripts/prepare.sh --quiet'));
    assert.ok(decides('tools/prepare.sh', 'cd tools && ./prepare.sh'));
    assert.ok(decides('reqs/dev.in', 'pip install --requirement="reqs/dev.in"'));
    assert.ok(decides('Makefile', 'make deps'));
    assert.equal(decides('Makefile', 'npm ci'), false);
    assert.equal(decides('docs/quiet', 'sh ./scripts/prepare.sh quiet'), false);
  });
});
