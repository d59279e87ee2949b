import assert from 'node:assert/strict';
import { classifyChange } from '../../../../src/domain/core/noise.ts';

describe('noise', () => {
  const untracked = (path: string, rules = {}) => classifyChange({ path, state: 'untracked' }, rules);

  it('leaves what tools generate out of a commit', () => {
    const generated = ['node_modules/a/index.js', 'packages/x/node_modules/a.js', '.env', 'a/.env.local'];
    for (const path of [...generated, 'docs/.DS_Store', 'src/__pycache__/a.pyc'])
      assert.equal(untracked(path), 'noise', path);
  });

  it('leaves to the proof what only its name speaks against', () => {
    for (const path of [
      'dist/main.js',
      'build/a.o',
      'bin/tool.sh',
      'cmake-build-debug/x',
      'server.log',
      'vendor/bundle/gem',
      'Cargo.lock',
    ]) {
      assert.equal(untracked(path), 'doubtful', path);
    }
  });

  it('leaves to the proof what a compiler wrote, unless the bead names it', () => {
    assert.equal(classifyChange({ path: 'test_add', state: 'untracked', program: true }), 'doubtful');
    assert.equal(classifyChange({ path: 'test_add', state: 'modified', program: true }), 'committable');
    assert.equal(
      classifyChange({ path: 'test_add', state: 'untracked', program: true }, { wanted: ['test_add'] }),
      'committable',
    );
  });

  it('commits what people write', () => {
    for (const path of [
      'src/build/main.ts',
      'src/bin/cli.ts',
      '.env.example',
      'a/.env.sample',
      'vendor/lib.js',
      'distribution/a.md',
      'log.ts',
    ]) {
      assert.equal(untracked(path), 'committable', path);
    }
  });

  it('never takes a tracked file for noise', () => {
    for (const state of ['modified', 'added', 'deleted', 'renamed'])
      assert.equal(classifyChange({ path: 'dist/main.js', state }), 'committable');
  });

  it('commits a generated-looking file the bead names', () => {
    assert.equal(untracked('bin/tool.js', { wanted: ['bin/tool.js'] }), 'committable');
    assert.equal(untracked('bin/other.js', { wanted: ['bin/tool.js'] }), 'doubtful');
    assert.equal(untracked('build/gen/a.js', { wanted: ['build/gen/'] }), 'committable');
  });

  it('knows its own folder and the prepared environment', () => {
    assert.equal(classifyChange({ path: '.ticket/prd.yaml', state: 'modified' }), 'ticket');
    assert.equal(untracked('.tickets/a', {}), 'committable');
    assert.equal(untracked('tools/cache/a', { setup: ['tools/cache'] }), 'setup');
    assert.equal(
      classifyChange({ path: 'tools/cache/a', state: 'modified' }, { setup: ['tools/cache'] }),
      'setup',
    );
    assert.equal(untracked('tools/cached', { setup: ['tools/cache'] }), 'committable');
  });
});
