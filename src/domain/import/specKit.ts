import {
  type Imported,
  type ImportedSource,
  type ImportedTask,
  importedOf,
  type SourceFile,
} from './imported.ts';
import { checkItem, headingOf, idsIn, joinedLines, markdownLines, titleOfName } from './markdownLines.ts';
import { isCriteriaTitle, storyTitle } from './knownHeadings.ts';
import { RequirementLines } from './requirementLines.ts';
import { nameOf } from './sourceNames.ts';

/** A feature of Spec Kit: `specs/NNN-name/` with spec.md, plan.md and tasks.md. */
export function readSpecKit(folder: string, files: readonly SourceFile[]): ImportedSource {
  const spec = textOf(files, 'spec.md');
  const plan = textOf(files, 'plan.md');
  const { title, description, requirements } = readSpec(spec);
  const { tasks, rest, notUnderstood } = readTasks(files.find(({ path }) => nameOf(path) === 'tasks.md'));
  const ticket: Imported = importedOf({
    format: 'spec-kit',
    path: folder,
    title: title === '' ? titleOfName(folder) : title,
    description: joinedLines([description, ...part('Plan', plan), ...part('Notes on the tasks', rest)]),
    requirements,
    tasks,
    files: files.map(({ path }) => path),
  });
  return { tickets: [ticket], done: 0, notUnderstood };
}

function textOf(files: readonly SourceFile[], name: string): string {
  return files.find(({ path }) => nameOf(path) === name)?.text ?? '';
}

/** A document of the source below a heading of the ticket. */
export function part(title: string, text: string): readonly string[] {
  return text.trim() === '' ? [] : ['', `## ${title}`, '', text.trim()];
}

/** `FR-001` and the like: in an item of a list or in bold, or in the first cell of a row. */
const name = '[A-Z]{1,6}(?:-[A-Z]{2,10}){0,2}-\\d{1,5}[a-z]?';
const named = new RegExp(
  `^\\s*(?:(?:[-*+]|\\d{1,3}[.)])\\s+)?\\*\\*(${name})(?:\\*\\*\\s*[:：]?|[:：]\\*\\*)\\s*(.*)$`,
  'u',
);
const plainlyNamed =
  /^\s*[-*+]\s+((?:N?FR|SC|REQ|BR|UR|TR|SR|QR)(?:-[A-Z]{2,10}){0,2}-\d{1,5}[a-z]?)[:：]\s*(.*)$/u;
const row = new RegExp(`^\\s*\\|\\s*\\*{0,2}(${name})\\*{0,2}\\s*\\|(.*)$`, 'u');

function requirementIn(line: string): { readonly id: string; readonly words: string } | undefined {
  const [, id, words = ''] = named.exec(line) ?? plainlyNamed.exec(line) ?? row.exec(line) ?? [];
  return id === undefined ? undefined : { id, words: cells(words) };
}

/** The rest of a row, without its last border. */
function cells(words: string): string {
  const text = words.trim();
  return text.endsWith('|') ? text.slice(0, -1).trimEnd() : text;
}

const primaryStory = /^Primary User Story\b/iu;

function readSpec(text: string): Pick<Imported, 'title' | 'description' | 'requirements'> {
  let title = '';
  const rest: string[] = [];
  const stories = new RequirementLines();
  const requirements = new RequirementLines();
  let open: RequirementLines | undefined;
  for (const { text: line, isCode } of markdownLines(text)) {
    const heading = isCode ? undefined : headingOf(line);
    const requirement = isCode ? undefined : requirementIn(line);
    const story = heading && storyTitle(heading.text);
    const isCriteria = isCriteriaTitle(heading?.text ?? (line.trim().startsWith('**') ? line : ''));
    if (story) {
      stories.open(`US${story.number}`, story.title);
      open = stories;
    } else if (heading && primaryStory.test(heading.text)) {
      // The first template has one story, without a number.
      stories.open('US1', heading.text);
      open = stories;
    } else if (requirement) {
      requirements.open(requirement.id, '', [requirement.words]);
      open = requirements;
    } else if (heading && isCriteria) {
      if (!stories.isOpen) stories.open('US1', title);
      stories.openCriteria();
      open = stories;
    } else if (heading) {
      open = undefined;
      if (heading.level === 1 && title === '')
        title = heading.text.replace(/^Feature Specification:\s*/iu, '');
      else rest.push(line);
    } else if (open === stories && isCriteria) stories.openCriteria();
    else if (open === stories && /^\*\*(?:Functional Requirements|Edge Cases)/iu.test(line.trim())) {
      rest.push(line);
      open = undefined;
    } else if (open === stories) stories.take(line, (one, at) => `${one}.AC${at}`);
    // What is indented below a requirement belongs to it.
    else if (open === requirements && /^\s+\S/u.test(line))
      requirements.take(line, (one, at) => `${one}.AC${at}`);
    else {
      if (line.trim() !== '') open = undefined;
      rest.push(line);
    }
  }
  return { title, description: joinedLines(rest), requirements: [...stories.found, ...requirements.found] };
}

const task = /^[*_`]{0,3}(T\d{2,5}[a-z]?)\b[*_`]{0,3}:?[*_`]{0,3}\s*((?:\[[^\]]{1,20}\]\s*)*)(.*)$/u;

function readTasks(
  file: SourceFile | undefined,
): Pick<ImportedSource, 'notUnderstood'> & { readonly tasks: ImportedTask[]; readonly rest: string } {
  const tasks: ImportedTask[] = [];
  const rest: string[] = [];
  const notUnderstood: ImportedSource['notUnderstood'] = [];
  const order = new TaskOrder();
  let below: ImportedTask | undefined;
  for (const { number, text: line, isCode } of markdownLines(file?.text ?? '')) {
    const item = isCode ? undefined : checkItem(line);
    const [, id, marks = '', words = ''] = (item && task.exec(item.text)) ?? [];
    if (item && id !== undefined) {
      const others = marks.replaceAll(/\[US\d+\]\s*/gu, '').trim();
      below = {
        id,
        title: `${others} ${words}`.trim(),
        text: '',
        done: item.done,
        dependsOn: [],
        requirements: idsIn(marks, /\bUS\d+\b/gu),
      };
      tasks.push(below);
      order.ofTask(id, words);
    } else if (below && /^\s+\S/u.test(line)) {
      below.text += `\n${line.trim()}`;
      if (!isCode) order.ofTask(below.id, line);
    } else {
      if (item && file) notUnderstood.push({ where: `${file.path}:${String(number)}`, text: line.trim() });
      if (line.trim() !== '') below = undefined;
      if (!isCode) order.ofNote(line);
      rest.push(line);
    }
  }
  for (const one of tasks) one.text = joinedLines([one.text]);
  order.applyTo(tasks);
  return { tasks, rest: withoutTitle(joinedLines(rest)), notUnderstood };
}

function withoutTitle(text: string): string {
  return text.replace(/^# .*\n*/u, '');
}

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
class TaskOrder {
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
      const [firsts, seconds] = [tasksIn(first, byNumber), tasksIn(second, byNumber)];
      left -= firsts.length * seconds.length + firsts.length + seconds.length;
      if (left < 0) break;
      for (const one of seconds)
        for (const other of firsts) if (one !== other) known.get(one)?.before.add(other);
    }
    for (const { task, before: all } of known.values()) task.dependsOn = [...all];
  }
}

/** Ids of a text, each once. `T003-T007` stands for those of the tasks that lie between. */
function tasksIn(text: string, tasks: ReadonlyMap<number, readonly string[]>): readonly string[] {
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
