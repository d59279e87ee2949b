import { Mutex } from '../../../base/mutex.ts';
import {
  chosenIds,
  engineSource,
  type EngineTopic,
  type RequestDecision,
} from '../../../domain/ticket/agentRequest.ts';
import type { Change } from '../../../engine/ports/storePort.ts';
import type { StepIo } from '../../../engine/run/run.ts';

/** Milliseconds. The ticket is held meanwhile, and its clocks stop. */
export const windowMs = 20 * 24 * 3_600_000;

interface Choice<I extends string> {
  /** The same for the same question, so that a decision outlives a crash. */
  readonly asked: string;
  readonly topic: EngineTopic;
  readonly header: string;
  readonly text: string;
  readonly options: readonly { readonly id: I; readonly label: string; readonly description: string }[];
  /** Database changes that commit with the decision. */
  readonly keep?: (choice: I | undefined) => readonly Change[];
}

/** Returns the choice, and what else the person said. Throws when the step stops. */
export async function askChoice<I extends string>(
  io: StepIo,
  { asked, keep, ...question }: Choice<I>,
): Promise<{ readonly choice: I | undefined; readonly words: string }> {
  const { options } = question;
  const content = {
    kind: 'question' as const,
    questions: [{ ...question, options: [...options], multiple: false, custom: true }],
  };
  const withdrawn = new AbortController().signal;
  const saidIn = (decision: RequestDecision | undefined): string[] =>
    decision?.kind === 'answers' ? decision.answers.flat() : [];
  const decision = await io.ask(
    { asked, content },
    {
      source: engineSource,
      windowMs,
      withdrawn,
      ...(keep ? { keep: (one) => keep(chosenIds(options, saidIn(one))[0]) } : {}),
    },
  );
  io.signal.throwIfAborted();
  const said = saidIn(decision);
  const isOption = (word: string): boolean => options.some(({ id, label }) => word === id || word === label);
  return { choice: chosenIds(options, said)[0], words: said.filter((word) => !isOption(word)).join(' ') };
}

/** Council members ask one after the other, and a stop stops all that wait behind it. */
export class StoppableQueue {
  readonly #queues = new WeakMap<StepIo['ports'], { mutex: Mutex; stops: Map<string, number> }>();

  run<T>({ ports, ticket }: StepIo, work: (isStopped: boolean, stop: () => void) => Promise<T>): Promise<T> {
    const queue = this.#queues.get(ports) ?? { mutex: new Mutex(), stops: new Map<string, number>() };
    this.#queues.set(ports, queue);
    const { mutex, stops } = queue;
    const before = stops.get(ticket) ?? 0;
    return mutex.run(ticket, () => {
      const isStopped = (stops.get(ticket) ?? 0) > before;
      return work(isStopped, () => stops.set(ticket, before + 1));
    });
  }
}
