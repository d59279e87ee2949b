import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../../../src/adapters/clock/systemClock.ts';
import { Shell } from '../../../src/adapters/process/shell.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { executionWorlds, report } from '../../support/engine/executionWorld.ts';
import { npmTool } from '../../support/npmTool.ts';

/** A repository of a language, and a ticket's bead in it: `wrong` is what the coder writes first. The test comes with the work. */
interface Example {
  /** How to see whether the toolchain is there. */
  readonly probe: readonly [string, ...string[]];
  /** A tool that npm gives, put before the search path. */
  readonly npm?: readonly [name: string, version: string];
  readonly files: Readonly<Record<string, string>>;
  readonly work: Readonly<Record<string, string>>;
  readonly source: string;
  readonly right: string;
  readonly wrong: string;
  readonly command: string;
  readonly bootstrap?: readonly string[];
  readonly projectTest?: string;
}

const packageOf = (name: string, more = {}): string => JSON.stringify({ name, version: '1.0.0', private: true, ...more });
const nodeTest = `const { add } = require('./add.cjs');\nrequire('node:test')('adds', () => require('node:assert').equal(add(2, 3), 5));\n`;
const workspace = {
  'packages/base/package.json': packageOf('@example/base', { main: 'index.cjs' }),
  'packages/base/index.cjs': 'exports.plus = (a, b) => a + b;\n',
  'packages/app/README.md': '# App\n',
};
const workspaceWork = {
  'packages/app/add.test.cjs': nodeTest,
};
const usingBase = (sign: string): string => `const { plus } = require('@example/base');\nexports.add = (a, b) => plus(a, ${sign}b);\n`;

const examples: Readonly<Record<string, Example>> = {
  'Python with pytest': {
    probe: ['python3', '-m', 'pytest', '--version'],
    files: {
      'shop/__init__.py': '',
      'tests/test_old.py': 'def test_old():\n    assert True\n',
      'pytest.ini': '[pytest]\npythonpath = .\n',
    },
    work: { 'tests/test_add.py': 'from shop.add import add\n\ndef test_add():\n    assert add(2, 3) == 5\n' },
    source: 'shop/add.py',
    right: 'def add(a, b):\n    return a + b\n',
    wrong: 'def add(a, b):\n    return a - b\n',
    command: 'python3 -m pytest -q tests/test_add.py',
    projectTest: 'python3 -m pytest -q',
  },
  'Python with unittest': {
    probe: ['python3', '--version'],
    files: { 'shop/__init__.py': '' },
    work: {
      'test_add.py':
        'import unittest\nfrom shop.add import add\n\nclass AddTest(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n',
    },
    source: 'shop/add.py',
    right: 'def add(a, b):\n    return a + b\n',
    wrong: 'def add(a, b):\n    return a * b\n',
    command: 'python3 -m unittest -v test_add',
  },
  Go: {
    probe: ['go', 'version'],
    files: { 'go.mod': 'module example.com/shop\n\ngo 1.20\n', 'old.go': 'package shop\n' },
    work: {
      'add_test.go':
        'package shop\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(2, 3) != 5 {\n\t\tt.Fatal("wrong")\n\t}\n}\n',
    },
    source: 'add.go',
    right: 'package shop\n\nfunc Add(a, b int) int { return a + b }\n',
    wrong: 'package shop\n\nfunc Add(a, b int) int { return a - b }\n',
    command: 'go test ./...',
    projectTest: 'go test ./...',
  },
  Rust: {
    probe: ['cargo', '--version'],
    files: {
      '.gitignore': 'target/\n',
      'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': 'pub mod add;\n',
      'src/add.rs': 'pub fn add(_a: i32, _b: i32) -> i32 {\n    0\n}\n',
    },
    work: { 'tests/add.rs': '#[test]\nfn adds() {\n    assert_eq!(shop::add::add(2, 3), 5);\n}\n' },
    source: 'src/add.rs',
    right: 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n',
    wrong: 'pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n',
    command: 'cargo test --offline --quiet',
  },
  'C with Make': {
    probe: ['make', '--version'],
    files: {
      Makefile: 'CFLAGS = -Wall -Werror\ntest: check\n\t./check\ncheck: check.c add.c\n\t$(CC) $(CFLAGS) -o check check.c add.c\n',
      'add.h': 'int add(int a, int b);\n',
      'add.c': '#include "add.h"\nint add(int a, int b) { return 0 * a * b; }\n',
    },
    work: {
      'check.c': '#include <stdio.h>\n#include "add.h"\nint main(void) { if (add(2, 3) == 5) return 0; puts("add is wrong"); return 1; }\n',
    },
    source: 'add.c',
    right: '#include "add.h"\nint add(int a, int b) { return a + b; }\n',
    wrong: '#include "add.h"\nint add(int a, int b) { return a - b; }\n',
    command: 'make test',
  },
  'npm workspaces': {
    probe: ['npm', '--version'],
    files: {
      ...workspace,
      '.gitignore': 'node_modules/\n',
      'package.json': packageOf('root', { workspaces: ['packages/*'] }),
      'packages/app/package.json': packageOf('@example/app', {
        dependencies: { '@example/base': '1.0.0' },
        scripts: { test: 'node --test add.test.cjs' },
      }),
    },
    work: workspaceWork,
    source: 'packages/app/add.cjs',
    right: usingBase(''),
    wrong: usingBase('-'),
    command: 'npm test --workspace packages/app',
    bootstrap: ['npm install --offline --no-audit --no-fund --no-package-lock'],
  },
  'pnpm workspaces': {
    probe: ['npm', '--version'],
    npm: ['pnpm', '10.20.0'],
    files: {
      ...workspace,
      '.gitignore': 'node_modules/\n',
      'package.json': packageOf('root'),
      'pnpm-workspace.yaml': 'packages: ["packages/*"]\n',
      'packages/app/package.json': packageOf('@example/app', {
        dependencies: { '@example/base': 'workspace:*' },
        scripts: { test: 'node --test add.test.cjs' },
      }),
    },
    work: workspaceWork,
    source: 'packages/app/add.cjs',
    right: usingBase(''),
    wrong: usingBase('-'),
    command: 'pnpm --filter @example/app test',
    bootstrap: ['pnpm install --offline --no-lockfile'],
  },
  "yarn's Plug'n'Play": {
    probe: ['npm', '--version'],
    npm: ['@yarnpkg/cli-dist', '4.10.3'],
    files: {
      ...workspace,
      '.gitignore': '.yarn/\n.pnp.*\n',
      '.yarnrc.yml': 'nodeLinker: pnp\nenableGlobalCache: false\nenableTelemetry: false\nenableNetwork: false\n',
      'package.json': packageOf('root', { workspaces: ['packages/*'] }),
      'packages/app/package.json': packageOf('@example/app', {
        dependencies: { '@example/base': 'workspace:*' },
        scripts: { test: 'node --test add.test.cjs' },
      }),
    },
    work: workspaceWork,
    source: 'packages/app/add.cjs',
    right: usingBase(''),
    wrong: usingBase('-'),
    command: 'yarn workspace @example/app test',
    bootstrap: ['yarn install --no-immutable'],
  },
};

