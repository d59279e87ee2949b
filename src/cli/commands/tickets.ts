import type { Team } from '../../app/team.ts';
import { readExecutionLog } from '../../app/executionLog.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { isSpeech, type TicketEvent } from '../../domain/core/events.ts';
import { ForgeThreads } from '../../domain/forge/forgeThread.ts';
import { threadRows } from '../../domain/forge/threadRows.ts';
import { holeText } from '../../domain/links/holes.ts';
import { holdLabel } from '../../domain/ticket/ticket.ts';
import type { BeadLink, Links } from '../../domain/links/links.ts';
import type { JournalEntry, JournalRow } from '../../engine/ports/storePort.ts';
import type { Client, TicketView } from '../../protocol/api.ts';
import { readLinks } from '../../protocol/links.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { UsageError } from '../base/args.ts';
import { type Command, type CommandContext, endCommand, printDocument } from '../base/command.ts';
import type { ExitCode } from '../base/exitCodes.ts';
import { oneLine, printable, section, tableText, untilText, wholeText } from '../base/output.ts';
import { howToAnswer, placeOf } from '../drive/finish.ts';
import { isOfTeam, onTickets, ownOrTeam, teamOf } from '../drive/team.ts';
import { ticketIdOf } from '../options/options.ts';
import { report } from '../output/report.ts';
import { reportText } from '../output/reportText.ts';
import { eventLine } from '../output/textOutput.ts';
import { wholeThreads } from '../output/threadLines.ts';

const columns = ['Needs Input', 'In Progress', 'To Do', 'Done'];

export const list: Command = {
  name: 'list',
  words: '',
  about: 'list the tickets of the repository',
  takes: [0, 0],
  changes: 'nothing',
  options: ownOrTeam,
  run: async (context, args) => {
    const team = teamOf(context, args);
    if (team) return listTeam(context, team);
    return onTickets(context, args, async ({ client }) => {
      const tickets = await client.tickets();
      for (const ticket of tickets) context.output.event({ type: 'ticket', ...ticket });
      context.output.text(
        tickets.length === 0
          ? 'No tickets yet. To create one, run: beadsmith create --title TEXT'
          : listText(tickets),
      );
      return endCommand(context);
    });
  },
};

/** Repository after repository, those without tickets left out. */
async function listTeam(context: CommandContext, team: Team): Promise<ExitCode> {
  const parts: string[] = [];
  for (const name of await team.names()) {
    const repository = await team.open(name);
    try {
      const tickets = await repository.client.tickets();
      for (const ticket of tickets) context.output.event({ type: 'ticket', ...ticket, repository: name });
      if (tickets.length > 0) parts.push(`${oneLine(name, 200)}\n${listText(tickets)}`);
    } finally {
      await repository.close();
    }
  }
  context.output.text(
    parts.length === 0
      ? 'The team has no tickets yet. To create one, run: beadsmith create --title TEXT'
      : parts.join('\n\n'),
  );
  return endCommand(context);
}

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
    ? `${holdLabel(hold ?? '')}${untilText(holdUntil)}`
    : `Waiting for ${waitsFor} to finish coding`;
}

function stateOf(ticket: TicketView): string {
  if (ticket.damaged !== undefined) {
    const { message, nextStep } = new BeadsmithError('TICKET_DAMAGED', {
      ticket: ticket.id,
      reason: oneLine(ticket.damaged),
    });
    return `${ticket.label}: ${message} ${nextStep}`;
  }
  const { label, hold, beadsDone, beadsTotal, beadsSkipped = 0 } = ticket;
  return [
    label,
    ...(hold === null ? [] : [pausedBy(ticket)]),
    ...(beadsTotal > 0 ? [`${String(beadsDone)} of ${String(beadsTotal)} beads`] : []),
    ...(beadsTotal > 0 && beadsSkipped > 0 ? [`${String(beadsSkipped)} skipped`] : []),
  ].join(', ');
}

