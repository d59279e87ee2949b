import * as z from 'zod';
import { endWithoutSecrets, secretContext, withoutSecretsInText } from '../../base/outputSecrets.ts';
import { isRelativePath } from '../../domain/core/ids.ts';
import type { Todo, ToolCall } from '../../domain/core/toolCall.ts';
import type { SessionEvent } from './client/eventHub.ts';
import { textIn } from '../../domain/documents/base/check.ts';
import { pathIn } from './touchedFiles.ts';

type State = NonNullable<Extract<SessionEvent, { kind: 'part' }>['part']['state']>;

const longestText = 2_000;
const longestOutput = 4_000;
const mostTodos = 50;
const longestTodo = 300;

const states: Readonly<Record<string, ToolCall['state']>> = { completed: 'done', error: 'failed' };
/** The fields of inputs that say what a call is about, the most telling first. */
const telling = ['pattern', 'url', 'query', 'description', 'name', 'subagent_type'];

/** A tool call as people read it. Only paths in the folder become paths. */
export function toolCall(tool: string, state: State, directory: string): ToolCall {
  const { status, input, output, error, metadata } = state;
  const named = textIn(input, 'filePath') || textIn(input, 'path');
  const path = pathIn(directory, named);
  const isPath = path !== undefined && isRelativePath(path);
  const command = textIn(input, 'command');
  const about = telling.map((field) => textIn(input, field)).find((text) => text !== '');
  const isReading = tool === 'read' || tool === 'list';
  const said = error ?? (isReading ? undefined : output);
  const todos = tool === 'todowrite' ? todosOf(input) : undefined;
  const lines = status === 'completed' ? linesOf(tool, input, metadata) : undefined;
  return {
    tool: tool.slice(0, 100),
    state: states[status] ?? 'running',
    ...(isPath ? { path } : {}),
    ...optional('about', clean(about ?? (isPath ? '' : named || (state.title ?? '')))),
    ...optional('command', clean(command)),
    ...optional('output', said === undefined || todos ? '' : endWithoutSecrets(said, longestOutput)),
    ...lines,
    ...(todos ? { todos } : {}),
  };
}

function optional<K extends string>(name: K, text: string): Partial<Record<K, string>> {
  return text === '' ? {} : ({ [name]: text } as Record<K, string>);
}

function clean(text: string): string {
  return withoutSecretsInText(text.slice(0, longestText + secretContext)).slice(0, longestText);
}

const Todos = z.object({ todos: z.array(z.object({ content: z.string(), status: z.string() })) });
const todoStates: Readonly<Record<string, Todo['state']>> = {
  in_progress: 'active',
  completed: 'done',
  cancelled: 'dropped',
};

function todosOf(input: unknown): Todo[] | undefined {
  return Todos.safeParse(input)
    .data?.todos.slice(0, mostTodos)
    .map(({ content, status }) => ({
      text: clean(content).slice(0, longestTodo),
      state: todoStates[status] ?? 'open',
    }));
}

const Counted = z.object({
  filediff: z.object({ additions: z.number().int(), deletions: z.number().int() }),
});

/** As OpenCode counts them; else of what the call replaced. */
function linesOf(
  tool: string,
  input: unknown,
  metadata: unknown,
): Pick<ToolCall, 'added' | 'deleted'> | undefined {
  const counted = Counted.safeParse(metadata).data?.filediff;
  if (counted) return { added: counted.additions, deleted: counted.deletions };
  if (tool !== 'edit') return undefined;
  const [before, after] = [textIn(input, 'oldString').split('\n'), textIn(input, 'newString').split('\n')];
  const most = Math.min(before.length, after.length);
  let [start, end] = [0, 0];
  while (start < most && before[start] === after[start]) start += 1;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { added: after.length - start - end, deleted: before.length - start - end };
}
