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
import { TaskOrder } from './taskOrder.ts';

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
