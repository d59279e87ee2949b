import { forgeText } from '../../base/forgeText.ts';
import { noSandbox } from '../../domain/environment/sandbox.ts';
import { evidenceRef } from '../../domain/proof/commitEvidence.ts';
import { acceptedFile } from '../../domain/guarded/acceptedChanges.ts';
import { guardedLabels } from '../../domain/guarded/catalogue/guardedChange.ts';
import { weakeningLabels } from '../../domain/proof/testIntegrity.ts';
import type { PullRequestDraft } from '../../domain/beads/reports.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { DeliveryFacts } from './deliveryFacts.ts';
import { count, evidenceTable } from './evidenceTable.ts';
import { framed } from './pullRequestTemplate.ts';

const { prose: line, cell, code } = forgeText;

type Command = DeliveryFacts['beads'][number]['commands'][number];

const mostLines = 100;

/** The first lines of a list; the rest is counted. */
function limited(lines: readonly string[]): readonly string[] {
  const more = lines.length - mostLines;
  return more <= 0 ? lines : [...lines.slice(0, mostLines), `- … and ${String(more)} more`];
}

/** Forges refuse a text of more than 65,536 characters. */
const mostChars = 60_000;

/** A text that a forge takes, cut at the end of a line. */
function shortened(text: string): string {
  if (text.length <= mostChars) return text;
  return `${text.slice(0, text.lastIndexOf('\n', mostChars)).trimEnd()}\n\n… The text was too long and is cut here.`;
}

function section(heading: string, about: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`## ${heading}`, '', about, '', ...limited(lines)].join('\n');
}

/**
 * The Markdown of a pull request: the repository's template with the summary in it, the rest of the model's
 * words, and the facts in tables.
 */
export function pullRequestBody(
  ticket: TicketSnapshot,
  draft: PullRequestDraft,
  facts: DeliveryFacts,
): string {
  const end = `Ticket ${ticket.id}, commit \`${facts.candidate.slice(0, 12)}\`.\n`;
  const { template = '' } = facts;
  const body = [
    template === '' ? prose('Summary', draft.summary) : framed(template, bullets(draft.summary)),
    prose('Why', draft.why),
    prose('What changed', draft.what_changed),
    beadTable(facts),
    missing(facts),
    evidence(ticket, facts),
    prose('Validation', draft.validation),
    unproved(facts),
    assumptions(facts),
    flaky(facts),
    weakened(facts),
    guarded(facts),
    leftOut(facts),
    ignored(facts),
    unboxed(facts),
    prose('Follow-ups', draft.follow_ups),
  ].filter((part) => part !== '');
  return `${shortened(body.join('\n\n'))}\n\n${end}`;
}

/** The text without a usable answer of a model: only the facts. */
export function fallbackDraft(ticket: TicketSnapshot, facts: DeliveryFacts): PullRequestDraft {
  return {
    title: ticket.title.slice(0, 200),
    summary: [ticket.title],
    why: [],
    what_changed: facts.beads.map(({ title, summary }) => (summary === '' ? title : `${title}: ${summary}`)),
    validation: [],
    follow_ups: [],
  };
}

/** The commits as a prompt shows them. */
export function commitsText({ commits }: DeliveryFacts): string {
  return commits.map(({ sha, subject }) => `${sha.slice(0, 12)} ${subject}`).join('\n');
}

/** Returns what the engine saw, as a prompt shows it. */
export function reportsText({ beads, finalTest, files }: DeliveryFacts): string {
  const lines = beads.map(({ id, iterations, commands, summary }) => {
    const ran = commands.map(outcome).join('; ') || 'no commands';
    return `${id} (${count(iterations, 'iteration')}): ${ran}${summary === '' ? '' : `\n  ${summary}`}`;
  });
  if (finalTest)
    lines.push(
      `Final test (${count(finalTest.attempts, 'attempt')}): ${finalTest.commands.map(outcome).join('; ')}`,
    );
  if (finalTest && finalTest.regression.length > 0)
    lines.push(`Whole suite: ${finalTest.regression.map(outcome).join('; ')}`);
  return [...lines, '', `Changed files: ${files.join(', ')}`].join('\n');
}

function beadTable({ beads }: DeliveryFacts): string {
  const rows = beads.map(
    ({ id, title, iterations, commit, commands }) =>
      `| ${cell(id)} | ${cell(title)} | ${commit === null ? 'no change' : `\`${commit.slice(0, 12)}\``} | ${iterations} | ${cell(tally(commands))} |`,
  );
  return [
    '## Beads',
    '',
    '| Bead | Title | Commit | Iterations | Checks |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** Nobody must take the pull request for the whole ticket. */
function missing({ missing: left }: DeliveryFacts): string {
  const lines = left.map(
    ({ bead, title, state, reason }) =>
      `- ${line(bead)} (${state}): ${line(title)}${reason === '' ? '' : `. ${line(reason)}`}`,
  );
  const about = 'The ticket is incomplete. These beads of its plan are not in this pull request:';
  return section('Missing', about, lines);
}

/** Lists what was run on exactly the files of each commit, and says how a reviewer runs it again. */
function evidence(ticket: TicketSnapshot, { proofs, commits, finalTest }: DeliveryFacts): string {
  const shas = commits.map(({ sha }) => sha);
  const table = evidenceTable(proofs, shas);
  const about = finalTest && finalTest.summary !== '' ? [`Final test: ${line(finalTest.summary)}`] : [];
  const how =
    table === ''
      ? []
      : ['Beadsmith ran these commands on the files of each commit:', table, repetition(ticket)];
  const parts = [...about, ...how];
  return parts.length === 0 ? '' : ['## Evidence', ...parts].join('\n\n');
}

function repetition({ id }: TicketSnapshot): string {
  return `\`beadsmith verify ${id}\` runs them again. In a clone it reads the evidence from the notes on the commits (\`${evidenceRef}\`, once they are pushed), or from a file (\`--evidence\`).`;
}

