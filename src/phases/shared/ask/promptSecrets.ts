import { mergedSpans, withoutSecretsInText, withoutSpans } from '../../../base/outputSecrets.ts';
import { sha256 } from '../../../base/sha256.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { PromptSecretsReceipt } from '../../../domain/workflow/receipts.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { SectionName } from '../../../context/sections.ts';
import type { SliceName } from '../../../context/slices.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { artifactChange, isoNow, newestJson, say } from '../ticket/artifacts.ts';
import { askChoice, StoppableQueue } from '../ticket/askChoice.ts';
import { listLines } from '../../../base/listed.ts';

/** Nobody needs a secret in what outputs, notes and models brought, so it goes without asking. */
const byMachines: readonly string[] = [
  'drafts',
  'votes',
  'full_answers',
  'beads_draft',
  'bead_notes',
  'execution_setup_profile',
  'execution_setup_plan_notes',
  'execution_setup_notes',
  'final_test_notes',
  'tests',
  'error_context',
  'commits',
  'handoff',
  'draft_checks',
  'council_votes',
  'gaps',
  'extra_fix_history',
  'reports',
  'patch',
  'failing_evidence',
] satisfies readonly (SliceName | SectionName)[];

interface Found {
  readonly part: number;
  readonly place: string;
  readonly rule: string;
  readonly secret: string;
  readonly start: number;
  readonly end: number;
  readonly mark: string;
  readonly asked: boolean;
}

type Decided = PromptSecretsReceipt['decisions'][number]['decision'];

const queue = new StoppableQueue();

/**
 * A person decides about secrets in what people and the repository brought along, once a ticket
 * (docs/decisions/131-secrets-in-prompts.md). `allowed`: those that are still in it. Throws PROMPT_STOPPED,
 * continuable.
 */
export async function withoutPromptSecrets<P extends { readonly name: string; readonly content: string }>(
  io: StepIo,
  ticket: TicketSnapshot,
  { prompt, parts }: { readonly prompt: string; readonly parts: readonly P[] },
): Promise<{ readonly parts: readonly P[]; readonly allowed: readonly string[] }> {
  const found = (
    await Promise.all(parts.map(({ name, content }, at) => findIn(io, name, content, at)))
  ).flat();
  if (found.length === 0) return { parts, allowed: [] };
  const asked = found.filter((one) => one.asked);
  const decisionOn =
    asked.length === 0 ? () => undefined : await decideOn(io, ticket, { prompt, parts, asked });
  const allowed = asked.filter((one) => decisionOn(one) === 'allowed');
  const out = found.filter((one) => !allowed.includes(one));
  if (out.length > 0) {
    const text = `Left out of the prompt ${prompt}, because it looks like a secret: ${out.map(({ place, rule }) => `${rule} (${place})`).join(', ')}`;
    say(io, text);
  }
  return {
    parts: parts.map((part, at) => {
      const own = out.filter((one) => one.part === at);
      return { ...part, content: without(part.content, own) };
    }),
    allowed: [...new Set(allowed.map(({ secret }) => secret))],
  };
}

export async function withoutFound(io: StepIo, text: string): Promise<string> {
  return without(text, await findIn(io, 'answer', text));
}

async function findIn(io: StepIo, name: string, content: string, part = 0): Promise<readonly Found[]> {
  const found = await io.ports.secrets.scan(name, content);
  const asked = !byMachines.includes(name);
  return found.map(({ rule, line, start, end }) => {
    const place = `${name.replaceAll('_', ' ')}, line ${line}`;
    return {
      part,
      place,
      rule,
      secret: content.slice(start, end),
      start,
      end,
      mark: `[redacted: ${rule.split(' ')[0] ?? rule}]`,
      asked,
    };
  });
}

function without(content: string, found: readonly Found[]): string {
  return found.length === 0 ? content : withoutSpans(content, mergedSpans(found));
}

async function decideOn(
  io: StepIo,
  ticket: TicketSnapshot,
  about: {
    readonly prompt: string;
    readonly parts: readonly { readonly content: string }[];
    readonly asked: readonly Found[];
  },
): Promise<(one: Found) => Decided | undefined> {
  const { prompt, parts, asked } = about;
  return queue.run(io, async (isStopped, stop) => {
    const receipt = await storedReceipt(io);
    const known = decisionsIn(receipt);
    const open = asked.filter((one) => known(one) === undefined);
    if (open.length === 0) return known;
    const cancel = new BeadsmithError('PROMPT_STOPPED', { prompt }, { continuable: true });
    if (isStopped) throw cancel;
    let next = receipt;
    const { choice } = await askChoice(io, {
      // A decision is in the receipt as soon as it is made, and a stop is asked about again.
      asked: `secrets:${io.ports.clock.randomId()}`,
      topic: 'prompt_secrets',
      header: 'Secrets in a prompt',
      text: `The prompt ${prompt} holds what looks like a secret. What may the models of this ticket get?\n${listed(parts, open, asked)}`,
      options: [
        {
          id: 'leave_out',
          label: 'Leave out',
          description: 'A mark is sent in its place, in this and every later prompt of the ticket.',
        },
        {
          id: 'allow',
          label: 'Allow for this ticket',
          description: 'It is sent as it is, in this and every later prompt of the ticket.',
        },
        {
          id: 'stop',
          label: 'Stop',
          description: 'Nothing is sent. The ticket stops until you continue it.',
        },
      ],
      keep: (one) => {
        if (one === 'stop') return [];
        next = withDecision(io, receipt, open, one === 'allow' ? 'allowed' : 'left_out');
        return [artifactChange(ticket, 'prompt_secrets_receipt', next)];
      },
    });
    if (choice !== 'stop') return decisionsIn(next);
    stop();
    throw cancel;
  });
}

async function storedReceipt(io: StepIo): Promise<PromptSecretsReceipt> {
  const stored = await newestJson(io, 'prompt_secrets_receipt', PromptSecretsReceipt);
  return stored ?? { schema_version: 1, salt: io.ports.clock.randomId(), decisions: [] };
}

function decisionsIn({ salt, decisions }: PromptSecretsReceipt): (one: Found) => Decided | undefined {
  const known = new Map(decisions.map(({ fingerprint, decision }) => [fingerprint, decision]));
  return ({ secret }) => known.get(fingerprintOf(salt, secret));
}

function fingerprintOf(salt: string, secret: string): string {
  return sha256(`${salt}\n${secret}`);
}

function withDecision(
  io: StepIo,
  receipt: PromptSecretsReceipt,
  open: readonly Found[],
  decision: Decided,
): PromptSecretsReceipt {
  const made = open.map(({ secret, rule, place }) => ({
    fingerprint: fingerprintOf(receipt.salt, secret),
    rule,
    place,
    decision,
    decided_by: 'user' as const,
    decided_at: isoNow(io),
  }));
  return { ...receipt, decisions: [...receipt.decisions, ...made] };
}

const mostShown = 60;

function listed(
  parts: readonly { readonly content: string }[],
  found: readonly Found[],
  hidden: readonly Found[],
): string {
  return listLines(found, 20, (one) => {
    const { content } = parts[one.part] ?? { content: '' };
    const spans = mergedSpans(hidden.filter(({ part }) => part === one.part));
    const before = withoutSpans(content, spans, 0, one.start).split('\n').at(-1) ?? '';
    const after = withoutSpans(content, spans, one.end).split('\n')[0] ?? '';
    const shown = withoutSecretsInText(
      `${before.slice(-mostShown)}${one.mark}${after.slice(0, mostShown)}`,
    ).trim();
    return `${one.place}: ${one.rule}: ${shown}`;
  }).join('\n');
}
