import type { App } from '../../app/app.ts';
import { isStarting } from '../../app/idle.ts';
import { suggestDepth } from '../../domain/estimate/suggestDepth.ts';
import { type Command, type CommandContext, endCommand } from '../base/command.ts';
import { reportOutcome } from '../drive/driveToStop.ts';
import { dryRun, dryRunOptions } from '../drive/dryRun.ts';
import { exitAt, finish, finishInterrupted, commandLine } from '../drive/finish.ts';
import { decidesInAdvance, Session } from '../drive/session.ts';
import type { GatePolicy } from '../drive/gatePolicy.ts';
import { policyOf } from '../drive/gatePolicy.ts';
import {
  checkBeforeFiling,
  fileTicket,
  prepareModels,
  ticketInputOf,
  startTicket,
} from '../drive/startTicket.ts';
import { type ExitCode, exitOf } from '../base/exitCodes.ts';
import type { Args } from '../base/args.ts';
import {
  commonOptions,
  drivingOptions,
  policyOptions,
  ticketOptions,
  ticketIdOf,
} from '../options/options.ts';
import { settingsOptions } from '../options/settingsOptions.ts';
import { suggestionLine } from '../output/estimateText.ts';

/** `create`: files a ticket and leaves it in To Do. */
export const create: Command = {
  name: 'create',
  words: '--title TEXT',
  about: 'create a ticket',
  takes: [0, 0],
  changes: 'always',
  options: { ...commonOptions, ...ticketOptions },
  run: async (context, args) => {
    const input = await ticketInputOf(context, args);
    return Session.with(context, args, { purpose: 'file' }, async ({ app }) => {
      const ticket = await fileTicket(context, app.client, input);
      const place = { cwd: context.cwd, root: app.repository.root };
      context.output.text(suggestionLine(suggestDepth(ticket)));
      context.output.text(
        `Start it with: ${commandLine(`start ${ticket.id} --model PROVIDER/MODEL`, place)}`,
      );
      return endCommand(context, { ticket: ticket.id, status: ticket.status });
    });
  },
};

const drivingTicketOptions = { ...commonOptions, ...drivingOptions, ...policyOptions, ...settingsOptions };

/** `start`: freezes the settings of a draft and runs it to its first stop. */
export const start: Command = {
  name: 'start',
  words: 'ABC-12 --model PROVIDER/MODEL',
  about: 'start a ticket and run it until it needs input or ends',
  takes: [1, 1],
  changes: 'always',
  options: drivingTicketOptions,
  run: async (context, args) => {
    const ticket = ticketIdOf(args.positionals[0]);
    const policy = await policyOf(context, args);
    return Session.with(context, args, { purpose: 'drive' }, async (session) => {
      await session.app.client.ticket(ticket);
      if (decidesInAdvance(args)) session.decider.takeAsDecided();
      const entry = await startTicket(context, session.app, args, ticket);
      return goOn(context, session, args, ticket, policy, entry);
    });
  },
};

/** `run`: a new ticket, or one that is there, as far as it goes. */
export const run: Command = {
  name: 'run',
  words: '[ABC-12]',
  about: 'run a ticket until it needs input or ends; without an ID, create one first',
  takes: [0, 1],
  changes: 'always',
  options: { ...ticketOptions, ...drivingTicketOptions, ...dryRunOptions },
  run: async (context, args) => {
    const [word] = args.positionals;
    const known = word === undefined ? undefined : ticketIdOf(word);
    const input = known === undefined ? await ticketInputOf(context, args) : undefined;
    if (args.flag('dry-run')) return dryRun(context, args, { title: input?.title ?? '' });
    const policy = await policyOf(context, args);
    return Session.with(context, args, { purpose: 'drive' }, async (session) => {
      const { client } = session.app;
      if (decidesInAdvance(args)) session.decider.takeAsDecided();
      if (input) {
        await checkBeforeFiling(session.app, args);
        prepareModels(session.app);
      }
      const ticket = input ? (await fileTicket(context, client, input)).id : (known ?? '');
      const entry = (await waitsForStart(session.app, ticket))
        ? await startTicket(context, session.app, args, ticket)
        : undefined;
      return goOn(context, session, args, ticket, policy, entry);
    });
  },
};

/** A draft whose start lies in the inbox already, or was interrupted with its process, isn't filed twice. */
export async function waitsForStart(app: App, ticket: string): Promise<boolean> {
  const detail = await app.client.ticket(ticket);
  if (detail.ticket.status !== 'DRAFT') return false;
  const { store } = app.ports;
  return (
    !(await isStarting(store, ticket)) &&
    !(await store.inbox(ticket, { pending: true })).some((entry) => entry.kind === 'start')
  );
}

/**
 * Files a retry of a ticket whose processes died again and again; answers by which entry. That a person names
 * it is the decision (docs/decisions/003-retry-continue-and-cancel.md).
 */
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
  const entry = await app.client.act(id, 'retry', { note: '' });
  output.event({ type: 'posted', ticket: id, action: 'retry', id: entry.id });
  return entry.id;
}

/** Drives a ticket to its first stop and ends the command. `start`: the entry of a start that was filed. */
export async function goOn(
  context: CommandContext,
  session: Session,
  args: Args,
  ticket: string,
  policy: GatePolicy,
  start: string | undefined,
): Promise<ExitCode> {
  const retry = start === undefined ? await retryAfterCrashes(context, session, ticket) : undefined;
  if (args.flag('no-wait')) {
    const detail = await session.app.client.ticket(ticket);
    return endCommand(context, { ticket, status: detail.ticket.status });
  }
  const detail = await session.drive(ticket, policy);
  if (!detail) return finishInterrupted(context, session.app, ticket);
  const [action, entry] = retry === undefined ? (['start', start] as const) : (['retry', retry] as const);
  const outcome =
    entry === undefined ? undefined : await reportOutcome(session.app, context.output, ticket, action, entry);
  return finish(
    context,
    session.app,
    detail,
    outcome?.state === 'refused' ? exitOf(outcome.code) : exitAt(detail),
  );
}
