import { keepNewest } from '../../base/keepNewest.ts';
import type { AgentActivity } from '../../engine/ports/ports.ts';
import type { SessionEvent } from './client/eventHub.ts';

const everyMs = 100;
/**
 * Number of parts that are remembered, the newest ones, however long a call takes: events about a part arrive
 * close together.
 */
const mostKnown = 500;

/**
 * Reports what a model is doing, at most ten times a second for text: streams can bring thousands of pieces.
 */
export class ActivityFeed {
  readonly #tell: (activity: AgentActivity) => void;
  readonly #kinds = new Map<string, 'text' | 'reasoning'>();
  readonly #told = new Set<string>();
  #buffer: { kind: 'text' | 'reasoning'; text: string } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (activity: AgentActivity) => void) {
    this.#tell = tell;
  }

  add(event: SessionEvent): void {
    if (event.kind === 'delta') this.#text(this.#kinds.get(event.part) ?? 'text', event.text);
    if (event.kind !== 'part') return;
    const { id, type, tool, callID, state } = event.part;
    if (type === 'text' || type === 'reasoning') keepNewest(this.#kinds.set(id, type), mostKnown);
    if (tool === undefined || state === undefined) return;
    const key = `${callID ?? id} ${state.status}`;
    if (this.#told.has(key)) return;
    keepNewest(this.#told.add(key), mostKnown);
    this.flush();
    this.#tell({ kind: 'tool', tool, state: state.status, title: state.title ?? '' });
  }

  retry(attempt: number, message: string): void {
    const key = `retry ${attempt} ${message}`;
    if (this.#told.has(key)) return;
    keepNewest(this.#told.add(key), mostKnown);
    this.flush();
    this.#tell({ kind: 'retry', attempt, message });
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const buffer = this.#buffer;
    this.#buffer = undefined;
    if (buffer) this.#tell(buffer);
  }

  #text(kind: 'text' | 'reasoning', text: string): void {
    if (this.#buffer?.kind !== kind) this.flush();
    this.#buffer ??= { kind, text: '' };
    this.#buffer.text += text;
    this.#timer ??= setTimeout(() => this.flush(), everyMs);
  }
}
