import * as z from 'zod';
import { isRecord } from '../../base/json.ts';
import { criteriaOf } from './criteriaText.ts';
import {
  type ImportedRequirement,
  type ImportedSource,
  type ImportedTask,
  importedOf,
  type SourceFile,
} from './imported.ts';
import { joinedLines } from './markdownLines.ts';
import { otherFields, statusLine } from './otherFields.ts';
import { part } from './specKit.ts';
import { type Node, treeTickets } from './treeTickets.ts';
import { priorityOf } from './sourceNames.ts';

const Id = z.union([z.string().min(1), z.number()]).transform(String);
const Words = z
  .string()
  .nullish()
  .transform((text) => text ?? '');
const Subtask = z.object({
  id: Id,
  title: z.string().min(1),
  description: Words,
  details: Words,
  testStrategy: Words,
  acceptanceCriteria: z
    .union([z.string(), z.array(z.string()).transform((lines) => lines.join('\n'))])
    .nullish()
    .transform((text) => text ?? ''),
  status: z.string().default('pending'),
  dependencies: z.unknown().optional(),
});
const Task = Subtask.extend({
  priority: z.unknown().optional(),
  subtasks: z
    .array(z.unknown())
    .nullish()
    .transform((tasks) => tasks ?? []),
});

const isDone = (status: string): boolean => /^(?:done|completed|cancelled|canceled)$/iu.test(status);

/** True for the tasks of Task Master: one list, or a list for each tag. */
export function isTaskMaster(value: unknown): boolean {
  return lists(value).length > 0;
}

/** Lists of tasks by tag; the old form has one without a tag. */
function lists(value: unknown): readonly (readonly [tag: string, tasks: readonly unknown[]])[] {
  if (!isRecord(value)) return [];
  if (Array.isArray(value['tasks'])) return [['', value['tasks']]];
  return Object.entries(value).flatMap(([tag, inside]) =>
    isRecord(inside) && Array.isArray(inside['tasks']) ? [[tag, inside['tasks']] as const] : [],
  );
}

/** Each open task of each tag is a ticket; its subtasks are its work, and its test strategy a criterion. */
export function readTaskMaster({ path }: SourceFile, value: unknown): ImportedSource {
  const notUnderstood: ImportedSource['notUnderstood'] = [];
  const nodes = lists(value).flatMap(([tag, tasks]) =>
    tasks.flatMap((given, place): Node[] => {
      const where = `${path}: ${tag === '' ? '' : `${tag}, `}task ${String(place + 1)}`;
      const task = Task.safeParse(given);
      if (task.success) return [nodeOf(task.data, given, { path, tag, where, notUnderstood })];
      notUnderstood.push({ where, text: problemOf(task.error) });
      return [];
    }),
  );
  const read = treeTickets(nodes);
  return { ...read, notUnderstood: [...notUnderstood, ...read.notUnderstood] };
}

function problemOf(error: z.ZodError): string {
  const issue = error.issues[0];
  return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a task'}`;
}

interface Place {
  readonly path: string;
  readonly tag: string;
  readonly where: string;
  readonly notUnderstood: ImportedSource['notUnderstood'];
}

function nodeOf(task: z.infer<typeof Task>, given: unknown, place: Place): Node {
  const { title, description, details, status } = task;
  const { tag, where, notUnderstood } = place;
  // Each tag counts its own tasks.
  const inTag = (id: string): string => (tag === '' || tag === 'master' ? id : `${tag}/${id}`);
  const id = inTag(task.id);
  const requirements = requirementsOf(task, id);
  const tasks = task.subtasks.flatMap((one, index): ImportedTask[] => {
    const at = `${where}, subtask ${String(index + 1)}`;
    const subtask = Subtask.safeParse(one);
    if (!subtask.success) {
      notUnderstood.push({ where: at, text: problemOf(subtask.error) });
      return [];
    }
    const read = taskOf(subtask.data, one, { parent: id, inTag, where: at, notUnderstood });
    const own = requirementsOf({ ...subtask.data, testStrategy: '' }, read.id);
    if (!read.done) requirements.push(...own);
    return [{ ...read, requirements: own.map((requirement) => requirement.id) }];
  });
  return {
    ...importedOf({
      format: 'task-master',
      path: place.path,
      id,
      title,
      description: joinedLines([
        description,
        ...part('Details', details),
        ...part('Other fields', otherFields(given, Object.keys(Task.shape))),
        ...statusLine(status, 'pending'),
      ]),
      priority: priorityOf(typeof task.priority === 'string' ? task.priority : undefined),
    }),
    group: tag,
    parent: null,
    done: isDone(status),
    requirements,
    tasks,
    dependsOn: dependenciesOf(task, where, notUnderstood).map(inTag),
  };
}

function requirementsOf(
  { title, acceptanceCriteria, testStrategy }: z.infer<typeof Subtask>,
  id: string,
): ImportedRequirement[] {
  const { text, criteria } = criteriaOf(acceptanceCriteria, id);
  const tested = testStrategy.trim();
  const all = [...criteria, ...(tested === '' ? [] : [{ id: `${id}.test`, text: tested, met: false }])];
  return all.length === 0 ? [] : [{ id, title, text, criteria: all }];
}

/** Those that can be read. */
function dependenciesOf(
  { dependencies }: z.infer<typeof Subtask>,
  where: string,
  notUnderstood: ImportedSource['notUnderstood'],
): readonly string[] {
  const list: readonly unknown[] = Array.isArray(dependencies) ? dependencies : [dependencies ?? []].flat();
  const ids = list.map((one) => Id.safeParse(one).data);
  const wrong = list.filter((_, place) => ids[place] === undefined);
  if (wrong.length > 0)
    notUnderstood.push({ where, text: `dependencies: ${JSON.stringify(wrong).slice(0, 120)}` });
  return ids.filter((id) => id !== undefined);
}

/** Dependencies of a subtask are numbers of its siblings, or whole ids such as `3.2`. */
function taskOf(
  subtask: z.infer<typeof Subtask>,
  given: unknown,
  place: Pick<Place, 'where' | 'notUnderstood'> & {
    readonly parent: string;
    readonly inTag: (id: string) => string;
  },
): Omit<ImportedTask, 'requirements'> {
  const { id, title, description, details, testStrategy, status } = subtask;
  const { parent, inTag, where, notUnderstood } = place;
  const whole = (name: string): string => (name.includes('.') ? inTag(name) : `${parent}.${name}`);
  const tested = testStrategy.trim() === '' ? [] : ['', `Test strategy: ${testStrategy.trim()}`];
  const others = otherFields(given, Object.keys(Subtask.shape));
  return {
    id: whole(id),
    title,
    text: joinedLines([description, '', details, ...tested, '', others, ...statusLine(status, 'pending')]),
    done: isDone(status),
    dependsOn: dependenciesOf(subtask, where, notUnderstood).map(whole),
  };
}
