import { sha256 } from '../../base/sha256.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { Client } from '../../protocol/api.ts';
import { actionCommand } from '../drive/actionCommand.ts';
import { readText } from '../options/readText.ts';

const hash = {
  sha256: { value: 'HASH', about: 'hash of the diff you reviewed; default: the current diff of the bead' },
} as const;

/** `beads accept`: a receipt that a person is content with what a bead came to. */
export const acceptBead = actionCommand({
  name: 'beads accept',
  kind: 'accept_bead',
  words: 'BEAD',
  about: 'accept the changes of a finished bead',
  takes: [1, 1],
  options: { ...hash, reason: { value: 'TEXT', about: 'reason; stored in the receipt' } },
  body: async ({ args, words: [bead = ''], client, detail }) => ({
    bead,
    sha256: args.text('sha256') ?? (await finishedDiff(client, detail.ticket.id, bead)),
    reason: args.text('reason') ?? '',
  }),
});

/** `beads reject`: its reason becomes a fix bead. */
export const rejectBead = actionCommand({
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

/** `suggest`: a person's own edit of one file of the ticket's branch. */
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
      baseSha256: await presentHash(client, detail.ticket.id, file),
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
  if (!view)
    throw new BeadsmithError('INVALID_INPUT', {
      what: `The bead "${bead.slice(0, 80)}"`,
      reason: "it isn't a finished bead of this ticket",
    });
  return view.sha256;
}

async function presentHash(client: Client, ticket: string, file: string): Promise<string> {
  const whole = await client.diffs.diff(ticket, { kind: 'ticket' });
  const bytes = whole && (await client.diffs.file(ticket, whole.to, file));
  if (!bytes)
    throw new BeadsmithError('INVALID_INPUT', {
      what: `The file "${file.slice(0, 200)}"`,
      reason: "it isn't on the branch of the ticket",
    });
  return sha256(bytes);
}
