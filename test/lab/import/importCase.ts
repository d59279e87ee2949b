import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueFrom } from '../../../src/adapters/forge/github/githubIssues.ts';
import { readIssue } from '../../../src/domain/import/githubIssue.ts';
import type { ImportedSource, SourceFile } from '../../../src/domain/import/imported.ts';
import { importedText } from '../../../src/domain/import/importedText.ts';
import { readSource } from '../../../src/domain/import/readSource.ts';

/** An input of the corpus, and lines that say what has to be found in it again. */
interface ImportCase {
  readonly name: string;
  readonly files: readonly SourceFile[];
  readonly expected: readonly string[];
}

/** What a line of `expected` is about. Of these, nothing else may be found. */
const counted = ['ticket', 'requirement', 'criterion', 'task', 'dependency', 'done', 'unknown'] as const;
export type Counted = (typeof counted)[number];

interface ImportRow {
  readonly name: string;
  readonly counts: Readonly<Record<Counted, { readonly found: number; readonly expected: number }>>;
  readonly missing: readonly string[];
}

const folder = join(import.meta.dirname, '../../fixtures/import');

/** `=== PATH {crlf}` begins a file with the line ends of Windows. */
export function importCases(): readonly ImportCase[] {
  return globSync('*/*.txt', { cwd: folder })
    .toSorted()
    .map((name) => {
      const parts = readFileSync(join(folder, name), 'utf8')
        .split(/^=== /mu)
        .slice(1)
        .map((part) => {
          const [, path = '', mark] = /^(.*?)( \{crlf\})?\n/u.exec(part) ?? [];
          const text = part.slice(part.indexOf('\n') + 1);
          return { path, text: mark === undefined ? text : text.replaceAll('\n', '\r\n') };
        });
      const expected = parts.find(({ path }) => path === 'expected')?.text.trim();
      const files = parts.filter(({ path }) => path !== 'expected');
      return {
        name: name.replaceAll('\\', '/').replace('.txt', ''),
        files,
        expected: (expected?.split('\n') ?? []).flatMap(expectedLines),
      };
    });
}

/** Reads a case, and says what is missing in the text of the drafts, and what is in there by mistake. */
export function tryImport({ name, files, expected }: ImportCase): ImportRow {
  const source = read(files);
  const texts = source.tickets.map(importedText);
  const inText = (words: string): boolean => texts.some(({ description }) => description.includes(words));
  const found = foundLines(source, texts);
  const missing = expected.filter((line) =>
    line.startsWith('text ') ? !inText(line.slice('text '.length)) : !found.includes(line),
  );
  const known = new Set(expected);
  const tooMany = found.filter((line) => isCounted(line) && !known.has(line));
  const of = (lines: readonly string[], kind: Counted): readonly string[] =>
    lines.filter((line) => line.startsWith(`${kind} `));
  const counts = counted.map((kind) => {
    const wanted = of(expected, kind);
    return [
      kind,
      { found: wanted.filter((line) => found.includes(line)).length, expected: wanted.length },
    ] as const;
  });
  return {
    name,
    counts: Object.fromEntries(counts) as ImportRow['counts'],
    missing: [...missing, ...tooMany.map((line) => `not expected: ${line}`)],
  };
}

/** `issue.json` and `comments.json` are answers of GitHub; the text of the issue is beside them. */
function read(files: readonly SourceFile[]): ImportedSource {
  const textOf = (name: string): string | undefined => files.find(({ path }) => path === name)?.text;
  const issue = textOf('issue.json');
  if (issue === undefined) return readSource(files, false);
  const page = 'https://github.com/octo/sample';
  const given = JSON.parse(issue) as { readonly number: number };
  const whole = {
    html_url: `${page}/issues/${String(given.number)}`,
    repository_url: 'https://api.github.com/repos/octo/sample',
    body: textOf('body.md') ?? null,
    ...given,
  };
  const comments = JSON.parse(textOf('comments.json') ?? '[]') as readonly unknown[];
  const repository = { host: 'github.com', owner: 'octo', name: 'sample' };
  return readIssue(issueFrom(whole, comments, repository));
}

function foundLines(
  { tickets, done: left, notUnderstood }: ImportedSource,
  texts: readonly { readonly title: string; readonly description: string }[],
): readonly string[] {
  const inText = (words: string): boolean => texts.some(({ description }) => description.includes(words));
  const requirements = tickets.flatMap((ticket) => ticket.requirements);
  const criteria = requirements.flatMap((one) => one.criteria);
  return [
    `left ${String(left)}`,
    ...tickets.filter(({ id }) => id !== '').map(({ id }) => `ticket ${id}`),
    ...texts.map(({ title }) => `title ${title}`),
    ...requirements.filter(({ id }) => inText(`- **${id}**: `)).map(({ id }) => `requirement ${id}`),
    ...criteria
      .filter(({ id, text }) => inText(`- **${id}**: ${text.split('\n')[0] ?? ''}`))
      .map(({ id, text }) => `criterion ${id} ${text.split('\n')[0] ?? ''}`),
    ...tickets.flatMap(({ tasks }) => tasks.filter(({ done }) => done).map(({ id }) => `done ${id}`)),
    ...notUnderstood.map(({ where }) => `unknown ${where}`),
    ...texts.flatMap(({ description }) => taskLines(description)),
  ];
}

function isCounted(line: string): boolean {
  return counted.some((kind) => line.startsWith(`${kind} `));
}

/** `task T3 after T1, T2` is a task and two dependencies. */
function expectedLines(line: string): readonly string[] {
  const [, id = '', kind = '', ids = ''] = /^task (\S+)(?: (after|for) (.*))?$/u.exec(line) ?? [];
  return id === '' ? [line] : [`task ${id}`, ...notes(id, kind, ids)];
}

/** The tasks of a draft, as its text says them. */
function taskLines(description: string): readonly string[] {
  const at = `\n${description}`.indexOf('\n## Open tasks\n');
  return at < 0 ? [] : description.slice(at).split('\n').flatMap(taskLine);
}

function taskLine(line: string): readonly string[] {
  const [, id, said = ''] = /^- \*\*([^*]+)\*\*: .*?(?: \[((?:after|for) [^\]]*)\])?$/u.exec(line) ?? [];
  if (id === undefined) return [];
  const parts = said.split('; ').map((part) => /^(after|for) (.*)$/u.exec(part) ?? []);
  return [`task ${id}`, ...parts.flatMap(([, kind = '', ids = '']) => notes(id, kind, ids))];
}

function notes(id: string, kind: string, ids: string): readonly string[] {
  if (kind === 'for') return [`${id} is for ${ids}`];
  return kind === '' ? [] : ids.split(', ').map((one) => `dependency ${id} after ${one}`);
}
