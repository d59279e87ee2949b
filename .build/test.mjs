// All checks in one place, in the order in which failing is cheapest. The last line is always `N passed, M failed, K skipped`.
//
//   node .build/test.mjs [suite …] [-- mocha arguments]
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import fs from 'node:fs'; // globSync by name would keep Node 20 from reading this file far enough to change over
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureNode24 } from './node24.mjs';
import { browserModule, opencodeBinary, root, vscodeServerMain } from './paths.mjs';

ensureNode24();
const minutes = 60_000;

/**
 * `timeout`: of one test. `limit`: of a process, after which it is ended and has failed.
 * `program`: starts this instead of mocha for all files, and writes the counts itself. `built`: needs dist/, and runs on real servers and browsers. Each
 * file has a process of its own, so that none inherits what another left. Real servers and browsers fail at times on a busy machine for no fault of
 * ours; what fails is therefore run once more, and the end says what needed that: it is to be looked at.
 */
const suites = {
  types: { check: types, limit: 5 * minutes },
  lint: { check: lint, limit: 10 * minutes },
  unit: { files: 'test/unit/**/*.test.ts', timeout: 10_000, limit: 3 * minutes },
  replay: { files: 'test/replay/**/*.test.ts', timeout: 20_000, limit: 5 * minutes },
  integration: { files: 'test/integration/**/*.test.ts', timeout: 120_000, limit: 10 * minutes, built: true },
  host: { files: 'test/host/**/*.test.ts', limit: 20 * minutes, built: true, program: 'test/host/run.ts' },
  e2e: { files: 'test/e2e/**/*.test.ts', timeout: 180_000, limit: 10 * minutes, built: true },
};
/** So many processes of the suites that are `built` run at a time: one waits for models and windows while the other computes. */
const atOnce = 2;

const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const unsteady = [];
const dash = process.argv.indexOf('--');
const extra = dash === -1 ? [] : process.argv.slice(dash + 1);
const asked = process.argv.slice(2, dash === -1 ? undefined : dash);
const unknown = asked.find((name) => !(name in suites));
if (unknown) {
  console.error(`There is no suite ${unknown}. There are: ${Object.keys(suites).join(', ')}`);
  process.exit(2);
}

const chosen = Object.entries(suites).filter(([name]) => asked.length === 0 || asked.includes(name));
const children = new Set();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (children.forEach(end), process.exit(130)));

// The checks need no order among themselves, and one of them waits for the disk while the other computes.
const checks = chosen.filter(([, suite]) => suite.check);
await Promise.all(checks.map(([name, suite]) => runCheck(name, suite)));
const withFiles = chosen.filter(([, suite]) => suite.files);
for (const [name, suite] of withFiles.filter(([, suite]) => !suite.built)) {
  heading(name);
  countSuite(name, [await runFiles(suite, suite.files)]);
}
const real = withFiles.filter(([, suite]) => suite.built);
if (real.length > 0 && (await build())) await runReal(real);
else for (const [name] of real) count(name, { passed: 0, failed: 1, skipped: 0 }, 'not run, because the build failed');

if (unsteady.length > 0) console.log(`\npassed only when run once more: ${unsteady.join(', ')}`);
if (failures.length > 0) console.log(`\nfailed: ${failures.join(', ')}`);
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed > 0 ? 1 : 0);

async function types() {
  const projects = ['tsconfig.json', 'webview-ui/tsconfig.json'].filter((file) => existsSync(join(root, file)));
  return projects.map((project) => ['node_modules/typescript/bin/tsc', '--pretty', '-p', project]);
}

async function lint() {
  return [['.build/lint.mjs']];
}

async function runCheck(name, { check, limit }) {
  const start = Date.now();
  const results = await Promise.all((await check()).map((args) => node(args, { limit, quiet: true })));
  heading(name, seconds(start));
  for (const { output } of results) if (output.trim()) console.log(output.trimEnd());
  const failed = results.some(({ code }) => code !== 0) ? 1 : 0;
  count(name, { passed: 1 - failed, failed, skipped: 0 });
}

async function build() {
  heading('build');
  const { code } = await node(['.build/build.mjs', '--quiet'], { limit: 5 * minutes });
  if (code !== 0) count('build', { passed: 0, failed: 1, skipped: 0 });
  return code === 0;
}