function unboxed({ unboxed: gap }: DeliveryFacts): string {
  return gap === undefined ? '' : `## Sandbox\n\n${noSandbox(gap).message}`;
}

function unproved({ beads }: DeliveryFacts): string {
  const lines = beads.flatMap(({ id, unproved: reason }) =>
    reason === undefined ? [] : [`- ${line(id)}: ${line(reason) || 'the plan gives no reason'}`],
  );
  return lines.length === 0 ? '' : ['## Not proved by a command', '', ...lines].join('\n');
}

function assumptions({ beads }: DeliveryFacts): string {
  const lines = beads.flatMap((bead) => bead.assumptions.map((text) => `- ${line(bead.id)}: ${line(text)}`));
  return section('Assumptions', 'Nobody was asked about these:', lines);
}

/** Commands that failed once and passed when they ran again on the same files. */
function flaky({ beads, finalTest }: DeliveryFacts): string {
  const commands = [
    ...beads.flatMap((bead) => bead.commands),
    ...(finalTest?.commands ?? []),
    ...(finalTest?.regression ?? []),
  ];
  const found = commands.filter((item) => item.flaky === true);
  const lines = found.map(
    ({ command, flakyTests = [] }) =>
      `- ${code(command)}${flakyTests.length === 0 ? '' : `: ${line(flakyTests.join(', '))}`}`,
  );
  return lines.length === 0 ? '' : ['## Flaky tests', '', ...new Set(lines)].join('\n');
}

function weakened({ beads, finalTest }: DeliveryFacts): string {
  const works = [
    ...beads.map((bead) => ({ ...bead, name: `bead ${bead.id}` })),
    ...(finalTest ? [{ ...finalTest, name: 'final test' }] : []),
  ];
  const lines = works.flatMap((work) =>
    work.weakened.map(({ kind, path, line: at, text }) => {
      const place = at === null ? path : `${path}:${String(at)}`;
      const said = text === '' ? '' : ` (${code(text)})`;
      const accepted = work.weakenedAt === undefined ? '' : `, accepted ${work.weakenedAt.slice(0, 10)}`;
      return `- ${code(place)}: ${weakeningLabels[kind]}${said}; ${line(work.name)}${accepted}`;
    }),
  );
  return section('Weaker tests', 'A person accepted these changes:', lines);
}

function guarded(facts: DeliveryFacts): string {
  const lines = facts.guarded.map(
    ({ kind, path, line: at, text, name, acceptedAt, byRepository = false }) => {
      const place = at === null ? path : `${path}:${String(at)}`;
      const said = text === '' ? '' : ` (${code(text)})`;
      return `- ${code(place)}: ${guardedLabels[kind]}${said}; ${line(name)}, ${byRepository ? `accepted by ${code(acceptedFile)}` : `accepted ${acceptedAt.slice(0, 10)}`}`;
    },
  );
  const about = 'A person or the base branch accepted these changes:';
  return section('Secrets and protected files', about, lines);
}

function leftOut({ beads }: DeliveryFacts): string {
  const files = [...new Set(beads.flatMap((bead) => bead.leftOut))];
  return files.length === 0
    ? ''
    : `## Left out\n\nGenerated files that were not committed: ${files.map(code).join(', ')}.`;
}

/** Returns the section on what a reviewer can't see, and the work may need. */
function ignored({ ignored: paths = [] }: DeliveryFacts): string {
  const about = 'The work made these paths, and git ignores them, so they are not in this pull request:';
  const lines = paths.map((path) => `- ${code(path)}`);
  return section('Ignored files', about, lines);
}

function prose(heading: string, items: readonly string[]): string {
  const text = bullets(items);
  return text === '' ? '' : `## ${heading}\n\n${text}`;
}

function bullets(items: readonly string[]): string {
  const lines = items.map(line).filter((item) => item !== '');
  return limited(lines.map((item) => `- ${item}`)).join('\n');
}

function tally(commands: readonly Command[]): string {
  return commands.length === 0
    ? 'none'
    : `${commands.filter((item) => item.passed).length} of ${commands.length} passed`;
}

function outcome({ command, passed, seconds, known, flaky }: Command): string {
  const again = flaky === true ? ', after it failed once' : '';
  if (known === undefined) return `\`${command}\` ${passed ? 'passed' : 'failed'} in ${seconds} s${again}`;
  return `\`${command}\` failed in ${seconds} s only as it does on the base${known === 0 ? '' : ` (${count(known, 'test')})`}`;
}
