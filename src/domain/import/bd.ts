import * as z from 'zod';
import { isRecord, jsonOf } from '../../base/json.ts';
import { criteriaOf } from './criteriaText.ts';
import { type ImportedSource, importedOf, type SourceFile } from './imported.ts';
import { joinedLines } from './markdownLines.ts';
import { otherFields, statusLine } from './otherFields.ts';
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
  priority: z.union([z.number(), z.string().regex(/^[Pp]?\d$/u)]).nullish(),
  external_ref: z.string().nullish(),
  dependencies: z.unknown().optional(),
  comments: z.unknown().optional(),
});
type Issue = z.infer<typeof Issue>;
const Dependency = z.object({ depends_on_id: z.string().min(1), type: z.string().default('blocks') });
const Comment = z.object({ author: Words, text: Words });
const read = Object.keys(Issue.shape);

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
    if (issue.success) {
      // What most issues are says nothing.
      const isTask = isRecord(value) && value['issue_type'] === 'task';
      const known = isTask ? [...read, 'issue_type'] : read;
      const wrong = (text: string): void => void notUnderstood.push({ where, text });
      nodes.push(nodeOf(issue.data, { path, others: otherFields(value, known), wrong }));
    } else {
      const [problem] = issue.error.issues;
      const reason = isRecord(value)
        ? `${problem?.path.join('.') ?? ''}: ${problem?.message ?? ''}`
        : 'not JSON';
      notUnderstood.push({ where, text: `${reason} (${line.trim().slice(0, 120)})` });
    }
  }
  const tree = treeTickets(nodes);
  return { ...tree, notUnderstood: [...notUnderstood, ...tree.notUnderstood] };
}

interface Place {
  readonly path: string;
  /** Lines of fields that aren't read. */
  readonly others: string;
  readonly wrong: (text: string) => void;
}

/** The entries of a list that can be read. */
function entries<T>(schema: z.ZodType<T>, given: unknown, name: string, wrong: Place['wrong']): readonly T[] {
  const list: readonly unknown[] = Array.isArray(given)
    ? given
    : given === null || given === undefined
      ? []
      : [given];
  return list.flatMap((one) => {
    const { data } = schema.safeParse(one);
    if (data === undefined) wrong(`${name}: ${JSON.stringify(one).slice(0, 120)}`);
    return data === undefined ? [] : [data];
  });
}

function nodeOf(issue: Issue, { path, others: fields, wrong }: Place): Node {
  const { id, title, description, design, notes, status } = issue;
  const dependencies = entries(Dependency, issue.dependencies, 'dependencies', wrong);
  const comments = entries(Comment, issue.comments, 'comments', wrong);
  const requirement = criteriaOf(issue.acceptance_criteria, id);
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
        ...part('Other fields', fields),
        ...statusLine(status, 'open'),
      ]),
      priority: Math.min(Math.max(Math.round(numberIn(issue.priority ?? 2)) + 1, 1), 5),
    }),
    group: '',
    parent:
      dependencies.find(({ type }) => type === 'parent-child')?.depends_on_id ??
      (dot < 0 ? null : id.slice(0, dot)),
    done: ['closed', 'tombstone', 'done'].includes(status),
    requirements: requirement.criteria.length === 0 ? [] : [{ id, title, ...requirement }],
    dependsOn: dependencies.filter(({ type }) => ordering.includes(type)).map((one) => one.depends_on_id),
  };
}

/** Of `P1`, 1. */
function numberIn(priority: string | number): number {
  return typeof priority === 'number' ? priority : Number(priority.replace(/^p/iu, ''));
}
