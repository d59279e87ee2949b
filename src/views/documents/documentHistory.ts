import { commands as editor, l10n, type Uri, window } from 'vscode';
import { rowOf } from '../../domain/workflow/workflow.ts';
import { documentUri } from './documentUri.ts';
import { type Choice, pickOne } from '../shared/quickInput.ts';
import { previousOf, type VersionRow, versionsOf } from './documentTypes.ts';
import type { TicketPlace } from '../shared/workbench.ts';

export interface DocumentTarget extends TicketPlace {
  readonly type: string;
  readonly version: number | undefined;
}

export async function showHistory(target: DocumentTarget): Promise<void> {
  const versions = await versionsFor(target);
  const reply = await pickOne({
    title: l10n.t('{0}: versions of {1}', target.ticket, fileName(target)),
    placeholder: l10n.t('Select the version to compare with its predecessor'),
    choices: versions.map(choiceOf),
  });
  if (reply.kind === 'given') await compare(target, previousOf(versions, reply.value.version), reply.value);
}

export async function compareVersions(target: DocumentTarget): Promise<void> {
  const versions = await versionsFor(target);
  if (tooFew(target, versions)) return;
  const title = l10n.t('{0}: compare versions of {1}', target.ticket, fileName(target));
  const first = await pickOne({
    title,
    placeholder: l10n.t('Select a version'),
    choices: versions.map(choiceOf),
    step: 1,
    steps: 2,
  });
  if (first.kind !== 'given') return;
  const others = versions.filter(({ version }) => version !== first.value.version);
  const second = await pickOne({
    title,
    placeholder: l10n.t('Select the version to compare with'),
    choices: others.map(choiceOf),
    step: 2,
    steps: 2,
  });
  if (second.kind !== 'given') return;
  const [left, right] = [first.value, second.value].toSorted((a, b) => a.version - b.version);
  if (left && right) await compare(target, left, right);
}

export async function compareWithPrevious(target: DocumentTarget): Promise<void> {
  const versions = await versionsFor(target);
  const now = versions.find((row) =>
    target.version === undefined ? row.present : row.version === target.version,
  );
  const before = now && previousOf(versions, now.version);
  if (now && before) await compare(target, before, now);
  else tooFew(target, []);
}

async function versionsFor({ repository, ticket, type }: DocumentTarget): Promise<readonly VersionRow[]> {
  return versionsOf(await repository.client.artifacts(ticket), type);
}

function tooFew(target: DocumentTarget, versions: readonly VersionRow[]): boolean {
  if (versions.length > 1) return false;
  void window.showInformationMessage(l10n.t('No previous version of {0} to compare with.', fileName(target)));
  return true;
}

async function compare(
  target: DocumentTarget,
  left: VersionRow | undefined,
  right: VersionRow,
): Promise<void> {
  if (!left) {
    await editor.executeCommand('vscode.open', uriOf(target, right));
    return;
  }
  const title = l10n.t(
    '{0} {1}: {2} ↔ {3}',
    target.ticket,
    fileName(target),
    shortName(left),
    shortName(right),
  );
  await editor.executeCommand('vscode.diff', uriOf(target, left), uriOf(target, right), title);
}

/** The current version is the document itself, so that it can be changed beside what it is compared with. */
function uriOf({ repository, ticket, type }: DocumentTarget, { version, present }: VersionRow): Uri {
  return documentUri(repository.root, ticket, type, present ? undefined : version);
}

function fileName({ repository, ticket, type }: DocumentTarget): string {
  return documentUri(repository.root, ticket, type).path.split('/').slice(2).join('/');
}

function shortName({ version, present }: VersionRow): string {
  return present ? l10n.t('current version') : l10n.t('version {0}', version);
}

function choiceOf(row: VersionRow): Choice<VersionRow> {
  const { version, present, archived, status, attempt, createdAt } = row;
  const marks = [present ? l10n.t('present') : '', archived ? l10n.t('archived') : ''].filter(
    (mark) => mark !== '',
  );
  return {
    label: `$(${present ? 'file' : archived ? 'archive' : 'history'}) ${l10n.t('Version {0}', version)}`,
    description: marks.join(' · '),
    detail: l10n.t(
      '{0}, attempt {1}, {2}',
      l10n.t(rowOf(status).label),
      attempt,
      new Date(createdAt).toLocaleString(),
    ),
    value: row,
  };
}
