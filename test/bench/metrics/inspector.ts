import { ticketHistory } from '../../../src/app/tickets/ticketHistory.ts';
import { promptPatch } from '../../../src/cli/output/inspectionText.ts';
import { GptTokens } from '../../../src/adapters/tokens/gptTokens.ts';
import { tempStore } from '../../support/engine/tempStore.ts';
import { todaysPrompts } from '../../support/engine/todaysPrompts.ts';
import type { Ticket } from '../../../src/domain/ticket/ticket.ts';
import type { Measure } from '../measurement.ts';
import { sideBySide, timeOf } from '../sideBySide.ts';
import { seededCalls } from '../ticket/seedCalls.ts';

const callCount = 2_000;
/** Of the first two calls; one line in 25 differs. */
const promptTokens = 100_000;

/**
 * A ticket with 2,000 calls in a real database, the fastest of three runs. `inspector.calls`: what list and
 * page need ÷ reading the calls alone. Milliseconds: `inspector.diff`: two prompts of 100,000 tokens, as by
 * `beadsmith context ABC-12 CALL --diff`; `inspector.texts`: reading both; `inspector.earlier`: the earlier
 * plans that order the next prompt.
 */
export const measureInspector: Measure = async ({ samples }) => {
  const temporary = tempStore();
  const { store, folder } = temporary;
  try {
    const ticket = await store.createTicket({
      prefix: 'ABC',
      atLeast: 1,
      title: 'Report as CSV',
      description: '',
      priority: 3,
    });
    const { id } = ticket;
    const long = await longPrompt();
    const input = (at: number): string =>
      at > 1
        ? 'Do it.'
        : long.map((line, number) => (number % 50 === at ? `${line} ${String(at)}` : line)).join('\n');
    await store.commit({ ticket: id, journal: [], changes: seededCalls(id, callCount, input) });
    const known = async (name: string): Promise<Ticket> => (await store.ticket(name)) ?? ticket;
    const history = ticketHistory({
      store,
      today: todaysPrompts(),
      elsewhere: () => Promise.resolve([]),
      stateFolder: folder,
      now: () => Date.now(),
      ticket: known,
    });
    const texts = async () => [await history.call(id, 'call 0'), await history.call(id, 'call 1')] as const;
    const compared = async (): Promise<void> => {
      const [before, now] = await texts();
      if (!before || !now || !promptPatch(before, now).includes('@@'))
        throw new Error('The prompts are not what they should be.');
    };
    const best = async (run: () => Promise<unknown>): Promise<readonly number[]> => {
      const times: number[] = [];
      for (let sample = -1; sample < samples; sample++) {
        const rounds = [await timeOf({ run }), await timeOf({ run }), await timeOf({ run })];
        if (sample >= 0) times.push(Math.min(...rounds));
      }
      return times;
    };
    const read = async (): Promise<unknown> => [await store.plannedCalls(id), await store.usage(id)];
    const calls = await sideBySide({ run: () => history.inspect(id) }, { run: read }, { samples, rounds: 3 });
    return [
      {
        name: 'inspector.calls',
        unit: 'x',
        bound: { atMost: 4 },
        samples: calls.ratios,
        notes: [`${Math.min(...calls.aMs).toFixed(0)} ms at best`],
      },
      { name: 'inspector.diff', unit: 'ms', bound: { atMost: 300 }, samples: await best(compared) },
      { name: 'inspector.texts', unit: 'ms', bound: { atMost: 100 }, samples: await best(texts) },
      {
        name: 'inspector.earlier',
        unit: 'ms',
        bound: { atMost: 20 },
        samples: await best(() => store.earlierPlans(id, 'coding', 'none')),
      },
    ];
  } finally {
    await temporary.remove();
  }
};

/** Of real length, all different. */
async function longPrompt(): Promise<readonly string[]> {
  const line = (at: number): string =>
    `- Rule ${String(at)}: name things in module ${String(at % 97)} as its glossary does, and say why.`;
  const thousand = Array.from({ length: 1_000 }, (_, at) => line(at));
  const perLine = (await new GptTokens().count(thousand.join('\n'))) / 1_000;
  return Array.from({ length: Math.ceil(promptTokens / perLine) }, (_, at) => line(at));
}
