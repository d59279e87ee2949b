// The suites of tests, in the order in which failing is cheapest.
import { statSync } from 'node:fs';
import fs from 'node:fs'; // globSync by name would keep Node 20 from reading this file far enough to change over
import { join } from 'node:path';
import { root } from './paths.mjs';

const minutes = 60_000;

/**
 * `timeout`: of one test. `limit`: of a process, after which it is ended and has failed; longer than any test in it may take. `check`: the arguments
 * of the programs that check. `program`: starts this instead of mocha for all files, and writes the counts itself. `unmeasured`: says nothing of what the tests leave untried. `groups`: so many processes share its files, because they
 * wait for git most of the time. `built`: needs dist/, and runs on real servers and browsers. Each file has a process of its own, so that none inherits what another left.
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
  phases: { files: 'test/integration/{execution,delivery}/**/*.test.ts', timeout: 120_000, limit: 20 * minutes, groups: 3 },
  integration: { files: 'test/integration/{*,!(execution|delivery)/**/*}.test.ts', timeout: 120_000, limit: 20 * minutes, built: true },
  host: { files: 'test/host/**/*.test.ts', limit: 20 * minutes, built: true, program: 'test/host/run.ts' },
  e2e: { files: 'test/e2e/**/*.test.ts', timeout: 180_000, limit: 20 * minutes, built: true },
};

/**
 * Proofs that take minutes of the whole machine each, because they repeat whole tickets on real servers. `npm run test:all` runs them too; everything they
 * are about has quicker tests as well, on the same engine, git and database with an agent that plays a part.
 */
export const longFiles = [
  'integration/adding',
  'integration/exitCodes',
  'integration/lab',
  'integration/night',
  'integration/scriptedModelDemo',
  'integration/context/cacheCost',
  'integration/context/replayByCli',
  'integration/loop/capsByCli',
  'integration/loop/contextByCli',
  'integration/loop/editsByCli',
  'integration/loop/lastingByCli',
  'integration/loop/longConversationByCli',
  'integration/loop/preambleByCli',
  'integration/loop/questionsByCli',
  'integration/loop/stuckByCli',
  'integration/review/analysisPoliciesByCli',
  'integration/review/dismissByCli',
  'integration/review/failureAnalysisByCli',
  'integration/review/handoffByCli',
  'integration/review/kickoffByCli',
  'integration/review/killedByCli',
  'integration/review/partyByCli',
  'integration/review/partyDemo',
  'integration/review/passesByCli',
  'integration/review/retrospectiveByCli',
  'integration/review/skippedByCli',
  'e2e/loops',
  'e2e/parties',
  'e2e/quickPicks',
  'e2e/context/rehearse',
].map((name) => `test/${name}.test.ts`);

function types() {
  return ['tsconfig.json', 'webview-ui/tsconfig.json'].map((project) => ['node_modules/typescript/bin/tsc', '--pretty', '-p', project]);
}

/**
 * What has a process of its own. The largest files come first: they take longest, about, and at the end nothing long is left alone. `all`: with the long ones.
 * @param {{ files: string, program?: string }} suite
 * @param {{ all?: boolean }} [options]
 */
export function partsOf({ files, program }, { all = false } = {}) {
  if (program) return [files];
  const size = (file) => statSync(join(root, file)).size;
  const found = fs.globSync(files, { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  return found.filter((file) => all || !longFiles.includes(file)).sort((a, b) => size(b) - size(a));
}

/** The files of a suite in so many groups of about the same size, each for one process. */
export function groupsOf(suite, count) {
  const groups = Array.from({ length: count }, () => []);
  partsOf(suite).forEach((file, at) => groups[at % count].push(file));
  return groups.filter((group) => group.length > 0);
}
