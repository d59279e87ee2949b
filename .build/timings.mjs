// Costs of tests: what each file took, against what it may take. Seconds are processor seconds of the
// reference machine (.build/processorTime.mjs).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './paths.mjs';

/** Kept from run to run, so that the most expensive files start first; never committed. */
const file = join(root, '.cache', 'timings.json');
/** A file is over its allowance when it took this much of it. */
export const patience = 1.5;
const shown = 10;

/** @typedef {{ name: string, seconds: number, allowance: number }} Cost `name`: of a file, or of a check. */

/** @returns {Readonly<Record<string, number>>} seconds by name, of the last run of each */
export function recordedCosts() {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).files ?? {};
  } catch {
    return {};
  }
}

/**
 * Writes what was measured over what is recorded. `factor`: of the machine, of the reference machine's
 * seconds.
 * @param {readonly Cost[]} costs
 * @param {number} factor
 */
export function recordCosts(costs, factor) {
  const files = {
    ...recordedCosts(),
    ...Object.fromEntries(costs.map(({ name, seconds }) => [name, rounded(seconds)])),
  };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `${JSON.stringify({ factor: rounded(factor), sum: rounded(sumOf(costs)), files: sorted(files) }, undefined, 2)}\n`,
  );
}

/**
 * The lines that a run prints of its costs, and a sentence for each cost that is over its allowance. `most`:
 * of the whole run, where it has an allowance.
 * @param {readonly Cost[]} costs
 * @param {{ most?: number, factor: number }} run
 * @returns {{ lines: string[], problems: string[] }}
 */
export function costReport(costs, { most, factor }) {
  const sum = sumOf(costs);
  const expensive = [...costs].sort((a, b) => b.seconds - a.seconds).slice(0, shown);
  const width = Math.max(0, ...expensive.map(({ name }) => name.length));
  const lines = [
    `processor seconds (of the reference machine; this one needs ${factor.toFixed(2)} for each): ${sum.toFixed(0)}${most === undefined ? '' : ` of ${most}`}`,
    ...expensive.map(
      ({ name, seconds, allowance }) =>
        `  ${name.padEnd(width)}  ${seconds.toFixed(1).padStart(6)} of ${allowance}`,
    ),
  ];
  const over = costs.filter(({ seconds, allowance }) => seconds > allowance * patience);
  const problems = over.map(
    ({ name, seconds, allowance }) =>
      `${name} took ${seconds.toFixed(1)} s of the processor, and may take ${allowance} (.build/suites.mjs)`,
  );
  if (most !== undefined && sum > most)
    problems.push(
      `the run took ${sum.toFixed(0)} s of the processor, and may take ${most} (.build/suites.mjs)`,
    );
  return { lines, problems };
}

function sumOf(costs) {
  return costs.reduce((sum, { seconds }) => sum + seconds, 0);
}

function sorted(files) {
  return Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const rounded = (seconds) => Math.round(seconds * 100) / 100;
