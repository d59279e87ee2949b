import { parse } from 'yaml';
import * as z from 'zod';
import { type ImportedSource, importedOf, type SourceFile } from './imported.ts';
import { isCriteriaTitle } from './knownHeadings.ts';
import { checkItem, headingOf, indentOf, joinedLines, listItem, markdownLines } from './markdownLines.ts';
import { otherFields, statusLine } from './otherFields.ts';
import { folderOf, priorityOf } from './sourceNames.ts';
import { part } from './specKit.ts';
import { type Node, treeTickets } from './treeTickets.ts';

const Id = z.union([z.string(), z.number()]).transform(String);
const Ids = z
  .union([z.array(Id), Id.transform((ids) => ids.split(',').map((id) => id.trim()))])
  .nullish()
  .transform((ids) => ids?.filter((id) => id !== '') ?? []);
const Matter = z.object({
  id: Id.pipe(z.string().min(1)),
  title: Id.pipe(z.string().min(1)),
  status: Id.default('To Do'),
  dependencies: Ids,
  parent_task_id: Id.nullish(),
  priority: z.string().nullish().catch(null),
});

const frontMatter = /^\uFEFF?---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/u;

/** True for a task of Backlog.md: its front matter has id, title and status, and it is no decision. */
export function isBacklogTask({ path, text }: SourceFile): boolean {
  if (/(?:^|\/)(?:decisions|docs|milestones)\//u.test(path)) return false;
  const matter = frontMatter.exec(text)?.[1] ?? '';
  return ['id', 'title', 'status'].every((name) => new RegExp(`^${name}:`, 'mu').test(matter));
}

/**
 * Tasks of Backlog.md, one a file: each top-level task that isn't done is a ticket, and the tasks below it
 * are its open work.
 */
export function readBacklog(files: readonly SourceFile[]): ImportedSource {
  const notUnderstood: ImportedSource['notUnderstood'] = [];
  const nodes: Node[] = [];
  for (const file of files) {
    const node = nodeOf(file);
    if (typeof node === 'string') notUnderstood.push({ where: file.path, text: node });
    else nodes.push(node);
  }
  const read = treeTickets(nodes);
  return { ...read, notUnderstood: [...notUnderstood, ...read.notUnderstood] };
}

function nodeOf({ path, text }: SourceFile): Node | string {
  const [whole = '', yaml = ''] = frontMatter.exec(text) ?? [];
  const value = yamlOf(yaml);
  const matter = Matter.safeParse(value);
  if (!matter.success) return `front matter: ${matter.error.issues[0]?.message ?? 'not readable'}`;
  const { id, title, status, dependencies, parent_task_id, priority } = matter.data;
  const { description, criteria } = readBody(text.slice(whole.length), id);
  return {
    ...importedOf({ format: 'backlog', path, id, title, priority: priorityOf(priority) }),
    description: joinedLines([
      description,
      ...part('Other fields', otherFields(value, Object.keys(Matter.shape))),
      ...statusLine(status, 'to do'),
    ]),
    group: folderOf(path).replace(/\/(?:completed|archive\/tasks|archive)$/u, '/tasks'),
    parent: parent_task_id || parentIn(id),
    done: /^(?:done|complete[d]?|closed|archived)$/iu.test(status) || /\/(?:completed|archive)\//u.test(path),
    requirements: criteria.length === 0 ? [] : [{ id, title, text: '', criteria }],
    dependsOn: dependencies,
  };
}

function yamlOf(text: string): unknown {
  try {
    return parse(text, { schema: 'core', maxAliasCount: 0, logLevel: 'silent' }) as unknown;
  } catch {
    return undefined;
  }
}

/** `back-355` of `back-355.01`. */
function parentIn(id: string): string | null {
  const dot = id.lastIndexOf('.');
  return dot < 0 ? null : id.slice(0, dot);
}

const marker = /^\s*<!--\s*(?:SECTION:[A-Z_]+|AC|DOD):(?:BEGIN|END)\s*-->\s*$/u;

function readBody(
  text: string,
  id: string,
): { readonly description: string; readonly criteria: { id: string; text: string; met: boolean }[] } {
  const rest: string[] = [];
  const criteria: { id: string; text: string; met: boolean }[] = [];
  const counts = { AC: 0, DOD: 0 };
  let section: 'criteria' | 'done' | 'other' = 'other';
  for (const { text: line, isCode } of markdownLines(text)) {
    const heading = isCode ? undefined : headingOf(line);
    const item = isCode || section === 'other' ? undefined : itemIn(line);
    if (heading && isCriteriaTitle(heading.text)) section = 'criteria';
    else if (heading && /^Definition of Done\b/iu.test(heading.text)) section = 'done';
    else if (heading) {
      section = 'other';
      rest.push(line);
    } else if (item) {
      const [, number, words = ''] = /^#(\d+)\s+(.*)$/u.exec(item.text) ?? [undefined, undefined, item.text];
      const name = section === 'done' ? 'DOD' : 'AC';
      counts[name] += 1;
      const at = number ?? String(counts[name]);
      criteria.push({ id: `${id}.${name}${at}`, text: words, met: item.done });
    } else if (!marker.test(line)) {
      const last = criteria.at(-1);
      if (section !== 'other' && last && /^\s+\S/u.test(line)) last.text += `\n${line.trim()}`;
      else rest.push(line);
    }
  }
  return { description: joinedLines(rest).replace(/^## Description\n+/u, ''), criteria };
}

/** An item with or without a checkbox; what is indented belongs to the one before it. */
function itemIn(line: string): { readonly text: string; readonly done: boolean } | undefined {
  const checked = checkItem(line);
  if (checked || indentOf(line) > 1) return checked;
  const item = listItem(line);
  return item && { text: item.text, done: false };
}
