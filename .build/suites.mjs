// The suites of tests, in the order in which failing is cheapest.
import { statSync } from 'node:fs';
import fs from 'node:fs'; // globSync by name would keep Node 20 from reading this file far enough to change over
import { join } from 'node:path';
import { root } from './paths.mjs';

const minutes = 60_000;

/**
 * `timeout`: of one test. `limit`: of a process, after which it is ended and has failed; longer than any test in it may take. `check`: the arguments
 * of the programs that check. `program`: starts this instead of mocha for all files, and writes the counts itself. `unmeasured`: says nothing of what the tests leave untried. `built`: needs dist/, and runs on
 * real servers and browsers. Each file has a process of its own, so that none inherits what another left.
 */
export const suites = {
  types: { check: types(), limit: 5 * minutes },
  lint: { check: [['.build/lint.mjs']], limit: 10 * minutes },
  unit: { files: 'test/unit/**/*.test.ts', timeout: 10_000, limit: 6 * minutes },
  // In processes of their own, which aren't measured.
  simulate: { files: 'test/simulate/**/*.test.ts', timeout: 450_000, limit: 10 * minutes, unmeasured: true },
  // The time of the processor is compared with a bound, and measuring takes some of it.
  hostile: { files: 'test/hostile/**/*.test.ts', timeout: 300_000, limit: 10 * minutes, unmeasured: true },
  replay: { files: 'test/replay/**/*.test.ts', timeout: 20_000, limit: 5 * minutes },
  phases: { files: 'test/integration/{execution,delivery}/**/*.test.ts', timeout: 120_000, limit: 20 * minutes },
  integration: { files: 'test/integration/{*,!(execution|delivery)/**/*}.test.ts', timeout: 120_000, limit: 20 * minutes, built: true },
  host: { files: 'test/host/**/*.test.ts', limit: 20 * minutes, built: true, program: 'test/host/run.ts' },
  e2e: { files: 'test/e2e/**/*.test.ts', timeout: 180_000, limit: 20 * minutes, built: true },
};

function types() {
  return ['tsconfig.json', 'webview-ui/tsconfig.json'].map((project) => ['node_modules/typescript/bin/tsc', '--pretty', '-p', project]);
}

/** What has a process of its own. The largest files come first: they take longest, about, and at the end nothing long is left alone. */
export function partsOf({ files, program }) {
  if (program) return [files];
  const size = (file) => statSync(join(root, file)).size;
  return fs.globSync(files, { cwd: root }).sort((a, b) => size(b) - size(a));
}
