import { parseArgs } from 'node:util';
import { type Measure, type Measurement, toRow } from './measurement.ts';
import { measureAssembly } from './metrics/assembly.ts';
import { measureSandbox } from './metrics/sandbox.ts';
import { measureBeads } from './metrics/beads.ts';
import { measureBeadCount, measureManyFiles } from './metrics/codingScale.ts';
import { measureCost } from './metrics/cost.ts';
import { measureCouncil } from './metrics/council.ts';
import { measureDemo } from './metrics/demo.ts';
import { measureEditor } from './metrics/editor.ts';
import { measureHostile } from './metrics/hostile.ts';
import { measureInspector } from './metrics/inspector.ts';
import { measureIntegrity } from './metrics/integrity.ts';
import { measureJournal } from './metrics/journal.ts';
import { measureOwnTime } from './metrics/ownTime.ts';
import { measurePlanningBody } from './metrics/planningBody.ts';
import { measureReview } from './metrics/review.ts';

const metrics: Readonly<Record<string, Measure>> = {
  journal: measureJournal,
  assembly: measureAssembly,
  inspector: measureInspector,
  beads: measureBeads,
  'bead-count': measureBeadCount,
  'many-files': measureManyFiles,
  council: measureCouncil,
  'planning-body': measurePlanningBody,
  'own-time': measureOwnTime,
  cost: measureCost,
  demo: measureDemo,
  sandbox: measureSandbox,
  editor: measureEditor,
  hostile: measureHostile,
  integrity: measureIntegrity,
  review: measureReview,
};

const usage = `Measures what the project promises of its speed. Ends with 1 when a bound is missed.

  npm run bench -- [NAME …] [--json] [--samples 5] [--against FOLDER]

Names: ${Object.keys(metrics).join(', ')}. What each number means stands in test/bench/metrics/.
--against names another built checkout, which cost measures beside this one.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    samples: { type: 'string', default: '5' },
    against: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !(name in metrics));
const samples = Number(values.samples);
if (values.help) console.log(usage);
else if (unknown.length > 0 || !Number.isInteger(samples) || samples < 1) {
  console.error(usage);
  process.exitCode = 2;
} else process.exitCode = await measureAll(positionals.length > 0 ? positionals : Object.keys(metrics));

async function measureAll(names: readonly string[]): Promise<number> {
  const measured: Measurement[] = [];
  const { against } = values;
  const options = {
    samples,
    say: (text: string) => console.error(`  ${text}`),
    ...(against === undefined ? {} : { against }),
  };
  let failed = false;
  for (const name of names) {
    console.error(`${name} …`);
    try {
      measured.push(...((await metrics[name]?.(options)) ?? []));
    } catch (error) {
      failed = true;
      console.error(
        `✘ ${name} could not be measured: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    }
  }
  const rows = measured.map(toRow);
  if (values.json) console.log(JSON.stringify(rows, undefined, 2));
  else console.log(tableOf(measured));
  return failed || rows.some((row) => !row.ok) ? 1 : 0;
}

function tableOf(measured: readonly Measurement[]): string {
  const lines = measured.map((measurement) => {
    const { name, value, unit, bound, ok, p50, p95 } = toRow(measurement);
    const range = `${short(Math.min(...measurement.samples))} … ${short(Math.max(...measurement.samples))}`;
    return [
      ok ? '✔' : '✘',
      name,
      `${short(value)} ${unit}`,
      bound,
      short(p50),
      short(p95),
      `${String(measurement.samples.length)}: ${range}`,
    ];
  });
  const table = [['', 'metric', 'value', 'bound', 'p50', 'p95', 'samples'], ...lines];
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((line) => line[column]?.length ?? 0)),
  );
  const shown = table.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const notes = measured.flatMap(({ name, notes = [] }) => notes.map((note) => `${name}: ${note}`));
  return [...shown, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}
