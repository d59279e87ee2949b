// Lines that the unit, replay and phases suites run, by room of src/.
//
//   node .build/coverage.mjs [--integration] [--missing]     `--missing`: also the files that lack most
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import fs from 'node:fs'; // globSync by name would keep Node 20 from reading this file
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureNode24 } from './node24.mjs';
import { root } from './paths.mjs';
import { groupsOf, partsOf, suites } from './suites.mjs';
import { heading, inQueue, runFiles, runNode } from './testProcess.mjs';

// Loaded on first use, so that this file can be read by every Node, and before anything is installed.
const require = createRequire(import.meta.url);
/** The rooms that need no editor and no process, and so no other suite, to be tested. */
const measured = ['domain', 'engine', 'context', 'phases'];
const leastPercent = 85;

/**
 * @typedef {{ file: string, lines: number, covered: number }} FileLines
 * @typedef {{ room: string, lines: number, covered: number, percent: number, missing: FileLines[] }}
 * RoomLines `missing`: files with uncovered lines
 */

/**
 * Runs `work` with a folder in the environment that Node writes coverage to, and answers the lines by room.
 */
export async function measure(work) {
  const folder = mkdtempSync(join(tmpdir(), 'beadsmith-coverage-'));
  try {
    // Functions that come compiled out of a cache are not counted exactly.
    await work({ NODE_V8_COVERAGE: folder, NODE_DISABLE_COMPILE_CACHE: '1' });
    return roomsOf(await linesOf(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns {Promise<FileLines[]>} */
async function linesOf(folder) {
  const { Report } = require('c8');
  const options = {
    tempDirectory: folder,
    include: ['src/**/*.ts'],
    exclude: [],
    extension: ['.ts'],
    all: true,
    src: [root],
    resolve: '',
  };
  const map = await Report({
    ...options,
    reporter: [],
    excludeNodeModules: true,
  }).getCoverageMapFromAllCoverageFiles();
  return map
    .files()
    .map((file) => {
      const hits = Object.values(map.fileCoverageFor(file).getLineCoverage());
      return {
        file: relative(root, file).replaceAll('\\', '/'),
        lines: hits.length,
        covered: hits.filter((count) => count > 0).length,
      };
    })
    .filter(({ file, covered }) => covered > 0 || hasCode(readFileSync(join(root, file), 'utf8')));
}

/**
 * Whether anything is left of a source file without its types and comments. Files of types only are never
 * loaded, and no test could cover them.
 */
export function hasCode(source) {
  const ts = require('typescript');
  const { ESNext } = ts.ModuleKind;
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ESNext, verbatimModuleSyntax: true, removeComments: true },
  });
  return outputText.replace(/export \{\s*\};/, '').trim() !== '';
}

/**
 * @param {readonly FileLines[]} files
 * @returns {RoomLines[]}
 */
export function roomsOf(files) {
  const byRoom = Map.groupBy(files, ({ file }) => file.split('/')[1]);
  return [...byRoom]
    .map(([room, own]) => {
      const sum = (key) => own.reduce((all, one) => all + one[key], 0);
      const [lines, covered] = [sum('lines'), sum('covered')];
      const lack = (one) => one.lines - one.covered;
      const missing = own.filter((one) => lack(one) > 0).sort((a, b) => lack(b) - lack(a));
      return { room, lines, covered, percent: (100 * covered) / lines, missing };
    })
    .sort((a, b) => (a.room < b.room ? -1 : 1));
}

/**
 * What is wrong with these figures, a sentence each.
 * @param {readonly RoomLines[]} rows
 * @returns {string[]}
 */
export function shortfalls(rows) {
  return measured.flatMap((room) => {
    const percent = rows.find((row) => row.room === room)?.percent ?? 0;
    return percent >= leastPercent
      ? []
      : [`${room} has ${percentText(percent)} of its lines covered, and needs ${leastPercent} %`];
  });
}

/** The least that `testRatio` may be. */
export const leastRatio = 0.75;

/**
 * Lines of TypeScript in tests, for each line of it in the extension and its pages. Blank lines don't count.
 */
export function testRatio() {
  const count = (file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '').length;
  const lines = (pattern) => fs.globSync(pattern, { cwd: root }).reduce((sum, file) => sum + count(file), 0);
  return lines('test/**/*.ts') / (lines('src/**/*.ts') + lines('webview-ui/**/*.{ts,tsx}'));
}

/** Prints the rooms that are measured, or all of them. */
export function printRooms(rows, { all = false, missing = false } = {}) {
  for (const row of rows.filter(({ room }) => all || measured.includes(room))) {
    console.log(
      `${row.room.padEnd(14)}${percentText(row.percent).padStart(8)}   ${row.covered} of ${row.lines} lines`,
    );
    if (missing)
      for (const { file, lines, covered } of row.missing.slice(0, 20))
        console.log(`  ${String(lines - covered).padStart(5)} of ${lines}  ${file}`);
  }
}

/** Rounded down, so that what is too little never looks like enough. */
const percentText = (percent) => `${(Math.floor(percent * 10) / 10).toFixed(1)} %`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureNode24();
  const built = process.argv.includes('--integration') ? partsOf(suites.integration) : [];
  if (built.length > 0 && (await runNode(['.build/build.mjs', '--quiet'], { limit: 300_000 })).code !== 0)
    process.exit(1);
  let failed = 0;
  const rows = await measure(async (env) => {
    const groups = [suites.phases, suites.unit, suites.replay].flatMap((suite) =>
      groupsOf(suite).map((files) => ({ suite, files })),
    );
    const integration = built.map((files) => ({ suite: suites.integration, files }));
    await inQueue([...groups, ...integration], async ({ suite, files }) => {
      const run = await runFiles(suite, files, { env, quiet: true });
      failed += run.failed;
    });
  });
  heading('coverage');
  printRooms(rows, { all: true, missing: process.argv.includes('--missing') });
  console.log(
    `\ntests have ${testRatio().toFixed(2)} lines for each line of source; the least is ${leastRatio.toFixed(2)}`,
  );
  for (const problem of shortfalls(rows)) console.log(problem);
  process.exit(failed > 0 || shortfalls(rows).length > 0 ? 1 : 0);
}
