import { l10n, window } from 'vscode';
import { joined } from '../../base/joined.ts';
import { countHidden, hiddenSentence } from '../../base/visible.ts';
import { coverageOf } from '../../domain/ticket/artifacts.ts';
import { assertNever } from '../../base/assertNever.ts';
import { documentOfType } from '../../domain/documents/documents.ts';
import { approvalHash } from '../../domain/documents/workDocuments.ts';
import { CoverageReport } from '../../domain/requirements/interview.ts';
import { type Client, documentsAt, type TicketDetail } from '../../protocol/api.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { readNotes } from '../../protocol/readNotes.ts';
import { formOf } from '../../domain/workflow/forms.ts';
import { type ArtifactText, artifactText } from '../documents/artifactText.ts';
import { openDocument } from '../documents/openDocument.ts';
import { fillForm, takeAction } from '../shared/fillForm.ts';
import { plainLabel } from '../shared/plainText.ts';
import { type Choice, pickOne, writeText } from '../shared/quickInput.ts';
import { sendAndTell, sendApproval, sendsUnsent, tellSent } from '../shared/sendAction.ts';
import { settleUnsaved } from '../documents/unsavedDocuments.ts';
import type { TicketPlace } from '../shared/workbench.ts';

type Decision = 'approve' | 'fix_gaps' | 'check_again' | 'regenerate' | 'edit' | 'later';

/**
 * The approval carries the hash of exactly what is shown, so what changed in the meantime is never approved
 * unseen.
 */
export async function approveGate(place: TicketPlace): Promise<void> {
  if (!(await settleUnsaved(place))) return;
  const { repository, ticket } = place;
  const { client } = repository;
  const detail = await client.ticket(ticket);
  const texts = await Promise.all(
    documentsAt(detail.gate).map(({ artifact }) => artifactText(client, ticket, artifact)),
  );
  const asked = texts.filter((text) => text !== undefined);
  const shown = asked.find(({ type }) => type === detail.gate?.artifact);
  if (!shown || asked.length < texts.length) {
    void window.showInformationMessage(
      l10n.t('{0} has nothing to approve: {1}.', ticket, l10n.t(detail.view.label)),
    );
    return;
  }
  for (const { type } of asked) await openDocument(place, type);
  const gaps = (await Promise.all(asked.map((one) => openGaps(client, ticket, one)))).flat();
  const title = l10n.t('{0}: {1}', ticket, l10n.t(detail.view.label));
  const reply = await pickOne({
    title,
    placeholder: l10n.t('{0} is open in the editor. What do you want to do?', filesOf(asked)),
    choices: choicesFor(detail, asked, {
      summary: (await Promise.all(asked.map(summaryOf))).join(' · '),
      gaps,
      notes: joined(await Promise.all(asked.map((one) => notesOf(client, ticket, one)))),
    }),
  });
  if (reply.kind === 'given') await carryOut(reply.value, { place, title, shown, asked, gaps });
}

