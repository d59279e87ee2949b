import { commands as editor, l10n, Range, Uri, window } from 'vscode';
import { plainLabel } from '../shared/plainText.ts';
import { pickOne, valueOf } from '../shared/quickInput.ts';
import { words } from '../shared/errorText.ts';
import type { TicketPlace } from '../shared/workbench.ts';
import { blobAddress, scopeOf } from './blobAddress.ts';
import { type ListedFinding, readFindings } from '../../protocol/findings/findingStates.ts';
import { findingPlace, severityLabels, standingText } from '../../protocol/findings/findingTexts.ts';
import { placeFinding } from './places.ts';

export interface FindingTarget {
  readonly finding?: string | undefined;
  readonly bead?: string | undefined;
}

/** Answers the finding's id. */
export async function showFinding(place: TicketPlace, target: FindingTarget): Promise<string | undefined> {
  const found = await chooseFinding(place, target, l10n.t('Select a finding to show'));
  if (found) await openFinding(place, found);
  return found?.finding.id;
}

/** Undefined when there is none, which the person is told. */
export async function chooseFinding(
  place: TicketPlace,
  { finding: id, bead }: FindingTarget,
  title: string,
  isWanted: (finding: ListedFinding) => boolean = () => true,
): Promise<ListedFinding | undefined> {
  const all = await readFindings(place.repository.client, place.ticket);
  if (id !== undefined) {
    const named = all.find(({ finding }) => finding.id === id);
    if (!named) void window.showInformationMessage(l10n.t('The finding {0} no longer exists.', id));
    return named;
  }
  const choices = all
    .filter((one) => (bead === undefined || one.review.bead === bead) && isWanted(one))
    .map((value) => {
      const { finding, review } = value;
      const about = [
        l10n.t(severityLabels[finding.severity]),
        findingPlace(finding),
        standingText(value, words),
      ].join(' · ');
      return { label: plainLabel(finding.claim), description: review.bead, detail: plainLabel(about), value };
    });
  if (choices.length === 0) {
    void window.showInformationMessage(l10n.t('{0} has no such findings.', place.ticket));
    return undefined;
  }
  return valueOf(await pickOne({ title, choices }));
}

/**
 * A finished bead and a failed iteration have a diff of their own; before that, what was reviewed is shown.
 */
async function openFinding(
  { repository: { client, root }, ticket }: TicketPlace,
  { finding, review }: ListedFinding,
): Promise<void> {
  const { bead, iteration, candidate } = review;
  const scope = scopeOf(bead, iteration);
  const [view, { beads }] = await Promise.all([client.diffs.diff(ticket, scope), client.beads(ticket)]);
  const start = beads.find(({ id }) => id === bead)?.beadStartCommit ?? null;
  const { from, to } = view ?? { from: start, to: candidate };
  const path = finding.file;
  const [before, after] = await Promise.all([
    from === null ? undefined : client.diffs.file(ticket, from, path),
    client.diffs.file(ticket, to, path),
  ]);
  if (!after && !before) {
    void window.showInformationMessage(l10n.t('{0} isn’t in the change of {1}.', path, bead));
    return;
  }
  const left =
    before && from !== null
      ? Uri.from(blobAddress(root, { ticket, path, commit: from, side: 'old', scope }))
      : undefined;
  const right = after && Uri.from(blobAddress(root, { ticket, path, commit: to, side: 'new', scope }));
  const name = path.split('/').at(-1) ?? path;
  const title = l10n.t('{0} ({1})', name, l10n.t('{0}: {1}', ticket, bead));
  if (!right) {
    await editor.executeCommand('vscode.open', left, {}, title);
    return;
  }
  const { line } = placeFinding({ finding, candidate }, to, new TextDecoder().decode(after));
  const options = { selection: new Range(line - 1, 0, line - 1, 0), preview: true };
  if (left) await editor.executeCommand('vscode.diff', left, right, title, options);
  else await editor.executeCommand('vscode.open', right, options, title);
}
