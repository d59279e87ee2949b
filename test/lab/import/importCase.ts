import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceFile } from '../../../src/domain/import/imported.ts';
import { importedText } from '../../../src/domain/import/importedText.ts';
import { readSource } from '../../../src/domain/import/readSource.ts';

/** An input of the corpus, and lines that say what has to be found in it again. */
interface ImportCase {
  readonly name: string;
  readonly files: readonly SourceFile[];
  readonly expected: readonly string[];
}

interface ImportRow {
  readonly name: string;
  readonly tickets: number;
  readonly requirements: number;
  readonly criteria: number;
  readonly open: number;
  readonly done: number;
  readonly dependencies: number;
  readonly unknown: number;
  readonly missing: readonly string[];
}

const folder = join(import.meta.dirname, '../../fixtures/import');

export function importCases(): readonly ImportCase[] {
  return globSync('*/*.txt', { cwd: folder })
    .toSorted()
    .map((name) => {
      const parts = readFileSync(join(folder, name), 'utf8')
        .split(/^=== /mu)
        .slice(1)
        .map((part) => ({
          path: part.slice(0, part.indexOf('\n')),
          text: part.slice(part.indexOf('\n') + 1),
        }));
      const expected =
        parts
          .find(({ path }) => path === 'expected')
          ?.text.trim()
          .split('\n') ?? [];
      const files = parts.filter(({ path }) => path !== 'expected');
      return { name: name.replaceAll('\\', '/').replace('.txt', ''), files, expected };
    });
}

/** Reads a case, and says what is missing: from what was read, and from the text of the drafts. */
export function tryImport({ name, files, expected }: ImportCase): ImportRow {
  const { tickets, done: left, notUnderstood } = readSource(files, false);
  const texts = tickets.map(importedText);
  const requirements = tickets.flatMap((ticket) => ticket.requirements);
  const criteria = requirements.flatMap((one) => one.criteria);
  const tasks = tickets.flatMap((ticket) => ticket.tasks);
  const open = tasks.filter(({ done }) => !done);
  const inText = (words: string): boolean => texts.some(({ description }) => description.includes(words));
  const found = new Set([
    `left ${String(left)}`,
    ...tickets.map(({ id }) => `ticket ${id}`),
    ...texts.map(({ title }) => `title ${title}`),
    ...requirements.filter(({ id }) => inText(`- **${id}**: `)).map(({ id }) => `requirement ${id}`),
    ...criteria
      .filter(({ id, text }) => inText(`- **${id}**: ${text.split('\n')[0] ?? ''}`))
      .map(({ id, text }) => `criterion ${id} ${text.split('\n')[0] ?? ''}`),
    ...tasks.filter(({ done }) => done).map(({ id }) => `done ${id}`),
    ...notUnderstood.map(({ where }) => `unknown ${where}`),
    ...texts.flatMap(({ description }) => description.split('\n').flatMap(taskLines)),
  ]);
  const missing = expected.filter((line) =>
    line.startsWith('text ') ? !inText(line.slice('text '.length)) : !found.has(line),
  );
  const counted = ['ticket', 'requirement', 'criterion', 'done', 'unknown'];
  const tooMany = [...found].filter(
    (line) => counted.includes(line.split(' ')[0] ?? '') && !isExpected(line, expected),
  );
  return {
    name,
    tickets: tickets.length,
    requirements: requirements.length,
    criteria: criteria.length,
    open: open.length,
    done: tasks.length - open.length,
    dependencies: tasks.reduce((sum, { dependsOn }) => sum + dependsOn.length, 0),
    unknown: notUnderstood.length,
    missing: [...missing, ...tooMany.map((line) => `not expected: ${line}`)],
  };
}

/** Kinds that a case says nothing of aren't checked. */
function isExpected(line: string, expected: readonly string[]): boolean {
  const kind = `${line.split(' ')[0] ?? ''} `;
  return expected.includes(line) || !expected.some((one) => one.startsWith(kind));
}

/** `task T012 after T010, T011`, as the draft says it; what it is for stands in a line of its own. */
function taskLines(line: string): readonly string[] {
  const [, id, , notes] = /^- \*\*([^*]+)\*\*: (.*?)(?: \[((?:after|for) [^\]]*)\])?$/u.exec(line) ?? [];
  if (id === undefined) return [];
  const parts = (notes ?? '').split('; ');
  const after = parts.find((part) => part.startsWith('after '));
  const forWhat = parts.find((part) => part.startsWith('for '));
  return [
    `task ${id}`,
    ...(after ? [`task ${id} ${after}`] : []),
    ...(forWhat ? [`task ${id} ${forWhat}`] : []),
  ];
}
