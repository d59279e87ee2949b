import type { Usage } from '../../../domain/usage/promptPlan.ts';
import type { CallView, RunView } from '../../../protocol/history.ts';
import type { BeadCalls } from '../../../protocol/pages/inspection.ts';

/** More bars than this say no more. */
const mostCalls = 60;

interface Booked extends Usage {
  readonly run: string;
  readonly call: string | null;
}

/** Usage whose call isn't known is left out: the tables count it. */
export function beadCalls(
  usage: readonly Booked[],
  calls: readonly CallView[],
  runs: readonly RunView[],
): readonly BeadCalls[] {
  const places = new Map(
    runs.flatMap(({ iterations }) =>
      iterations.map(({ run, bead, iteration }) => [run, { bead, iteration }] as const),
    ),
  );
  const byId = new Map(calls.map((call) => [call.id, call]));
  const bars = usage.flatMap((one) => {
    const place = places.get(one.run);
    const call = one.call === null ? undefined : byId.get(one.call);
    if (!place || !call) return [];
    const { output, reasoning, estimated = false } = one;
    return [{ ...call, ...one, ...place, output: output + reasoning, estimated }];
  });
  return [...Map.groupBy(bars, ({ bead }) => bead)].map(([bead, all]) => ({
    bead,
    calls: all.slice(-mostCalls),
    total: all.length,
  }));
}
