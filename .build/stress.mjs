// Runs each end-to-end file several times beside two busy loops, as on a machine with much else to do, and
// says which ones fail at times.
//
//   node .build/stress.mjs [--times N] [part of a file's name …]
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { ensureNode24 } from './node24.mjs';
import { partsOf, suites } from './suites.mjs';
import { heading, runFiles, runNode } from './testProcess.mjs';
import { failureList } from './verdict.mjs';

ensureNode24();
const { values, positionals } = parseArgs({
  options: { times: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const times = Number(values.times);
if (!Number.isInteger(times) || times < 1) stop(`--times takes a number from 1, not ${values.times}`);
const inEditor = [
  ...partsOf(suites.e2e),
  ...partsOf(suites.whole).filter((file) => file.includes('/editor/')),
];
const files = inEditor.filter(
  (file) => positionals.length === 0 || positionals.some((part) => file.includes(part)),
);
if (files.length === 0) stop(`No end-to-end file has ${positionals.join(' or ')} in its name.`);
const { code } = await runNode(['.build/build.mjs', '--quiet'], { limit: 300_000 });
if (code !== 0) stop('The build failed.');

// Threads of this process, so that they end with it.
const busy = Array.from({ length: 2 }, () => new Worker('for (;;);', { eval: true }));
const rows = [];
for (const file of files) {
  const runs = [];
  for (let run = 0; run < times; run++) runs.push(await runFiles(suites.e2e, file, { quiet: true }));
  rows.push({ file, failed: runs.filter((run) => run.failed > 0) });
}
await Promise.all(busy.map((loop) => loop.terminate()));

heading('stress');
console.table(
  Object.fromEntries(rows.map(({ file, failed }) => [file, { runs: times, failures: failed.length }])),
);
for (const { file, failed } of rows)
  if (failed.length > 0) console.log([file, ...failed.map((run) => failureList(run.failures))].join('\n'));
process.exit(rows.some(({ failed }) => failed.length > 0) ? 1 : 0);

function stop(why) {
  console.error(why);
  process.exit(2);
}
