import { l10n, window } from 'vscode';
import { sizeText } from '../../base/sizeText.ts';
import { type Cleanable, cleanKindLabels, dueFor, mayBePersons, sizeOf } from '../../domain/core/cleaning.ts';
import type { Cleaned } from '../../protocol/upkeep.ts';
import { plainNotification } from '../shared/plainText.ts';
import { isConfirmed, pickMany } from '../shared/quickInput.ts';
import type { OpenRepository } from '../shared/repositories.ts';
import { withCancel } from '../shared/withCancel.ts';

/** Things a person may have made aren't chosen beforehand. */
export async function cleanUp({ cleaner, client }: OpenRepository): Promise<void> {
  const all = await withCancel(l10n.t('Measuring data of finished tickets…'), () => cleaner.list());
  if (!all) return;
  if (all.length === 0) {
    void window.showInformationMessage(
      l10n.t('Nothing to clean up. Only data of completed and canceled tickets can be removed.'),
    );
    return;
  }
  const due = new Set(dueFor(all, { ...cleaner.rule(), megabytes: 0 }, Date.now()));
  const reply = await pickMany({
    title: l10n.t('{0}: Clean Up', client.repository.name),
    placeholder: l10n.t('Select what to remove. Documents, evidence and branches stay.'),
    choices: all
      .toSorted((a, b) => a.at - b.at)
      .map((value) => ({ ...choiceOf(value), picked: due.has(value) && !mayBePersons(value.kind), value })),
  });
  if (reply.kind !== 'given' || reply.value.length === 0 || !(await mayRemove(reply.value))) return;
  const cleaned = await withCancel(l10n.t('Cleaning up…'), (signal, tell) =>
    cleaner.remove(reply.value, { signal, tell }),
  );
  if (cleaned) tellResult(cleaned);
}

function choiceOf({ ticket, kind, count, bytes, at }: Cleanable): {
  readonly label: string;
  readonly description: string;
} {
  const what = l10n.t(cleanKindLabels[kind]);
  const about = ticket === null ? what : l10n.t('{0}: {1}', ticket, what);
  const date = new Date(at).toLocaleDateString();
  const when = ticket === null ? date : l10n.t('ended {0}', date);
  return { label: about, description: [sizeText(bytes), l10n.t('items: {0}', count), when].join(' · ') };
}

async function mayRemove(chosen: readonly Cleanable[]): Promise<boolean> {
  const own = chosen.filter(({ kind }) => mayBePersons(kind)).map((one) => choiceOf(one).label);
  const detail = [
    l10n.t('This can’t be undone.'),
    ...(own.length === 0 ? [] : [l10n.t('Some of this may be your own work: {0}', own.join(', '))]),
  ].join('\n');
  return isConfirmed(l10n.t('Remove {0}?', sizeText(sizeOf(chosen))), detail, l10n.t('Remove'));
}

function tellResult({ removed, failed }: Cleaned): void {
  const [first] = failed;
  if (first) {
    const { label } = choiceOf(first);
    void window.showWarningMessage(
      l10n.t(
        'Removed {0}. {1} can’t be removed: {2}',
        sizeText(sizeOf(removed)),
        label,
        plainNotification(first.reason).text,
      ),
    );
  } else void window.showInformationMessage(l10n.t('Removed {0}.', sizeText(sizeOf(removed))));
}
