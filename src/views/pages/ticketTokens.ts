import type { Usage } from '../../domain/promptPlan.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import type { Band } from '../../domain/workflow/rows.ts';
import type { RunView } from '../../protocol/history.ts';
import type { TokenTables, Tokens } from '../../protocol/pages/ticket.ts';

const nothing: Tokens = { messages: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0, cost: 0 };

/** What a ticket used, by part of the work and by model. A message whose run isn't known any more counts as `other`. */
export function tokenTables(
  usage: readonly (Usage & { readonly run: string })[],
  runs: readonly RunView[],
  words: { readonly bands: Readonly<Record<Band, string>>; readonly other: string },
): TokenTables {
  const phases = new Map<string, string>();
  for (const run of runs) {
    const label = words.bands[rowOf(run.status).band];
    phases.set(run.id, label);
    for (const iteration of run.iterations) phases.set(iteration.run, label);
  }
  return {
    phases: table(usage, ({ run }) => phases.get(run) ?? words.other),
    models: table(usage, ({ model }) => model),
    total: usage.reduce(plus, nothing),
  };
}

function table<T extends Usage>(usage: readonly T[], nameOf: (message: T) => string): TokenTables['models'] {
  const rows = new Map<string, Tokens>();
  for (const message of usage) {
    const name = nameOf(message);
    rows.set(name, plus(rows.get(name) ?? nothing, message));
  }
  return [...rows].map(([name, tokens]) => ({ name, ...tokens }));
}

function plus(sum: Tokens, message: Usage): Tokens {
  return {
    messages: sum.messages + 1,
    input: sum.input + message.input,
    cacheRead: sum.cacheRead + message.cacheRead,
    cacheWrite: sum.cacheWrite + message.cacheWrite,
    output: sum.output + message.output,
    reasoning: sum.reasoning + message.reasoning,
    cost: sum.cost + message.cost,
  };
}
