import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../.build/paths.mjs';
import {
  allowanceOf,
  partsOf,
  processesOf,
  shardsOf,
  suites,
  suitesOf,
  tiers,
} from '../../../.build/suites.mjs';
import { parse } from 'yaml';

const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const filesOf = (suite: object): string[] =>
  'files' in suite ? globSync(suite.files as string, { cwd: root }) : [];
const tests = globSync('test/**/*.test.ts', {
  cwd: root,
  exclude: ['test/fixtures/**', 'test/soak/**', 'test/bench/**'],
});

describe('the suites', () => {
  it('run every test once', () => {
    const inSuites = Object.values(suites).flatMap(filesOf);
    assert.deepEqual(
      tests.filter((file) => inSuites.filter((other) => other === file).length !== 1),
      [],
    );
  });

  it('start no Node in what `npm run check` runs, but in a sandbox', () => {
    const inSandbox = [
      'test/unit/adapters/process/sandboxedShell.test.ts',
      'test/unit/adapters/sandbox/bubblewrap.test.ts',
    ];
    const checked = Object.values(suitesOf('check')).flatMap(filesOf);
    assert.deepEqual(
      checked.filter(
        (file) =>
          /\bprocess\.execPath\b|\bfork\(|\bCliProcess\b/.test(text(file)) && !inSandbox.includes(file),
      ),
      [],
    );
  });

  it('are all run by the most expensive tier, and fewer by each cheaper one', () => {
    const [check, test, all] = ['check', 'test', 'all'].map((tier) => Object.keys(suitesOf(tier)));
    assert.deepEqual(all, Object.keys(suites));
    assert.deepEqual(check, ['lint', 'unit', 'replay']);
    assert.ok(test !== undefined && check.every((name) => test.includes(name)));
  });

  it('leave nothing but repeated whole tickets and the coverage out of npm test', () => {
    const test = suitesOf('test');
    const left = Object.entries(suites).filter(([name]) => !(name in test));
    assert.deepEqual(
      left.map(([name]) => name),
      ['coverage', 'whole'],
    );
    assert.deepEqual(
      filesOf(suites.whole).filter((file) => !file.startsWith('test/whole/')),
      [],
    );
  });

  it('share all files out to shards of about the same cost, each to one', () => {
    const jobs = Object.values(suites).flatMap((suite) =>
      'files' in suite
        ? partsOf(suite).map((file) => ({ file, suite, allowance: allowanceOf(suite, file) }))
        : [],
    );
    const shards = shardsOf(jobs, tiers.all.shards);
    const cost = ({ suite, allowance }: (typeof jobs)[number]) => allowance * suite.usual;
    assert.deepEqual(shards.flat().sort(byFile), [...jobs].sort(byFile));
    const sums = shards.map((shard) => shard.reduce((sum, job) => sum + cost(job), 0));
    assert.ok(Math.max(...sums) <= Math.min(...sums) + Math.max(...jobs.map(cost)), sums.join(', '));
  });

  it('name no file in their allowances and groups that is gone', () => {
    const named = Object.values(suites).flatMap((suite) => {
      if (!('allowances' in suite) || !('files' in suite)) return [];
      const base = /^test\/[^/]+\//.exec(suite.files)?.[0] ?? '';
      return Object.keys(suite.allowances as object).map((name) => `${base}${name}.test.ts`);
    });
    assert.deepEqual(
      [...named, ...suites.e2e.together.flat()].filter((file) => !tests.includes(file)),
      [],
    );
  });

  it('are run by the scripts of package.json, by continuous integration, and each night by all shards', () => {
    const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
    assert.match(scripts['check'] ?? '', /--tier check$/);
    assert.match(scripts['test'] ?? '', /test\.mjs$/);
    assert.match(scripts['test:all'] ?? '', /--tier all$/);
    assert.match(text('.ci/run'), /^npm test\nnpm run test:all -- --shard turn$/m);
    const nightly = parse(text('.github/workflows/nightly.yml')) as {
      jobs: { shard: { strategy: { matrix: { shard: number[] } } } };
    };
    const every = Array.from({ length: tiers.all.shards }, (_, at) => at + 1);
    assert.deepEqual(nightly.jobs.shard.strategy.matrix.shard, every);
    assert.match(
      text('.github/workflows/nightly.yml'),
      new RegExp(`--shard \\$\\{\\{ matrix\\.shard \\}\\}/${String(tiers.all.shards)}\\b`),
    );
  });

  it('start each file of a page once, with those that share its tickets', () => {
    const processes = processesOf(suites.e2e);
    assert.deepEqual(processes.flat().sort(), [...partsOf(suites.e2e)].sort());
    assert.equal(processesOf(suites.e2e, {}, { apart: true }).length, partsOf(suites.e2e).length);
    assert.ok(processes.some((files) => files.length > 1));
  });

  it('may cost what the documentation says', () => {
    const page = text('docs/testing.md');
    assert.match(page, new RegExp(`\`npm run check\` .* ${tiers.check.most} s \\|`));
    assert.match(page, new RegExp(`\`npm test\` .* ${tiers.test.most.toLocaleString('en')} s \\|`));
  });
});

function byFile(a: { file: string }, b: { file: string }): number {
  return a.file < b.file ? -1 : 1;
}
