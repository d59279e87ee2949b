// All checks in one place, in the order in which failing is cheapest. The last line is always
// `N passed, M failed, K skipped`.
//
//   node .build/test.mjs [--tier check | test | all] [--shard I/N | turn] [suite …] [-- mocha arguments]
//
// The default is the tier `test`. `turn`: the shard whose turn it is, by the number of commits. See
// docs/testing.md.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { ensureNode24 } from './node24.mjs';
import { root } from './paths.mjs';
import { watchMachine } from './processorTime.mjs';
import { allowanceOf, groupsOf, processesOf, shardsOf, suites, suitesOf, tiers } from './suites.mjs';
import { atOnce, heading, inQueue, runFiles, runNode, seconds } from './testProcess.mjs';
import { costReport, recordCosts, recordedCosts } from './timings.mjs';
import { suiteLine, unsteadyIn, verdict } from './verdict.mjs';

ensureNode24();
const { asked, tier, shard, extra } = wordsOf(process.argv.slice(2));

/** The whole proof copies no ticket (docs/decisions/160-prepared-tickets.md), and takes every picture. */
const env = tier === 'all' ? { BEADSMITH_SCENES: 'off', BEADSMITH_PICTURES: 'on' } : {};

const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const failedTests = [];
/** @type {import('./timings.mjs').Cost[]} */
const costs = [];
const factors = [];
const machine = watchMachine();
const recorded = recordedCosts();
const chosen = Object.entries(asked.length > 0 ? suites : suitesOf(tier)).filter(
  ([name]) => asked.length === 0 || asked.includes(name),
);
const jobs = chosen.flatMap(([name, suite]) => jobsOf(name, suite));
const queue = shard ? shardsOf(jobs, shard.of)[shard.at - 1] : jobs;
const runs = new Map(chosen.map(([name]) => [name, []]));
const repeats = [];

if (shard) console.log(`part ${shard.at} of ${shard.of}: ${queue.length} of ${jobs.length} processes`);
const start = Date.now();
if (queue.some(({ suite }) => suite.built) && !(await build())) {
  for (const job of queue.filter(({ suite }) => suite.built))
    runs.get(job.name).push(notRun('not run, because the build failed'));
  await inQueue(
    queue.filter(({ suite }) => !suite.built),
    runJob,
  );
} else await inQueue(inOrder(queue), runJob);
const unsteady = await repeat();
for (const [name, own] of runs) if (own.length > 0) countSuite(name, own);

machine.end();
const factor = factors.length === 0 ? 1 : factors.reduce((sum, one) => sum + one, 0) / factors.length;
const whole = asked.length === 0 && !shard && extra.length === 0;
const report = costReport(costs, {
  factor,
  ...(whole && tiers[tier].most !== undefined && { most: tiers[tier].most }),
});
if (extra.length === 0) recordCosts(costs, factor);
console.log(`\n${report.lines.join('\n')}\nin ${seconds(start)}, ${atOnce} at a time`);
const { lines, exitCode } = verdict({
  counts: total,
  failures,
  failedTests,
  unsteady,
  overCost: report.problems,
  strict: Boolean(process.env['CI']),
});
for (const line of lines) console.log(`\n${line}`);
process.exit(exitCode);

function wordsOf(words) {
  const dash = words.indexOf('--');
  const options = { tier: { type: 'string', default: 'test' }, shard: { type: 'string' } };
  const { values, positionals } = parseArgs({
    args: dash === -1 ? words : words.slice(0, dash),
    options,
    allowPositionals: true,
  });
  const unknown = positionals.find((name) => !(name in suites));
  if (unknown) refuse(`There is no suite ${unknown}. There are: ${Object.keys(suites).join(', ')}`);
  if (!(values.tier in tiers)) refuse(`--tier takes one of: ${Object.keys(tiers).join(', ')}`);
  const shard = values.shard === undefined ? undefined : shardOf(values.shard);
  return { asked: positionals, tier: values.tier, shard, extra: dash === -1 ? [] : words.slice(dash + 1) };
}

