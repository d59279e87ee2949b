import * as z from 'zod';
import type { RequestDecision } from '../../../domain/ticket/agentRequest.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { AskedRequest } from '../../../engine/ports/ports.ts';
import type { RecordIo, StepIo } from '../../../engine/run/run.ts';
import { artifactChange, storedJson } from '../ticket/artifacts.ts';
import { windowMs } from '../ticket/askChoice.ts';

const Unanswered = z.object({
  schema_version: z.literal(1),
  questions: z.array(z.object({ bead: z.string(), iteration: z.number().int(), text: z.string() })),
});

const mostQuestions = 500;
const longestQuestion = 1_000;

interface AboutRequest {
  readonly source: string;
  readonly bead: { readonly id: string; readonly iteration: number } | undefined;
  readonly withdrawn: AbortSignal;
}

/**
 * Puts an agent's request to people (docs/decisions/015-agent-requests.md). An unanswered question is kept.
 */
export async function askForAgent(
  io: StepIo,
  ticket: TicketSnapshot,
  request: AskedRequest,
  { source, bead, withdrawn }: AboutRequest,
): Promise<RequestDecision | undefined> {
  const { agentQuestions, aiQuestionWindow = 0 } = ticket.settings ?? {};
  const waits =
    agentQuestions === 'pause'
      ? ({ windowMs, waitsForPerson: true } as const)
      : { windowMs: aiQuestionWindow };
  const before = await storedQuestions(io);
  const { content } = request;
  return io.ask(request, {
    source,
    withdrawn,
    ...waits,
    keep: (decision) => {
      if (decision.kind !== 'none' || content.kind !== 'question' || !bead) return [];
      const place = { bead: bead.id, iteration: bead.iteration };
      const added = content.questions.map(({ text }) => ({ ...place, text: text.slice(0, longestQuestion) }));
      return [
        artifactChange(ticket, 'unanswered_questions', {
          schema_version: 1,
          questions: [...before, ...added].slice(-mostQuestions),
        }),
      ];
    },
  });
}

export async function unansweredAsAssumptions(
  io: RecordIo,
  bead: string,
  iteration: number,
): Promise<readonly string[]> {
  const own = (await storedQuestions(io)).filter(
    (question) => question.bead === bead && question.iteration === iteration,
  );
  return own.map(({ text }) => `Nobody answered “${text}”, so the agent decided.`);
}

async function storedQuestions(io: RecordIo): Promise<z.infer<typeof Unanswered>['questions']> {
  return (await storedJson(io, 'unanswered_questions', Unanswered))?.questions ?? [];
}
