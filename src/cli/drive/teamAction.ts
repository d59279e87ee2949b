import type { InboxKind } from '../../domain/ticket/inbox.ts';
import { firstOutcome, patienceMs, settledOutcome } from '../../protocol/inbox/settled.ts';
import { type Args, UsageError } from '../base/args.ts';
import { type CommandContext, endCommand } from '../base/command.ts';
import { type ExitCode, exitCodes, exitOf } from '../base/exitCodes.ts';
import { drivingOptions, policyOptions } from '../options/options.ts';
import { onTickets, type Tickets } from './team.ts';

const ofDriving = Object.keys({ ...drivingOptions, ...policyOptions }).filter((name) => name !== 'no-wait');

/**
 * Acts on a team's ticket: `file` files the action, and one of the team's runners carries it out. Waits for
 * that as the editor does, then says where the ticket is.
 */
export async function actInTeam(
  context: CommandContext,
  args: Args,
  ticket: string,
  file: (tickets: Tickets) => Promise<{ readonly action: InboxKind; readonly id: string }>,
): Promise<ExitCode> {
  const unused = ofDriving.find((name) => args.has(name));
  if (unused !== undefined)
    throw new UsageError(
      `--${unused} is for tickets that this machine drives. A team's runners drive ${ticket}.`,
    );
  const { output, signal } = context;
  return onTickets(context, args, async (tickets) => {
    const { client } = tickets;
    const { gate } = await client.ticket(ticket);
    const { action, id } = await file(tickets);
    const approved = action === 'approve' ? gate?.artifact : undefined;
    const look = () => settledOutcome(client, { ticket, id, approved });
    const outcome = args.flag('no-wait')
      ? undefined
      : await withPatience(signal, (stop) => firstOutcome(client, look, stop));
    if (outcome) output.event({ type: 'outcome', ticket, action, id, ...outcome });
    else output.event({ type: 'note', message: `A runner applies it once it works on ${ticket}.` });
    const { view } = await client.ticket(ticket);
    output.text(`${ticket} ${view.label} (${view.status})`);
    const exit = outcome?.state === 'refused' ? exitOf(outcome.code) : exitCodes.done;
    return endCommand(context, { ticket, status: view.status }, exit);
  });
}

async function withPatience<T>(signal: AbortSignal, work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), patienceMs);
  try {
    return await work(AbortSignal.any([limit.signal, signal]));
  } finally {
    clearTimeout(timer);
  }
}
