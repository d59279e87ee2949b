import { commands as editor, l10n, window } from 'vscode';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { TicketView } from '../../protocol/api.ts';
import type { BoardRow } from '../tickets/board.ts';
import type { CommandName } from './commands.ts';
import { isOffered } from './offered.ts';
import { plainLabel } from '../shared/plainText.ts';
import { pickOne, valueOf } from '../shared/quickInput.ts';
import { openOf, type OpenRepository, type RepositoryEntry } from '../shared/repositories.ts';
import { isIn, type Target } from './ticketTarget.ts';
import type { TicketPlace, Workbench } from '../shared/workbench.ts';

export async function pickRepository(
  { repositories }: Workbench,
  target: Target,
): Promise<OpenRepository | undefined> {
  const open = openOf(repositories);
  const failed = repositories.entries.find((entry) => entry.kind === 'failed');
  const named = open.find(({ root }) => root === target.root) ?? (open.length === 1 ? open[0] : undefined);
  if (named) return named;
  if (open.length === 0 && failed) throw failed.error;
  if (open.length === 0) {
    const openFolder = l10n.t('Open Folder…');
    const answer = await window.showInformationMessage(
      l10n.t('Open a folder with a git repository first.'),
      openFolder,
    );
    if (answer === openFolder) await editor.executeCommand('vscode.openFolder');
    return undefined;
  }
  const choices = open.map((value) => ({
    label: `$(repo) ${value.client.repository.name}`,
    description: value.root,
    value,
  }));
  return valueOf(await pickOne({ title: l10n.t('Select a repository'), choices }));
}

/** Also among those that couldn't be opened. */
export async function pickEntry(workbench: Workbench, target: Target): Promise<RepositoryEntry | undefined> {
  const { entries } = workbench.repositories;
  const named =
    entries.find(({ root }) => root === target.root) ?? (entries.length === 1 ? entries[0] : undefined);
  if (named) return named;
  if (entries.length === 0) {
    await pickRepository(workbench, target);
    return undefined;
  }
  const choices = entries.map((value) => ({
    label: `$(repo) ${value.name}`,
    description: value.root,
    value,
  }));
  return valueOf(await pickOne({ title: l10n.t('Select a repository'), choices }));
}

export async function pickTicket(
  workbench: Workbench,
  name: CommandName,
  target: Target,
): Promise<TicketPlace | undefined> {
  const { board } = workbench;
  await board.refresh();
  if (target.ticket !== undefined) {
    const row = board.rows.find(
      ({ root, tickets }) => isIn(target, root) && tickets.some(({ id }) => id === target.ticket),
    );
    if (row?.repository) return { repository: row.repository, ticket: target.ticket };
    throw new BeadsmithError('TICKET_UNKNOWN', { ticket: target.ticket });
  }
  const rows = board.rows.filter(({ root }) => isIn(target, root));
  return pickFrom(
    l10n.t('Select a ticket'),
    rows.flatMap((row) =>
      row.tickets.filter((ticket) => isOffered(name, ticket)).map((ticket) => ({ row, ticket })),
    ),
  );
}

export async function pickFrom(
  title: string,
  candidates: readonly { readonly row: BoardRow; readonly ticket: TicketView }[],
): Promise<(TicketPlace & { readonly view: TicketView }) | undefined> {
  if (candidates.length === 0) {
    void window.showInformationMessage(l10n.t('This action isn’t available for any ticket.'));
    return undefined;
  }
  const several = new Set(candidates.map(({ row }) => row.root)).size > 1;
  const choices = candidates.map((value) => ({
    label: `${value.ticket.id} ${plainLabel(value.ticket.title)}`,
    description: [l10n.t(value.ticket.label), ...(several ? [value.row.name] : [])].join(' · '),
    value,
  }));
  const [only] = choices;
  const reply =
    choices.length === 1 && only
      ? ({ kind: 'given', value: only.value } as const)
      : await pickOne({ title, choices });
  if (reply.kind !== 'given' || !reply.value.row.repository) return undefined;
  return { repository: reply.value.row.repository, ticket: reply.value.ticket.id, view: reply.value.ticket };
}
