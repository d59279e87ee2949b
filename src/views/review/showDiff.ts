import { commands as editor, l10n, Uri, window } from 'vscode';
import type { DiffFile, DiffScope, DiffView } from '../../protocol/review.ts';
import { plainLabel } from '../shared/plainText.ts';
import { pickOne, valueOf } from '../shared/quickInput.ts';
import type { Target } from '../commands/ticketTarget.ts';
import type { TicketPlace } from '../shared/workbench.ts';
import { blobAddress, scopeOf } from './blobAddress.ts';

/** A file before and after a change; undefined where it doesn't exist. */
interface Sides {
  readonly path: string;
  readonly from: Uri | undefined;
  readonly to: Uri | undefined;
}

export async function showDiff(place: TicketPlace, target: Target): Promise<void> {
  const view = await chosenDiff(place, target);
  if (!view) return;
  await openDiffs(
    titleOf(place.ticket, view.scope),
    view.files.map((file) => sidesOf(place, view, file)),
  );
}

export async function showFileDiff(place: TicketPlace, target: Target): Promise<void> {
  const view = await chosenDiff(place, target);
  const named = view?.files.find(({ path }) => path === target.file);
  const file = named ?? (view && (await pickFile(view)));
  if (!view || !file) return;
  await openDiff(titleOf(place.ticket, view.scope), sidesOf(place, view, file));
}

export async function compareIterations(place: TicketPlace, target: Target): Promise<void> {
  const { client, root } = place.repository;
  const bead = target.bead ?? (await pickBead(place));
  const views = bead === undefined ? [] : await iterationsOf(place, bead);
  if (bead === undefined) return;
  if (views.length < 2) {
    void window.showInformationMessage(l10n.t('{0} doesn’t have two iterations to compare.', bead));
    return;
  }
  const to = views.find(({ scope }) => scope.iteration === target.iteration) ?? views.at(-1);
  const others = views.filter((view) => view !== to);
  const from = others.length === 1 ? others[0] : await pickIteration(others);
  if (!from || !to) return;
  const paths = [...new Set([...from.view.files, ...to.view.files].map(({ path }) => path))].sort();
  const { ticket } = place;
  const sides = await Promise.all(
    paths.map(async (path): Promise<readonly Sides[]> => {
      const [before, after] = await Promise.all([
        client.diffs.file(ticket, from.view.to, path),
        client.diffs.file(ticket, to.view.to, path),
      ]);
      if (equal(before, after)) return [];
      const common = { ticket, path };
      const left = { ...common, commit: from.view.to, side: 'old', scope: from.scope } as const;
      const right = { ...common, commit: to.view.to, side: 'new', scope: to.scope } as const;
      return [{ path, from: before && blobUri(root, left), to: after && blobUri(root, right) }];
    }),
  );
  const title = l10n.t(
    '{0}: {1}, iteration {2} and {3}',
    ticket,
    bead,
    from.scope.iteration,
    to.scope.iteration,
  );
  await openDiffs(title, sides.flat());
}

async function chosenDiff(place: TicketPlace, target: Target): Promise<DiffView | undefined> {
  const scope = target.scope ? ({ kind: 'ticket' } as const) : await namedOrPicked(place, target);
  const view = scope && (await place.repository.client.diffs.diff(place.ticket, scope));
  if (scope && !view) void window.showInformationMessage(l10n.t('No changes yet.'));
  return view;
}

function namedOrPicked(
  place: TicketPlace,
  { bead, iteration }: Target,
): DiffScope | undefined | Promise<DiffScope | undefined> {
  return bead === undefined ? pickScope(place) : scopeOf(bead, iteration);
}

async function pickScope({ repository, ticket }: TicketPlace): Promise<DiffScope | undefined> {
  const { beads } = await repository.client.beads(ticket);
  const looked = beads.map(({ id }): DiffScope => ({ kind: 'bead', bead: id }));
  const scopes: readonly DiffScope[] = [{ kind: 'ticket' }, ...looked];
  const there = await Promise.all(scopes.map((scope) => repository.client.diffs.diff(ticket, scope)));
  const choices = there.flatMap((view) =>
    view ? [{ label: nameOf(view.scope), description: countText(view.files.length), value: view.scope }] : [],
  );
  if (choices.length === 0) {
    void window.showInformationMessage(l10n.t('{0} has no changes yet.', ticket));
    return undefined;
  }
  return valueOf(await pickOne({ title: l10n.t('Select the changes of {0} to show', ticket), choices }));
}

async function pickFile(view: DiffView): Promise<DiffFile | undefined> {
  const [only] = view.files;
  if (view.files.length === 1) return only;
  const choices = view.files.map((value) => ({
    label: plainLabel(value.path),
    description: changeText(value),
    value,
  }));
  return valueOf(await pickOne({ title: l10n.t('Select a file'), choices }));
}

