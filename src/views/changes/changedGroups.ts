import { l10n } from 'vscode';
import type { Bead } from '../../domain/beads/bead.ts';
import type { TicketView } from '../../protocol/api.ts';
import type { DiffView } from '../../protocol/review.ts';
import { uncommittedText } from '../review/showDiff.ts';
import { plainLabel } from '../shared/plainText.ts';
import type { TicketPlace } from '../shared/workbench.ts';

/** Files that changed together: by one bead, or since the last one. */
export interface ChangedGroup {
  readonly id: string;
  readonly label: string;
  readonly view: DiffView;
}

export const uncommittedId = 'uncommitted';

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
  const open = await diffs.diff(ticket, { kind: 'worktree', since: 'bead' });
  const groups: ChangedGroup[] = [];
  if (open) {
    const label = coding ? l10n.t('Working on {0}', plainLabel(coding.title)) : uncommittedText();
    groups.push({ id: uncommittedId, label, view: open });
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
