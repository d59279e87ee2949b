import { l10n } from 'vscode';
import { writeText } from '../shared/quickInput.ts';
import { sendAndTell, sendsUnsent } from '../shared/sendAndTell.ts';
import type { TicketPlace } from '../shared/workbench.ts';

/** Asks for changes; each line the reviewer writes becomes one. */
export async function requestChanges(place: TicketPlace): Promise<void> {
  const items: { text: string }[] = [];
  for (;;) {
    const reply = await writeText({
      title: l10n.t('{0}: request changes', place.ticket),
      prompt:
        items.length === 0
          ? l10n.t('What should change? (one point at a time)')
          : l10n.t('{0} noted. Add another, or leave empty to send.', items.length),
      check: (text) =>
        text.trim() === '' && items.length === 0 ? l10n.t('Describe what to change.') : undefined,
    });
    if (reply.kind !== 'given') {
      const noted = items.map(({ text }) => text);
      if (!(await sendsUnsent(l10n.t('{0}: unsent points: {1}', place.ticket, noted.length), noted))) return;
    }
    if (reply.kind !== 'given' || reply.value.trim() === '') break;
    items.push({ text: reply.value.trim() });
    if (items.length === 50) break;
  }
  await sendAndTell(place, 'changes', { items });
}
