import { keepNewest } from '../../base/keepNewest.ts';
import {
  pieceWithoutSecrets,
  secretContext,
  endWithoutSecrets,
  withoutSecretsInText,
} from '../../base/outputSecrets.ts';
import type { AgentActivity } from '../../engine/ports/ports.ts';
import type { SessionEvent } from './client/eventHub.ts';
import * as z from 'zod';
import { isRelativePath } from '../../domain/core/ids.ts';
import type { Todo, ToolCall } from '../../domain/core/toolCall.ts';
import { textIn } from '../../domain/documents/base/check.ts';
import { pathIn } from './touchedFiles.ts';

const everyMs = 100;
/** Newest parts remembered: a part's events are close together. */
const mostKnown = 500;
/** A longer piece is told in several. */
const longestPiece = 4_000;
/** A longer word is told in parts. */
const longestWord = 1_000;

/** A text that is being written. `told`: characters without secrets; `raw`: those that came. */
interface Written {
  readonly part: string;
  kind: 'text' | 'reasoning';
  told: number;
  raw: number;
  /** The last of what was told: a secret may begin there. */
  context: string;
  rest: string;
}

/**
 * Reports activity ten times a second at most: streams bring thousands of pieces. Texts are told by whole
 * words, so that no secret is passed on in parts, with their places.
 */
export class ActivityFeed {
  readonly #tell: (activity: AgentActivity) => void;
  readonly #directory: string;
  readonly #texts = new Map<string, Written>();
  readonly #told = new Set<string>();
  #current: Written | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (activity: AgentActivity) => void, directory: string) {
    this.#tell = tell;
    this.#directory = directory;
  }

  add(event: SessionEvent): void {
    if (event.kind === 'delta') this.#text(this.#written(event.part), event.text);
    if (event.kind !== 'part') return;
    const { id, type, tool, callID, state, text = '' } = event.part;
    if (type === 'text' || type === 'reasoning') this.#whole(this.#written(id, type), text);
    if (tool === undefined || state === undefined) return;
    const key = `${callID ?? id} ${state.status}`;
    if (this.#told.has(key)) return;
    keepNewest(this.#told.add(key), mostKnown);
    this.flush();
    const call = toolCall(tool, state, this.#directory);
    this.#tell({ kind: 'tool', tool, state: state.status, title: state.title ?? '', part: id, call });
  }

  retry(attempt: number, message: string): void {
    const key = `retry ${attempt} ${message}`;
    if (this.#told.has(key)) return;
    keepNewest(this.#told.add(key), mostKnown);
    this.flush();
    this.#tell({ kind: 'retry', attempt, message });
  }

  /** Also tells a word that may not be whole. */
  flush(): void {
    this.#pass(true);
    if (this.#current) this.#current.context = '';
    this.#current = undefined;
  }

  #written(part: string, kind?: 'text' | 'reasoning'): Written {
    const known = this.#texts.get(part);
    const written = known ?? { part, kind: kind ?? 'text', told: 0, raw: 0, context: '', rest: '' };
    if (kind !== undefined) written.kind = kind;
    if (!known) keepNewest(this.#texts.set(part, written), mostKnown);
    return written;
  }

  #text(written: Written, text: string): void {
    if (this.#current !== written) this.flush();
    this.#current = written;
    written.rest += text;
    written.raw += text.length;
    this.#timer ??= setTimeout(() => this.#pass(false), everyMs);
  }

  /**
   * Events get lost, and another process may have heard the first ones: then the text is told again. A prompt
   * is a part too, which nobody writes.
   */
  #whole(written: Written, text: string): void {
    if (written.raw === 0 || text.trimEnd().length <= written.raw) return;
    Object.assign(written, { told: 0, raw: 0, context: '', rest: '' });
    this.#text(written, text);
    this.flush();
  }

  #pass(isEnd: boolean): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const written = this.#current;
    if (!written) return;
    const { part, kind, context, rest } = written;
    const words = Math.max(rest.lastIndexOf(' '), rest.lastIndexOf('\n')) + 1;
    const end = isEnd || (words === 0 && rest.length > longestWord) ? rest.length : words;
    if (end === 0) return;
    const clean = pieceWithoutSecrets(context, rest.slice(0, end));
    written.context = contextOf(context + rest.slice(0, end));
    written.rest = rest.slice(end);
    for (let at = 0; at < clean.length; at += longestPiece) {
      const text = clean.slice(at, at + longestPiece);
      this.#tell({ kind, text, part, offset: written.told });
      written.told += text.length;
    }
  }
}

/** Before a secret stand a few words at most, but a private key has many lines. */
const fewWords = 300;

function contextOf(text: string): string {
  const key = text.lastIndexOf('-----BEGIN ');
  return key >= 0 && text.length - key < secretContext ? text.slice(key) : text.slice(-fewWords);
}

type State = NonNullable<Extract<SessionEvent, { kind: 'part' }>['part']['state']>;

const longestText = 2_000;
const longestOutput = 4_000;
const mostTodos = 50;
const longestTodo = 300;

const states: Readonly<Record<string, ToolCall['state']>> = { completed: 'done', error: 'failed' };
/** The fields of inputs that say what a call is about, the most telling first. */
const telling = ['pattern', 'url', 'query', 'description', 'name', 'subagent_type'];

/** A tool call as people read it. Only paths in the folder become paths. */
function toolCall(tool: string, state: State, directory: string): ToolCall {
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
