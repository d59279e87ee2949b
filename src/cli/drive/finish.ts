import type { App } from '../../app/app.ts';
import { roleOf } from '../../domain/workflow/roles.ts';
import { isTerminal } from '../../domain/workflow/workflow.ts';
import type { TicketDetail } from '../../protocol/api.ts';
import type { CommandContext } from '../base/command.ts';
import { exitCodes, type ExitCode, exitOfBlocked } from '../base/exitCodes.ts';
import { report } from '../output/report.ts';
import { reportText } from '../output/reportText.ts';
import { commandLine, howToAnswer } from './howToAnswer.ts';

/** The exit code for where a ticket stands. */
export function exitAt(detail: TicketDetail): ExitCode {
  if (detail.ticket.hold?.kind === 'budget') return exitOfBlocked(detail.ticket.error);
  switch (roleOf(detail.ticket.status)) {
    case 'completed':
      return (detail.view.beadsSkipped ?? 0) > 0 ? exitCodes.incomplete : exitCodes.done;
    case 'canceled':
      return exitCodes.canceled;
    case 'blocked':
      return exitOfBlocked(detail.ticket.error);
    default:
      return exitCodes.gate;
  }
}

/** Says where a ticket stands, what to do next, and ends the command. */
export async function finish(
  context: CommandContext,
  app: App,
  detail: TicketDetail,
  exit: ExitCode = exitAt(detail),
): Promise<ExitCode> {
  const full = await report(app, detail);
  const next = howToAnswer(detail, { cwd: context.cwd, root: app.repository.root });
  context.output.close();
  context.output.text(reportText(full, next, { short: !isTerminal(detail.ticket.status) }));
  context.output.event({ type: 'end', exit, ...full, next });
  return exit;
}

/** Ends a command that a signal stopped: nothing is lost, and the message says how to continue. */
export function finishInterrupted(context: CommandContext, app: App, ticket: string): ExitCode {
  const resume = commandLine(`run ${ticket}`, { cwd: context.cwd, root: app.repository.root });
  const exit = context.signal.reason === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated;
  context.output.close();
  context.output.text(`Stopped. Nothing is lost. To continue, run: ${resume}`);
  context.output.event({ type: 'end', exit, ticket, status: null, next: [resume] });
  return exit;
}
