import { commands as editor, l10n, window } from 'vscode';
import { joined } from '../../base/joined.ts';
import {
  isCut,
  isOfEngine,
  type PendingRequest,
  permissionText,
  requestLine,
} from '../../domain/ticket/agentRequest.ts';
import type { TicketDetail } from '../../protocol/api.ts';
import { type NotificationKind, notificationKindOf } from '../../protocol/attention.ts';
import { commandId, type CommandName } from '../commands/commands.ts';
import { fromRecord } from '../../domain/core/errors.ts';
import { blockedText, errorText, words } from '../shared/errorText.ts';
import { ownTarget } from '../shared/ownTargets.ts';
import { likelyCommand } from '../commands/offered.ts';
import { isReviewed } from '../review/beadReviews.ts';
import { plainNotification } from '../shared/plainText.ts';
import { sendAndTell } from '../shared/sendAction.ts';
import { showError } from '../shared/showError.ts';
import type { TicketPlace, Workbench } from '../shared/workbench.ts';

export interface Notification {
  readonly text: string;
  readonly warns: boolean;
  readonly actions: readonly { readonly title: string; readonly run: () => Promise<void> }[];
  /** Logs and says why an action didn't work. */
  readonly explain: (error: unknown) => Promise<void>;
}

type Action = Notification['actions'][number];

const mostOptions = 3;

/** Text from outside is plain text in it. `likely`: what a person most likely wants. */
export function notificationOf(
  workbench: Workbench,
  place: TicketPlace,
  kind: NotificationKind,
  detail: TicketDetail,
  likely = likelyCommand(detail.view),
): Notification {
  const { id, title } = detail.view;
  const name = [id, plainNotification(title).text] as const;
  const mute: Action = { title: muteTitle(), run: () => workbench.notifications.mute(kind) };
  const explain = (error: unknown): Promise<void> => showError(workbench, 'notification', error);
  const common = { warns: kind === 'blocked', explain };
  switch (kind) {
    case 'questions':
      return { ...common, ...questionNotification(place, name, detail.requests[0], mute) };
    case 'blocked':
      if (detail.ticket.hold?.kind === 'budget')
        return {
          ...common,
          text: l10n.t('{0} “{1}” is paused: {2}', ...name, plainNotification(blockedText(detail)).text),
          actions: [
            ifOpen(command(place, 'changeLimits'), place, isBlocked),
            command(place, 'openTicket'),
            mute,
          ],
        };
      return {
        ...common,
        text: l10n.t('{0} “{1}” is blocked: {2}', ...name, plainNotification(blockedText(detail)).text),
        actions: [
          ifOpen(command(place, 'whatNext'), place, isBlocked),
          command(place, 'openTicket'),
          command(place, 'showLog'),
          mute,
        ],
      };
    case 'finished':
      return {
        ...common,
        text: l10n.t('{0} “{1}” is completed.', ...name),
        actions: [
          command(place, 'openTicket'),
          command(place, 'showArtifact'),
          ...(detail.view.actions.includes('undo_merge') ? [command(place, 'undoMerge')] : []),
          mute,
        ],
      };
    case 'needsYou':
      return {
        ...common,
        text: needsYouText(name, detail),
        actions: [
          { title: titleOf(likely), run: () => likelyNow(place) },
          command(place, 'openTicket'),
          mute,
        ],
      };
  }
}

function needsYouText(name: readonly [string, string], { view, ticket }: TicketDetail): string {
  const news = view.forgeNews ? ticket.forge?.news : undefined;
  if (!news) return l10n.t('{0} “{1}” needs your input: {2}.', ...name, l10n.t(view.label));
  const { message, nextStep } = errorText(fromRecord(news));
  return l10n.t('{0} “{1}” needs your input: {2}', ...name, plainNotification(`${message} ${nextStep}`).text);
}

function questionNotification(
  place: TicketPlace,
  name: readonly [string, string],
  request: PendingRequest | undefined,
  mute: Action,
): Pick<Notification, 'text' | 'actions'> {
  if (!request)
    return {
      text: l10n.t('{0} “{1}” has a question.', ...name),
      actions: [command(place, 'replyToAgent'), mute],
    };
  const { text, actions } = requestNotification(place, name, request);
  const isAsked = ({ requests }: TicketDetail): boolean => requests.some(({ id }) => id === request.id);
  const open = actions.map((action) => ifOpen(action, place, isAsked));
  return { text, actions: [...open, mute] };
}

