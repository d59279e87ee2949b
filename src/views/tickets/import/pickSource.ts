import { l10n, Uri, window } from 'vscode';
import { issueName } from '../../../domain/forge/issue.ts';
import { importFormats } from '../../../domain/import/imported.ts';
import { isDue, type PlannedImport } from '../../../domain/import/importPlan.ts';
import type { FoundSource, ReadImport } from '../../../domain/import/ticketSources.ts';
import { plainLabel } from '../../shared/plainText.ts';
import { type Choice, divider, pickMany, pickOne, valueOf, writeText } from '../../shared/quickInput.ts';

type Picked = readonly string[] | 'file' | 'folder' | 'comments' | 'issue';

/** `comments`: only their TODO comments. */
interface PickedSource {
  readonly words: readonly string[];
  readonly comments: boolean;
}

/** Paths and issues that a person wants to import; undefined if the person left. */
export async function pickSource(
  root: string,
  found: readonly FoundSource[],
): Promise<PickedSource | undefined> {
  const choices: readonly Choice<Picked>[] = [
    ...found.map((one) => ({
      label: plainLabel(one.path),
      description: `${importFormats[one.format]} · ${countText(one)}`,
      value: [one.path],
    })),
    ...(found.length > 1
      ? [{ label: l10n.t('All of These'), value: [...new Set(found.map(({ path }) => path))] }]
      : []),
    ...(found.length > 0 ? [divider(l10n.t('Elsewhere'))] : []),
    { label: `$(file) ${l10n.t('File…')}`, value: 'file' },
    { label: `$(folder) ${l10n.t('Folder…')}`, value: 'folder' },
    { label: `$(comment) ${l10n.t('TODO Comments of a Folder…')}`, value: 'comments' },
    { label: `$(issues) ${l10n.t('GitHub Issue…')}`, value: 'issue' },
  ];
  const picked = valueOf(
    await pickOne<Picked>({
      title: l10n.t('Import Tickets'),
      placeholder:
        found.length > 0
          ? l10n.t('Select a source. You see a preview before anything is stored.')
          : l10n.t('No sources were found in the usual places. Select a file, a folder or an issue.'),
      choices,
    }),
  );
  const comments = picked === 'comments';
  const words =
    picked === 'issue'
      ? await writeIssue()
      : typeof picked === 'string'
        ? await chooseFiles(root, picked)
        : picked;
  return words && { words, comments };
}

async function chooseFiles(
  root: string,
  kind: 'file' | 'folder' | 'comments',
): Promise<readonly string[] | undefined> {
  const isFile = kind === 'file';
  // Not one dialog for both: some systems would show folders only.
  const chosen = await window.showOpenDialog({
    defaultUri: Uri.file(root),
    canSelectFiles: isFile,
    canSelectFolders: !isFile,
    canSelectMany: true,
    openLabel: l10n.t('Preview'),
    title: l10n.t('Import Tickets'),
  });
  return chosen?.map(({ fsPath }) => fsPath);
}

async function writeIssue(): Promise<readonly string[] | undefined> {
  const word = valueOf(
    await writeText({
      title: l10n.t('Import Tickets'),
      placeholder: 'https://github.com/owner/name/issues/12',
      prompt: l10n.t('Enter the address of a GitHub issue, owner/name#12, or #12 for this repository.'),
      check: (text) => (issueName(text.trim()) ? undefined : l10n.t('This isn’t an issue.')),
    }),
  );
  return word === undefined ? undefined : [word.trim()];
}

/** Of several tickets, those that a person wants; undefined if the person left. */
export async function pickTickets({ plan, ...rest }: ReadImport): Promise<ReadImport | undefined> {
  const due = plan.filter(isDue);
  if (due.length < 2) return { plan, ...rest };
  const choices = due.map((value) => ({
    label: plainLabel(value.title),
    description: descriptionOf(value),
    picked: true,
    value,
  }));
  const chosen = valueOf(
    await pickMany<PlannedImport>({
      title: l10n.t('Import Tickets'),
      placeholder: l10n.t('Select tickets to preview'),
      choices,
    }),
  );
  if (!chosen || chosen.length === 0) return undefined;
  return { plan: plan.filter((one) => !isDue(one) || chosen.includes(one)), ...rest };
}

function descriptionOf({ state, ticket, imported: { id, path } }: PlannedImport): string {
  const source = plainLabel(id === '' ? path : id);
  return state === 'changed' ? `${source} · ${l10n.t('updates {0}', ticket ?? '')}` : source;
}

function countText({ format, tickets, tasks }: FoundSource): string {
  if (format !== 'spec-kit' && format !== 'kiro')
    return tickets === 1 ? l10n.t('1 open ticket') : l10n.t('{0} open tickets', tickets);
  return tasks === 1 ? l10n.t('1 open task') : l10n.t('{0} open tasks', tasks);
}
