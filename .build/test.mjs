// All checks in one place, in the order in which failing is cheapest. The last line is always `N passed, M failed, K skipped`.
//
//   node .build/test.mjs [suite …] [--all] [-- mocha arguments]     `--all`: also the files that take minutes each
import { measure, printRooms, shortfalls } from './coverage.mjs';
import { ensureNode24 } from './node24.mjs';
import { groupsOf, longFiles, partsOf, suites } from './suites.mjs';
import { heading, runFiles, runNode, seconds } from './testProcess.mjs';
import { unsteadyIn, verdict } from './verdict.mjs';

ensureNode24();
/** So many processes run at a time: one waits for git, models and windows while the other computes. */
const atOnce = 2;

const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const failedTests = [];
const unsteady = [];
const dash = process.argv.indexOf('--');
const extra = dash === -1 ? [] : process.argv.slice(dash + 1);
const words = process.argv.slice(2, dash === -1 ? undefined : dash);
const all = words.includes('--all');
const asked = words.filter((word) => word !== '--all');
const unknown = asked.find((name) => !(name in suites));
if (unknown) {
  console.error(`There is no suite ${unknown}. There are: ${Object.keys(suites).join(', ')}`);
  process.exit(2);
}

const chosen = Object.entries(suites).filter(([name]) => asked.length === 0 || asked.includes(name));
const withFiles = chosen.filter(([, suite]) => suite.files);
// What is in groups takes longest, so that it comes first.
const plain = withFiles.filter(([, suite]) => !suite.built).sort(([, a], [, b]) => (b.groups ?? 0) - (a.groups ?? 0));
const checks = chosen
  .filter(([, suite]) => suite.check)
  .map(
    ([name, suite]) =>
      () =>
        runCheck(name, suite),
  );
// Of a part of the tests it would say nothing.
if (plain.filter(([, suite]) => !suite.unmeasured).length === 3 && extra.length === 0) await runMeasured(plain, checks);
else await runPlain(plain, checks);
const real = withFiles.filter(([, suite]) => suite.built);
if (!all && real.length > 0) console.log(`\n${longFiles.length} files that take minutes each are left out: npm run test:all`);
if (real.length > 0 && (await build())) await runReal(real);
else for (const [name] of real) count(name, { passed: 0, failed: 1, skipped: 0 }, 'not run, because the build failed');

const { lines, exitCode } = verdict({ counts: total, failures, failedTests, unsteady });
for (const line of lines) console.log(`\n${line}`);
process.exit(exitCode);

async function runCheck(name, { check, limit }) {
  const start = Date.now();
  const results = await Promise.all(check.map((args) => runNode(args, { limit, quiet: true })));
  heading(name, seconds(start));
  for (const { output } of results) if (output.trim()) console.log(output.trimEnd());
  const failed = results.some(({ code }) => code !== 0) ? 1 : 0;
  count(name, { passed: 1 - failed, failed, skipped: 0 });
}

/** Runs these suites and checks in one queue: none of them needs a server or a window that another one could take. `env`: of what is measured. */
async function runPlain(chosenSuites, checkJobs, env = {}) {
  const runs = new Map(chosenSuites.map(([name]) => [name, []]));
  const parts = chosenSuites.flatMap(([name, suite]) =>
    (suite.groups ? groupsOf(suite, suite.groups) : [suite.files]).map((files) => ({ name, suite, files })),
  );
  const quiet = parts.length + checkJobs.length > 1;
  const jobs = parts.map(({ name, suite, files }) => async () => {
    runs.get(name).push(await runFiles(suite, files, { extra, env: suite.unmeasured ? {} : env, quiet }));
  });
  await inQueue([...checkJobs, ...jobs], (job) => job());
  for (const [name, own] of runs) countSuite(name, own);
}

/** Does this work with every job, the first ones first, so many at a time. */
async function inQueue(queue, work) {
  const next = async () => {
    for (let job = queue.shift(); job; job = queue.shift()) await work(job);
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}

/** Runs these suites, and fails if they leave too much of the rooms untried that they are about. */
async function runMeasured(chosenSuites, checkJobs) {
  const rows = await measure((env) => runPlain(chosenSuites, checkJobs, env));
  heading('coverage');
  printRooms(rows);
  const problems = shortfalls(rows);
  for (const problem of problems) console.log(problem);
  count('coverage', { passed: problems.length === 0 ? 1 : 0, failed: problems.length, skipped: 0 });
}

async function build() {
  heading('build');
  const { code } = await runNode(['.build/build.mjs', '--quiet'], { limit: 300_000 });
  if (code !== 0) count('build', { passed: 0, failed: 1, skipped: 0 });
  return code === 0;
}

/** Runs the files of these suites in one queue, so that none waits for the last file of another, and once more, alone, what failed. */
async function runReal(chosenSuites) {
  const queue = chosenSuites.flatMap(([name, suite]) => partsOf(suite, { all }).map((files) => ({ name, suite, files })));
  const runs = new Map(chosenSuites.map(([name]) => [name, []]));
  const failed = [];
  // Of two at once the lines would be mixed.
  const quiet = queue.length > 1;
  await inQueue(queue, async (job) => {
    const run = await runFiles(job.suite, job.files, { quiet, extra: extraOf(job.suite) });
    if (run.failed > 0) failed.push({ ...job, first: run });
    else runs.get(job.name).push(run);
  });
  const repeated = [];
  for (const { name, suite, files, first } of failed) {
    console.log(`\n── ${files}: once more, alone`);
    const again = await runFiles(suite, files, { extra: extraOf(suite) });
    repeated.push({ file: files, first, again });
    runs.get(name).push(again);
  }
  unsteady.push(...unsteadyIn(repeated));
  for (const [name, own] of runs) countSuite(name, own);
}

/** A program of its own is told by itself to leave nothing out. */
function extraOf({ program }) {
  return program && all ? [...extra, '--all'] : extra;
}

function countSuite(name, runs) {
  const sum = (key) => runs.reduce((all, run) => all + run[key], 0);
  const failed = runs.flatMap((run) => run.failures);
  if (failed.length > 0) failedTests.push({ file: name, failures: failed });
  const counts = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
  const none = counts.passed + counts.failed + counts.skipped === 0;
  count(name, none ? { ...counts, failed: 1 } : counts, none ? 'has files, but ran no test' : undefined);
  console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
}

function count(name, counts, problem) {
  for (const key of Object.keys(total)) total[key] += counts[key];
  if (counts.failed > 0) failures.push(problem ? `${name} (${problem})` : name);
}