/** Runs the files of these suites in one queue, so that none waits for the last file of another, and once more what failed. */
async function runReal(chosenSuites) {
  const queue = chosenSuites.flatMap(([name, suite]) => partsOf(suite).map((files) => ({ name, suite, files })));
  const runs = new Map(chosenSuites.map(([name]) => [name, []]));
  const again = [];
  // Of two at once the lines would be mixed.
  const quiet = queue.length > 1;
  const work = async () => {
    for (let job = queue.shift(); job; job = queue.shift()) {
      const run = await runFiles(job.suite, job.files, quiet);
      if (run.failed > 0) again.push(job);
      else runs.get(job.name).push(run);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  for (const { name, suite, files } of again) {
    console.log(`\n── ${files}: once more, alone`);
    const run = await runFiles(suite, files);
    if (run.failed === 0) unsteady.push(files);
    runs.get(name).push(run);
  }
  for (const [name, all] of runs) countSuite(name, all);
}

/** What has a process of its own. The largest files come first: they take longest, about, and at the end nothing long is left alone. */
function partsOf({ files, program }) {
  if (program) return [files];
  const size = (file) => statSync(join(root, file)).size;
  return fs.globSync(files, { cwd: root }).sort((a, b) => size(b) - size(a));
}

function countSuite(name, runs) {
  const sum = (key) => runs.reduce((all, run) => all + run[key], 0);
  const counts = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
  const none = counts.passed + counts.failed + counts.skipped === 0;
  count(name, none ? { ...counts, failed: 1 } : counts, none ? 'has files, but ran no test' : undefined);
  console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
}

/** Runs these files in one process; `quiet`: shows what it says when it has ended. Whatever is wrong with the run itself counts as a failure. */
async function runFiles({ timeout, limit, program }, files, quiet = false) {
  const folder = mkdtempSync(join(tmpdir(), 'beadsmith-counts-'));
  const file = join(folder, 'counts.json');
  const mocha = ['node_modules/mocha/bin/mocha.js', '--timeout', String(timeout), ...extra, files];
  const env = {
    BEADSMITH_COUNTS: file,
    BEADSMITH_OPENCODE: process.env['BEADSMITH_OPENCODE'] ?? opencodeBinary(),
    BEADSMITH_VSCODE_SERVER: vscodeServerMain(),
    BEADSMITH_BROWSER: browserModule(),
  };
  const start = Date.now();
  const { code, output } = await node(program ? [program, ...extra] : mocha, { limit, env, quiet });
  heading(files, seconds(start));
  if (output) console.log(output.trimEnd());
  const counts = readCounts(file);
  rmSync(folder, { recursive: true, force: true });
  const problem = problemOf(counts, code);
  if (problem) console.log(`${files}: ${problem}`);
  const { passed = 0, failed = 0, skipped = 0 } = counts ?? {};
  return { passed, failed: problem ? failed + 1 : failed, skipped };
}

function problemOf(counts, code) {
  if (!counts) return `ended with ${code} and without counts`;
  if (counts.left) return `left behind: ${counts.left}`;
  if (code !== 0 && counts.failed === 0) return `ended with ${code} although no test failed`;
  return undefined;
}

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // it crashed before its end
  }
}

function node(args, { limit, env = {}, quiet = false }) {
  return new Promise((resolve) => {
    // Its own process group, so that its end is also the end of every server it started.
    const detached = process.platform !== 'win32';
    const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'];
    const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio, detached });
    children.add(child);
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    const timer = setTimeout(() => {
      console.error(`\nNot done after ${limit / minutes} minutes: ended.`);
      end(child);
    }, limit);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      children.delete(child);
      end(child); // and with it whatever it left running
      resolve({ code: code ?? signal, output });
    });
  });
}

function end(child) {
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // it was faster
  }
}

function count(name, counts, problem) {
  for (const key of Object.keys(total)) total[key] += counts[key];
  if (counts.failed > 0) failures.push(problem ? `${name} (${problem})` : name);
}

function heading(name, detail) {
  console.log(`\n── ${name}${detail ? `: ${detail}` : ''}`);
}

function seconds(start) {
  return `${((Date.now() - start) / 1000).toFixed(1)} s`;
}
