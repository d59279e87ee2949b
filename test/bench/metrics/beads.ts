import { Bead } from '../../../src/domain/beads/bead.ts';
import { graphErrors, getNextBead } from '../../../src/domain/beads/beadPlan.ts';
import { type Measure, median } from '../measurement.ts';
import { sideBySide } from '../sideBySide.ts';

const count = 10_000;

/**
 * A plan of 10,000 beads as JSON lines (1.2 KB each): parsed, validated, graph checked, next bead chosen ÷
 * `JSON.parse` of the lines; this thread's processor time.
 */
export const measureBeads: Measure = async ({ samples }) => {
  const lines = Array.from({ length: count }, (_, index) => JSON.stringify(beadAt(index)));
  const ours = (): void => {
    const beads = lines.map((line) => Bead.parse(JSON.parse(line)));
    const errors = graphErrors(beads);
    if (errors.length > 0 || getNextBead(beads)?.id !== idOf(0))
      throw new Error(`The plan of the benchmark is wrong: ${errors[0] ?? ''}`);
  };
  const bare = (): void => {
    if (lines.map((line) => JSON.parse(line) as unknown).length !== count)
      throw new Error('Lines were lost.');
  };
  const { ratios, aMs, bMs } = await sideBySide(
    { run: ours },
    { run: bare },
    { samples, rounds: 8, by: 'processor' },
  );
  const ms = (times: readonly number[]): string => `${median(times).toFixed(0)} ms`;
  const notes = [`${String(count)} beads in ${ms(aMs)} of processor time, JSON.parse alone ${ms(bMs)}`];
  return [{ name: 'beads', unit: 'x', bound: { atMost: 3 }, samples: ratios, notes }];
};

function beadAt(index: number): Bead {
  const at = '2026-11-21T09:00:00.000Z';
  return {
    id: idOf(index),
    title: `Filter the rows of report ${String(index)}`,
    prdRefs: ['EPIC-1', `US-1-${String(index % 40)}`],
    description:
      'Add src/filterRows.js with filterRows(rows, filters) and let buildReport(inventory, filters) in src/report.js use it.\n' +
      'Filters: category (any letter case), shelf, maxQuantity. All that are given must be passed; undefined is no filter.',
    contextGuidance: {
      patterns: ['Plain ES modules, one thing a file, as in src/money.js'],
      anti_patterns: ['No dependency, no printing outside src/cli.js'],
    },
    acceptanceCriteria: [
      'Filters can be combined',
      'Totals speak of the rows that are left',
      'Without filters a report is what it was',
    ],
    tests: [`test/filterRows${String(index)}.test.js covers each filter, two together and an unknown one`],
    testCommands: ['node --test test/filterRows.test.js test/report.test.js'],
    priority: index + 1,
    status: 'pending',
    issueType: 'feature',
    externalRef: 'STOCK-1',
    labels: ['epic:epic-1', 'area:report'],
    dependencies: { blocked_by: before(index).map(idOf), blocks: after(index).map(idOf) },
    targetFiles: [
      `src/filterRows${String(index)}.js`,
      'src/report.js',
      `test/filterRows${String(index)}.test.js`,
    ],
    notes: '',
    iteration: 1,
    createdAt: at,
    updatedAt: at,
    completedAt: '',
    startedAt: '',
    beadStartCommit: null,
  };
}

function idOf(index: number): string {
  return `report-filter-${String(index)}`;
}

/** Each third bead also waits for the one three before. */
function before(index: number): number[] {
  return [index - 1, ...(index % 3 === 0 ? [index - 3] : [])].filter((place) => place >= 0);
}

function after(index: number): number[] {
  return [index + 1, index + 3].filter((place) => place < count && before(place).includes(index));
}
