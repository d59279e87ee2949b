import type { TicketHint } from '../../../src/protocol/pages/ticket.ts';

export interface Activity {
  readonly key: number;
  readonly hint: TicketHint;
}

const mostEntries = 60;
/** Of what a model writes, the end is what it is at. */
const longestText = 1_200;

/**
 * The list with one more thing in it, the newest last. What a model says comes in pieces, which grow one
 * entry.
 */
export function withHint(list: readonly Activity[], hint: TicketHint): readonly Activity[] {
  const last = list.at(-1);
  if (last && isSpeech(hint) && last.hint.kind === hint.kind && last.hint.source === hint.source) {
    const text = (last.hint.text + hint.text).slice(-longestText);
    return [...list.slice(0, -1), { key: last.key, hint: { ...hint, text } }];
  }
  return [...list.slice(1 - mostEntries), { key: (last?.key ?? 0) + 1, hint }];
}

export function isSpeech({ kind }: TicketHint): boolean {
  return kind === 'text' || kind === 'reasoning';
}
