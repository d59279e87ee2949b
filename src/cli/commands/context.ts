import { BeadsmithError } from '../../domain/errors.ts';
import { actionCommand } from '../actionCommand.ts';
import type { Command } from '../command.ts';
import { Session } from '../drive/session.ts';
import { exitCodes } from '../exitCodes.ts';
import { type Args, UsageError } from '../options/args.ts';
import { commonOptions, ticketIdOf } from '../options/options.ts';
import { readText } from '../options/readText.ts';
import { contextLines } from '../output/contextLines.ts';

/** `context add`: gives the agents context. */
export const addContext = actionCommand({
  name: 'context add',
  kind: 'context',
  words: '[TEXT]',
  about: 'add context for the agents, once by default',
  takes: [0, 1],
  options: {
    file: { value: 'FILE', about: 'read the text from a file; - for standard input' },
    once: { about: 'for the next iteration (default)' },
    'until-done': { about: 'for every iteration until the bead that gets it is done' },
    pin: { about: 'for every call until the ticket is over' },
    always: { about: 'the same as --pin' },
    now: { about: 'end the coding session that is at work, and restart its iteration with the text' },
  },
  body: async ({ context, args, words }) => {
    const file = args.text('file');
    const [word] = words;
    if ((file === undefined) === (word === undefined)) throw new UsageError('Give either a TEXT or --file FILE.');
    const text = file === undefined ? (word ?? '') : await readText(context, file);
    return { text, scope: scopeOf(args), ...(args.flag('now') ? { interrupt: true } : {}) };
  },
});

function scopeOf(args: Args): 'once' | 'until_done' | 'pinned' {
  const isPinned = args.flag('pin') || args.flag('always');
  if ([args.flag('once'), args.flag('until-done'), isPinned].filter(Boolean).length > 1)
    throw new UsageError('Use one of --once, --until-done and --pin.');
  return isPinned ? 'pinned' : args.flag('until-done') ? 'until_done' : 'once';
}

/** `context list`: what was added, with the state of each entry. */
export const listContext: Command = {
  name: 'context list',
  words: 'ABC-12',
  about: 'list the context of a ticket, with the state of each entry',
  takes: [1, 1],
  options: commonOptions,
  run: (context, args) => {
    const ticket = ticketIdOf(args.positionals[0]);
    return Session.with(context, args, { purpose: 'file' }, async ({ app: { client } }) => {
      const entries = await client.context(ticket);
      for (const entry of entries) context.output.event({ type: 'context', ticket, ...entry });
      context.output.text(entries.length === 0 ? `${ticket} has no context.` : contextLines(entries).slice(1).join('\n'));
      context.output.event({ type: 'end', exit: exitCodes.done, ticket, status: (await client.ticket(ticket)).ticket.status });
      return exitCodes.done;
    });
  },
};

/** `context withdraw`: takes context back that no agent has. */
export const withdrawContext = actionCommand({
  name: 'context withdraw',
  kind: 'withdraw_context',
  words: 'ENTRY',
  about: 'withdraw context that no agent has; ENTRY is its id, or the start of it',
  takes: [1, 1],
  body: async ({ words, client, detail }) => {
    const [written = ''] = words;
    const ticket = detail.ticket.id;
    const found = (await client.context(ticket)).filter(({ id }) => id === written || (written.length >= 4 && id.startsWith(written)));
    const entry = found.find(({ id }) => id === written) ?? (found.length === 1 ? found[0] : undefined);
    if (!entry) throw new BeadsmithError('CONTEXT_UNKNOWN', { ticket, entry: written.slice(0, 100) });
    return { entry: entry.id };
  },
});
