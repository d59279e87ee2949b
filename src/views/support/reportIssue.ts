import { commands as editor, env, l10n, Uri, window, workspace } from 'vscode';
import { roleOf } from '../../domain/workflow/roles.ts';
import { type Choice, pickMany, valueOf } from '../shared/quickInput.ts';
import { openOf, type OpenRepository } from '../shared/repositories.ts';
import { withCancel } from '../shared/withCancel.ts';
import { commandId } from '../commands/commands.ts';
import type { Workbench } from '../shared/workbench.ts';
import { type Report, type ReportedTicket, reportText } from './reportText.ts';
import { runChecks } from './runChecks.ts';

/** Also the number of tickets a journal is offered of. */
const journalEntries = 200;
const listedTickets = 40;
const offeredJournals = 20;

type Addition =
  | { readonly kind: 'titles' | 'details' }
  | { readonly kind: 'journal'; readonly repository: OpenRepository; readonly ticket: string };

/** Nothing is sent: the person saves the report, copies it, or opens the form for it. */
export async function reportIssue(workbench: Workbench): Promise<void> {
  const additions = await pickAdditions(workbench);
  if (!additions) return;
  const text = await withCancel(l10n.t('Collecting data for the report…'), (signal, tell) =>
    collect(workbench, additions, signal, tell),
  );
  if (text === undefined) return;
  await workbench.support.show('report.md', text);
  const [save, copy, form] = [l10n.t('Save As…'), l10n.t('Copy'), l10n.t('Open Issue Form')];
  const answer = await window.showInformationMessage(
    l10n.t('Review the report. Nothing is sent unless you submit it.'),
    save,
    copy,
    ...(workbench.support.issues === undefined ? [] : [form]),
  );
  if (answer === save) await editor.executeCommand(commandId('saveReport'));
  if (answer === copy) await editor.executeCommand(commandId('copyReport'));
  if (answer === form) await editor.executeCommand(commandId('openIssueForm'));
}

export async function saveReport(workbench: Workbench): Promise<void> {
  const text = reportOf(workbench);
  if (text === undefined) return;
  const [folder] = workspace.workspaceFolders ?? [];
  const name = 'beadsmith-report.md';
  const file = await window.showSaveDialog({
    title: l10n.t('Save Report'),
    ...(folder ? { defaultUri: Uri.joinPath(folder.uri, name) } : {}),
    filters: { Markdown: ['md'] },
  });
  if (!file) return;
  await workspace.fs.writeFile(file, new TextEncoder().encode(text));
  window.setStatusBarMessage(l10n.t('Report saved.'), 5_000);
}

export async function copyReport(workbench: Workbench): Promise<void> {
  const text = reportOf(workbench);
  if (text === undefined) return;
  await env.clipboard.writeText(text);
  window.setStatusBarMessage(l10n.t('Report copied.'), 5_000);
}

export async function openIssueForm(workbench: Workbench): Promise<void> {
  const { issues } = workbench.support;
  if (issues === undefined) {
    void window.showInformationMessage(
      l10n.t(
        'This build of Beadsmith has no issue tracker. Save the report, and send it to the provider of this build.',
      ),
    );
    return;
  }
  await copyReport(workbench);
  await env.openExternal(Uri.parse(issues, true));
  void window.showInformationMessage(l10n.t('Report copied. Paste it into the form, below the description.'));
}

function reportOf({ support }: Workbench): string | undefined {
  const text = support.shown('report.md');
  if (text === undefined)
    void window.showInformationMessage(l10n.t('First create a report with “Beadsmith: Report Issue…”.'));
  return text;
}

/** Nothing is added unless the person ticks it. */
async function pickAdditions({ repositories, board }: Workbench): Promise<readonly Addition[] | undefined> {
  await board.refresh();
  const tickets = board.rows.flatMap(({ repository, tickets: all }) =>
    repository ? all.map((view) => ({ repository, view })) : [],
  );
  const newest = tickets.toSorted((a, b) => b.view.updatedAt - a.view.updatedAt).slice(0, offeredJournals);
  const several = repositories.entries.length > 1;
  const choices: readonly Choice<Addition>[] = [
    {
      label: l10n.t('Include error messages'),
      description: l10n.t('may quote documents, models and commands'),
      value: { kind: 'details' },
    },
    ...(tickets.length === 0
      ? []
      : [{ label: l10n.t('Include the titles of tickets'), value: { kind: 'titles' } as const }]),
    ...newest.map(({ repository, view }) => ({
      label: l10n.t('Include the journal of {0}', view.id),
      description: [view.title, ...(several ? [repository.client.repository.name] : [])].join(' · '),
      value: { kind: 'journal', repository, ticket: view.id } as const,
    })),
  ];
  const placeholder = l10n.t('The report contains facts only. Select what else to include.');
  const picked = await pickMany({ title: l10n.t('Report Issue'), placeholder, choices });
  return valueOf(picked);
}

async function collect(
  workbench: Workbench,
  additions: readonly Addition[],
  signal: AbortSignal,
  tell: (count: number) => void,
): Promise<string | undefined> {
  const { support, repositories } = workbench;
  // In English, and without the names of folders, as the whole report.
  const checks = await runChecks(
    workbench,
    { machine: 'This machine', repository: () => 'A repository' },
    signal,
    tell,
  );
  if (!checks) return undefined;
  const open = openOf(repositories);
  const tickets: Report['tickets'][number][] = [];
  for (const [at, { client }] of open.entries()) {
    const name = open.length === 1 ? 'the repository' : `repository ${String(at + 1)}`;
    const all = (await client.tickets()).toSorted((a, b) => b.updatedAt - a.updatedAt);
    const listed = await Promise.all(all.slice(0, listedTickets).map((view) => reported(client, view)));
    tickets.push({ repository: name, listed, more: all.length - listed.length });
  }
  const journals: Report['journals'][number][] = [];
  for (const addition of additions) {
    if (addition.kind !== 'journal') continue;
    const entries = await addition.repository.client.history.journal(addition.ticket);
    journals.push({
      ticket: addition.ticket,
      lines: entries.slice(-journalEntries).map((entry) => JSON.stringify(entry)),
    });
  }
  if (signal.aborted) return undefined;
  const has = (kind: Addition['kind']): boolean => additions.some((addition) => addition.kind === kind);
  const text = reportText(
    { ...support.facts(), checks, log: support.log(), tickets, journals },
    { details: has('details'), titles: has('titles') },
  );
  const redact = await support.redactor();
  return redact(text);
}

/** Only what is blocked is asked for its code. */
async function reported(
  client: OpenRepository['client'],
  view: ReportedTicket['view'],
): Promise<ReportedTicket> {
  const error =
    roleOf(view.status) === 'blocked' ? ((await client.ticket(view.id)).error?.code ?? null) : null;
  return { view, error };
}
