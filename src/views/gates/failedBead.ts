import { l10n } from 'vscode';
import * as z from 'zod';
import { FailureAnalysis, recommendations } from '../../domain/beads/analysis.ts';
import type { InboxBody } from '../../domain/ticket/inbox.ts';
import type { ErrorRecord } from '../../domain/core/errors.ts';
import { Sha256 } from '../../domain/core/ids.ts';
import { plainLabel, plainNotification } from '../shared/plainText.ts';
import { type Choice, pickOne, writeText } from '../shared/quickInput.ts';
import { sendAndTell } from '../shared/sendAction.ts';
import type { TicketPlace } from '../shared/workbench.ts';

/** See docs/decisions/138-failure-analysis.md. */
export type BeadChoice = InboxBody<'follow_analysis'>['choice'];

/** `sha256`: of the proposal. */
export interface FailedBead {
  readonly bead: string;
  readonly analysis: FailureAnalysis | undefined;
  readonly proposed:
    | { readonly sha256: string; readonly beads: readonly { readonly id: string; readonly title: string }[] }
    | undefined;
}

const Diagnostics = z.object({ bead: z.string(), analysis: FailureAnalysis.optional().catch(undefined) });
const Proposed = z.object({
  sha256: Sha256,
  proposed: z.array(z.object({ id: z.string(), title: z.string() })),
});

export function failedBeadOf(error: ErrorRecord | null): FailedBead | undefined {
  const { data } = Diagnostics.safeParse(error?.diagnostics);
  if (!data) return undefined;
  const proposed =
    error?.code === 'PLAN_CHANGE_PROPOSED' ? Proposed.safeParse(error.diagnostics).data : undefined;
  return {
    bead: data.bead,
    analysis: data.analysis,
    proposed: proposed && { sha256: proposed.sha256, beads: proposed.proposed },
  };
}

export function choicesFor({ analysis, proposed }: FailedBead): readonly BeadChoice[] {
  const all: readonly BeadChoice[] = proposed ? ['approve', ...recommendations] : recommendations;
  const first = proposed ? 'approve' : analysis?.recommendation;
  return first === undefined ? all : [first, ...all.filter((choice) => choice !== first)];
}

export function choiceText(choice: BeadChoice): {
  readonly label: string;
  readonly detail: string;
  readonly icon: string;
} {
  const texts: Readonly<
    Record<BeadChoice, { readonly label: string; readonly detail: string; readonly icon: string }>
  > = {
    approve: {
      label: l10n.t('Approve the Proposed Beads'),
      detail: l10n.t('They replace the failed bead.'),
      icon: 'check',
    },
    retry: {
      label: l10n.t('Retry the Bead'),
      detail: l10n.t('It starts again with the advice of the analysis.'),
      icon: 'refresh',
    },
    skip: {
      label: l10n.t('Skip the Bead'),
      detail: l10n.t('The ticket continues without it and is incomplete.'),
      icon: 'debug-step-over',
    },
    escalate: {
      label: l10n.t('Keep Blocked'),
      detail: l10n.t('Stays blocked with your reason until a person provides what is missing.'),
      icon: 'person',
    },
    split: {
      label: l10n.t('Split the Bead'),
      detail: l10n.t('A model proposes smaller beads for your approval.'),
      icon: 'split-horizontal',
    },
    replan: {
      label: l10n.t('Replan the Bead'),
      detail: l10n.t('A model proposes other beads for your approval.'),
      icon: 'list-tree',
    },
  };
  return texts[choice];
}

/** `approve` carries the hash of what was proposed. */
function choiceBody(
  { bead, proposed }: FailedBead,
  choice: BeadChoice,
  reason: string,
): InboxBody<'follow_analysis'> {
  return choice === 'approve'
    ? { bead, choice, sha256: proposed?.sha256 ?? '', reason }
    : { bead, choice, reason };
}

export async function decideFailedBead(place: TicketPlace): Promise<void> {
  const { ticket } = await place.repository.client.ticket(place.ticket);
  const failed = failedBeadOf(ticket.error) ?? (await anyFailed(place));
  if (!failed) return;
  const { bead, analysis, proposed } = failed;
  const choices = choicesFor(failed).map((value): Choice<BeadChoice> => {
    const { label, detail, icon } = choiceText(value);
    const names =
      value === 'approve'
        ? (proposed?.beads.map(({ id, title }) => `${id} (${title})`).join(', ') ?? '')
        : '';
    return {
      label: `$(${icon}) ${label}`,
      ...(value === analysis?.recommendation && !proposed ? { description: l10n.t('recommended') } : {}),
      detail: plainLabel(names === '' ? detail : `${detail} ${names}`),
      value,
    };
  });
  const title = l10n.t('What should happen to {0}?', bead);
  const reply = await pickOne({
    title,
    placeholder: plainNotification(analysis?.rootCause ?? '').text,
    choices,
  });
  if (reply.kind !== 'given') return;
  const reason = await writeText({
    title,
    prompt: choiceText(reply.value).detail,
    placeholder: l10n.t('Reason (optional)'),
  });
  if (reason.kind === 'given')
    await sendAndTell(place, 'follow_analysis', choiceBody(failed, reply.value, reason.value.trim()));
}

/** For an error that names none. */
async function anyFailed({ repository, ticket }: TicketPlace): Promise<FailedBead | undefined> {
  const { beads } = await repository.client.beads(ticket);
  const bead = beads.find(({ status }) => status === 'error');
  return bead && { bead: bead.id, analysis: undefined, proposed: undefined };
}
