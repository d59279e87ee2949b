import * as z from 'zod';
import { BeadsmithError, invalidInput } from '../../domain/core/errors.ts';
import {
  LimitsChange,
  limitNames,
  limitsHash,
  limitsOf,
  type TicketLimits,
  writtenLimit,
} from '../../domain/settings/limits.ts';
import type { TicketDetail } from '../../protocol/api.ts';
import { actionCommand } from '../drive/actionCommand.ts';
import { type Command, endCommand, reportDocument } from '../base/command.ts';
import { Session } from '../drive/session.ts';
import { limitOption, limitOptions, namedLimits } from '../options/settingsOptions.ts';
import { ticketIdOf } from '../options/options.ts';

const change = actionCommand({
  name: 'limits',
  kind: 'limits',
  about: 'change the limits of a started ticket from its next run on; without options, print them',
  options: { ...limitOptions, reason: { value: 'TEXT', about: 'reason; stored in the receipt' } },
  body: ({ args, detail }) => {
    const result = LimitsChange.safeParse(namedLimits(args));
    if (!result.success) throw invalidInput('A limit', z.prettifyError(result.error));
    return {
      baseSha256: limitsHash(presentLimits(detail)),
      limits: result.data,
      reason: args.text('reason') ?? '',
    };
  },
});

/** `limits`: a ticket's limits, as they are or as they shall be from the next run on. */
export const limits: Command = {
  ...change,
  changes: [...Object.keys(limitOptions)],
  run: (context, args) => {
    if (Object.keys(namedLimits(args)).length > 0) return change.run(context, args);
    const ticket = ticketIdOf(args.positionals[0]);
    return Session.with(context, args, { purpose: 'file' }, async ({ app }) => {
      const detail = await app.client.ticket(ticket);
      const present = presentLimits(detail);
      context.output.text(limitLines(present).join('\n'));
      const content = `${JSON.stringify(present, null, 2)}\n`;
      reportDocument(context, ticket, 'limits', { content, sha256: limitsHash(present) });
      return endCommand(context, { ticket, status: detail.ticket.status });
    });
  },
};

function presentLimits({ ticket }: TicketDetail): TicketLimits {
  const present = limitsOf(ticket);
  if (present) return present;
  throw new BeadsmithError('ACTION_NOT_ALLOWED', {
    status: 'Draft',
    action: 'change limits',
    allowed: 'start (sets the limits)',
  });
}

/** As options, so that a line can be copied and changed. */
function limitLines(present: TicketLimits): string[] {
  return limitNames.map((name) => {
    const option = limitOption(name);
    const written = `--${option} ${String(writtenLimit(name, present[name]))}`;
    return `  ${written.padEnd(28)}${limitOptions[option]?.about ?? ''}`;
  });
}
