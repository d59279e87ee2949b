import * as z from 'zod';
import { isRecord } from '../../base/json.ts';
import { type ImportedSource, type ImportedTask, importedOf, type SourceFile } from './imported.ts';
import { joinedLines } from './markdownLines.ts';
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
  status: z.string().default('pending'),
  dependencies: z
    .array(Id)
    .nullish()
    .transform((ids) => ids ?? []),
});
const Task = Subtask.extend({
  priority: z.string().nullish(),
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
      if (task.success) return [nodeOf(task.data, { path, tag, where, notUnderstood })];
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

function nodeOf(
  task: z.infer<typeof Task>,
  place: {
    readonly path: string;
    readonly tag: string;
    readonly where: string;
    readonly notUnderstood: ImportedSource['notUnderstood'];
  },
): Node {
  const { id, title, description, details, testStrategy, dependencies } = task;
  const tasks = task.subtasks.flatMap((given, index): ImportedTask[] => {
    const subtask = Subtask.safeParse(given);
    if (subtask.success) return [taskOf(subtask.data, id)];
    const where = `${place.where}, subtask ${String(index + 1)}`;
    place.notUnderstood.push({ where, text: problemOf(subtask.error) });
    return [];
  });
  const criteria =
    testStrategy.trim() === '' ? [] : [{ id: `${id}.test`, text: testStrategy.trim(), met: false }];
  return {
    ...importedOf({
      format: 'task-master',
      path: place.path,
      id: place.tag === '' || place.tag === 'master' ? id : `${place.tag}/${id}`,
      title,
      description: joinedLines([description, ...part('Details', details)]),
      priority: priorityOf(task.priority),
    }),
    group: place.tag,
    parent: null,
    done: isDone(task.status),
    requirements: criteria.length === 0 ? [] : [{ id, title, text: '', criteria }],
    tasks,
    dependsOn: dependencies,
  };
}

/** Dependencies of a subtask are numbers of its siblings, or whole ids such as `3.2`. */
function taskOf(subtask: z.infer<typeof Subtask>, parent: string): ImportedTask {
  const { id, title, description, details, testStrategy, status, dependencies } = subtask;
  const whole = (name: string): string => (name.includes('.') ? name : `${parent}.${name}`);
  const tested = testStrategy.trim() === '' ? [] : ['', `Test strategy: ${testStrategy.trim()}`];
  return {
    id: whole(id),
    title,
    text: joinedLines([description, '', details, ...tested]),
    done: isDone(status),
    dependsOn: dependencies.map(whole),
    requirements: [],
  };
}