function requestNotification(
  place: TicketPlace,
  [id, title]: readonly [string, string],
  request: PendingRequest,
): Pick<Notification, 'text' | 'actions'> {
  if (request.content.kind === 'permission') {
    const { command: wanted, patterns } = request.content;
    const line = plainNotification(
      joined([wanted, ...patterns.filter((pattern) => !wanted.includes(pattern))], ' '),
    );
    const decide = (allow: boolean) => () =>
      sendAndTell(place, 'permission_reply', { request: request.id, allow });
    // What can't be read whole isn't allowed with one click.
    const allow =
      line.whole && !isCut(request.content)
        ? { title: l10n.t('Allow Once'), run: decide(true) }
        : command(place, 'replyToAgent');
    const deny = { title: l10n.t('Deny'), run: decide(false) };
    return {
      text: l10n.t(
        '{0} “{1}”: may the agent {2}? {3}',
        id,
        title,
        plainNotification(permissionText(request.content, words)).text,
        line.text,
      ),
      actions: [allow, deny],
    };
  }
  const reply = (answers: string[][] | null) => () =>
    sendAndTell(place, 'question_reply', { request: request.id, answers });
  const [question, ...others] = request.content.questions;
  const labels =
    question?.multiple === false && others.length === 0 ? question.options.map(({ label }) => label) : [];
  const options = labels.map((label) => ({ title: plainNotification(label).text, run: reply([[label]]) }));
  const form = command(place, 'replyToAgent');
  const decide = isOfEngine(request) ? [] : [{ title: l10n.t('Let Agent Decide'), run: reply(null) }];
  const simple = [...options, { ...form, title: l10n.t('Other…') }, ...decide];
  const line = plainNotification(requestLine(request.content));
  // The engine asks to be allowed something, and that is read whole first.
  const canBeRead = line.whole || !isOfEngine(request);
  const canChoose =
    canBeRead &&
    options.length > 0 &&
    options.length <= mostOptions &&
    areDistinct([...simple.map(({ title }) => title), muteTitle()]);
  return {
    text: l10n.t('{0} “{1}” asks: {2}', id, title, line.text),
    actions: canChoose ? simple : [{ ...form, title: l10n.t('Answer…') }, ...decide],
  };
}

/** The editor answers with the title of the button that was pressed, and shows none without a title. */
function areDistinct(titles: readonly string[]): boolean {
  return new Set(titles).size === titles.length && !titles.includes('');
}

/**
 * The editor keeps a notification until a person closes it, and by then what it asks may have been answered
 * on a page, in another window, or on the command line.
 */
function ifOpen(action: Action, place: TicketPlace, isOpen: (detail: TicketDetail) => boolean): Action {
  return {
    title: action.title,
    run: async () => {
      const now = await place.repository.client.ticket(place.ticket);
      await (isOpen(now) ? action.run() : sayNow(place, now.view));
    },
  };
}

function isBlocked({ view }: TicketDetail): boolean {
  return notificationKindOf(view) === 'blocked';
}

async function sayNow(place: TicketPlace, view: TicketDetail['view']): Promise<void> {
  const about = [view.id, l10n.t(view.label)] as const;
  if (!view.needsPerson) {
    void window.showInformationMessage(l10n.t('{0} no longer needs your input: {1}.', ...about));
    return;
  }
  const next = command(place, await likelyAt(place, view));
  const text = l10n.t('{0} no longer asks this. It needs your input: {1}.', ...about);
  if ((await window.showInformationMessage(text, next.title)) === next.title) await next.run();
}

async function likelyNow(place: TicketPlace): Promise<void> {
  const { view } = await place.repository.client.ticket(place.ticket);
  await (view.needsPerson ? command(place, await likelyAt(place, view)).run() : sayNow(place, view));
}

/** Reads what was reviewed, too. */
export async function likelyAt(place: TicketPlace, view: TicketDetail['view']): Promise<CommandName> {
  return likelyCommand(view, await isReviewed(place, view));
}

function muteTitle(): string {
  return l10n.t("Don't Show Again");
}

function command({ repository, ticket }: TicketPlace, name: CommandName): Action {
  return {
    title: titleOf(name),
    run: async () => {
      await editor.executeCommand(commandId(name), ownTarget({ root: repository.root, ticket }));
    },
  };
}

function titleOf(command: CommandName): string {
  switch (command) {
    case 'openInterview':
      return l10n.t('Answer');
    case 'approve':
      return l10n.t('Review and Approve');
    case 'reviewChanges':
      return l10n.t('Review Changes');
    case 'merge':
      return l10n.t('Merge…');
    case 'qa':
      return l10n.t('Start Manual QA');
    case 'start':
      return l10n.t('Start');
    case 'replyToAgent':
      return l10n.t('Answer…');
    case 'showLog':
      return l10n.t('Show Log');
    case 'openTicket':
      return l10n.t('Open Ticket');
    case 'showArtifact':
      return l10n.t('Show Document…');
    case 'undoMerge':
      return l10n.t('Undo Merge…');
    default:
      return l10n.t('Show Available Actions…');
  }
}
