import { commands as editor, env, FileType, l10n, Uri, window, workspace } from 'vscode';
import { exportedFiles, ExportManifest, manifestName } from '../../protocol/export/exportedFiles.ts';
import { exportInspection, type InspectionFormat } from '../../protocol/export/exportInspection.ts';
import { withCancel } from '../shared/withCancel.ts';
import type { TicketPlace } from '../shared/workbench.ts';

/** Only an earlier export is replaced, after a question and as a whole. A canceled export leaves nothing. */
export async function exportTicket(place: TicketPlace): Promise<void> {
  const { repository, ticket } = place;
  const [parent] =
    (await window.showOpenDialog({
      title: l10n.t('Export {0}: select a folder', ticket),
      openLabel: l10n.t('Export Here'),
      canSelectFiles: false,
      canSelectFolders: true,
      // Inside the checkout, the export would be a change of it.
      defaultUri: Uri.joinPath(Uri.file(repository.root), '..'),
    })) ?? [];
  if (!parent) return;
  const folder = await pickFolder(parent, ticket);
  if (!folder) return;
  const partial = Uri.joinPath(parent, `.${ticket}-export-${String(Date.now())}`);
  const title = l10n.t('Exporting {0}…', ticket);
  try {
    const isDone = await withCancel(title, (signal, tell) => write(place, partial, signal, tell));
    if (isDone !== true) return;
    await moveInto(partial, folder);
  } finally {
    if (await exists(partial)) await workspace.fs.delete(partial, { recursive: true });
  }
  const [open, show] = [l10n.t('Open'), l10n.t('Show in Explorer')];
  const answer = await window.showInformationMessage(
    l10n.t('{0} exported to {1}.', ticket, folder.path),
    open,
    ...(env.remoteName === undefined ? [show] : []),
  );
  if (answer === open) await editor.executeCommand('vscode.open', Uri.joinPath(folder, 'README.md'));
  if (answer === show) await editor.executeCommand('revealFileInOS', Uri.joinPath(folder, 'README.md'));
}

/** A free name, or the place of an earlier export that may be replaced. Undefined when the person left. */
async function pickFolder(parent: Uri, ticket: string): Promise<Uri | undefined> {
  const wanted = Uri.joinPath(parent, `${ticket}-export`);
  if (!(await exists(wanted))) return wanted;
  const before = await manifestOf(wanted, ticket);
  if (!before) return freeFolder(parent, ticket);
  const [replace, both] = [l10n.t('Replace'), l10n.t('Keep Both')];
  const answer = await window.showWarningMessage(
    l10n.t('An export of {0} already exists there.', ticket),
    {
      modal: true,
      detail: l10n.t(
        'Replacing deletes the previous export of {0} and everything else in its folder.',
        before.exportedAt,
      ),
    },
    both,
    replace,
  );
  if (answer === both) return freeFolder(parent, ticket);
  return answer === replace ? wanted : undefined;
}

async function freeFolder(parent: Uri, ticket: string): Promise<Uri> {
  for (let number = 2; ; number++) {
    const folder = Uri.joinPath(parent, `${ticket}-export-${String(number)}`);
    if (!(await exists(folder))) return folder;
  }
}

async function write(
  { repository, ticket }: TicketPlace,
  folder: Uri,
  signal: AbortSignal,
  tell: (count: number) => void,
): Promise<boolean> {
  let count = 0;
  for await (const { path, content } of exportedFiles(repository.client, ticket, Date.now())) {
    if (signal.aborted) return false;
    await workspace.fs.writeFile(Uri.joinPath(folder, path), new TextEncoder().encode(content));
    tell(++count);
  }
  return true;
}

/** The previous export is deleted only when the new one is in its place. */
async function moveInto(partial: Uri, folder: Uri): Promise<void> {
  if (!(await exists(folder))) {
    await workspace.fs.rename(partial, folder);
    return;
  }
  const former = folder.with({ path: `${folder.path}.replaced-${String(Date.now())}` });
  await workspace.fs.rename(folder, former);
  await workspace.fs.rename(partial, folder);
  await workspace.fs.delete(former, { recursive: true });
}

async function exists(uri: Uri): Promise<boolean> {
  try {
    return (await workspace.fs.stat(uri)).type !== FileType.Unknown;
  } catch {
    return false;
  }
}

async function manifestOf(folder: Uri, ticket: string): Promise<{ readonly exportedAt: string } | undefined> {
  try {
    const bytes = await workspace.fs.readFile(Uri.joinPath(folder, manifestName));
    const manifest = ExportManifest.parse(JSON.parse(new TextDecoder().decode(bytes)));
    return manifest.ticket === ticket ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** By the file's ending; anything else is Markdown. */
const formats: Readonly<Record<string, InspectionFormat>> = { csv: 'csv', json: 'json', md: 'markdown' };

/** Without the prompts' texts (docs/prompt-cache.md). */
export async function exportContext({ repository, ticket }: TicketPlace): Promise<void> {
  const calls = await repository.client.history.inspect(ticket);
  if (calls.length === 0) {
    void window.showInformationMessage(l10n.t('No model calls for {0} yet.', ticket));
    return;
  }
  const file = await window.showSaveDialog({
    title: l10n.t('Export Context of Model Calls'),
    // Inside the checkout, the export would be a change of it.
    defaultUri: Uri.joinPath(Uri.file(repository.root), '..', `${ticket}-context.csv`),
    filters: { CSV: ['csv'], JSON: ['json'], Markdown: ['md'] },
  });
  if (!file) return;
  const ending = file.path.slice(file.path.lastIndexOf('.') + 1).toLowerCase();
  await workspace.fs.writeFile(
    file,
    new TextEncoder().encode(exportInspection(calls, formats[ending] ?? 'markdown')),
  );
  const open = l10n.t('Open');
  const answer = await window.showInformationMessage(l10n.t('{0} exported to {1}.', ticket, file.path), open);
  if (answer === open) await editor.executeCommand('vscode.open', file);
}
