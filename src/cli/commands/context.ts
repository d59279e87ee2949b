import { BeadsmithError } from '../../domain/core/errors.ts';
import { promptRulesDocument } from '../../domain/documents/promptRules.ts';
import { receivedHandoffDocument } from '../../domain/documents/receivedHandoff.ts';
import { noChoices, PromptChoices, ruleText } from '../../domain/prompts/promptChoices.ts';
import type { InboxBody } from '../../domain/ticket/inbox.ts';
import { offeredHandoffs } from '../../protocol/handoffs.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { type Args, UsageError } from '../base/args.ts';
import { type Command, endCommand } from '../base/command.ts';
import { actionCommand, type ActionInput } from '../drive/actionCommand.ts';
import { documentCommand } from '../drive/documentCommand.ts';
import { onTickets, ownOrTeam } from '../drive/team.ts';
import { readText, ticketIdOf } from '../options/options.ts';
import { contextLines } from '../output/contextLines.ts';

export const add = actionCommand({
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

export const list: Command = {
  name: 'context list',
  words: 'ABC-12',
  about:
    'list the context of a ticket, with the state of each entry, and decisions about parts of its prompts',
  takes: [1, 1],
  changes: 'nothing',
  options: ownOrTeam,
  run: (context, args) => {
    const ticket = ticketIdOf(args.positionals[0]);
    return onTickets(context, args, async ({ client }) => {
      const entries = await client.context(ticket);
      const { rules: chosen } =
        (await readArtifact(client, ticket, 'prompt_choices', PromptChoices)) ?? noChoices;
      for (const entry of entries) context.output.event({ type: 'context', ticket, ...entry });
      for (const rule of chosen) context.output.event({ type: 'prompt_rule', ticket, ...rule });
      context.output.text(
        [
          entries.length === 0 ? `${ticket} has no context.` : contextLines(entries).slice(1).join('\n'),
          ...chosen.map((rule) => ruleText(rule)),
        ].join('\n'),
      );
      return endCommand(context, { ticket, status: (await client.ticket(ticket)).ticket.status });
    });
  },
};

export const withdraw = actionCommand({
  name: 'context withdraw',
  kind: 'withdraw_context',
  words: 'ENTRY',
  about: 'withdraw context that agents have yet to receive; ENTRY is its ID, or the start of it',
  takes: [1, 1],
  body: async (input) => ({ entry: await entryOf(input) }),
});

export const edit = actionCommand({
  name: 'context edit',
  kind: 'edit_context',
  words: 'ENTRY [TEXT]',
  about: 'change context that agents have yet to receive; ENTRY is its ID, or the start of it',
  takes: [1, 2],
  options: { file: { value: 'FILE', about: 'read the text from a file; - for standard input' } },
  body: async (input) => ({ entry: await entryOf(input), text: await textOf(input, input.words[1]) }),
});

/** Choices for later prompts (docs/decisions/157-people-choose-what-later-prompts-hold.md). */
export const rules: readonly Command[] = [
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
    options: {
      bead: {
        value: 'BEAD',
        about: 'only in prompts about this bead; default: in all prompts of the ticket',
      },
    },
    body: ({ args, words: [part = ''] }) => ({ part, rule, bead: args.text('bead') ?? null }),
  });
}

async function textOf({ context, args }: ActionInput, word: string | undefined): Promise<string> {
  const file = args.text('file');
  if ((file === undefined) === (word === undefined))
    throw new UsageError('Specify either TEXT or --file FILE.');
  return file === undefined ? (word ?? '') : readText(context, file);
}

async function entryOf({ words: [written = ''], client, detail }: ActionInput): Promise<string> {
  const ticket = detail.ticket.id;
  const found = (await client.context(ticket)).filter(
    ({ id }) => id === written || (written.length >= 4 && id.startsWith(written)),
  );
  const entry = found.find(({ id }) => id === written) ?? (found.length === 1 ? found[0] : undefined);
  if (!entry) throw new BeadsmithError('CONTEXT_UNKNOWN', { ticket, entry: written.slice(0, 100) });
  return entry.id;
}

export const promptRules = documentCommand({
  name: 'context rules',
  artifact: promptRulesDocument.kind,
  about: 'show what was pinned and excluded as a document, or change it as a whole',
});

const receivedHandoff = documentCommand({
  name: 'handoff',
  artifact: receivedHandoffDocument.kind,
  about: 'show the handoff that a ticket received, or change or remove it until the plan is approved',
  options: { remove: { about: 'remove it' } },
});

/** Without a ticket, it lists the handoffs to start with. */
export const handoff: Command = {
  ...receivedHandoff,
  words: '[ABC-12]',
  takes: [0, 1],
  run: (context, args) => {
    if (args.positionals.length > 0 || args.flag('remove') || args.text('file') !== undefined)
      return receivedHandoff.run(context, args);
    return onTickets(context, args, async ({ client }) => {
      const lines = (await offeredHandoffs(client)).map(
        ({ ticket: id, title, entries }) => `${id}  ${title} (entries: ${String(entries)})`,
      );
      context.output.text(lines.join('\n') || 'No completed ticket has left a handoff.');
      return endCommand(context);
    });
  },
};
