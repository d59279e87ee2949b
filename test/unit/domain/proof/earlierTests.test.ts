import assert from 'node:assert/strict';
import { earlierFiles } from '../../../../src/domain/proof/earlierTests.ts';

const file = (
  path: string,
  change: string,
  before: string | null = 'a',
  after: string | null = 'b',
  oldPath: string | null = null,
) => ({
  path,
  oldPath,
  change,
  before,
  after,
});
const restored = (...[changes, planned, programs]: Parameters<typeof earlierFiles>): readonly string[] =>
  earlierFiles(changes, planned, programs).restored;

describe('the files that tests of before need as they were', () => {
  it('are tests, fixtures, configuration and scripts of checks, whatever became of them', () => {
    const changed = [
      'src/a.test.js',
      'tests/data/x.json',
      'pkg/conftest.py',
      'jest.config.js',
      'Makefile',
      'src/main.test.ts',
    ];
    assert.deepEqual(restored([file('golden/a.json', 'modified'), file('expected/a.txt', 'modified')], []), [
      'golden/a.json',
      'expected/a.txt',
    ]);
    assert.deepEqual(
      restored(
        [
          ...changed.slice(0, 5).map((path) => file(path, 'modified')),
          file('src/main.test.ts', 'deleted', 'a', null),
        ],
        [],
      ),
      changed,
    );
    assert.deepEqual(restored([file('old/a.js', 'renamed', 'a', 'a', 'test/a.js')], []), [
      'test/a.js',
      'old/a.js',
    ]);
    assert.deepEqual(restored([file('tools/run.js', 'modified')], [], ['tools/run.js']), ['tools/run.js']);
  });

  it('are not the work, and not what it needs', () => {
    assert.deepEqual(
      restored(
        ['src/a.js', 'README.md', 'package-lock.json', 'go.mod', 'requirements.txt'].map((path) =>
          file(path, 'modified'),
        ),
        [],
      ),
      [],
    );
    assert.deepEqual(
      restored([file('src/new.test.js', 'added', null), file('fixtures/new.json', 'added', null)], []),
      [],
    );
  });

  it('are not those that the plan names, under either name', () => {
    assert.deepEqual(restored([file('a.test.js', 'modified')], ['a.test.js']), []);
    assert.deepEqual(restored([file('b.test.js', 'renamed', 'a', 'a', 'a.test.js')], ['a.test.js']), []);
    assert.deepEqual(
      earlierFiles([file('package.json', 'modified', '{"scripts":{"test":"a"}}', '{}')], ['package.json'])
        .texts,
      {},
    );
  });

  it('are without what is new and would change how tests run', () => {
    const added = [
      'conftest.py',
      'pytest.ini',
      'lib/pytest.py',
      'GNUmakefile',
      '.npmrc',
      'site/evil.pth',
      'node_modules/assert/index.js',
      'tools/node',
      'bin/cmp',
      'test',
      'local.mk',
      '.mvn/maven.config',
      'src/test/resources/junit-platform.properties',
      '.mocharc.json',
      '.env',
    ];
    assert.deepEqual(
      restored(
        added.map((path) => file(path, 'added', null)),
        [],
      ),
      added,
    );
    assert.deepEqual(restored([file('tests/__init__.py', 'added', null, 'import a')], []), [
      'tests/__init__.py',
    ]);
    assert.deepEqual(
      restored(
        [
          file('tests/__init__.py', 'added', null, ''),
          file('a/__init__.py', 'added', null),
          file('src/node.js', 'added', null),
        ],
        [],
      ),
      [],
    );
    assert.deepEqual(restored([file('.env', 'modified'), file('node_modules/a/index.js', 'modified')], []), [
      '.env',
      'node_modules/a/index.js',
    ]);
    assert.equal(earlierFiles([file('conftest.py', 'added', null)], []).isConfigured, true);
    assert.equal(earlierFiles([file('a.test.js', 'modified')], []).isConfigured, false);
  });

  it('keep what a manifest says of the package, with the scripts and settings of before', () => {
    const before = JSON.stringify({ name: 'a', scripts: { test: 'mocha' }, mocha: { spec: 'test' } });
    const after = JSON.stringify({
      name: 'a',
      scripts: { pretest: 'x', test: 'true' },
      jest: {},
      dependencies: { b: '1' },
    });
    const { texts, isConfigured } = earlierFiles([file('package.json', 'modified', before, after)], []);
    assert.deepEqual(JSON.parse(texts['package.json'] ?? ''), {
      name: 'a',
      dependencies: { b: '1' },
      scripts: { test: 'mocha' },
      mocha: { spec: 'test' },
    });
    assert.equal(isConfigured, true);
    const dependency = JSON.stringify({
      name: 'a',
      scripts: { test: 'mocha' },
      mocha: { spec: 'test' },
      dependencies: { b: '1' },
    });
    assert.deepEqual(earlierFiles([file('package.json', 'modified', before, dependency)], []).texts, {});
    assert.deepEqual(earlierFiles([file('package.json', 'modified', before, 'broken')], []).texts, {});
  });

  it('take the inline tests of Rust from before, and the code beside them from the work', () => {
    const source = (code: string, test: string) =>
      `fn a() { ${code} }\n#[cfg(test)]\nmod tests { ${test} }\n`;
    const changes = [file('src/lib.rs', 'modified', source('1', 'old'), source('2', 'new'))];
    assert.deepEqual(earlierFiles(changes, []).texts, { 'src/lib.rs': source('2', 'old') });
    assert.deepEqual(
      earlierFiles([file('src/lib.rs', 'modified', source('1', 'old'), source('2', 'old'))], []).texts,
      {},
    );
  });
});
