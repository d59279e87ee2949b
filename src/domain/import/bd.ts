import * as z from 'zod';
import { isRecord, jsonOf } from '../../base/json.ts';
import { type ImportedSource, importedOf, type SourceFile } from './imported.ts';
import { checkItem, joinedLines, listItem } from './markdownLines.ts';
import { part } from './specKit.ts';
import { type Node, treeTickets } from './treeTickets.ts';

const Words = z
  .string()
  .nullish()
  .transform((text) => text ?? '');
const Issue = z.object({
  id: z.string().min(1).max(200),
  title: z.string().min(1),
  description: Words,
  design: Words,
  acceptance_criteria: Words,
  notes: Words,
  status: z.string().default('open'),
  priority: z.number().nullish(),
  external_ref: z.string().nullish(),
  dependencies: z
    .array(
      z.object({
        issue_id: z.string().optional(),
        depends_on_id: z.string(),
        type: z.string().default('blocks'),
      }),
    )
    .nullish()
    .transform((all) => all ?? []),
  comments: z
    .array(z.object({ author: Words, text: Words }))
    .nullish()
    .catch(null)
    .transform((all) => all ?? []),
});
type Issue = z.infer<typeof Issue>;

/** True if the first line that can be read is an issue of bd. */
export function isBd(text: string): boolean {
  let start = 0;
  for (let number = 0; number < 20 && start < text.length; number += 1) {
    const end = text.indexOf('\n', start);
    const value = jsonOf(text.slice(start, end < 0 ? undefined : end));
    start = end < 0 ? text.length : end + 1;
    if (isRecord(value)) return typeof value['id'] === 'string' && typeof value['title'] === 'string';
  }
  return false;
}

const ordering = ['blocks', 'conditional-blocks', 'waits-for'];

/**
 * Issues of bd, one a line: each open issue without an open parent is a ticket, and all issues below it are
 * its work. Lines that can't be read are named, and the others are taken.
 */
export function readBd({ path, text }: SourceFile): ImportedSource {
  const notUnderstood: ImportedSource['notUnderstood'] = [];
  const nodes: Node[] = [];
  for (const [index, line] of text.split(/\r?\n/u).entries()) {
    if (line.trim() === '') continue;
    const where = `${path}:${String(index + 1)}`;
    const value = jsonOf(line);
    const issue = Issue.safeParse(value);
    if (issue.success) nodes.push(nodeOf(issue.data, path));
    else {
      const [problem] = issue.error.issues;
      const reason = isRecord(value)
        ? `${problem?.path.join('.') ?? ''}: ${problem?.message ?? ''}`
        : 'not JSON';
      notUnderstood.push({ where, text: `${reason} (${line.trim().slice(0, 120)})` });
    }
  }
  const read = treeTickets(nodes);
  return { ...read, notUnderstood: [...notUnderstood, ...read.notUnderstood] };
}

function nodeOf(issue: Issue, path: string): Node {
  const { id, title, description, design, notes, dependencies, comments } = issue;
  const criteria = criteriaIn(issue.acceptance_criteria, id);
  const others = dependencies.filter(({ type }) => !ordering.includes(type) && type !== 'parent-child');
  const dot = id.lastIndexOf('.');
  return {
    ...importedOf({
      format: 'bd',
      path,
      id,
      title,
      description: joinedLines([
        description,
        ...part('Design notes', design),
        ...part('Notes', notes),
        ...part('Comments', comments.map(({ author, text }) => `${author}: ${text}`).join('\n\n')),
        ...part(
          'Related issues',
          [
            ...others.map(({ type, depends_on_id }) => `- ${type}: ${depends_on_id}`),
            ...(issue.external_ref ? [`- external: ${issue.external_ref}`] : []),
          ].join('\n'),
        ),
      ]),
      priority: Math.min(Math.max(Math.round(issue.priority ?? 2) + 1, 1), 5),
    }),
    group: '',
    parent:
      dependencies.find(({ type }) => type === 'parent-child')?.depends_on_id ??
      (dot < 0 ? null : id.slice(0, dot)),
    done: ['closed', 'tombstone', 'done'].includes(issue.status),
    requirements: criteria.length === 0 ? [] : [{ id, title, text: '', criteria }],
    dependsOn: dependencies.filter(({ type }) => ordering.includes(type)).map((one) => one.depends_on_id),
  };
}

/** Each item of a list is a criterion, and so is any other line. */
function criteriaIn(text: string, id: string): { id: string; text: string; met: boolean }[] {
  const found: { text: string; met: boolean }[] = [];
  for (const line of text.split(/\r?\n/u)) {
    if (line.trim() === '') continue;
    const checked = checkItem(line);
    const last = found.at(-1);
    const item = checked?.text ?? listItem(line)?.text;
    if (item === undefined && last && /^\s/u.test(line)) last.text += `\n${line.trim()}`;
    else found.push({ text: item ?? line.trim(), met: checked?.done ?? false });
  }
  return found.map((one, index) => ({ id: `${id}.AC${String(index + 1)}`, ...one }));
}
