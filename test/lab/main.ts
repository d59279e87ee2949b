import { parseArgs } from 'node:util';
import { kinds } from './kind.ts';
import { printImport } from './import/printImport.ts';
import { type Row, tryKind } from './lab.ts';

const usage = `Drives a ticket on every kind of repository, and checks what comes of it. Ends with 1 when a row isn't what it promises.

  npm run lab -- [--only NAME …] [--jobs 1] [--keep] [--json] [--list] [--import]

--only NAME  tries this kind only; may be repeated
--jobs N     tries so many kinds at a time
--keep       keeps the folders; those of rows that went wrong are always kept
--json       prints the rows as JSON
--list       prints the kinds
--import     reads the inputs of test/fixtures/import instead, and prints what the drafts hold`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    jobs: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    import: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const marks = { verified: '✔', stopped: '✔', 'not run': '–', wrong: '✘' } as const;
const unknown = values.only.filter((name) => kinds.every((kind) => kind.name !== name));

if (values.help) console.log(usage);
else if (values.import) process.exitCode = printImport();
else if (values.list) for (const { name, about } of kinds) console.log(`${name.padEnd(24)} ${about}`);
else if (unknown.length > 0) {
  console.error(`There is no kind ${unknown.join(', ')}. --list prints them.`);
  process.exitCode = 2;
} else process.exitCode = await tryAll();

async function tryAll(): Promise<number> {
  const rows: Row[] = [];
  const started = performance.now();
  const queue = kinds.filter(({ name }) => values.only.length === 0 || values.only.includes(name));
  const work = async (): Promise<void> => {
    for (let kind = queue.shift(); kind; kind = queue.shift()) {
      const row = await tryKind(kind, { keep: values.keep });
      rows.push(row);
      if (!values.json) for (const line of linesOf(row)) console.log(line);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  const wrong = rows.filter(({ outcome }) => outcome === 'wrong').length;
  if (values.json) console.log(JSON.stringify(rows, undefined, 2));
  else {
    const count = (outcome: Row['outcome']): string =>
      `${String(rows.filter((row) => row.outcome === outcome).length)} ${outcome}`;
    const touched = rows.filter((row) => row.touched.length > 0).length;
    const minutes = ((performance.now() - started) / 60_000).toFixed(1);
    console.log(
      `\n${String(rows.length)} kinds in ${minutes} min: ${(['verified', 'stopped', 'not run', 'wrong'] as const).map(count).join(', ')}; ${String(touched)} touched checkouts`,
    );
  }
  return wrong === 0 ? 0 : 1;
}

function linesOf({ name, about, outcome, seconds, says, problems, folder }: Row): readonly string[] {
  const time = outcome === 'not run' ? '' : `${seconds.toFixed(1)} s`;
  const head = `${marks[outcome]} ${name.padEnd(24)} ${outcome.padEnd(8)} ${time.padStart(8)}  ${about}`;
  const said = outcome === 'stopped' || outcome === 'not run' ? [`    ${says.slice(0, 300)}`] : [];
  return [
    head,
    ...said,
    ...problems.map((problem) => `    ✘ ${problem}`),
    ...(folder === null ? [] : [`    kept: ${folder}`]),
  ];
}
