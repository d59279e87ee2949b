import { flowOf } from '../../app/projector.ts';
import { sha256 } from '../../base/sha256.ts';
import { beadLines } from '../../domain/beads/beadPlan.ts';
import { invalidInput } from '../../domain/core/errors.ts';
import { beadsDocument } from '../../domain/documents/beads.ts';
import type { Ticket } from '../../domain/ticket/ticket.ts';
import type { Client } from '../../protocol/api.ts';
import type { Args } from '../base/args.ts';
import { type Command, endCommand, printDocument } from '../base/command.ts';
import { printable, wholeText } from '../base/output.ts';
import { actionCommand } from '../drive/actionCommand.ts';
import { onTickets, ownOrTeam } from '../drive/team.ts';
import { readText, reasonOption, ticketIdOf } from '../options/options.ts';

const flow = {
  flow: { value: 'NAME', about: 'flow of the plan; default: the base branch of the ticket' },
} as const;

export const get: Command = {
  name: 'beads get',
  words: 'ABC-12',
  about: 'print the bead plan as JSON lines',
  takes: [1, 1],
  changes: 'nothing',
  options: { ...ownOrTeam, ...flow },
  run: (context, args) => {
    const id = ticketIdOf(args.positionals[0]);
    return onTickets(context, args, async ({ client }) => {
      const { ticket } = await client.ticket(id);
      checkFlow(args, ticket);
      const { beads, sha256: hash } = await client.beads(id);
      const content = beadLines(beads);
      const name = `beads/${flowOf(ticket)}`;
      printDocument(context, { ticket: id, name, content, sha256: hash }, content.trimEnd());
      return endCommand(context, { ticket: id, status: ticket.status });
    });
  },
};

export const put = actionCommand({
  name: 'beads put',
  kind: 'edit',
  words: '--file FILE',
  about: 'replace the bead plan at its gate, until coding starts, and while coding is blocked',
  options: {
    ...flow,
    file: { value: 'FILE', about: 'plan as JSON lines; - (default) for standard input' },
    base: { value: 'HASH', about: 'hash of the plan you changed; default: the current plan' },
  },
  body: async ({ context, args, client, detail }) => {
    checkFlow(args, detail.ticket);
    return {
      artifact: beadsDocument.kind,
      baseSha256: args.text('base') ?? (await client.beads(detail.ticket.id)).sha256,
      content: await readText(context, args.text('file') ?? '-'),
      surface: 'jsonl',
    };
  },
});

export const diff: Command = {
  name: 'beads diff',
  words: 'ABC-12 BEAD',
  about: 'print the diff of a finished bead',
  takes: [2, 2],
  changes: 'nothing',
  options: { ...ownOrTeam, ...flow },
  run: (context, args) => {
    const id = ticketIdOf(args.positionals[0]);
    const bead = args.positionals[1] ?? '';
    return onTickets(context, args, async ({ client }) => {
      const { ticket } = await client.ticket(id);
      checkFlow(args, ticket);
      const name = `bead_diff:${bead}`;
      const found = await client.artifact(id, name);
      if (!found) {
        const { beads } = await client.beads(id);
        const names = beads.filter((one) => one.status === 'done').map((one) => one.id);
        throw invalidInput(
          `The bead "${printable(bead.slice(0, 80))}"`,
          `there is no diff of it; finished beads: ${names.join(', ') || 'none yet'}`,
        );
      }
      const { content, info } = found;
      printDocument(context, { ticket: id, name, content, sha256: info.sha256 }, wholeText(content));
      return endCommand(context, { ticket: id, status: ticket.status });
    });
  },
};

function checkFlow(args: Args, ticket: Ticket): void {
  const asked = args.text('flow');
  if (asked === undefined || asked === ticket.baseBranch || asked === flowOf(ticket)) return;
  throw invalidInput(
    'The flow',
    `${ticket.id} has no flow "${printable(asked.slice(0, 80))}", only "${flowOf(ticket)}"`,
  );
}

const hash = {
  sha256: { value: 'HASH', about: 'hash of the diff you reviewed; default: the current diff of the bead' },
} as const;

export const accept = actionCommand({
  name: 'beads accept',
  kind: 'accept_bead',
  words: 'BEAD',
  about: 'accept the changes of a finished bead',
  takes: [1, 1],
  options: { ...hash, ...reasonOption },
  body: async ({ args, words: [bead = ''], client, detail }) => ({
    bead,
    sha256: args.text('sha256') ?? (await finishedDiff(client, detail.ticket.id, bead)),
    reason: args.text('reason') ?? '',
  }),
});

export const reject = actionCommand({
  name: 'beads reject',
  kind: 'changes',
  words: 'BEAD REASON',
  about: 'reject the changes of a finished bead; the reason becomes a fix bead',
  takes: [2, 2],
  options: hash,
  body: async ({ args, words: [bead = '', text = ''], client, detail }) => ({
    items: [
      { text, bead, rejects: args.text('sha256') ?? (await finishedDiff(client, detail.ticket.id, bead)) },
    ],
  }),
});

export const suggest = actionCommand({
  name: 'suggest',
  kind: 'suggest_edit',
  words: 'PATH --file FILE',
  about: 'commit your own version of a file to the branch of the ticket, when no bead is being coded',
  takes: [1, 1],
  options: {
    file: { value: 'FILE', about: 'new content of the file; - (default) for standard input' },
    bead: { value: 'ID', about: 'affected bead' },
    reason: { value: 'TEXT', about: 'purpose; used as the commit subject' },
  },
  body: async ({ context, args, words: [file = ''], client, detail }) => {
    const bead = args.text('bead');
    return {
      file,
      baseSha256: await currentHash(client, detail.ticket.id, file),
      content: await readText(context, args.text('file') ?? '-'),
      reason: args.text('reason') ?? '',
      ...(bead === undefined ? {} : { bead }),
    };
  },
});

async function finishedDiff(client: Client, ticket: string, bead: string): Promise<string> {
  const { beads } = await client.beads(ticket);
  const isDone = beads.some(({ id, status }) => id === bead && status === 'done');
  const view = isDone ? await client.diffs.diff(ticket, { kind: 'bead', bead }) : undefined;
  if (!view) throw invalidInput(`The bead "${bead.slice(0, 80)}"`, "it isn't a finished bead of this ticket");
  return view.sha256;
}

async function currentHash(client: Client, ticket: string, file: string): Promise<string> {
  const whole = await client.diffs.diff(ticket, { kind: 'ticket' });
  const bytes = whole && (await client.diffs.file(ticket, whole.to, file));
  if (!bytes) throw invalidInput(`The file "${file.slice(0, 200)}"`, "it isn't on the branch of the ticket");
  return sha256(bytes);
}