/** `done`: only what is finished. */
export async function pickBead(
  { repository, ticket }: TicketPlace,
  done = false,
): Promise<string | undefined> {
  const beads = (await repository.client.beads(ticket)).beads.filter(
    ({ status }) => !done || status === 'done',
  );
  if (beads.length === 0) {
    void window.showInformationMessage(
      done ? l10n.t('{0} has no finished bead yet.', ticket) : l10n.t('{0} has no beads yet.', ticket),
    );
    return undefined;
  }
  const choices = beads.map(({ id, title }) => ({ label: plainLabel(title), description: id, value: id }));
  return valueOf(await pickOne({ title: l10n.t('Select a bead'), choices }));
}

type IterationDiff = { readonly scope: Extract<DiffScope, { kind: 'iteration' }>; readonly view: DiffView };

async function iterationsOf(
  { repository, ticket }: TicketPlace,
  id: string,
): Promise<readonly IterationDiff[]> {
  const bead = (await repository.client.beads(ticket)).beads.find((one) => one.id === id);
  const numbers = Array.from({ length: bead?.iteration ?? 0 }, (_, index) => index + 1);
  const views = await Promise.all(
    numbers.map(async (iteration): Promise<readonly IterationDiff[]> => {
      const scope = { kind: 'iteration', bead: id, iteration } as const;
      const view = await repository.client.diffs.diff(ticket, scope);
      return view ? [{ scope, view }] : [];
    }),
  );
  return views.flat();
}

async function pickIteration(views: readonly IterationDiff[]): Promise<IterationDiff | undefined> {
  const choices = views.map((value) => ({
    label: nameOf(value.scope),
    description: countText(value.view.files.length),
    value,
  }));
  return valueOf(await pickOne({ title: l10n.t('Select the iteration to compare with'), choices }));
}

function sidesOf({ repository, ticket }: TicketPlace, { scope, from, to }: DiffView, file: DiffFile): Sides {
  const { path, oldPath, change } = file;
  const left = { ticket, path: oldPath ?? path, commit: from, side: 'old', scope } as const;
  const right = { ticket, path, commit: to, side: 'new', scope } as const;
  return {
    path,
    from: change === 'added' ? undefined : blobUri(repository.root, left),
    to: change === 'deleted' ? undefined : blobUri(repository.root, right),
  };
}

function blobUri(...address: Parameters<typeof blobAddress>): Uri {
  return Uri.from(blobAddress(...address));
}

async function openDiffs(title: string, sides: readonly Sides[]): Promise<void> {
  const [only] = sides;
  if (!only) {
    void window.showInformationMessage(l10n.t('{0}: no differences.', title));
    return;
  }
  if (sides.length === 1 && !(only.from && only.to)) return openDiff(title, only);
  await editor.executeCommand(
    'vscode.changes',
    title,
    // The editor marks a file without a left side as added, and one without a right side as deleted.
    sides.map(({ from, to }) => [to ?? from, from, to]),
  );
}

/**
 * An added or deleted file opens as a plain document: a diff against an empty one shows a half without
 * content.
 */
async function openDiff(title: string, { path, from, to }: Sides): Promise<void> {
  const name = path.split('/').at(-1) ?? path;
  if (from && to) await editor.executeCommand('vscode.diff', from, to, l10n.t('{0} ({1})', name, title));
  else if (to) await editor.executeCommand('vscode.open', to, {}, l10n.t('{0} ({1}, added)', name, title));
  else if (from)
    await editor.executeCommand('vscode.open', from, {}, l10n.t('{0} ({1}, deleted)', name, title));
}

function titleOf(ticket: string, scope: DiffScope): string {
  return scope.kind === 'ticket' ? ticket : l10n.t('{0}: {1}', ticket, nameOf(scope));
}

function nameOf(scope: DiffScope): string {
  switch (scope.kind) {
    case 'ticket':
      return l10n.t('The whole ticket');
    case 'bead':
      return scope.bead;
    case 'iteration':
      return l10n.t('{0}, iteration {1}', scope.bead, scope.iteration);
  }
}

function countText(files: number): string {
  return files === 1 ? l10n.t('1 file') : l10n.t('{0} files', files);
}

export function changeText({ change, oldPath }: DiffFile): string {
  const texts = {
    added: l10n.t('added'),
    modified: l10n.t('modified'),
    deleted: l10n.t('deleted'),
    renamed: l10n.t('moved from {0}', oldPath ?? ''),
  };
  return texts[change];
}

function equal(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a?.length === b?.length && (a ?? []).every((byte, index) => byte === b?.[index]);
}
