import { l10n } from 'vscode';
import type { Bead } from '../../domain/beads/bead.ts';
import type { TicketView } from '../../protocol/api.ts';
import type { DiffScope, DiffView } from '../../protocol/review.ts';
import { nameOf } from '../review/showDiff.ts';
import { plainLabel } from '../shared/plainText.ts';
import type { TicketPlace } from '../shared/workbench.ts';

/** Files that changed together: by one bead, or since the last one, staged or not. */
export interface ChangedGroup {
  readonly id: string;
  readonly label: string;
  readonly view: DiffView;
}

/** Uncommitted work, in the order of git's own view. */
const open: Readonly<Record<string, DiffScope>> = {
  staged: { kind: 'staged' },
  unstaged: { kind: 'worktree', since: 'staged' },
};
export const openIds = Object.keys(open);

/** A finished bead doesn't change, until its ticket enters another status. */
export type KnownDiffs = Map<string, DiffView | undefined>;

/** Uncommitted work first, then the finished beads in the order of the plan. */
export async function changedGroups(
  { repository, ticket }: TicketPlace,
  { coding }: Pick<TicketView, 'coding'>,
  known: KnownDiffs,
): Promise<readonly ChangedGroup[]> {
  const { diffs } = repository.client;
  const { beads } = await repository.client.beads(ticket);
  const groups: ChangedGroup[] = [];
  for (const [id, scope] of Object.entries(open)) {
    const view = await diffs.diff(ticket, scope);
    const name = nameOf(scope);
    const label = coding ? l10n.t('{0}: {1}', name, plainLabel(coding.title)) : name;
    if (view) groups.push({ id, label, view });
  }
  for (const bead of beads.filter(({ status }) => status === 'done')) {
    const view = await finished(bead);
    if (view) groups.push({ id: `bead:${bead.id}`, label: plainLabel(bead.title), view });
  }
  return groups.filter(({ view }) => view.files.length > 0);

  async function finished({ id, beadStartCommit, updatedAt }: Bead): Promise<DiffView | undefined> {
    const key = [id, beadStartCommit, updatedAt].join(' ');
    if (!known.has(key)) known.set(key, await diffs.diff(ticket, { kind: 'bead', bead: id }));
    return known.get(key);
  }
}
