import { type Example, languageTests } from '../../../support/engine/languageTests.ts';

const packageOf = (name: string, more = {}): string =>
  JSON.stringify({ name, version: '1.0.0', private: true, ...more });
const nodeTest = `const { add } = require('./add.cjs');\nrequire('node:test')('adds', () => require('node:assert').equal(add(2, 3), 5));\n`;
const workspace = {
  'packages/base/package.json': packageOf('@example/base', { main: 'index.cjs' }),
  'packages/base/index.cjs': 'exports.plus = (a, b) => a + b;\n',
  'packages/app/README.md': '# App\n',
};
const workspaceWork = {
  'packages/app/add.test.cjs': nodeTest,
};
const usingBase = (sign: string): string =>
  `const { plus } = require('@example/base');\nexports.add = (a, b) => plus(a, ${sign}b);\n`;

const examples: Readonly<Record<string, Example>> = {
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
      '.yarnrc.yml':
        'nodeLinker: pnp\nenableGlobalCache: false\nenableTelemetry: false\nenableNetwork: false\n',
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

describe('a bead in the workspaces of a package manager', () => {
  languageTests(examples);
});