export const show: Command = {
  name: 'show',
  words: 'ABC-12 [ARTIFACT]',
  about: 'show a ticket, or one of its documents (interview, prd, execution_setup_plan …)',
  takes: [1, 2],
  changes: 'nothing',
  options: {
    ...ownOrTeam,
    version: { value: 'N', about: 'show an earlier version of the document' },
    comments: { about: 'show all comments on the pull request, whole, with their IDs and hashes' },
    matrix: { about: 'show how questions, criteria, beads and commands are linked, and what is missing' },
  },
  run: (context, args) => {
    const ticket = ticketIdOf(args.positionals[0]);
    const name = args.positionals[1];
    if (args.flag('matrix') && name !== undefined)
      throw new UsageError('--matrix shows a ticket, not one of its documents.');
    if (args.flag('comments') && name !== undefined)
      throw new UsageError('--comments shows a ticket, not one of its documents.');
    return onTickets(context, args, async (app) => {
      const detail = await app.client.ticket(ticket);
      if (args.flag('comments')) {
        const read = await readArtifact(app.client, ticket, 'forge_threads', ForgeThreads);
        const [rows, left] = [threadRows(read ?? { threads: [] }), read?.left ?? 0];
        context.output.text(wholeThreads(rows, left));
        context.output.event({ type: 'comments', ticket, comments: [...rows], left });
      } else if (args.flag('matrix')) {
        const links = await readLinks(app.client, ticket);
        context.output.text(matrixText(detail.ticket, links));
        const holes = links.holes.map((hole) => ({ ...hole, text: holeText(hole) }));
        context.output.event({ type: 'matrix', ticket, ...links, holes });
      } else if (name === undefined) {
        const full = await report(app, detail);
        const next = howToAnswer(detail, placeOf(context, args, app.repository.root));
        context.output.text(reportText(full, next, { short: false }));
        context.output.event({ type: 'report', ...full, next });
        if (isOfTeam(context, args) && detail.view.actions.includes('close')) {
          const { message, nextStep } = new BeadsmithError('MERGE_ON_FORGE');
          context.output.event({ type: 'note', message: `${message} ${nextStep}` });
        }
      } else {
        const artifact = await app.client.artifact(ticket, name, args.whole('version'));
        if (!artifact) {
          const names = [...new Set((await app.client.artifacts(ticket)).map((info) => info.type))];
          throw new UsageError(
            `${ticket} has no such document "${printable(name.slice(0, 100))}". It has: ${names.join(', ') || 'none yet'}.`,
          );
        }
        const { content, info } = artifact;
        printDocument(context, { ticket, name, content, sha256: info.sha256 }, wholeText(content));
      }
      return endCommand(context, { ticket, status: detail.ticket.status });
    });
  },
};

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
    section('Beads:', beads.flatMap(beadLines)),
    section(
      'Holes:',
      holes.map((hole) => `  ${oneLine(holeText(hole), 400)}`),
    ),
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
  return ['', tableText([head, ...rows], []).replaceAll(/^/gm, '  ')];
}

function settled({ questions }: Links): string[] {
  const lines = questions
    .filter(({ note }) => note !== '')
    .map(({ id, note }) => `  ${id}: ${oneLine(note, 300)}`);
  return section('Answers without a story:', lines);
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

interface Line {
  readonly at: number;
  readonly text: string;
  readonly source: 'journal' | 'log';
  readonly seq?: number;
}

export const logs: Command = {
  name: 'logs',
  words: 'ABC-12',
  about: 'print the log of a ticket',
  takes: [1, 1],
  changes: 'nothing',
  options: {
    ...ownOrTeam,
    journal: { about: 'print only the journal' },
    last: { value: 'N', about: 'print only the last N lines' },
  },
  run: (context, args) => {
    const id = ticketIdOf(args.positionals[0]);
    return onTickets(context, args, async ({ client, ports, stateFolder }) => {
      const { ticket } = await client.ticket(id);
      const lines: Line[] = (await ports.store.journal(id)).map(journalLine);
      if (!args.flag('journal')) {
        const events =
          stateFolder === undefined ? await transcript(client, id) : await readExecutionLog(stateFolder, id);
        for (const event of events) {
          // Statuses and steps are in the journal.
          if (event.type === 'status' || event.type === 'step') continue;
          const line = eventLine(event);
          if (line) lines.push({ at: event.at, text: line.text.replace(`${id} `, '').trim(), source: 'log' });
        }
      }
      lines.sort((a, b) => a.at - b.at);
      const last = args.whole('last');
      for (const line of last === undefined ? lines : lines.slice(-last)) {
        context.output.event({ type: 'log', ticket: id, ...line });
        context.output.text(`${new Date(line.at).toISOString()}  ${line.text}`);
      }
      return endCommand(context, { ticket: id, status: ticket.status });
    });
  },
};

/** The log of a team's ticket, as `readExecutionLog` reads it here. */
async function transcript({ history }: Client, ticket: string): Promise<readonly TicketEvent[]> {
  const pages: (readonly TicketEvent[])[] = [];
  for (let before: number | null | undefined; before !== null;) {
    const { events, earlier } = await history.transcript(ticket, { before, limit: 250 });
    pages.unshift(events);
    before = earlier;
  }
  return pages.flat().filter((event) => !isSpeech(event));
}

function journalLine({ at, seq, entry }: JournalRow): Line {
  return { at, seq, text: `#${String(seq)} ${oneLine(wordsOf(entry))}`, source: 'journal' };
}

function wordsOf(entry: JournalEntry): string {
  switch (entry.kind) {
    case 'rows':
      return 'rows changed';
    case 'ticket.created':
      return 'ticket created';
    case 'run.opened':
      return `run ${entry.run.id} starts (attempt ${String(entry.run.attempt)})`;
    case 'run.closed':
      return `run ${entry.run} ${entry.state}${entry.exit === null ? '' : ` with "${entry.exit}"`}`;
    case 'run.continued':
      return `run ${entry.run} continues`;
    case 'step.intent':
      return `  ${entry.key}: started`;
    case 'step.note':
      return `  ${entry.key}: noted ${JSON.stringify(entry.note).slice(0, 120)}`;
    case 'step.done':
      return `  ${entry.key}: done`;
    case 'step.failed':
      return `  ${entry.key}: failed with ${entry.error.code}`;
    case 'status':
      return `${entry.from} → ${entry.to} (${entry.by})`;
    case 'inbox':
      return `inbox: ${entry.reason} ${entry.outcome}`;
    case 'attempts':
      return `new attempts from ${entry.archivedFrom} on`;
  }
}
