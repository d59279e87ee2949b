import { resolve } from 'node:path';
import { root } from '../../../.build/paths.mjs';
import { costOfQuickTicket, type TicketCost } from '../cost/quickTicket.ts';
import { type Measure, type Measurement, median } from '../measurement.ts';

/**
 * One quick ticket by the built command line: processor seconds and memory of everything that runs for it,
 * processes that the command line starts, wall seconds. The first ticket fills caches and isn't counted. With
 * `--against FOLDER` each sample drives one ticket of each checkout in turn, and this side ÷ that side is
 * bounded.
 */
export const measureCost: Measure = async ({ samples, say, against }) => {
  const sides = against === undefined ? [root] : [root, resolve(against)];
  const costs: TicketCost[][] = sides.map(() => []);
  for (let sample = 0; sample <= samples; sample++)
    for (const at of sample % 2 === 0 ? sides.keys() : [...sides.keys()].toReversed()) {
      const cost = await costOfQuickTicket(sides[at] ?? root);
      say(`${at === 0 ? 'here' : 'against'}${sample === 0 ? ', not counted' : ''}: ${described(cost)}`);
      if (sample > 0) costs[at]?.push(cost);
    }
  const [here = [], there] = costs;
  const notes = [
    `one ticket here: ${programs(here)}`,
    ...(there ? [`one ticket of the other side: ${programs(there)}`] : []),
  ];
  return rows.map(({ name, unit, of, atMost, share }): Measurement => {
    const [own, other] = [here.map(of), there?.map(of)];
    if (other === undefined)
      return { name, unit, bound: { atMost }, samples: own, ...(name === 'cost-starts' ? { notes } : {}) };
    const shares = own.map((value, at) => value / (other[at] ?? Number.NaN));
    const both = `${median(own).toFixed(1)} ${unit} here, ${median(other).toFixed(1)} ${unit} on the other side`;
    return {
      name,
      unit: 'x',
      bound: { atMost: share },
      samples: shares,
      notes: [both, ...(name === 'cost-starts' ? notes : [])],
    };
  });
};

/** Bounds of seconds and memory are far off, for other machines. */
const rows: readonly {
  readonly name: string;
  readonly unit: string;
  readonly of: (cost: TicketCost) => number;
  readonly atMost: number;
  readonly share: number;
}[] = [
  { name: 'cost-processor', unit: 's', of: ({ processorS }) => processorS, atMost: 30, share: 1.05 },
  { name: 'cost-starts', unit: 'starts', of: ({ starts }) => sumOf(starts), atMost: 175, share: 1 },
  { name: 'cost-wall', unit: 's', of: ({ wallS }) => wallS, atMost: 120, share: 1.1 },
  { name: 'cost-memory', unit: 'MB', of: ({ peakMB }) => peakMB ?? 0, atMost: 2_000, share: 1.05 },
];

function described({ processorS, wallS, starts, peakMB }: TicketCost): string {
  const memory = peakMB === undefined ? '' : `, ${peakMB.toFixed(0)} MB`;
  return `${processorS.toFixed(1)} s of processor, ${wallS.toFixed(1)} s, ${String(sumOf(starts))} processes${memory}`;
}

function programs(costs: readonly TicketCost[]): string {
  return [...(costs.at(-1)?.starts ?? [])].map(([name, count]) => `${String(count)} ${name}`).join(', ');
}

function sumOf(starts: ReadonlyMap<string, number>): number {
  return [...starts.values()].reduce((sum, count) => sum + count, 0);
}
