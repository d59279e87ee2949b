import * as l10n from '@vscode/l10n';
import { useEffect } from 'preact/hooks';
import * as z from 'zod';
import { requestLine, type RequestVerdict } from '../../../src/domain/ticket/agentRequest.ts';
import type { TicketState } from '../../../src/protocol/pages/ticket.ts';
import { useViewState } from '../../base/keptState.tsx';
import { PageFailure } from '../../base/pageLink.ts';
import type { Tools } from '../shared/parts.tsx';

type Request = TicketState['requests'][number];
/** `mine`: answered on this page, so its result needs no announcement. */
const Seen = z.object({
  id: z.string(),
  since: z.number(),
  until: z.number(),
  line: z.string(),
  mine: z.boolean(),
});
type Seen = z.infer<typeof Seen>;
const SeenList = z.array(Seen);
const Notes = z.array(z.object({ key: z.string(), text: z.string() }));

/** As much of a request as is told when it is over. */
const longestLine = 200;
const mostNotes = 3;

/** Requests that went away without this page's doing. */
export interface Settled {
  readonly notes: z.infer<typeof Notes>;
  readonly dismiss: (key: string) => void;
  /** A request is being answered here, or couldn't be. */
  readonly setMine: (request: Request, isMine: boolean) => void;
}

/** The same may be asked again in the same step. */
export function keyOf({ id, since }: Pick<Request, 'id' | 'since'>): string {
  return `${id} ${String(since)}`;
}

/** Notices and announces new and ended requests, also while the page is hidden. */
export function useSettled(requests: readonly Request[], page: Tools): Settled {
  const { viewState } = page;
  const [notes, setNotes] = useViewState(page.viewState, 'settled', Notes, []);
  const seen = (): readonly Seen[] => SeenList.safeParse(viewState.get('requests')).data ?? [];
  useEffect(() => {
    const before = new Map(seen().map((one) => [keyOf(one), one]));
    const now = requests.map((request): Seen => before.get(keyOf(request)) ?? seenNow(request));
    viewState.set('requests', now);
    for (const request of requests) if (!before.has(keyOf(request))) page.announce(announcement(request));
    const present = new Set(now.map(keyOf));
    for (const [key, gone] of before) if (!present.has(key) && !gone.mine) void tell(key, gone);
  }, [requests.map(keyOf).join('\n')]);
  const tell = async (key: string, gone: Seen): Promise<void> => {
    const decision = await decisionOn(page, gone);
    const how = decision ?? (Date.now() >= gone.until - 1_000 ? 'expired' : 'gone');
    const text = settledText(how, gone.line);
    setNotes((list) => [...list.filter((note) => note.key !== key), { key, text }].slice(-mostNotes));
    page.announce(text);
  };
  return {
    notes,
    dismiss: (key) => setNotes((list) => list.filter((note) => note.key !== key)),
    setMine: (request, mine) =>
      viewState.set(
        'requests',
        seen().map((one) => (keyOf(one) === keyOf(request) ? { ...one, mine } : one)),
      ),
  };
}

function seenNow(request: Request): Seen {
  const { id, since, until, content } = request;
  return { id, since, until, line: requestLine(content).slice(0, longestLine), mine: false };
}

function announcement({ source, content, may }: Request): string {
  const who =
    content.kind === 'question'
      ? l10n.t('{0} has a question', source)
      : l10n.t('{0} requests permission to {1}', source, may);
  return `${who}: ${requestLine(content).slice(0, longestLine)}`;
}

/** Null: nobody decided, as far as can be told. */
async function decisionOn(page: Tools, { id, since }: Seen) {
  try {
    return (await page.request('decision', { request: id, since })).decision;
  } catch (error) {
    if (!(error instanceof PageFailure)) throw error;
    return null;
  }
}

function settledText(how: RequestVerdict | 'expired' | 'gone', line: string): string {
  const texts: Readonly<Record<RequestVerdict | 'expired' | 'gone', string>> = {
    answered: l10n.t('Answered in another window: “{0}”', line),
    left: l10n.t('Left to the agent in another window: “{0}”', line),
    allowed: l10n.t('Allowed in another window: “{0}”', line),
    denied: l10n.t('Denied in another window: “{0}”', line),
    expired: l10n.t('The question timed out, and the agent continues without an answer: “{0}”', line),
    gone: l10n.t('Withdrawn by the agent: “{0}”', line),
  };
  return texts[how];
}
