import { fenced, inline } from './markdown.ts';
import type { TicketParts } from './tree/ticketFacts.ts';

interface ExportedDocument {
  readonly title: string;
  readonly file: string;
  readonly version: number | undefined;
  readonly sha256: string;
  readonly content: string;
}

/** A ticket as one Markdown file for people: what was asked for, what came of it, and the documents word by word in fences that nothing in them closes. */
export function exportText(
  { detail, beads, runs }: Omit<TicketParts, 'artifacts' | 'verdicts'>,
  documents: readonly ExportedDocument[],
): string {
  const { ticket, view } = detail;
  const facts: readonly (readonly [string, string | null])[] = [
    ['Status', view.label],
    ['Priority', String(ticket.priority)],
    ['Base branch', ticket.baseBranch],
    ['Branch', ticket.branch],
    ['Filed', time(ticket.createdAt)],
    ['Changed', time(ticket.updatedAt)],
  ];
  return [
    `# ${ticket.id} ${inline(ticket.title)}`,
    facts.flatMap(([name, value]) => (value === null ? [] : [`- ${name}: ${inline(value)}`])).join('\n'),
    ...(ticket.description.trim() === '' ? [] : ['## Description', fenced(ticket.description, '')]),
    ...(detail.error ? ['## Why it is blocked', `${inline(detail.error.message)} ${inline(detail.error.nextStep)}`] : []),
    ...(beads.length === 0
      ? []
      : [
          '## Progress',
          beads
            .map(
              (bead) =>
                `- [${bead.status === 'done' ? 'x' : ' '}] \`${bead.id}\` ${inline(bead.title)} (${bead.status}, iteration ${String(bead.iteration)})`,
            )
            .join('\n'),
        ]),
    ...documents.flatMap(({ title, file, version, sha256, content }) => [
      `## ${title}`,
      `${file}${version === undefined ? '' : `, version ${String(version)}`}, SHA-256 \`${sha256}\``,
      fenced(content, /\.(\w+)$/.exec(file)?.[1] ?? ''),
    ]),
    ...(runs.length === 0
      ? []
      : [
          '## Runs',
          runs
            .map(({ label, attempt, startedAt, endedAt, state, exit, error }) => {
              const span = `${time(startedAt)} – ${endedAt === null ? '' : time(endedAt)}`.trim();
              return `- ${span}: ${label}, attempt ${String(attempt)}, ${error ? `${error.code}: ${inline(error.message)}` : (exit ?? state)}`;
            })
            .join('\n'),
        ]),
    '',
  ].join('\n\n');
}

function time(at: number): string {
  return new Date(at).toISOString();
}
