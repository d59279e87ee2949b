import { parsePromptFile, type PromptFile } from '../../context/promptFile.ts';
import { promptNames } from '../../context/promptInventory.ts';
import { type ReplayedPrompt, replayPrompt, type TodaysPrompts } from '../../context/replayPrompt.ts';
import { Settings } from '../../domain/settings/settings.ts';
import type { Ticket } from '../../domain/ticket/ticket.ts';
import type { PromptSource } from '../../engine/ports/ports.ts';
import type { Store } from '../../engine/ports/storePort.ts';
import type { HistoryReader } from '../../protocol/history.ts';
import type { InspectedCall } from '../../protocol/inspection.ts';
import type { ReplayedCall } from '../../protocol/replays.ts';

/** Today's prompts, and how to count tokens. */
export interface PromptsOfToday {
  readonly prompts: Pick<PromptSource, 'read' | 'personas'>;
  readonly count: (text: string) => Promise<number>;
}

interface ReplayParts {
  readonly store: Pick<Store, 'pastCall'>;
  readonly today: PromptsOfToday;
  readonly ticket: (id: string) => Promise<Ticket>;
  readonly inspect: HistoryReader['inspect'];
}

/** Recorded calls with today's prompts (docs/decisions/153-replays.md). Throws PROMPT_REFUSED. */
export function ticketReplay({
  store,
  today,
  ticket: known,
  inspect,
}: ReplayParts): Pick<HistoryReader, 'replay' | 'replayed'> {
  const one = async (
    ticket: Ticket,
    call: InspectedCall,
    prompts: TodaysPrompts,
  ): Promise<{ input: string } & ReplayedPrompt> => {
    const { promptOrder } = ticket.settings ?? { promptOrder: Settings.shape.promptOrder.parse(undefined) };
    // It may be gone with its ticket.
    const input = (await store.pastCall(ticket.id, call.id))?.input ?? '';
    const { bead, plan } = call;
    return { input, ...(await replayPrompt({ ticket: ticket.id, bead, plan, input, promptOrder }, prompts)) };
  };
  return {
    replay: async (id, { signal, onCall } = {}) => {
      const ticket = await known(id);
      const calls = await inspect(ticket.id);
      const prompts = todaysPrompts(today);
      const replayed: ReplayedCall[] = [];
      for (const [index, call] of calls.entries()) {
        signal?.throwIfAborted();
        replayed.push(shown(call, index + 1, await one(ticket, call, prompts)));
        onCall?.(index + 1, calls.length);
      }
      return replayed;
    },
    replayed: async (id, number) => {
      const ticket = await known(id);
      const call = (await inspect(ticket.id))[number - 1];
      if (!call) return undefined;
      const replayed = await one(ticket, call, todaysPrompts(today));
      return { call: shown(call, number, replayed), sent: replayed.input, today: replayed.today };
    },
  };
}

function shown(
  { id, prompt, member, label, bead, iteration }: InspectedCall,
  number: number,
  { verdict, reasons, gap }: ReplayedPrompt,
): ReplayedCall {
  return { number, id, prompt, member, label, bead, iteration, verdict, reasons, gap };
}

/** Reads each file once, for the same comparison. */
function todaysPrompts({ prompts, count }: PromptsOfToday): TodaysPrompts {
  const files = new Map<string, Promise<PromptFile | undefined>>();
  const read = async (name: string): Promise<PromptFile | undefined> =>
    promptNames.some((known) => known === name)
      ? parsePromptFile(name, (await prompts.read(name)).text)
      : undefined;
  let personas: ReturnType<TodaysPrompts['personas']> | undefined;
  return {
    file: (name) => {
      const file = files.get(name) ?? read(name);
      files.set(name, file);
      return file;
    },
    personas: () =>
      (personas ??= prompts.personas().then((entries) => entries.flatMap(({ persona }) => persona ?? []))),
    count,
  };
}
