import { filled } from '../../domain/core/errors.ts';
import { type CheckGroup, textsOf } from '../../protocol/checks.ts';
import type { TicketView } from '../../protocol/api.ts';
import { fenced } from '../../base/markdown.ts';
import type { LogEntry } from './supportDocument.ts';

export interface ReportFacts {
  readonly versions: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, string>>;
}

export interface ReportedTicket {
  readonly view: TicketView;
  readonly error: string | null;
}

interface ReportChoice {
  /** Messages of errors, which may quote documents, models and commands. */
  readonly details: boolean;
  readonly titles: boolean;
}

export interface Report extends ReportFacts {
  readonly checks: readonly CheckGroup[];
  readonly log: readonly LogEntry[];
  /** `more`: how many aren't listed. */
  readonly tickets: readonly {
    readonly repository: string;
    readonly listed: readonly ReportedTicket[];
    readonly more: number;
  }[];
  readonly journals: readonly { readonly ticket: string; readonly lines: readonly string[] }[];
}

/**
 * For the maintainers, in English. Everything from outside is in fences. It still has to be redacted, as a
 * whole.
 */
export function reportText(report: Report, choice: ReportChoice): string {
  return [
    '# Beadsmith: report',
    'Nothing has been sent. Review the report, remove anything confidential, and submit it yourself. Paths, names, email addresses and likely secrets have been removed.',
    ...section('Versions', rows(report.versions)),
    ...section('Settings', rows(report.settings), 'All are the defaults.'),
    ...section('Setup', report.checks.flatMap(checkLines).join('\n')),
    ...report.tickets.flatMap(({ repository, listed, more }) =>
      section(`Tickets of ${repository}`, ticketLines(listed, more, choice), 'There are none.'),
    ),
    ...section('Log', report.log.map((entry) => logLine(entry, choice)).join('\n'), 'It is empty.'),
    ...report.journals.flatMap(({ ticket, lines }) =>
      section(`Journal of ${ticket}`, lines.join('\n'), 'It is empty.'),
    ),
    '',
  ].join('\n\n');
}

function section(title: string, text: string, empty = ''): readonly string[] {
  return [`## ${title}`, text === '' ? empty : fenced(text, 'text')];
}

function rows(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function checkLines({ title, checks }: CheckGroup): readonly string[] {
  return [
    title,
    ...checks.map(({ subject, result, code, args }) =>
      `  ${result} ${subject}: ${code} ${filled(textsOf(code)[0], args)}`.trimEnd(),
    ),
  ];
}

function ticketLines(listed: readonly ReportedTicket[], more: number, { titles }: ReportChoice): string {
  const lines = listed.map(({ view, error }) =>
    [
      `${view.id}: ${view.status}`,
      ...(view.hold === null ? [] : [`held (${view.hold})`]),
      ...(error === null ? [] : [`blocked by ${error}`]),
      ...(view.beadsTotal === 0 ? [] : [`${String(view.beadsDone)} of ${String(view.beadsTotal)} beads`]),
      ...(view.coding === null ? [] : [`iteration ${String(view.coding.iteration)}`]),
      `changed ${new Date(view.updatedAt).toISOString()}`,
      ...(titles ? [`“${view.title}”`] : []),
    ].join(', '),
  );
  return [...lines, ...(more > 0 ? [`and ${String(more)} more`] : [])].join('\n');
}

function logLine({ at, level, text, detail }: LogEntry, { details }: ReportChoice): string {
  const line = `${new Date(at).toISOString()} ${level.padEnd(5)} ${text}`;
  return details && detail !== '' ? `${line}\n    | ${detail.replaceAll('\n', '\n    | ')}` : line;
}
