import assert from 'node:assert/strict';
import { isBootstrapTool } from '../../../../src/domain/proof/bootstrapTools.ts';

describe('the tools that a bootstrap made', () => {
  for (const path of [
    'node_modules/mocha/bin/mocha.js',
    'node_modules/.bin/mocha',
    'node_modules/.pnpm/left@1.0.0/node_modules/left/index.js',
    'packages/a/node_modules/assert/dist/build/index.js',
    '.venv/bin/pytest',
    'env/lib/python3.12/site-packages/pytest.py',
    'vendor/bin/phpunit',
    'tools/bin/linter',
  ])
    it(`hold ${path}`, () => {
      assert.equal(isBootstrapTool(path, ['tools/bin']), true);
    });

  for (const path of [
    'node_modules/.cache/babel/x.json',
    'node_modules/.vite/deps/react.js',
    'node_modules/.prisma/client/index.js',
    'node_modules/.package-lock.json',
    'packages/a/node_modules/.tmp/tsconfig.tsbuildinfo',
    '.venv/lib/python3.12/site-packages/__pycache__/pytest.cpython-312.pyc',
    '.pytest_cache/v/cache/lastfailed',
    'target/debug/app',
    'build/classes/App.class',
    'dist/index.js',
    'dev.sqlite3',
    'vendor',
  ])
    it(`don’t hold ${path}`, () => {
      assert.equal(isBootstrapTool(path, ['tools/bin']), false);
    });
});