describe('a bead in any language', () => {
  const newWorld = executionWorlds();

  for (const [language, example] of Object.entries(examples)) {
    const { probe, npm, files, work, source, right, wrong, command, bootstrap, projectTest } = example;
    const [program, ...args] = probe;
    if (spawnSync(program, args, { stdio: 'ignore' }).status !== 0) {
      it(`is not tried in ${language}, since this machine has no ${probe.join(' ')}`, () => {
        assert.notEqual(spawnSync(program, args, { stdio: 'ignore' }).status, 0);
      });
      continue;
    }
    it(`is sent back while it is wrong, and committed when it is right: ${language}`, async () => {
      const tools = npm === undefined ? undefined : await npmTool(...npm);
      const PATH = [tools, process.env['PATH']].filter((part) => part !== undefined).join(':');
      const world = await newWorld(files);
      world.runner = new Shell({ clock: systemClock, environment: { ...process.env, PATH } });
      const bead = { testCommands: [command], targetFiles: [source, ...Object.keys(work)] };
      await world.begin('CODING', { beads: [bead], limits: { maxIterations: 0, maxContinuations: 1 } });
      await world.prepared({
        bootstrap_commands: bootstrap ?? [],
        project_commands: { test_full: projectTest === undefined ? [] : [projectTest] },
      });
      const write = (path: string, text: string): void => {
        mkdirSync(dirname(join(world.worktree, path)), { recursive: true });
        world.write(path, text);
      };
      world.answers({
        coding: () => {
          for (const [path, text] of Object.entries(work)) write(path, text);
          write(source, wrong);
          return report('greet');
        },
        'coding-continue': () => {
          write(source, right);
          return report('greet');
        },
      });
      await world.drive({ coding });
      assert.deepEqual(world.agent.tasks, ['coding', 'coding-continue']);
      assert.equal((await world.bead('greet')).status, 'done', JSON.stringify((await world.read()).error));
      const committed = await world.repository.git('diff', '--name-only', 'main', 'ticket/TST-1');
      assert.deepEqual(committed.split('\n').sort(), [source, ...Object.keys(work)].sort());
    });
  }
});
