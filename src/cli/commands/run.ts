import type { App } from '../../app/app.ts';
import { isStarting } from '../../app/idle.ts';
import type { InboxBody } from '../../domain/ticket/inbox.ts';
import { suggestDepth } from '../../domain/estimate/suggestDepth.ts';
import { type Command, type CommandContext, endCommand } from '../base/command.ts';
import { fileAction } from '../drive/driveToStop.ts';
import { dryRun, dryRunOptions } from '../drive/dryRun.ts';
import { commandLine, driveAndFinish, placeOf } from '../drive/finish.ts';
import { decidesInAdvance, Session } from '../drive/session.ts';
import { isOfTeam, onTickets, ownOrTeam, type Tickets } from '../drive/team.ts';
import { actInTeam } from '../drive/teamAction.ts';
import { policyOf } from '../drive/gatePolicy.ts';
import {
  checkBeforeFiling,
  fileTicket,
  prepareModels,
  ticketInputOf,
  startInTeam,
  startTicket,
} from '../drive/startTicket.ts';
import type { ExitCode } from '../base/exitCodes.ts';
import type { Args } from '../base/args.ts';
import { drivingOptions, policyOptions, ticketOptions, ticketIdOf } from '../options/options.ts';
import { settingsOptions } from '../options/settingsOptions.ts';
import { suggestionText } from '../../domain/estimate/estimateText.ts';

export const create: Command = {
  name: 'create',
  words: '--title TEXT',
  about: 'create a ticket',
  takes: [0, 0],
  changes: 'always',
  options: { ...ownOrTeam, ...ticketOptions },
  run: async (context, args) => {
    const input = await ticketInputOf(context, args);
    const work = async ({ client, repository: { root } }: Tickets): Promise<ExitCode> => {
      const ticket = await fileTicket(context, client, input);
      const start = commandLine(`start ${ticket.id} --model PROVIDER/MODEL`, placeOf(context, args, root));
      context.output.text(suggestionText(suggestDepth(ticket)));
      context.output.text(`Start it with: ${start}`);
      return endCommand(context, { ticket: ticket.id, status: ticket.status });
    };
    return onTickets(context, args, work, { make: true });
  },
};

const drivingTicketOptions = { ...ownOrTeam, ...drivingOptions, ...policyOptions, ...settingsOptions };

export const start: Command = {
  name: 'start',
  words: 'ABC-12 --model PROVIDER/MODEL',
  about: 'start a ticket and run it until it needs input or ends',
  takes: [1, 1],
  changes: 'always',
  options: drivingTicketOptions,
  run: async (context, args) => {
    const ticket = ticketIdOf(args.positionals[0]);
    if (isOfTeam(context, args))
      return actInTeam(context, args, ticket, async ({ client }) => ({
        action: 'start',
        id: await startInTeam(context, client, args, ticket),
      }));
    return driveTicket(context, args, async (app) => {
      await app.client.ticket(ticket);
      return { ticket, start: await startTicket(context, app, args, ticket) };
    });
  },
};

export const run: Command = {
  name: 'run',
  words: '[ABC-12]',
  about: 'run a ticket until it needs input or ends; without an ID, create one first',
  takes: [0, 1],
  changes: 'always',
  instead: 'Use "beadsmith create" and "beadsmith start".',
  options: { ...ticketOptions, ...drivingTicketOptions, ...dryRunOptions },
  run: async (context, args) => {
    const [word] = args.positionals;
    const known = word === undefined ? undefined : ticketIdOf(word);
    const input = known === undefined ? await ticketInputOf(context, args) : undefined;
    if (args.flag('dry-run')) return dryRun(context, args, input?.title ?? '');
    return driveTicket(context, args, async (app) => {
      if (input) {
        await checkBeforeFiling(app, args);
        prepareModels(app);
      }
      const ticket = input ? (await fileTicket(context, app.client, input)).id : (known ?? '');
      return { ticket, start: await startDraft(context, app, args, ticket) };
    });
  },
};

/** Starts a ticket that is a draft, unless its start was filed already or interrupted. */
export async function startDraft(
  context: CommandContext,
  app: App,
  args: Args,
  ticket: string,
  complete?: (body: InboxBody<'start'>) => InboxBody<'start'>,
): Promise<string | undefined> {
  const detail = await app.client.ticket(ticket);
  const { store } = app.ports;
  if (detail.ticket.status !== 'DRAFT' || (await isStarting(store, ticket))) return undefined;
  const pending = await store.inbox(ticket, { pending: true });
  if (pending.some((entry) => entry.kind === 'start')) return undefined;
  return startTicket(context, app, args, ticket, complete);
}

/** Naming a ticket retries it after a crash loop (docs/decisions/003-retry-continue-and-cancel.md). */
async function retryAfterCrashes(
  { output }: CommandContext,
  { app, decider }: Session,
  id: string,
): Promise<string | undefined> {
  const { ticket, view } = await app.client.ticket(id);
  if (ticket.error?.code !== 'CRASH_LOOP' || !view.actions.includes('retry')) return undefined;
  const pending = await app.ports.store.inbox(id, { pending: true });
  if (pending.some(({ kind }) => kind === 'retry' || kind === 'cancel')) return undefined;
  decider.takeAsDecided();
  return fileAction(app.client, output, id, 'retry', { note: '' });
}

interface Driven {
  readonly ticket: string;
  /** The inbox entry of a start that was filed. */
  readonly start: string | undefined;
}

/** Drives the ticket that `file` files or names to its first stop. */
export async function driveTicket(
  context: CommandContext,
  args: Args,
  file: (app: App) => Promise<Driven>,
): Promise<ExitCode> {
  const policy = await policyOf(context, args);
  return Session.toDrive(context, args, async (session) => {
    if (decidesInAdvance(args)) session.decider.takeAsDecided();
    const { ticket, start } = await file(session.app);
    const retry = start === undefined ? await retryAfterCrashes(context, session, ticket) : undefined;
    if (args.flag('no-wait')) {
      const detail = await session.app.client.ticket(ticket);
      return endCommand(context, { ticket, status: detail.ticket.status });
    }
    const id = start ?? retry;
    const action = retry === undefined ? 'start' : 'retry';
    const filed = id === undefined ? undefined : ({ action, id } as const);
    return driveAndFinish(context, session, { ticket, policy, filed });
  });
}
