import { withoutSecretsInText } from '../../../base/outputSecrets.ts';
import { chosenIds, engineSource } from '../../../domain/ticket/agentRequest.ts';
import type { ContextKey } from '../../../domain/workflow/contextKeys.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { tokensIn } from '../../../domain/promptCache/prefix.ts';
import { dueWish } from '../../../domain/prompts/promptChoices.ts';
import type { PromptPart, Reduction } from '../../../domain/usage/promptPlan.ts';
import { PromptPreviewReceipt } from '../../../domain/workflow/receipts.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import { excluded } from '../../../context/buildMinimalContext.ts';
import { mayLeaveOut } from '../../../context/partRow.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { artifactChange, isoNow, newestJson } from '../ticket/artifacts.ts';
import { StoppableQueue, windowMs } from '../ticket/askChoice.ts';

interface Previewed {
  readonly key: ContextKey;
  readonly prompt: string;
  readonly member: string;
  readonly parts: readonly PromptPart[];
  readonly budget: number;
  readonly allowed: readonly string[];
  readonly text: string;
}

const longestText = 100_000;
const queue = new StoppableQueue();

/**
 * Answers the parts that a person left out of a prompt, if the settings or `wish` (the newest wish's id) say
 * that it is shown (docs/decisions/148-prompts-are-shown-before-they-are-sent.md). A decision stands for this
 * step, also after a crash. Throws PROMPT_STOPPED, continuable.
 */
export async function leftOutByPerson(
  io: StepIo,
  ticket: TicketSnapshot,
  previewed: Previewed,
  wish: string | null,
): Promise<readonly Reduction[]> {
  const previewPrompts = ticket.settings?.previewPrompts ?? 'off';
  const { key, prompt, parts } = previewed;
  const isShown = previewPrompts === 'all' || (previewPrompts === 'coding' && key === 'coding');
  if (key === 'capability_probe' || (!isShown && wish === null)) return [];
  return queue.run(io, async (isStopped, stop) => {
    const stopped = new BeadsmithError('PROMPT_STOPPED', { prompt }, { continuable: true });
    if (isStopped) throw stopped;
    const receipt = await storedReceipt(io);
    const known = receipt.decisions.find(({ step }) => step === io.key);
    const due = dueWish({ preview: wish }, receipt);
    if (!known && !isShown && due === null) return [];
    const names = known?.left_out ?? (await decide(io, ticket, { ...previewed, receipt, due }));
    if (!names) {
      stop();
      throw stopped;
    }
    return parts.filter(({ name }) => names.includes(name)).map(excluded);
  });
}

async function decide(
  io: StepIo,
  ticket: TicketSnapshot,
  previewed: Previewed & { readonly receipt: PromptPreviewReceipt; readonly due: string | null },
): Promise<readonly string[] | undefined> {
  const { receipt, due, parts } = previewed;
  const optional = parts.filter(({ name }) => mayLeaveOut(name));
  const options = [
    {
      id: 'send',
      label: 'Send',
      description: 'The prompt is sent, without the parts that you choose to leave out.',
    },
    ...optional.map(({ name, tokens }) => ({
      id: `leave_out:${name}`,
      label: `Leave out ${name}`,
      description: `${tokens} tokens fewer, in this prompt only.`,
    })),
    { id: 'stop', label: 'Stop', description: 'Nothing is sent. The ticket stops until you continue it.' },
  ];
  // Any other answer sends nothing.
  const chosen = (said: readonly string[]): readonly string[] | undefined => {
    const ids = chosenIds(options, said);
    const names = optional.map(({ name }) => name).filter((name) => ids.includes(`leave_out:${name}`));
    return !ids.includes('stop') && (ids.includes('send') || names.length > 0) ? names : undefined;
  };
  const question = {
    topic: 'prompt_preview' as const,
    header: 'Next prompt',
    text: questionText(previewed),
    options,
    multiple: true,
    custom: false,
  };
  const decision = await io.ask(
    // A stop isn't kept, so that the same is asked again when the ticket continues.
    { asked: `preview:${io.ports.clock.randomId()}`, content: { kind: 'question', questions: [question] } },
    {
      source: engineSource,
      windowMs,
      withdrawn: new AbortController().signal,
      keep: (one) => {
        const names = one.kind === 'answers' ? chosen(one.answers.flat()) : undefined;
        if (!names) return [];
        const made = {
          step: io.key,
          prompt: previewed.prompt,
          left_out: [...names],
          ...(due === null ? {} : { asked_for: due }),
          decided_by: 'user',
          decided_at: isoNow(io),
        };
        const decisions = [...receipt.decisions, made];
        return [artifactChange(ticket, 'prompt_preview_receipt', { ...receipt, decisions })];
      },
    },
  );
  io.signal.throwIfAborted();
  return decision?.kind === 'answers' ? chosen(decision.answers.flat()) : undefined;
}

function questionText({ prompt, member, parts, budget, allowed, text }: Previewed): string {
  const total = tokensIn(parts);
  const shown =
    text.length <= longestText
      ? text
      : `${text.slice(0, longestText)}\n[… ${text.length - longestText} characters more …]`;
  const lines = [
    `The prompt ${prompt} is about to be sent to ${member}. Its parts have ${total} of ${budget} tokens:`,
    ...parts.map(({ name, tokens, stability }) => `- ${name}: ${tokens} tokens, ${stays[stability]}`),
    '',
    'The whole text:',
    '',
    shown,
  ];
  return withoutSecretsInText(lines.join('\n'), allowed);
}

const stays = [
  'the same for the ticket',
  'the same for the bead',
  'new with each attempt',
  'new with each call',
] as const;

async function storedReceipt(io: StepIo): Promise<PromptPreviewReceipt> {
  const stored = await newestJson(io, 'prompt_preview_receipt', PromptPreviewReceipt);
  return stored ?? { schema_version: 1, decisions: [] };
}
