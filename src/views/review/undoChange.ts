import { l10n, Range, window } from 'vscode';
import { hunksOf } from '../../domain/findings/diffPlaces.ts';
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

/** Undefined outside of the file's changes, and where nothing is left that a comment could be on. */
export function undoneAt(diff: string, path: string, line: number): Undone | undefined {
  const hunk = hunksOf(diff)
    .get(path)
    ?.find(({ start, after }) => line >= start && line < start + Math.max(1, after.length));
  if (!hunk) return undefined;
  const { start, after } = hunk;
  const before = hunk.before.map((text) => text.replace(/\r$/, ''));
  const now = after.map((text) => text.replace(/\r$/, ''));
  const most = Math.min(before.length, now.length);
  let [same, end] = [0, 0];
  while (same < most && before[same] === now[same]) same += 1;
  while (end < most - same && before.at(-1 - end) === now.at(-1 - end)) end += 1;
  // A suggestion replaces lines, and an empty one takes them out.
  const isOn = now.length - end > same;
  const isBlank = before.slice(same, before.length - end).join('') === '' && before.length - end > same;
  if (!isOn || isBlank) {
    if (same > 0) same -= 1;
    else if (end > 0) end -= 1;
    else if (!isOn) return undefined;
  }
  return {
    line: start + same,
    endLine: start + now.length - end - 1,
    lines: before.slice(same, before.length - end).join('\n'),
  };
}
