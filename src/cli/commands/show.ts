import type { Command } from '../command.ts';
import { howToAnswer } from '../drive/howToAnswer.ts';
import { Session } from '../drive/session.ts';
import { exitCodes } from '../exitCodes.ts';
import { UsageError } from '../options/args.ts';
import { commonOptions, ticketIdOf } from '../options/options.ts';
import { printable } from '../output/output.ts';
import { report } from '../output/report.ts';
import { reportText } from '../output/reportText.ts';

/** `show`: where a ticket stands, what it waits for and how to answer, its beads, evidence and commits; or one of its documents. */
export const show: Command = {
  name: 'show',
  words: 'ABC-12 [ARTIFACT]',
  about: 'show a ticket, or one of its documents (interview, prd, execution_setup_plan …)',
  takes: [1, 2],
  options: { ...commonOptions, version: { value: 'N', about: 'show an earlier version of the document' } },
  run: (context, args) => {
    const ticket = ticketIdOf(args.positionals[0]);
    const name = args.positionals[1];
    return Session.with(context, args, 'file', async ({ app }) => {
      const detail = await app.client.ticket(ticket);
      if (name === undefined) {
        const full = await report(app, detail);
        const next = howToAnswer(detail, { cwd: context.cwd, root: app.repository.root });
        context.output.text(reportText(full, next, { short: false }));
        context.output.event({ type: 'report', ...full, next });
      } else {
        const artifact = await app.client.artifact(ticket, name, args.whole('version'));
        if (!artifact) {
          const names = [...new Set((await app.client.artifacts(ticket)).map((info) => info.type))];
          throw new UsageError(
            `${ticket} has no such document "${printable(name.slice(0, 100))}". It has: ${names.join(', ') || 'none yet'}.`,
          );
        }
        context.output.text(printable(artifact.content).trimEnd());
        context.output.event({ type: 'document', ticket, name, sha256: artifact.info.sha256, content: artifact.content });
      }
      context.output.event({ type: 'end', exit: exitCodes.done, ticket, status: detail.ticket.status });
      return exitCodes.done;
    });
  },
};
