import { inline, fenced } from '../../base/markdown.ts';
import type { Bead } from '../../domain/beads/bead.ts';
import { missingText, outcomeOf } from '../../domain/beads/outcome.ts';
import type { TicketDetail } from '../api.ts';
import type { RunView } from '../history.ts';

/** A document of the export, as the overview names it. */
export interface ListedDocument {
  readonly type: string;
  /** Its path in the export. */
  readonly path: string;
  readonly version: number;
  readonly sha256: string;
}

/**
 * The first page of an export: what was asked for, what came of it, and where everything is. Texts are in
 * fences that no content can close.
 */
export function overview(
  {
    detail,
    beads,
    runs,
  }: { readonly detail: TicketDetail; readonly beads: readonly Bead[]; readonly runs: readonly RunView[] },
  documents: readonly ListedDocument[],
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
    ...(detail.error
      ? ['## Why it is blocked', `${inline(detail.error.message)} ${inline(detail.error.nextStep)}`]
      : []),
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
          ...outcomeLines(beads),
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
    ...(documents.length === 0
      ? []
      : [
          '## Documents',
          documents
            .map(
              ({ type, path, version, sha256 }) =>
                `- [${inline(type)}](<${path}>), version ${String(version)}, SHA-256 \`${sha256}\``,
            )
            .join('\n'),
        ]),
    '## What lies here',
    [
      '- `documents/`: the current version of each document; `versions/`: every earlier one',
      '- `evidence/`: what Beadsmith saw when it ran a bead’s commands; `diffs/`: what each bead changed',
      '- `calls/`: what every model was sent and answered, in order',
      '- `ticket.json`, `beads.jsonl`, `usage.ndjson`: the ticket, its plan with its state, and its tokens',
      '- `journal.ndjson`: every finished step. Each entry’s hash covers the one before',
      '- `log.ndjson`: the small things, for looking at only',
      '- `export.json`: every file here with its SHA-256',
    ].join('\n'),
    'Nothing was taken out: prompts, answers and diffs are here as they were. Look before you hand it on.',
    '',
  ].join('\n\n');
}

/** Returns the lines on what the ticket lacks of its plan. A skipped or failed bead is never a success. */
function outcomeLines(beads: readonly Bead[]): readonly string[] {
  const outcome = outcomeOf(beads);
  const lines = outcome.missing.flatMap(({ bead, state, reason }) =>
    reason === '' ? [] : [`- \`${bead}\` (${state}): ${inline(reason)}`],
  );
  if (outcome.success) return ['Outcome: every bead is done.'];
  return [
    `Outcome: incomplete, ${String(outcome.done)} of ${String(outcome.total)} beads are done. Missing: ${missingText(outcome)}.`,
    ...(lines.length > 0 ? [lines.join('\n')] : []),
  ];
}

function time(at: number): string {
  return new Date(at).toISOString();
}
