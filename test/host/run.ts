// Runs the folders of test/host inside editors, one window each.
//
//   node test/host/run.ts [--launcher server|desktop] [--vscode newest|oldest] [--all] [folder …]
//
// `--all`: every folder in both versions. Otherwise two of them run in the newest one; on the desktop all
// that can. `server`: the VS Code that npm has, in a packaged browser. `desktop`: the one that
// @vscode/test-electron downloads.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { HostResult } from '../support/editor/hostOrders.ts';
import { tempFolder } from '../support/tempFolder.ts';
import type { EditorVersion } from '../support/editor/vscodeServer.ts';
import { desktopWindow } from './desktop.ts';
import { serverWindow } from './server.ts';
import { type WindowName, windows } from './windows.ts';

/** A window that takes longer has failed. */
const limitMs = 600_000;
const launchers = { server: serverWindow, desktop: desktopWindow };
const versions: readonly EditorVersion[] = ['newest', 'oldest'];
/** Folders that are run in the newest version when nothing else was asked for. */
const usualNames: readonly WindowName[] = ['quiet', 'tickets'];

const { values, positionals } = parseArgs({
  options: {
    launcher: { type: 'string', default: 'server' },
    vscode: { type: 'string' },
    all: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const launcher = nameIn(values.launcher, launchers, '--launcher');
const asked =
  values.vscode === undefined ? versions : [nameIn(values.vscode, { newest: 1, oldest: 1 }, '--vscode')];
const names =
  positionals.length > 0
    ? positionals.map((name) => nameIn(name, windows, 'folder'))
    : (Object.keys(windows) as WindowName[]);

const counts = { passed: 0, failed: 0, skipped: 0 };
const failures: { title: string; message: string }[] = [];
for (const version of asked)
  for (const name of names)
    if ((launcher === 'server' || windows[name].desktop) && isWanted(name, version))
      await runWindow(name, version);
if (process.env['BEADSMITH_COUNTS'])
  writeFileSync(process.env['BEADSMITH_COUNTS'], JSON.stringify({ ...counts, failures }));
console.log(
  `\n${String(counts.passed)} passed, ${String(counts.failed)} failed, ${String(counts.skipped)} skipped`,
);
process.exit(counts.failed > 0 ? 1 : 0);

/** Whether a folder is run in a version. */
function isWanted(name: WindowName, version: EditorVersion): boolean {
  const isAsked =
    values.all || values.vscode !== undefined || positionals.length > 0 || launcher === 'desktop';
  return isAsked || (version === 'newest' && usualNames.includes(name));
}

/** Runs a folder in a window of its own. */
async function runWindow(name: WindowName, version: EditorVersion): Promise<void> {
  const folder = tempFolder('host');
  const report = join(folder.path, 'report.ndjson');
  const start = performance.now();
  console.log(`\n  ${name}, ${version} VS Code`);
  let problem: unknown;
  try {
    writeFileSync(report, '');
    await launchers[launcher]({
      name,
      version,
      window: windows[name],
      orders: join(folder.path, 'orders.json'),
      report,
      limitMs,
    });
  } catch (error) {
    problem = error;
  }
  tell(readReport(report), problem);
  console.log(`    in ${((performance.now() - start) / 1_000).toFixed(1)} s`);
  folder.remove();
}

function tell(results: readonly HostResult[], problem: unknown): void {
  for (const result of results) {
    if (result.kind === 'end') continue;
    counts[result.kind] += 1;
    console.log(`    ${{ passed: '✔', skipped: '-', failed: '✘' }[result.kind]} ${result.title}`);
    if (result.kind !== 'failed') continue;
    console.log(result.error.replaceAll(/^/gm, '      '));
    failures.push({ title: result.title, message: result.error });
  }
  if (problem === undefined && results.some(({ kind }) => kind === 'end')) return;
  counts.failed += 1;
  const why = problem instanceof Error ? (problem.stack ?? problem.message) : 'its tests did not all run';
  failures.push({ title: 'the window ended well', message: why });
  console.log(`    ✘ the window ended well\n${why.replaceAll(/^/gm, '      ')}`);
}

function readReport(file: string): readonly HostResult[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => HostResult.parse(JSON.parse(line)));
}

function nameIn<T extends object>(name: string, table: T, what: string): Extract<keyof T, string> {
  if (Object.hasOwn(table, name)) return name as Extract<keyof T, string>;
  console.error(`${what} takes one of: ${Object.keys(table).join(', ')}`);
  process.exit(2);
}