function shardOf(word) {
  const { shards } = tiers.all;
  if (word === 'turn') {
    const commits = Number(
      spawnSync('git', ['rev-list', '--count', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout,
    );
    return { at: ((commits || 0) % shards) + 1, of: shards };
  }
  const [, at, of] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(word) ?? [];
  if (!(Number(at) <= Number(of)))
    refuse(`--shard takes a part and the number of parts, for example 2/${shards}, or "turn"`);
  return { at: Number(at), of: Number(of) };
}

function refuse(why) {
  console.error(why);
  process.exit(2);
}

/** The jobs of a suite, a process each. */
function jobsOf(name, suite) {
  const of = (files) => files.reduce((sum, file) => sum + allowanceOf(suite, file), suite.loading ?? 0);
  if (suite.check) return [{ name, suite, allowance: suite.allowance }];
  // Without prepared tickets nothing is shared.
  if (suite.built)
    return processesOf(suite, recorded, { apart: tier === 'all' }).map((files) => ({
      name,
      suite,
      files,
      allowance: of(files),
    }));
  // Groups of a shard are those of every machine; else those that end at about the same time here.
  return groupsOf(suite, shard ? {} : recorded).map((files) => ({
    name,
    suite,
    files,
    allowance: of(files),
  }));
}

/** The cheapest tier first, and of each the most expensive job. */
function inOrder(all) {
  const names = Object.keys(tiers);
  const cost = ({ files = [], allowance }) =>
    files.reduce((sum, file) => sum + (recorded[file] ?? 0), 0) || allowance;
  return [...all].sort(
    (a, b) => names.indexOf(a.suite.tier) - names.indexOf(b.suite.tier) || cost(b) - cost(a),
  );
}

async function runJob(job) {
  const { name, suite } = job;
  const since = Date.now();
  const run = suite.check
    ? await runCheck(name, suite)
    : await runFiles(suite, job.files, { env, extra: extraOf(suite), quiet: queue.length > 1 });
  measure(job, run, machine.factorSince(since));
  if (run.failed > 0 && suite.built) repeats.push({ ...job, first: run });
  else runs.get(name).push(run);
}

async function runCheck(name, { check, limit }) {
  const since = Date.now();
  const results = await Promise.all(check.map((args) => runNode(args, { limit, quiet: true })));
  heading(name, seconds(since));
  for (const { output } of results) if (output.trim()) console.log(output.trimEnd());
  const failed = results.some(({ code }) => code !== 0) ? 1 : 0;
  const used = results.every((result) => result.seconds !== undefined)
    ? results.reduce((sum, result) => sum + result.seconds, 0)
    : undefined;
  return { passed: 1 - failed, failed, skipped: 0, failures: [], seconds: used, files: {} };
}

/** Keeps what a job took. What several files share, loading them above all, is a cost of its own. */
function measure({ name, suite, files }, run, factor) {
  if (run.seconds === undefined) return;
  factors.push(factor);
  const add = (what, used, allowance) => costs.push({ name: what, seconds: used / factor, allowance });
  if (suite.check || suite.program) return add(name, run.seconds, suite.allowance);
  if (files.length === 1) return add(files[0], run.seconds, allowanceOf(suite, files[0]));
  const measured = Object.entries(run.files);
  for (const [file, used] of measured) add(file, used, allowanceOf(suite, file));
  add(
    `${name}: loading`,
    run.seconds - measured.reduce((sum, [, used]) => sum + used, 0),
    suite.loading ?? suite.allowance,
  );
}

async function build() {
  heading('build');
  const run = await runNode(['.build/build.mjs', '--quiet'], { limit: 300_000 });
  if (run.code !== 0) count('build', { passed: 0, failed: 1, skipped: 0 });
  return run.code === 0;
}

function notRun(message) {
  return { passed: 0, failed: 1, skipped: 0, failures: [{ title: 'the build', message }] };
}

/** Runs once more, alone, what failed on servers and browsers, and answers what passed then. */
async function repeat() {
  const repeated = [];
  for (const { name, suite, files, first } of repeats) {
    const named = files.filter((file) => first.failures.some((failure) => failure.file === file));
    // A process that failed as a whole says nothing of its files.
    const whole = named.length === 0 || first.failures.some((failure) => !failure.file);
    const failed = whole ? files : named;
    console.log(`\n── ${failed.join(', ')}: once more, alone`);
    const again = await runFiles(suite, failed, { env, extra: extraOf(suite) });
    repeated.push({ file: failed.join(', '), first, again });
    // What passed at first counts once, and what failed as it came out now.
    runs.get(name).push(whole ? again : { ...again, passed: first.passed + first.failed - again.failed });
  }
  return unsteadyIn(repeated);
}

/** A program of its own is told by itself to leave nothing out. */
function extraOf({ program }) {
  return program && tier === 'all' ? [...extra, '--all'] : extra;
}

function countSuite(name, own) {
  const sum = (key) => own.reduce((all, run) => all + run[key], 0);
  const failed = own.flatMap((run) => run.failures);
  if (failed.length > 0) failedTests.push({ file: name, failures: failed });
  const counts = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
  const none = counts.passed + counts.failed + counts.skipped === 0;
  count(name, none ? { ...counts, failed: 1 } : counts, none ? 'has files, but ran no test' : undefined);
  console.log(suiteLine(name, counts, own));
}

function count(name, counts, problem) {
  for (const key of Object.keys(total)) total[key] += counts[key];
  if (counts.failed > 0) failures.push(problem ? `${name} (${problem})` : name);
}
