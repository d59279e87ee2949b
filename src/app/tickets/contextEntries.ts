import {
  ContextEntries,
  type ContextEntry,
  contextMode,
  newContextEntry,
} from '../../domain/prompts/contextEntries.ts';
import { readText } from '../../domain/documents/base/text.ts';
import { inboxBodies, type InboxEntry } from '../../domain/ticket/inbox.ts';

/** The document `context_entries`; none where it is missing or can't be read. */
export function readKept(content: string | undefined): readonly ContextEntry[] {
  const read = content === undefined ? undefined : readText('json', content);
  return read?.ok ? (ContextEntries.safeParse(read.value).data?.entries ?? []) : [];
}

/**
 * Every context entry of a ticket with its state (docs/decisions/141-context-inbox.md): what coding took says
 * its document; the rest still is in the inbox, was withdrawn there, or was taken by a status before coding,
 * which uses `once` up and keeps everything else.
 */
export function contextOf(
  inbox: readonly InboxEntry[],
  kept: readonly ContextEntry[],
): readonly ContextEntry[] {
  const known = new Map(kept.map((entry) => [entry.id, entry]));
  const filed = inbox.flatMap((entry): readonly ContextEntry[] => {
    const body = entry.kind === 'context' ? inboxBodies.context.safeParse(entry.body).data : undefined;
    if (!body || known.has(entry.id)) return [];
    const isRefused = entry.state === 'refused';
    if (isRefused && entry.outcome?.code !== 'CONTEXT_WITHDRAWN') return [];
    const mode = contextMode(body.scope);
    const given = newContextEntry({
      id: entry.id,
      text: body.text,
      author: 'user',
      mode,
      at: entry.postedAt,
    });
    if (entry.state === 'pending') return [given];
    return [{ ...given, state: isRefused ? 'withdrawn' : mode === 'once' ? 'consumed' : 'delivered' }];
  });
  return [...kept, ...filed].toSorted((a, b) => a.at - b.at);
}