function choicesFor(
  detail: TicketDetail,
  asked: readonly ArtifactText[],
  {
    summary,
    gaps,
    notes,
  }: { readonly summary: string; readonly gaps: readonly string[]; readonly notes: string },
): readonly Choice<Decision>[] {
  const hidden = countHidden(asked.map(({ content }) => content).join('\n'));
  const version = asked
    .map((shown) =>
      shown.version === undefined ? shown.file : l10n.t('{0}, version {1}', shown.file, shown.version),
    )
    .join(' · ');
  return [
    // Enter decides nothing: other extensions can open this list, and accept what is first in it.
    {
      label: `$(clock) ${l10n.t('Decide Later')}`,
      detail: l10n.t('The ticket stays at this gate.'),
      value: 'later',
    },
    {
      label: `$(check) ${l10n.t('Approve')}…`,
      description: version,
      detail: plainLabel(joined([summary, notes, hidden > 0 ? l10n.t(hiddenSentence, hidden) : ''])),
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
    ...(detail.view.actions.includes('check_again')
      ? [
          {
            label: `$(search) ${l10n.t('Check Again')}`,
            detail: l10n.t(formOf('check_again').about),
            value: 'check_again' as const,
          },
        ]
      : []),
    ...(detail.view.actions.includes('regenerate')
      ? [
          {
            label: `$(refresh) ${l10n.t('Regenerate…')}`,
            detail: regenerationText(detail.gate?.artifact ?? ''),
            value: 'regenerate' as const,
          },
        ]
      : []),
    {
      label: `$(edit) ${l10n.t('Edit')}`,
      detail: l10n.t('Saving creates a new version, which you then approve.'),
      value: 'edit',
    },
  ];
}

async function openGaps(
  client: Client,
  ticket: string,
  { type, content }: ArtifactText,
): Promise<readonly string[]> {
  const open = (await readArtifact(client, ticket, coverageOf(type), CoverageReport))?.open_gaps ?? [];
  const document = documentOfType(type);
  if (!document?.approval?.gaps) return open;
  const { readText } = await import('../../domain/documents/base/text.ts');
  const read = readText(document.format, content);
  const parsed = document.schema.safeParse(read.ok ? read.value : undefined);
  return parsed.success ? [...open, ...document.approval.gaps(parsed.data)] : open;
}

async function notesOf(client: Client, ticket: string, { type }: ArtifactText): Promise<string> {
  return (await readNotes(client, ticket, type)).map(({ text, args }) => l10n.t(text, ...args)).join(' · ');
}

/** Empty when it can't be read. */
async function summaryOf({ type, content }: ArtifactText): Promise<string> {
  const document = documentOfType(type);
  if (!document?.summary) return '';
  const { readText } = await import('../../domain/documents/base/text.ts');
  const read = readText(document.format, content);
  const summary = read.ok ? document.summary(read.value) : undefined;
  return summary ? l10n.t(summary.text, ...summary.args) : '';
}

function filesOf(asked: readonly ArtifactText[]): string {
  return asked.map(({ file }) => file).join(' · ');
}

/** No command of the editor answers a dialog. Enter takes the other answer. */
async function isMeant(ticket: string, asked: readonly ArtifactText[]): Promise<boolean> {
  const [later, approve] = [l10n.t('Keep Reading'), l10n.t('Approve')];
  const question = l10n.t('Approve {0} of {1}?', filesOf(asked), ticket);
  const detail = l10n.t('Work continues with exactly what is open in the editor.');
  return (await window.showWarningMessage(question, { modal: true, detail }, later, approve)) === approve;
}

async function carryOut(
  decision: Decision,
  {
    place,
    title,
    shown,
    asked,
    gaps,
  }: {
    readonly place: TicketPlace;
    readonly title: string;
    readonly shown: ArtifactText;
    readonly asked: readonly ArtifactText[];
    readonly gaps: readonly string[];
  },
): Promise<void> {
  const { ticket } = place;
  const sha256 = approvalHash(asked.map((one) => one.sha256));
  const { client } = place.repository;
  switch (decision) {
    case 'approve': {
      const filled = await fillForm('approve', title, gaps.length > 0 ? ['gapsOpen'] : []);
      if (!filled || !(await isMeant(ticket, asked))) return;
      tellSent(
        ticket,
        await sendApproval(client, ticket, { artifact: shown.type, sha256, reason: '', ...filled }),
        l10n.t('{0}: approved.', ticket),
      );
      return;
    }
    case 'fix_gaps':
    case 'check_again':
      await sendAndTell(place, decision, {});
      return;
    case 'regenerate':
      await takeAction(place, 'regenerate', `${ticket}: ${l10n.t('Regenerate')}`, ({ gate }) =>
        regenerationText(gate?.artifact ?? ''),
      );
      return;
    case 'edit':
      await openDocument(place, shown.type, { focus: true });
      return;
    case 'later':
      return;
    default:
      assertNever(decision);
  }
}

/** Each line the reviewer writes becomes one request. */
export async function requestChanges(place: TicketPlace): Promise<void> {
  const items: { text: string }[] = [];
  for (;;) {
    const reply = await writeText({
      title: l10n.t('{0}: request changes', place.ticket),
      prompt:
        items.length === 0
          ? l10n.t('What should change? (one point at a time)')
          : l10n.t('{0} noted. Add another, or leave empty to send.', items.length),
      check: (text) =>
        text.trim() === '' && items.length === 0 ? l10n.t('Describe what to change.') : undefined,
    });
    if (reply.kind !== 'given') {
      const noted = items.map(({ text }) => text);
      if (!(await sendsUnsent(l10n.t('{0}: unsent points: {1}', place.ticket, noted.length), noted))) return;
    }
    if (reply.kind !== 'given' || reply.value.trim() === '') break;
    items.push({ text: reply.value.trim() });
    if (items.length === 50) break;
  }
  await sendAndTell(place, 'changes', { items });
}

export function regenerationText(artifact: string): string {
  const own = documentOfType(artifact)?.approval?.regenerates;
  return own === undefined
    ? l10n.t('This creates the document again. The current one is kept as an earlier version.')
    : l10n.t(own);
}
