import type { ImportedTask } from './imported.ts';

const id = '[*`]{0,3}T\\d{2,5}[a-z]?[*`]{0,3}';
const between = '\\s{0,3}(?:,|;|&|/|[-–—]|\\band\\b|\\bto\\b|\\bthrough\\b)?\\s{0,3}(?:\\band\\b\\s{1,3})?';
const list = `((?:${id}${between})+)`;
const verbs = {
  after: 'depends? on|depends|dependencies|prerequisites?|requires?|needs?|after|blocked by|waits for',
  before: 'blocks?|before',
} as const;
const after = new RegExp(`\\b(?:${verbs.after})\\b\\s{0,3}:?\\s{0,3}${list}`, 'giu');
const before = new RegExp(`\\b(?:${verbs.before})\\b\\s{0,3}:?\\s{0,3}${list}`, 'giu');
const verb = new RegExp(`\\s(?:(${verbs.after})|(${verbs.before}))\\b|(→|⇒|-{1,2}>|=>)`, 'giu');

/** Pairs of a task and one that it follows, and tasks of a range; more of them stay in the notes. */
const mostPairs = 200_000;
const mostInRange = 1_000;

/** Collects in which order tasks of Spec Kit are done, from their own lines and the notes below them. */
export class TaskOrder {
  readonly #pairs: (readonly [first: string, second: string])[] = [];

  /** Takes what a task's own line says, such as `(depends on T012, T013)`. */
  ofTask(task: string, text: string): void {
    for (const [, ids = ''] of text.matchAll(after)) this.#pairs.push([ids, task]);
    for (const [, ids = ''] of text.matchAll(before)) this.#pairs.push([task, ids]);
  }

  /** A line of the notes, such as `Tests (T004-T007) before implementation (T008-T014)`. */
  ofNote(line: string): void {
    let start = 0;
    let said: 'after' | 'before' | undefined;
    let left = '';
    for (const match of [...line.matchAll(verb), undefined]) {
      const part = line.slice(start, match?.index);
      if (said === 'before') this.#pairs.push([left, part]);
      else if (said === 'after') this.#pairs.push([part, left]);
      if (!match) return;
      left = part;
      start = match.index + match[0].length;
      said = match[1] === undefined ? 'before' : 'after';
    }
  }

  /** Adds the dependencies to the tasks. */
  applyTo(tasks: readonly ImportedTask[]): void {
    const known = new Map<string, { readonly task: ImportedTask; readonly before: Set<string> }>();
    const byNumber = new Map<number, string[]>();
    for (const task of tasks) {
      if (known.has(task.id)) continue;
      known.set(task.id, { task, before: new Set(task.dependsOn) });
      const number = numberOf(task.id);
      byNumber.set(number, [...(byNumber.get(number) ?? []), task.id]);
    }
    let left = mostPairs;
    for (const [first, second] of this.#pairs) {
      const [firsts, seconds] = [idsIn(first, byNumber), idsIn(second, byNumber)];
      left -= firsts.length * seconds.length + firsts.length + seconds.length;
      if (left < 0) break;
      for (const one of seconds)
        for (const other of firsts) if (one !== other) known.get(one)?.before.add(other);
    }
    for (const { task, before: all } of known.values()) task.dependsOn = [...all];
  }
}

/** Ids of a text, each once. `T003-T007` stands for those of the tasks that lie between. */
function idsIn(text: string, tasks: ReadonlyMap<number, readonly string[]>): readonly string[] {
  const found = new Set<string>();
  const pattern = /(T\d{2,5}[a-z]?)[*`]*(?:\s?(?:[-–—]|to|through)\s?[*`]*(T\d{2,5}))?/gu;
  for (const [, from = '', to] of text.matchAll(pattern)) {
    const last = to === undefined ? -1 : Math.min(numberOf(to), numberOf(from) + mostInRange);
    if (last < 0) found.add(from);
    for (let number = numberOf(from); number <= last; number += 1)
      for (const one of tasks.get(number) ?? []) found.add(one);
  }
  return [...found];
}

function numberOf(task: string): number {
  return Number.parseInt(task.slice(1), 10);
}
