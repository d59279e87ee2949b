import { engineSource, type RequestDecision } from '../../../domain/ticket/agentRequest.ts';
import type { Change } from '../../../engine/ports/storePort.ts';
import type { StepIo } from '../../../engine/run/run.ts';

/** The time that a person has, in milliseconds. The ticket is held meanwhile, and its clocks stop. */
export const windowMs = 20 * 24 * 3_600_000;

interface Choice<L extends string> {
  /** The same for the same question, so that a decision outlives a crash. */
  readonly asked: string;
  readonly header: string;
  readonly text: string;
  readonly options: readonly { readonly label: L; readonly description: string }[];
  /** Database changes that commit with the decision. */
  readonly keep?: (choice: L | undefined) => readonly Change[];
}

/** Holds the ticket until a person chooses. `words`: what else they said. Throws when the step stops. */
export async function askChoice<L extends string>(
  io: StepIo,
  { asked, keep, ...question }: Choice<L>,
): Promise<{ readonly choice: L | undefined; readonly words: string }> {
  const options = question.options.map(({ label, description }) => ({ label, description }));
  const content = {
    kind: 'question' as const,
    questions: [{ ...question, options, multiple: false, custom: true }],
  };
  const withdrawn = new AbortController().signal;
  const saidIn = (decision: RequestDecision | undefined): string[] =>
    decision?.kind === 'answers' ? decision.answers.flat() : [];
  const chosenIn = (said: readonly string[]): L | undefined =>
    question.options.find(({ label }) => said.includes(label))?.label;
  const decision = await io.ask(
    { asked, content },
    {
      source: engineSource,
      windowMs,
      withdrawn,
      ...(keep ? { keep: (one) => keep(chosenIn(saidIn(one))) } : {}),
    },
  );
  io.signal.throwIfAborted();
  const said = saidIn(decision);
  const choice = chosenIn(said);
  return { choice, words: said.filter((word) => !options.some(({ label }) => label === word)).join(' ') };
}
