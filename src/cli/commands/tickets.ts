import { BeadsmithError } from '../../domain/core/errors.ts';
import { holeText } from '../../domain/links/holes.ts';
import type { TicketView } from '../../protocol/api.ts';
import { readLinks } from '../../protocol/links.ts';
import { type Command, endCommand, reportDocument } from '../base/command.ts';
import { howToAnswer } from '../drive/finish.ts';
import { Session } from '../drive/session.ts';
import { UsageError } from '../base/args.ts';
import { commonOptions, ticketIdOf } from '../options/options.ts';
import { hiddenWarning, oneLine, printable, untilText } from '../base/output.ts';
import { report } from '../output/report.ts';
import { reportText } from '../output/reportText.ts';
import type { BeadLink, Links } from '../../domain/links/links.ts';

const columns = ['Needs Input', 'In Progress', 'To Do', 'Done'];

/** `list`: every ticket of the repository, by column. */
export const list: Command = {
  name: 'list',
  words: '',
  about: 'list the tickets of the repository',
  takes: [0, 0],
  changes: 'nothing',
  options: commonOptions,
  run: (context, args) =>
    Session.with(context, args, { purpose: 'file' }, async ({ app }) => {
      const tickets = await app.client.tickets();
      for (const ticket of tickets) context.output.event({ type: 'ticket', ...ticket });
      context.output.text(
        tickets.length === 0
          ? 'No tickets yet. To create one, run: beadsmith create --title TEXT'
          : listText(tickets),
      );
      return endCommand(context);
    }),
};

function listText(tickets: readonly TicketView[]): string {
  const width = Math.max(...tickets.map((ticket) => ticket.id.length));
  return columns
    .map((column) => ({ column, inIt: tickets.filter((ticket) => ticket.column === column) }))
    .filter(({ inIt }) => inIt.length > 0)
    .map(({ column, inIt }) =>
      [
        column,
        ...inIt.map(
          (ticket) => `  ${ticket.id.padEnd(width)}  ${oneLine(ticket.title, 70)}  (${stateOf(ticket)})`,
        ),
      ].join('\n'),
    )
    .join('\n');
}

function pausedBy({ hold, holdUntil, waitsFor }: TicketView): string {
  return waitsFor === null
    ? `${hold ?? ''}${untilText(holdUntil)}`
    : `waiting for ${waitsFor} to finish coding`;
}

function stateOf(ticket: TicketView): string {
  if (ticket.damaged !== undefined) {
    const { message, nextStep } = new BeadsmithError('TICKET_DAMAGED', {
      ticket: ticket.id,
      reason: oneLine(ticket.damaged),
    });
    return `${ticket.label}: ${message} ${nextStep}`;
  }
  const beads =
    ticket.beadsTotal > 0
      ? `, ${String(ticket.beadsDone)} of ${String(ticket.beadsTotal)} beads${(ticket.beadsSkipped ?? 0) > 0 ? `, ${String(ticket.beadsSkipped)} skipped` : ''}`
      : '';
  return `${ticket.label}${ticket.hold === null ? '' : `, pausing: ${pausedBy(ticket)}`}${beads}`;
}

/** `show`: where a ticket stands and what it waits for; or one of its documents. */
export const show: Command = {
  name: 'show',
  words: 'ABC-12 [ARTIFACT]',
  about: 'show a ticket, or one of its documents (interview, prd, execution_setup_plan …)',
  takes: [1, 2],
  changes: 'nothing',
  options: {
    ...commonOptions,
    version: { value: 'N', about: 'show an earlier version of the document' },
    matrix: { about: 'show how questions, criteria, beads and commands are linked, and what is missing' },
  },
  run: (context, args) => {
    const ticket = ticketIdOf(args.positionals[0]);
    const name = args.positionals[1];
    if (args.flag('matrix') && name !== undefined)
      throw new UsageError('--matrix shows a ticket, not one of its documents.');
    return Session.with(context, args, { purpose: 'file' }, async ({ app }) => {
      const detail = await app.client.ticket(ticket);
      if (args.flag('matrix')) {
        const links = await readLinks(app.client, ticket);
        context.output.text(matrixText(detail.ticket, links));
        const holes = links.holes.map((hole) => ({ ...hole, text: holeText(hole) }));
        context.output.event({ type: 'matrix', ticket, ...links, holes });
      } else if (name === undefined) {
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
        context.output.text(
          [printable(artifact.content).trimEnd(), ...hiddenWarning(artifact.content)].join('\n'),
        );
        reportDocument(context, ticket, name, { content: artifact.content, sha256: artifact.info.sha256 });
      }
      return endCommand(context, { ticket, status: detail.ticket.status });
    });
  },
};

/**
 * A ticket's links as text for people: a table of the criteria, what nothing had to follow from, the beads,
 * and the holes.
 */
export function matrixText(ticket: { readonly id: string; readonly title: string }, links: Links): string {
  const { questions, criteria, beads, holes } = links;
  const counts = [
    count(questions.length, 'question'),
    count(criteria.length, 'criterion', 'criteria'),
    count(beads.length, 'bead'),
  ];
  const sections = [
    [`${ticket.id} ${oneLine(ticket.title)}`, `  ${[...counts, count(holes.length, 'hole')].join(', ')}`],
    criteriaTable(links),
    settled(links),
    beads.length === 0 ? [] : ['', 'Beads:', ...beads.flatMap(beadLines)],
    holes.length === 0 ? [] : ['', 'Holes:', ...holes.map((hole) => `  ${oneLine(holeText(hole), 400)}`)],
  ];
  return sections.flat().join('\n');
}

function criteriaTable({ questions, criteria, beads }: Links): string[] {
  if (criteria.length === 0)
    return ['', questions.length === 0 ? '  No interview and no PRD yet.' : '  No PRD yet.'];
  const rows = criteria.map((criterion) => {
    const met = beads.filter(({ id }) => criterion.beads.includes(id));
    const proved = met.flatMap(({ evidence }) => evidence?.commit.slice(0, 10) ?? []);
    return [
      criterion.questions.join(', ') || '-',
      criterion.id,
      criterion.beads.join(', ') || '-',
      String(new Set(met.flatMap(({ commands }) => commands)).size),
      proved.join(', ') || '-',
      oneLine(criterion.text, 80),
    ];
  });
  const head = ['From', 'Criterion', 'Beads', 'Commands', 'Commits', ''];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [
    '',
    ...[head, ...rows].map((row) =>
      `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
    ),
  ];
}

function settled({ questions }: Links): string[] {
  const lines = questions
    .filter(({ note }) => note !== '')
    .map(({ id, note }) => `  ${id}: ${oneLine(note, 300)}`);
  return lines.length === 0 ? [] : ['', 'Answers without a story:', ...lines];
}

function beadLines({ id, title, criteria, commands, reason, evidence }: BeadLink): string[] {
  const tests =
    evidence && evidence.tests.length > 0 ? [`      tests: ${oneLine(evidence.tests.join(', '), 400)}`] : [];
  return [
    `  ${id}: ${criteria.join(', ') || 'no criterion'}  ${oneLine(title, 80)}`,
    ...commands.map((command) => `      ${oneLine(command, 200)}`),
    ...(reason === '' ? [] : [`      not proved by a command: ${oneLine(reason, 300)}`]),
    ...(evidence ? [`      commit ${evidence.commit.slice(0, 10)}`] : []),
    ...tests,
  ];
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${String(number)} ${number === 1 ? one : many}`;
}
