import { l10n, window } from 'vscode';
import { coverageOf } from '../../domain/artifacts.ts';
import { assertNever } from '../../base/assertNever.ts';
import { documentOfType } from '../../domain/documents/documents.ts';
import { CoverageReport } from '../../domain/documents/interview.ts';
import type { Client, TicketDetail } from '../../protocol/api.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { readNotes } from '../../protocol/readNotes.ts';
import { type ArtifactText, artifactText } from '../documents/artifactText.ts';
import { openDocument } from '../documents/openDocument.ts';
import { plainLabel } from '../shared/plainText.ts';
import { type Choice, pickOne } from '../shared/quickInput.ts';
import { sendAndTell, tellSent } from '../shared/sendAndTell.ts';
import { sendApproval } from '../shared/sendAction.ts';
import { settleUnsaved } from '../documents/unsavedDocuments.ts';
import type { TicketPlace } from '../shared/workbench.ts';
import { regenerate, regenerationText } from './regenerate.ts';

type Decision = 'approve' | 'fix_gaps' | 'regenerate' | 'edit' | 'cancel';

/**
 * Shows what a gate asks to be approved, beside, and asks. The approval carries the hash of exactly that, so what changed in the meantime is
 * never approved unseen.
 */
export async function approveGate(place: TicketPlace): Promise<void> {
  if (!(await settleUnsaved(place))) return;
  const { repository, ticket } = place;
  const { client } = repository;
  const detail = await client.ticket(ticket);
  const shown = detail.gate && (await artifactText(client, ticket, detail.gate.artifact));
  if (!shown) {
    void window.showInformationMessage(l10n.t('{0} has nothing to approve: {1}.', ticket, l10n.t(detail.view.label)));
    return;
  }
  await openDocument(place, shown.type);
  const reply = await pickOne({
    title: l10n.t('{0}: {1}', ticket, l10n.t(detail.view.label)),
    placeholder: l10n.t('{0} is open in the editor. What do you want to do?', shown.file),
    choices: choicesFor(detail, shown, {
      summary: await summaryOf(shown),
      gaps: await openGaps(client, ticket, shown),
      notes: await notesOf(client, ticket, shown),
    }),
  });
  if (reply.kind === 'given') await carryOut(reply.value, place, shown);
}

function choicesFor(
  detail: TicketDetail,
  shown: ArtifactText,
  { summary, gaps, notes }: { readonly summary: string; readonly gaps: readonly string[]; readonly notes: string },
): readonly Choice<Decision>[] {
  const version = shown.version === undefined ? shown.file : l10n.t('{0}, version {1}', shown.file, shown.version);
  return [
    {
      label: `$(check) ${l10n.t('Approve')}`,
      description: version,
      detail: plainLabel([summary, notes].filter((text) => text !== '').join(' · ')),
      value: 'approve',
    },
    ...(gaps.length > 0 && detail.view.actions.includes('fix_gaps')
      ? [
          {
            label: `$(wand) ${l10n.t('Fix Open Gaps')}`,
            description: l10n.t('The model revises the document, then you review it again.'),
            detail: plainLabel(gaps.join(' · ')),
            value: 'fix_gaps' as const,
          },
        ]
      : []),
    ...(detail.view.actions.includes('regenerate')
      ? [
          {
            label: `$(refresh) ${l10n.t('Regenerate…')}`,
            detail: regenerationText(shown.type),
            value: 'regenerate' as const,
          },
        ]
      : []),
    { label: `$(edit) ${l10n.t('Edit')}`, detail: l10n.t('Saving creates a new version, which you then approve.'), value: 'edit' },
    { label: `$(close) ${l10n.t('Cancel')}`, detail: l10n.t('Decide later. The ticket stays at this gate.'), value: 'cancel' },
  ];
}

/** What the last coverage check left open, and what the document shows itself. */
async function openGaps(client: Client, ticket: string, { type, content }: ArtifactText): Promise<readonly string[]> {
  const open = (await readArtifact(client, ticket, coverageOf(type), CoverageReport))?.open_gaps ?? [];
  const document = documentOfType(type);
  if (!document?.approval?.gaps) return open;
  const { readText } = await import('../../domain/documents/text.ts');
  const read = readText(document.format, content);
  const parsed = document.schema.safeParse(read.ok ? read.value : undefined);
  return parsed.success ? [...open, ...document.approval.gaps(parsed.data)] : open;
}

/** Why checking it ended, and what models left out of it. */
async function notesOf(client: Client, ticket: string, { type }: ArtifactText): Promise<string> {
  return (await readNotes(client, ticket, type)).map(({ text, args }) => l10n.t(text, ...args)).join(' · ');
}

/** What the document is about, in a line; empty when it can't be read. */
async function summaryOf({ type, content }: ArtifactText): Promise<string> {
  const document = documentOfType(type);
  if (!document) return '';
  const { readText } = await import('../../domain/documents/text.ts');
  const read = readText(document.format, content);
  const summary = read.ok ? document.summary(read.value) : undefined;
  return summary ? l10n.t(summary.text, ...summary.args) : '';
}

async function carryOut(decision: Decision, place: TicketPlace, shown: ArtifactText): Promise<void> {
  const { ticket } = place;
  const { client } = place.repository;
  switch (decision) {
    case 'approve':
      tellSent(
        ticket,
        await sendApproval(client, ticket, { artifact: shown.type, sha256: shown.sha256, reason: '' }),
        l10n.t('{0}: approved.', ticket),
      );
      return;
    case 'fix_gaps':
      await sendAndTell(place, 'fix_gaps', {});
      return;
    case 'regenerate':
      await regenerate(place);
      return;
    case 'edit':
      await openDocument(place, shown.type, { focus: true });
      return;
    case 'cancel':
      return;
    default:
      assertNever(decision);
  }
}
