import { l10n, Range, window } from 'vscode';
import { type Change, changesOf, hunksOf } from '../../domain/findings/diffPlaces.ts';
import { suggestLines } from './commentActions.ts';
import { placeOf } from './diffDocuments.ts';
import type { ReviewComments } from './reviewComments.ts';

/** Lines of the new file, from 1, both included, and those that would take their place. */
interface Undone {
  readonly line: number;
  readonly endLine: number;
  readonly lines: string;
}

/** Suggests the lines of the base for the change at the cursor. Keeping a change needs nothing. */
export async function undoChange(review: ReviewComments): Promise<void> {
  const editor = window.activeTextEditor;
  const place = editor && placeOf(editor.document.uri);
  const repository = place && (await review.repositoryOf(place));
  if (!editor || !repository || place.scope.kind !== 'bead') return;
  const { client } = repository;
  const { bead } = place.scope;
  const [view, diff] = await Promise.all([
    client.diffs.diff(place.ticket, place.scope),
    client.artifact(place.ticket, `bead_diff:${bead}`),
  ]);
  if (!diff || view?.to !== place.commit) {
    void window.showInformationMessage(l10n.t('These aren’t the current changes of {0}.', bead));
    return;
  }
  const undone = undoneAt(diff.content, place.path, editor.selection.active.line + 1);
  if (!undone) {
    void window.showInformationMessage(l10n.t('Place the cursor in a change first.'));
    return;
  }
  const range = new Range(undone.line - 1, 0, undone.endLine - 1, 0);
  await suggestLines(
    review,
    review.open(editor.document.uri, range),
    l10n.t('Undo this change.'),
    undone.lines,
  );
}

/** Undefined outside of the file's hunks, and where nothing is left that a comment could be on. */
export function undoneAt(diff: string, path: string, line: number): Undone | undefined {
  const hunk = hunksOf(diff)
    .get(path)
    ?.find(({ start, after }) => line >= start && line < start + Math.max(1, after.length));
  if (!hunk) return undefined;
  const cursor = line - hunk.start;
  const far = ({ at, after }: Change): number =>
    Math.max(at - cursor, cursor - Math.max(at, at + after.length - 1), 0);
  const [change] = changesOf(hunk).toSorted((one, other) => far(one) - far(other));
  if (!change) return undefined;
  const texts = hunk.after.map(withoutReturn);
  const lines = change.before.map(withoutReturn);
  let [from, to] = [change.at, change.at + change.after.length];
  // A suggestion replaces lines, and an empty one takes them out.
  const isBlank = lines.length > 0 && lines.join('') === '';
  if (from === to || isBlank) {
    const [above, below] = [texts[from - 1], texts[to]];
    if (above !== undefined) {
      lines.unshift(above);
      from -= 1;
    } else if (below !== undefined) {
      lines.push(below);
      to += 1;
    } else if (from === to) return undefined;
  }
  return { line: hunk.start + from, endLine: hunk.start + to - 1, lines: lines.join('\n') };
}

function withoutReturn(text: string): string {
  return text.replace(/\r$/, '');
}
