import { join } from 'node:path';
import { readExecutionLog } from '../../app/executionLog.ts';
import type { JournalEntry, JournalRow } from '../../engine/ports/storePort.ts';
import { type Command, endCommand } from '../base/command.ts';
import { Session } from '../drive/session.ts';
import { commonOptions, ticketIdOf } from '../options/options.ts';
import { eventLine } from '../output/textOutput.ts';
import { oneLine } from '../base/output.ts';

interface Line {
  readonly at: number;
  readonly text: string;
  readonly source: 'journal' | 'log';
  readonly seq?: number;
}

/** `logs`: what happened, from the journal, and small things from the execution log. */
export const logs: Command = {
  name: 'logs',
  words: 'ABC-12',
  about: 'print the log of a ticket',
  takes: [1, 1],
  changes: 'nothing',
  options: {
    ...commonOptions,
    journal: { about: 'print only the journal' },
    last: { value: 'N', about: 'print only the last N lines' },
  },
  run: (context, args) => {
    const id = ticketIdOf(args.positionals[0]);
    return Session.with(context, args, { purpose: 'file' }, async ({ app }) => {
      const { ticket } = await app.client.ticket(id);
      const lines: Line[] = (await app.ports.store.journal(id)).map(journalLine);
      if (!args.flag('journal')) {
        for (const event of await readExecutionLog(join(app.repository.commonDir, 'beadsmith'), id)) {
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
