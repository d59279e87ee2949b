import { BeadsmithError } from '../../domain/core/errors.ts';
import type { InboxBody } from '../../domain/ticket/inbox.ts';
import { noChoices, PromptChoices } from '../../domain/prompts/promptChoices.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { actionCommand, type ActionInput } from '../drive/actionCommand.ts';
import { type Command, endCommand } from '../base/command.ts';
import { Session } from '../drive/session.ts';
import { type Args, UsageError } from '../base/args.ts';
import { commonOptions, ticketIdOf, readText } from '../options/options.ts';
import { contextLines, ruleText } from '../output/contextLines.ts';

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
    now: { about: 'end the running coding session, and restart its iteration with the text' },
  },
  body: async (input) => {
    const { args, words } = input;
    return {
      text: await textOf(input, words[0]),
      scope: scopeOf(args),
      ...(args.flag('now') ? { interrupt: true } : {}),
    };
  },
});

function scopeOf(args: Args): 'once' | 'until_done' | 'pinned' {
  const isPinned = args.flag('pin') || args.flag('always');
  if ([args.flag('once'), args.flag('until-done'), isPinned].filter(Boolean).length > 1)
    throw new UsageError('Use only one of --once, --until-done and --pin.');
  return isPinned ? 'pinned' : args.flag('until-done') ? 'until_done' : 'once';
}

/** `context list`: what was added, with the state of each entry. */
export const listContext: Command = {
  name: 'context list',
  words: 'ABC-12',
  about:
    'list the context of a ticket, with the state of each entry, and decisions about parts of its prompts',
  takes: [1, 1],
  changes: 'nothing',
  options: commonOptions,
  run: (context, args) => {
    const ticket = ticketIdOf(args.positionals[0]);
    return Session.with(context, args, { purpose: 'file' }, async ({ app: { client } }) => {
      const entries = await client.context(ticket);
      const { rules } = (await readArtifact(client, ticket, 'prompt_choices', PromptChoices)) ?? noChoices;
      for (const entry of entries) context.output.event({ type: 'context', ticket, ...entry });
      for (const rule of rules) context.output.event({ type: 'prompt_rule', ticket, ...rule });
      context.output.text(
        [
          entries.length === 0 ? `${ticket} has no context.` : contextLines(entries).slice(1).join('\n'),
          ...rules.map(ruleText),
        ].join('\n'),
      );
      return endCommand(context, { ticket, status: (await client.ticket(ticket)).ticket.status });
    });
  },
};

/** `context withdraw`: takes context back that agents are still to get. */
export const withdrawContext = actionCommand({
  name: 'context withdraw',
  kind: 'withdraw_context',
  words: 'ENTRY',
  about: 'withdraw context that agents have yet to receive; ENTRY is its ID, or the start of it',
  takes: [1, 1],
  body: async (input) => ({ entry: await entryOf(input) }),
});

/** `context edit`: gives context that agents are still to get another text. */
export const editContext = actionCommand({
  name: 'context edit',
  kind: 'edit_context',
  words: 'ENTRY [TEXT]',
  about: 'change context that agents have yet to receive; ENTRY is its ID, or the start of it',
  takes: [1, 2],
  options: { file: { value: 'FILE', about: 'read the text from a file; - for standard input' } },
  body: async (input) => ({ entry: await entryOf(input), text: await textOf(input, input.words[1]) }),
});

const ruleOptions = {
  bead: { value: 'BEAD', about: 'only in prompts about this bead; default: in all prompts of the ticket' },
} as const;

/**
 * `context pin`, `context exclude` and `context include`: what later prompts hold
 * (docs/decisions/157-people-choose-what-later-prompts-hold.md).
 */
export const ruleCommands: readonly Command[] = [
  ruleCommand('pin', 'pin', 'keep a part of later prompts whole, regardless of their budget'),
  ruleCommand('exclude', 'exclude', 'leave a part out of later prompts'),
  ruleCommand('include', 'none', 'undo "context pin" or "context exclude" for a part'),
];

function ruleCommand(word: string, rule: InboxBody<'prompt_rule'>['rule'], about: string): Command {
  return actionCommand({
    name: `context ${word}`,
    kind: 'prompt_rule',
    words: 'PART',
    about,
    takes: [1, 1],
    options: ruleOptions,
    body: ({ args, words: [part = ''] }) => ({ part, rule, bead: args.text('bead') ?? null }),
  });
}

/** The text that was given as a word, or with `--file`. Throws UsageError for none and for both. */
async function textOf({ context, args }: ActionInput, word: string | undefined): Promise<string> {
  const file = args.text('file');
  if ((file === undefined) === (word === undefined))
    throw new UsageError('Specify either TEXT or --file FILE.');
  return file === undefined ? (word ?? '') : readText(context, file);
}

/** The id of the entry that a word names. Throws CONTEXT_UNKNOWN. */
async function entryOf({ words: [written = ''], client, detail }: ActionInput): Promise<string> {
  const ticket = detail.ticket.id;
  const found = (await client.context(ticket)).filter(
    ({ id }) => id === written || (written.length >= 4 && id.startsWith(written)),
  );
  const entry = found.find(({ id }) => id === written) ?? (found.length === 1 ? found[0] : undefined);
  if (!entry) throw new BeadsmithError('CONTEXT_UNKNOWN', { ticket, entry: written.slice(0, 100) });
  return entry.id;
}
