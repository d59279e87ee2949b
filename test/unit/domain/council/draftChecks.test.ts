import assert from 'node:assert/strict';
import { missingFor } from '../../../../src/domain/council/draftChecks.ts';
import { commandsAndTexts } from '../../../../src/domain/council/documentTexts.ts';
import { draftChecks } from '../../../../src/domain/council/draftChecks.ts';
import {
  filesMissing,
  filesNamed,
  isManifest,
  type RepositoryFiles,
} from '../../../../src/domain/council/repositoryFiles.ts';

const manifest = { scripts: { test: 'node --test', 'lint:fix': 'x' }, devDependencies: { eslint: '9' } };
const files: RepositoryFiles = {
  paths: [
    'package.json',
    'Makefile',
    'src/cart/total.ts',
    'scripts/check.sh',
    'README.md',
    'docs/my page.md',
  ],
  manifests: {
    'package.json': JSON.stringify(manifest),
    Makefile: 'all: build\nbuild test-all:\n\tcc x.c\nX := 1\n',
  },
};

describe('commands of a draft', () => {
  it('are missing where a script or a manifest would have to name them', () => {
    const expected: Readonly<Record<string, string>> = {
      'npm run lint': 'no package.json has the script “lint”',
      'npm test && npm run typecheck -- --fast': 'no package.json has the script “typecheck”',
      'npx jest src': 'no package.json names jest',
      'node_modules/.bin/tsc -p .': 'no package.json names typescript',
      './check test': 'there is no file check',
      'scripts/lint.sh': 'there is no file scripts/lint.sh',
      'cargo test': 'nothing in the repository is for cargo',
      'pytest -q': 'nothing in the repository is for pytest',
      'make deploy': 'no makefile has the target “deploy”',
      'CI=1 make X': 'no makefile has the target “X”',
    };
    for (const [command, problem] of Object.entries(expected))
      assert.equal(missingFor(command, files), problem, command);
  });

  it('aren’t missing where they are named, or where nobody can know', () => {
    for (const command of [
      'npm test',
      'npm run lint:fix',
      'npm ci',
      'npx eslint .',
      'npx some-tool',
      'yarn test',
      'make test-all',
      'make -j4 build',
      'node --test test/new.test.js',
      'sh scripts/check.sh',
      './scripts/check.sh',
      'target/debug/app --help',
      'grep -q x README.md',
      'docker compose up',
    ])
      assert.equal(missingFor(command, files), '', command);
    const open = { ...files, manifests: { Makefile: 'include rules.mk\n' } };
    assert.equal(missingFor('make deploy', open), '');
    assert.equal(missingFor('npm run lint', { ...files, manifests: { 'package.json': 'not JSON' } }), '');
  });
});

describe('files of a draft', () => {
  it('are words with a slash and an ending, and names with a usual one', () => {
    const text =
      'Use `src/cart/total.ts` and ./src/cart/new.ts (see README.md, config.yaml); not Node.js 20.1, and/or, https://example.com/a.html, e.g. v1.2, example.com, src/**/*.ts, @scope/name or total.toFixed.';
    assert.deepEqual(filesNamed(text), ['src/cart/total.ts', 'src/cart/new.ts', 'README.md', 'config.yaml']);
  });

  it('are missing when no path ends with them', () => {
    assert.deepEqual(
      filesMissing(['cart/total.ts', 'total.ts', 'README.md', 'otal.ts', 'cart/other.ts'], files),
      ['otal.ts', 'cart/other.ts'],
    );
  });

  it('that name commands are read at the top and in packages', () => {
    assert.deepEqual(
      ['package.json', 'packages/a/package.json', 'x/Makefile', 'a/b/c/package.json', 'package.json5'].map(
        isManifest,
      ),
      [true, true, true, false, false],
    );
  });
});

describe('the checks of a draft', () => {
  it('say what isn’t there, in a sentence for each kind', () => {
    const draft = {
      beads: [
        {
          id: 'a/b.ts',
          prdRefs: ['x/y.ts'],
          description: 'Change src/cart/sum.ts like src/cart/total.ts.',
          testCommands: ['npm run lint', 'npm test'],
        },
      ],
    };
    assert.deepEqual(
      draftChecks({ ...commandsAndTexts(draft), holes: ['No bead names US-1-1.AC1.'] }, files),
      [
        "Commands that the repository doesn't have: “npm run lint” (no package.json has the script “lint”).",
        "Files that the repository doesn't have, unless they are meant as new: src/cart/sum.ts.",
        'No bead names US-1-1.AC1.',
      ],
    );
    assert.deepEqual(draftChecks({ commands: ['npm test'], texts: ['Plain words.'], holes: [] }, files), []);
  });

  it('say nothing about a repository without files', () => {
    assert.deepEqual(
      draftChecks(
        { commands: ['cargo test'], texts: ['src/a.ts'], holes: ['A hole.'] },
        { paths: [], manifests: {} },
      ),
      ['A hole.'],
    );
  });
});
