import { tryAll } from '../hostile/hostile.ts';
import type { Measure } from '../measurement.ts';

/**
 * Tries to get out of the sandbox that succeed. Each is also tried without it, which shows that it is one.
 */
export const measureHostile: Measure = async ({ say }) => {
  const tried = await tryAll(say);
  const escaped = tried.filter(({ sandboxed }) => sandboxed !== undefined);
  const plain = tried.filter((one) => one.plain !== undefined);
  const width = Math.max(...tried.map(({ area, name }) => area.length + name.length + 2));
  for (const { area, name, sandboxed, plain: outside } of tried) {
    const what = `${area}: ${name}`.padEnd(width);
    say(
      `${sandboxed === undefined ? '✔' : '✘'} ${what}  ${(sandboxed ?? 'refused').padEnd(16)}  without: ${outside ?? 'refused'}`,
    );
  }
  return [
    { name: 'hostile-escapes', unit: 'escapes', bound: { atMost: 0 }, samples: [escaped.length] },
    {
      name: 'hostile-tries',
      unit: 'tries',
      bound: { atLeast: 90 },
      samples: [tried.length],
      notes: [`${String(plain.length)} of ${String(tried.length)} succeed without the sandbox`],
    },
  ];
};
