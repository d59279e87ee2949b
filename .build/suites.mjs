// The suites of tests, in the order in which failing is cheapest, and what they may cost.
import { statSync } from 'node:fs';
import fs from 'node:fs'; // globSync by name would keep Node 20 from reading this file far enough to change over
import { join } from 'node:path';
import { root } from './paths.mjs';

const minutes = 60_000;

/**
 * The cost that a run may have, in processor seconds of the reference machine (docs/testing.md). A tier runs
 * its own suites and those of the tiers before it; `all` has no limit, and is run in so many shards.
 */
export const tiers = { check: { most: 150 }, test: { most: 1200 }, all: { shards: 8 } };

/**
 * Files about the same tickets (docs/decisions/160-prepared-tickets.md). Two processes with such files at
 * once would drive them twice.
 */
const sharedTickets = [
  ['interviewPage', 'approvalPage', 'documents', 'review', 'github'],
  ['ticketsView', 'ticketDraft', 'upkeep', 'support'],
  ['ticketPage', 'findings', 'context/inspector'],
].map((names) => names.map((name) => `test/e2e/${name}.test.ts`));

/**
 * `tier`: the cheapest run that it is part of. `timeout`: of one test. `limit`: of a process, after which it
 * is ended and has failed; longer than any test in it may take. `check`: the arguments of the programs that
 * check. `program`: starts this instead of mocha for all files, and writes the counts itself. `groups`: so
 * many processes share its files. `built`: needs dist/, and runs on real servers and browsers. Each file has
 * a process of its own, so that none inherits what another left. `together`: files that share one, because
 * they share prepared tickets, an editor and a browser. `allowance`: processor seconds of the reference
 * machine that each file may take, or the suite, where its files share a process; `allowanceOfAll`: of a
 * program that leaves things out in a cheaper run than that of everything; `allowances`: of files that need
 * more, by their path in the suite's folder. `usual`: the part of its allowances that a suite usually takes,
 * measured over all of it; shards are shared out by that.
 */
export const suites = {
  lint: { tier: 'check', check: [['.build/lint.mjs']], limit: 10 * minutes, allowance: 65, usual: 0.8 },
  unit: {
    tier: 'check',
    usual: 0.1,
    files: 'test/unit/**/*.test.ts',
    timeout: 10_000,
    limit: 6 * minutes,
    groups: 2,
    allowance: 2,
    loading: 10,
    allowances: {
      'phases/shared/structured/prefixes': 11,
      'phases/shared/structured/properties': 4,
      'phases/shared/structured/corpus': 3,
      'phases/shared/structured/careless': 3,
      'app/textThread': 4,
      'adapters/git/gitAdapter': 4,
    },
  },
  replay: {
    tier: 'check',
    usual: 0.3,
    files: 'test/replay/**/*.test.ts',
    timeout: 20_000,
    limit: 5 * minutes,
    allowance: 10,
    loading: 5,
  },
  simulate: {
    tier: 'test',
    usual: 0.7,
    files: 'test/simulate/**/*.test.ts',
    timeout: 450_000,
    limit: 10 * minutes,
    allowance: 21,
    allowances: { cells: 27 },
    loading: 5,
  },
  hostile: {
    tier: 'test',
    usual: 0.6,
    files: 'test/hostile/**/*.test.ts',
    timeout: 300_000,
    limit: 10 * minutes,
    allowance: 50,
    loading: 5,
  },
  phases: {
    tier: 'test',
    usual: 0.4,
    files: 'test/integration/{execution,delivery}/**/*.test.ts',
    timeout: 120_000,
    limit: 20 * minutes,
    groups: 3,
    allowance: 8,
    allowances: {
      'execution/crash/stageCrash': 19,
      'execution/proof/proof': 15,
      'execution/proof/earlierTests': 14,
      'execution/review/failureAnalysis': 11,
      'execution/languages/packageManagers': 11,
      'execution/redFirst': 10,
      'delivery/failedChecks': 10,
      'delivery/deliveryCells': 11,
    },
    loading: 20,
  },
  git: {
    tier: 'test',
    usual: 0.4,
    files: 'test/integration/git/**/*.test.ts',
    timeout: 120_000,
    limit: 5 * minutes,
    groups: 2,
    allowance: 8,
    loading: 5,
  },
  integration: {
    tier: 'test',
    usual: 0.4,
    files: 'test/integration/{*,!(execution|delivery|git)/**/*}.test.ts',
    timeout: 120_000,
    limit: 20 * minutes,
    built: true,
    allowance: 12,
    allowances: {
      cliFlow: 50,
      twoProcesses: 33,
      opencodeLifecycle: 28,
      opencodeContract: 17,
      'agentFiles/loading': 17,
      'sandbox/sandboxedServer': 18,
      'gates/childDecides': 16,
    },
  },
  host: {
    tier: 'test',
    usual: 0.8,
    files: 'test/host/**/*.test.ts',
    limit: 20 * minutes,
    built: true,
    program: 'test/host/run.ts',
    allowance: 45,
    allowanceOfAll: 130,
  },
  e2e: {
    tier: 'test',
    usual: 0.6,
    files: 'test/e2e/**/*.test.ts',
    timeout: 180_000,
    limit: 20 * minutes,
    built: true,
    together: sharedTickets,
    allowance: 25,
    allowances: {
      review: 45,
      interviewPage: 65,
      ticketPage: 65,
      story: 65,
      walkthrough: 38,
      documents: 48,
      approvalPage: 45,
      findings: 32,
      github: 32,
      'context/inspector': 30,
    },
  },
  coverage: {
    tier: 'all',
    check: [['.build/coverage.mjs']],
    limit: 20 * minutes,
    allowance: 450,
    usual: 0.8,
  },
  // What repeats whole tickets on real servers. Everything it is about has quicker tests, too, on the same
  // engine, git and database with an agent that plays a part.
  whole: {
    tier: 'all',
    usual: 0.45,
    files: 'test/whole/**/*.test.ts',
    timeout: 180_000,
    limit: 20 * minutes,
    built: true,
    allowance: 30,
    allowances: {
      crashCells: 105,
      'team/killedAtSteps': 160,
      'team/refusingRemote': 45,
      'team/upgrade': 60,
      deliveryCells: 35,
      'review/analysisPoliciesByCli': 90,
      simulated: 85,
      adding: 240,
      'review/retrospectiveByCli': 75,
      'context/cacheCost': 70,
      'review/partyDemo': 65,
      'editor/parties': 55,
      'context/inspectByCli': 55,
      lab: 55,
      interrupted: 55,
      'editor/reviewRound': 58,
      forgeDemo: 75,
      scriptedModelDemo: 50,
      exitCodes: 50,
      'review/killedByCli': 50,
      'editor/ticketRequests': 65,
      'editor/followingWindow': 50,
      'editor/quickPicks': 50,
      'editor/twoWindows': 45,
      'editor/promptPreview': 40,
      'loop/capsByCli': 40,
      'team/faultsOfDatabase': 90,
      'team/faultsOfNetwork': 90,
      'team/fullDisk': 110,
      'editor/demoElsewhere': 85,
      'editor/rehearse': 35,
      'editor/budgets': 30,
      'team/parts': 40,
      'team/people/byCommand': 45,
      'team/publish': 120,
      'team/namedCommits': 110,
    },
  },
};

