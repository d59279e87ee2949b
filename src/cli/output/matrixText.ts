import { holeText } from '../../domain/links/holes.ts';
import type { BeadLink, Links } from '../../domain/links/links.ts';
import { oneLine } from '../base/output.ts';

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
  return lines.length === 0 ? [] : ['', 'Answers that no story had to follow from:', ...lines];
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
