import { flowOf } from '../../app/projector.ts';
import { beadLines } from '../../domain/beads/beadPlan.ts';
import { beadsDocument } from '../../domain/documents/beads.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { Ticket } from '../../domain/ticket/ticket.ts';
import { actionCommand } from '../drive/actionCommand.ts';
import type { Command } from '../base/command.ts';
import { Session } from '../drive/session.ts';
import { exitCodes } from '../base/exitCodes.ts';
import type { Args } from '../base/args.ts';
import { commonOptions, ticketIdOf } from '../options/options.ts';
import { readText } from '../options/readText.ts';
import { hiddenWarning, printable } from '../base/output.ts';

const flow = {
  flow: { value: 'NAME', about: 'flow of the plan; default: the base branch of the ticket' },
} as const;

/** `beads get`: the plan as JSON lines, with the hash an approval or an edit must carry. */
export const getBeads: Command = {
  name: 'beads get',
  words: 'ABC-12',
  about: 'print the bead plan as JSON lines',
  takes: [1, 1],
  changes: 'nothing',
  options: { ...commonOptions, ...flow },
  run: (context, args) => {
    const id = ticketIdOf(args.positionals[0]);
    return Session.with(context, args, { purpose: 'file' }, async ({ app }) => {
      const { ticket } = await app.client.ticket(id);
      checkFlow(args, ticket);
      const { beads, sha256 } = await app.client.beads(id);
      const content = beadLines(beads);
      context.output.text(content.trimEnd());
      context.output.event({
        type: 'document',
        ticket: id,
        name: `beads/${flowOf(ticket)}`,
        sha256,
        content,
      });
      context.output.event({ type: 'end', exit: exitCodes.done, ticket: id, status: ticket.status });
      return exitCodes.done;
    });
  },
};

/** `beads put`: replaces the plan, at its gate or later, until coding starts and while it is blocked. */
export const putBeads = actionCommand({
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

/** `beads diff`: what a finished bead changed. */
export const diffBead: Command = {
  name: 'beads diff',
  words: 'ABC-12 BEAD',
  about: 'print the diff of a finished bead',
  takes: [2, 2],
  changes: 'nothing',
  options: { ...commonOptions, ...flow },
  run: (context, args) => {
    const id = ticketIdOf(args.positionals[0]);
    const bead = args.positionals[1] ?? '';
    return Session.with(context, args, { purpose: 'file' }, async ({ app }) => {
      const { ticket } = await app.client.ticket(id);
      checkFlow(args, ticket);
      const diff = await app.client.artifact(id, `bead_diff:${bead}`);
      if (!diff) {
        const { beads } = await app.client.beads(id);
        const names = beads.filter((one) => one.status === 'done').map((one) => one.id);
        throw new BeadsmithError('INVALID_INPUT', {
          what: `The bead "${printable(bead.slice(0, 80))}"`,
          reason: `there is no diff of it; finished beads: ${names.join(', ') || 'none yet'}`,
        });
      }
      context.output.text([printable(diff.content).trimEnd(), ...hiddenWarning(diff.content)].join('\n'));
      context.output.event({
        type: 'document',
        ticket: id,
        name: `bead_diff:${bead}`,
        sha256: diff.info.sha256,
        content: diff.content,
      });
      context.output.event({ type: 'end', exit: exitCodes.done, ticket: id, status: ticket.status });
      return exitCodes.done;
    });
  },
};

function checkFlow(args: Args, ticket: Ticket): void {
  const asked = args.text('flow');
  if (asked === undefined || asked === ticket.baseBranch || asked === flowOf(ticket)) return;
  throw new BeadsmithError('INVALID_INPUT', {
    what: 'The flow',
    reason: `${ticket.id} has no flow "${printable(asked.slice(0, 80))}", only "${flowOf(ticket)}"`,
  });
}