/**
 * The suites that a run of this tier has, by name, with what they may cost in it.
 * @param {string} tier
 */
export function suitesOf(tier) {
  const names = Object.keys(tiers);
  const parts = Object.entries(suites).filter(
    ([, suite]) => names.indexOf(suite.tier) <= names.indexOf(tier),
  );
  return Object.fromEntries(
    parts.map(([name, suite]) => [
      name,
      tier === 'all' && 'allowanceOfAll' in suite ? { ...suite, allowance: suite.allowanceOfAll } : suite,
    ]),
  );
}

/**
 * The files of a suite, the most expensive first, so that at the end nothing long is left alone. `costs`:
 * seconds by file, as far as they are recorded.
 * @param {{ files: string, program?: string, allowance: number, allowances?: Record<string, number> }} suite
 * @param {Readonly<Record<string, number>>} [costs]
 */
export function partsOf(suite, costs = {}) {
  if (suite.program) return [suite.files];
  const found = fs.globSync(suite.files, { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  const size = new Map(found.map((file) => [file, statSync(join(root, file)).size]));
  const cost = (file) => costs[file] ?? allowanceOf(suite, file);
  return found.sort((a, b) => cost(b) - cost(a) || size.get(b) - size.get(a));
}

/**
 * Processor seconds of the reference machine that a file of a suite may take.
 * @param {{ allowance: number, allowances?: Readonly<Record<string, number>> }} suite
 * @param {string} file
 * @returns {number}
 */
export function allowanceOf({ allowance, allowances = {} }, file) {
  return allowances[file.replace(/^test\/[^/]+\//, '').replace(/\.test\.ts$/, '')] ?? allowance;
}

/**
 * The processes of a suite: one for each of its files, or for those that belong together. `apart`: each in
 * its own.
 * @returns {string[][]}
 */
export function processesOf(suite, costs = {}, { apart = false } = {}) {
  const parts = partsOf(suite, costs);
  const together = apart ? [] : (suite.together ?? []);
  const alone = parts.filter((file) => !together.flat().includes(file));
  return [...together, ...alone.map((file) => [file])];
}

/** The files of a suite in its groups, which cost about the same, each for one process. */
export function groupsOf(suite, costs = {}) {
  const cost = (file) => costs[file] ?? allowanceOf(suite, file);
  return shared(partsOf(suite, costs), suite.groups ?? 1, cost).filter((group) => group.length > 0);
}

/**
 * The jobs of each shard, by what they usually take. That has to be the same on every machine, whatever is
 * recorded there.
 * @template {{ suite: { usual: number }, allowance: number }} T
 * @param {readonly T[]} jobs
 * @param {number} count
 * @returns {T[][]}
 */
export function shardsOf(jobs, count) {
  return shared(jobs, count, ({ suite, allowance }) => allowance * suite.usual);
}

/**
 * These things in so many parts of about the same cost: the most expensive ones first, each to the part that
 * is cheapest so far.
 * @template T
 * @param {readonly T[]} things
 * @param {number} count
 * @param {(thing: T) => number} cost
 * @returns {T[][]}
 */
export function shared(things, count, cost) {
  const parts = Array.from({ length: count }, () => ({ sum: 0, things: [] }));
  for (const thing of [...things].sort((a, b) => cost(b) - cost(a))) {
    const cheapest = parts.reduce((least, part) => (part.sum < least.sum ? part : least));
    cheapest.things.push(thing);
    cheapest.sum += cost(thing);
  }
  return parts.map((part) => part.things);
}
