import { commands as editor, FileType, l10n, Uri, workspace } from 'vscode';
import { beadStatusLabels } from '../../domain/beads/bead.ts';
import { stageExitLabel } from '../../domain/beads/beadStages.ts';
import { BeadsmithError, invalidInput } from '../../domain/core/errors.ts';
import type { TicketEvent } from '../../domain/core/events.ts';
import type { InboxBody } from '../../domain/ticket/inbox.ts';
import { rowOf, statuses } from '../../domain/workflow/workflow.ts';
import type { PageRequests } from '../../protocol/pages/frame.ts';
import type { ticketPage } from '../../protocol/pages/ticket.ts';
import {
  longestPiece,
  type NoteTime,
  type TicketHint,
  type transcriptRequests,
} from '../../protocol/pages/transcript.ts';
import type { TicketPlace } from '../shared/workbench.ts';

const piecesAtOnce = 200;
const mostFiles = 500;

const notes: Readonly<Record<NoteTime, Omit<InboxBody<'context'>, 'text'>>> = {
  now: { scope: 'once', interrupt: true },
  next_iteration: { scope: 'once' },
  every_call: { scope: 'pinned' },
};

type Handlers = Pick<PageRequests<typeof ticketPage>, keyof typeof transcriptRequests>;

/** See docs/decisions/195-transcripts.md. */
export function transcriptHandlers({ repository: { client }, ticket }: TicketPlace): Handlers {
  return {
    transcript: async (query) => {
      const { events, earlier } = await client.history.transcript(ticket, { ...query, limit: piecesAtOnce });
      return { pieces: events.flatMap((event) => ticketHint(event) ?? []), earlier };
    },
    changed: async ({ bead, iteration }) => {
      const diff = await client.diffs.diff(ticket, { kind: 'iteration', bead, iteration });
      return diff ? { files: diff.files.slice(0, mostFiles), total: diff.files.length } : null;
    },
    openFile: async ({ path }) => {
      const { worktree } = (await client.ticket(ticket)).ticket;
      if (worktree === null) throw new BeadsmithError('WORKTREE_LOST', { path: '(none)' });
      await editor.executeCommand('vscode.open', await fileIn(worktree, path), { preview: true });
      return {};
    },
    // It lies in the inbox until a call takes it, so nobody waits for that.
    note: async ({ text, time }) => {
      await client.act(ticket, 'context', { text, ...notes[time] });
      return {};
    },
  };
}

/** An agent could make a link that leads anywhere. */
async function fileIn(worktree: string, path: string): Promise<Uri> {
  let uri = Uri.file(worktree);
  for (const part of path.split('/')) {
    uri = Uri.joinPath(uri, part);
    const { type } = await workspace.fs.stat(uri).then(undefined, () => ({ type: FileType.Unknown }));
    const refuse = (reason: string) => invalidInput(`The file ${path}`, reason);
    if (type === FileType.Unknown) throw refuse('it isn’t in the worktree any more');
    if ((type & FileType.SymbolicLink) !== 0) throw refuse('it is a link');
  }
  return uri;
}

/** A replayed step is no news, a call was shown while it ran, and what waits or blocks is in the state. */
export function ticketHint(event: TicketEvent): TicketHint | undefined {
  const hint = (kind: TicketHint['kind'], text: string, more: Partial<TicketHint> = {}): TicketHint => ({
    at: event.at,
    source: 'engine',
    kind,
    text: text.slice(0, longestPiece),
    ...more,
  });
  switch (event.type) {
    case 'activity':
      return activityHint(event);
    case 'step':
      return event.state === 'replayed' ? undefined : hint('step', `${event.key}: ${event.state}`);
    case 'bead':
      return hint('bead', beadText(event), { bead: event.bead, iteration: event.iteration });
    case 'stage':
      return hint('step', stageText(event), {
        bead: event.bead,
        iteration: event.iteration,
        tone: toneOf(event),
      });
    case 'status':
      return hint('status', `${statusText(event.from)} → ${statusText(event.to)}`);
    case 'call':
    case 'waiting':
    case 'hold':
    case 'blocked':
    case 'refused':
      return undefined;
  }
}

type EventOf<T extends TicketEvent['type']> = Extract<TicketEvent, { type: T }>;

/** Of a long piece the end is what is being written. */
function activityHint({ type: _, ticket: __, ...activity }: EventOf<'activity'>): TicketHint {
  const cut = Math.max(0, activity.text.length - longestPiece);
  const { offset } = activity;
  return {
    ...activity,
    text: activity.text.slice(cut),
    ...(offset === undefined ? {} : { offset: offset + cut }),
  };
}

function beadText({ bead, done, total, iteration, state }: EventOf<'bead'>): string {
  const labels: Readonly<Record<string, string>> = beadStatusLabels;
  const status = l10n.t(labels[state] ?? state);
  return l10n.t('{0} ({1}/{2}), iteration {3}: {4}', bead, done, total, iteration, status);
}

const bad: readonly (string | null)[] = ['failed', 'problems', 'findings'];

function toneOf({ state, exit }: EventOf<'stage'>): NonNullable<TicketHint['tone']> {
  if (state === 'started') return 'begins';
  return state === 'failed' || bad.includes(exit) ? 'bad' : 'good';
}

/** Of its bead's iteration, which stands above. */
function stageText({ stage, label, state, exit, error, skipped }: EventOf<'stage'>): string {
  const name = l10n.t(label);
  if (state === 'started') return name;
  if (state === 'failed')
    return skipped
      ? l10n.t('{0} was skipped: {1}', name, error?.message ?? '')
      : l10n.t('{0} failed: {1}', name, error?.message ?? '');
  const texts: Readonly<Record<string, string>> = {
    'check passed': l10n.t('Checks passed'),
    'check again': l10n.t('Checks passed, another pass follows'),
    'check problems': l10n.t('Checks failed, the agent fixes it'),
    'check failed': l10n.t('Checks failed'),
    'review clean': l10n.t('Review found nothing'),
    'review findings': l10n.t('Review has findings'),
  };
  return texts[`${stage} ${exit ?? ''}`] ?? l10n.t('{0}: {1}', name, l10n.t(stageExitLabel(exit ?? '')));
}

function statusText(name: string): string {
  const status = statuses.find((one) => one === name);
  return status ? l10n.t(rowOf(status).label) : name;
}
