import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mutants, type Mutant } from './mutants.ts';

/**
 * `npm run mutants`: breaks one rule at a time in a copy of the project and runs the test that must notice.
 * Prints a line a mutant; exits 1 if one survives, or if a test is red without its mutant.
 */
const root = fileURLToPath(new URL('../../', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'beadsmith-mutants-'));
const wanted = process.argv.slice(2);
let survivors = 0;
try {
  for (const folder of ['src', 'test', 'prompts', 'docs', '.build'])
    cpSync(join(root, folder), join(copy, folder), { recursive: true });
  for (const file of ['package.json', 'tsconfig.json', '.mocharc.json', 'README.md'])
    cpSync(join(root, file), join(copy, file));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const mutant of mutants) {
    if (wanted.length > 0 && !wanted.includes(mutant.name)) continue;
    const verdict = tryMutant(mutant);
    if (verdict !== 'killed') survivors++;
    console.log(`${verdict === 'killed' ? '✔' : '✘'} ${mutant.name}: ${verdict} by "${mutant.test}"`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(survivors === 0 ? 'Every mutant was noticed.' : `${String(survivors)} mutants were not noticed.`);
process.exitCode = survivors === 0 ? 0 : 1;

function tryMutant(mutant: Mutant): string {
  const path = join(copy, mutant.file);
  const original = readFileSync(path, 'utf8');
  const parts = original.split(mutant.find);
  if (parts.length !== 2) return `not applicable, its text occurs ${String(parts.length - 1)} times`;
  if (runTest(mutant) !== 0) return 'red without the mutant';
  try {
    writeFileSync(path, parts.join(mutant.replace));
    return runTest(mutant) === 0 ? 'NOT noticed' : 'killed';
  } finally {
    writeFileSync(path, original);
  }
}

/**
 * The exit code of the named test; a test that isn't there is no proof, so that finding none counts as red.
 */
function runTest(mutant: Mutant): number {
  const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
  const run = spawnSync(process.execPath, [mocha, mutant.spec, '--grep', mutant.test, '--fail-zero'], {
    cwd: copy,
    encoding: 'utf8',
    timeout: 120_000,
  });
  return run.status ?? 1;
}
