import {
  type Kind,
  type LabBead,
  greeting,
  greetingFiles,
  plainChecks,
  plainFiles,
  writing,
} from '../kind.ts';

/** Two packages, of which one needs the other by its name: an installer has to link them. */
const packages = {
  '.gitignore': 'node_modules/\n.pnp.*\n.yarn/\n',
  'packages/words/package.json': JSON.stringify({
    name: '@lab/words',
    version: '1.0.0',
    type: 'module',
    exports: './index.js',
  }),
  'packages/words/index.js': "export const words = (text) => text.split(' ');\n",
};
const app = (dependency: string): string =>
  JSON.stringify({
    name: '@lab/app',
    version: '1.0.0',
    type: 'module',
    dependencies: { '@lab/words': dependency },
  });

const counting = (command: string): LabBead =>
  writing(
    'count',
    {
      'packages/app/count.js':
        "import { words } from '@lab/words';\n\nexport const count = (text) => words(text).length;\n",
      'packages/app/count.test.js':
        "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { count } from './count.js';\n\ntest('counts', () => assert.equal(count('a b c'), 3));\n",
    },
    command,
  );
const counted = { delivers: ['lab-final.sh', 'packages/app/count.js', 'packages/app/count.test.js'] };

/** Repositories of several packages or languages. */
export const workspaces: readonly Kind[] = [
  {
    name: 'npm-workspaces',
    about: 'npm workspaces, linked by the bootstrap',
    needs: ['npm'],
    files: {
      ...packages,
      'package.json': JSON.stringify({ name: 'sample', private: true, workspaces: ['packages/*'] }),
      'packages/app/package.json': app('1.0.0'),
    },
    bootstrap: ['npm install --offline --no-audit --no-fund --no-package-lock'],
    beads: [counting('cd packages/app && node --test')],
    comes: counted,
  },
  {
    name: 'pnpm-workspaces',
    about: 'pnpm workspaces, linked by the bootstrap',
    needs: ['pnpm'],
    files: {
      ...packages,
      'package.json': JSON.stringify({ name: 'sample', private: true }),
      'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
      'packages/app/package.json': app('workspace:*'),
    },
    bootstrap: ['pnpm install --offline --no-lockfile'],
    beads: [counting('cd packages/app && node --test')],
    comes: counted,
  },
  {
    name: 'yarn-pnp',
    about: 'Yarn with Plug’n’Play: no node_modules at all',
    needs: ['yarn'],
    files: {
      ...packages,
      'package.json': JSON.stringify({ name: 'sample', private: true, workspaces: ['packages/*'] }),
      '.yarnrc.yml': 'enableTelemetry: false\nenableNetwork: false\nnodeLinker: pnp\n',
      'yarn.lock': '',
      'packages/app/package.json': app('workspace:*'),
    },
    // An empty lockfile says where the project begins; the first install fills it in.
    make: (place) => {
      place.run('yarn', 'install');
      place.commit('Lock the workspaces');
    },
    bootstrap: ['yarn install --immutable'],
    beads: [counting('yarn workspace @lab/app node --test')],
    comes: counted,
  },
  {
    name: 'two-languages',
    about: 'a service in Python beside a page in JavaScript',
    needs: ['python3'],
    files: {
      'service/price.py': 'def price(cents):\n    return f"{cents // 100}.{cents % 100:02d}"\n',
      'service/test_price.py':
        'import unittest\nfrom price import price\n\n\nclass PriceTest(unittest.TestCase):\n    def test_cents(self):\n        self.assertEqual(price(205), "2.05")\n',
      'page/package.json': JSON.stringify({ name: 'page', type: 'module' }),
      'page/title.js': "export const title = 'Shop';\n",
    },
    checks: { test_full: ['cd service && python3 -m unittest', 'cd page && node --test'] },
    beads: [
      writing(
        'vat',
        {
          'service/vat.py': 'def vat(cents):\n    return cents * 19 // 100\n',
          'service/test_vat.py':
            'import unittest\nfrom vat import vat\n\n\nclass VatTest(unittest.TestCase):\n    def test_share(self):\n        self.assertEqual(vat(200), 38)\n',
        },
        'cd service && python3 -m unittest test_vat',
      ),
      writing(
        'page-vat',
        {
          'page/vat.js': 'export const vat = (cents) => Math.floor((cents * 19) / 100);\n',
          'page/vat.test.js':
            "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { vat } from './vat.js';\n\ntest('share', () => assert.equal(vat(200), 38));\n",
        },
        'cd page && node --test',
      ),
    ],
    comes: {
      delivers: ['lab-final.sh', 'page/vat.js', 'page/vat.test.js', 'service/test_vat.py', 'service/vat.py'],
    },
  },
  {
    name: 'shell',
    about: 'shell scripts',
    files: plainFiles,
    checks: plainChecks,
    beads: [greeting],
    comes: { delivers: greetingFiles },
  },
];
