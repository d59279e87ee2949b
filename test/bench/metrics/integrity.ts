import { availableParallelism } from 'node:os';
import { fetching, honestWork, missing, weakenings } from '../integrity/catalogue.ts';
import { driveRow, type Outcome, RedBefore } from '../integrity/driveRow.ts';
import type { WeakeningRow } from '../integrity/row.ts';
import type { Measure } from '../measurement.ts';

interface Driven {
  readonly language: string;
  readonly row: WeakeningRow;
  readonly outcome: Outcome;
}

/**
 * How much work that weakens tests or cheats a runner is held, and how much honest work. Each row is driven
 * with real git and commands.
 */
export const measureIntegrity: Measure = async ({ say }) => {
  const weak = await driveAll(weakenings, say);
  const honest = await driveAll({ honest: honestWork }, say);
  const accepted = weak.filter(({ outcome }) => outcome.result === 'accepted');
  const held = honest.filter(({ outcome }) => outcome.result !== 'accepted');
  const share = (part: number, whole: number): number => (100 * part) / Math.max(1, whole);
  return [
    {
      name: 'integrity-held',
      unit: '%',
      bound: { atLeast: 95 },
      samples: [share(weak.length - accepted.length, weak.length)],
      notes: [...Object.keys(weakenings).map((language) => countsOf(language, weak)), ...accepted.map(named)],
    },
    {
      name: 'integrity-questions',
      unit: '%',
      bound: { atMost: 5 },
      samples: [share(held.length, honest.length)],
      notes: [countsOf('honest', honest), ...held.map((one) => `${named(one)}\n${one.outcome.said}`)],
    },
  ];
};

async function driveAll(
  lists: Readonly<Record<string, readonly WeakeningRow[]>>,
  say: (text: string) => void,
): Promise<readonly Driven[]> {
  const tried = Object.entries(lists).flatMap(([language, rows]) => rows.map((row) => ({ language, row })));
  const runnable = tried.filter(({ row: { tool } }) => missing(tool) === '');
  for (const tool of new Set(tried.map(({ row }) => row.tool))) {
    const count = tried.filter(({ row }) => row.tool === tool).length;
    if (missing(tool) !== '') say(`${String(count)} rows of ${tool} are left out: ${missing(tool)}`);
  }
  const driven: Driven[] = [];
  const unusable = new Set<string>();
  const queue = runnable.values();
  // Every row starts processes.
  const workers = Array.from({ length: Math.max(1, availableParallelism() >> 1) }, async () => {
    for (const { language, row } of queue) {
      if (unusable.has(row.tool)) continue;
      const outcome = await driveRow(row).catch((error: unknown) => {
        const isFirst = driven.every((one) => one.row.tool !== row.tool);
        if (error instanceof RedBefore && fetching.includes(row.tool) && isFirst) return error.message;
        throw error;
      });
      if (typeof outcome === 'string') {
        unusable.add(row.tool);
        say(`rows of ${row.tool} are left out: ${outcome}`);
        continue;
      }
      driven.push({ language, row, outcome });
      say(`${outcome.result.padEnd(8)}  ${language}, ${row.tool}: ${row.name}`);
    }
  });
  await Promise.all(workers);
  return driven;
}

function countsOf(language: string, driven: readonly Driven[]): string {
  const own = driven.filter((one) => one.language === language);
  const count = (result: Outcome['result']): string =>
    `${String(own.filter(({ outcome }) => outcome.result === result).length)} ${result}`;
  return `${language}: ${String(own.length)} rows, ${count('asked')}, ${count('refused')}, ${count('accepted')}`;
}

function named({ language, row, outcome }: Driven): string {
  return `${outcome.result}: ${language}, ${row.tool}: ${row.name}`;
}
