import {
  type Imported,
  type ImportedSource,
  type ImportedTask,
  importedOf,
  type SourceFile,
} from './imported.ts';
import { checkItem, headingOf, idsIn, joinedLines, markdownLines, titleOfName } from './markdownLines.ts';
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

const storyHeading = /^User Story (\d+)\s*[-–—:]?\s*(.*)$/iu;
const named = /^\s*[-*+]\s+\*\*([A-Z]{1,6}-\d{1,5}[a-z]?)(?:\*\*\s*:?|:\*\*)\s*(.*)$/u;
const scenarios = /^\*\*Acceptance (?:Scenarios|Criteria)(?:\*\*:?|:\*\*)\s*$/iu;

function readSpec(text: string): Pick<Imported, 'title' | 'description' | 'requirements'> {
  let title = '';
  const rest: string[] = [];
  const stories = new RequirementLines();
  const requirements = new RequirementLines();
  let open: RequirementLines | undefined;
  for (const { text: line, isCode } of markdownLines(text)) {
    const heading = isCode ? undefined : headingOf(line);
    const [, id, words = ''] = (isCode ? null : named.exec(line)) ?? [];
    const [, number, story = ''] = (heading && storyHeading.exec(heading.text)) ?? [];
    if (number !== undefined) {
      stories.open(`US${number}`, story);
      open = stories;
    } else if (id !== undefined) {
      requirements.open(id, '', [words]);
      open = requirements;
    } else if (heading) {
      open = undefined;
      if (heading.level === 1 && title === '')
        title = heading.text.replace(/^Feature Specification:\s*/iu, '');
      else rest.push(line);
    } else if (open === stories && scenarios.test(line.trim())) stories.openCriteria();
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

const taskId = /\bT\d{2,5}[a-z]?\b/gu;

function readTasks(
  file: SourceFile | undefined,
): Pick<ImportedSource, 'notUnderstood'> & { readonly tasks: ImportedTask[]; readonly rest: string } {
  const tasks: ImportedTask[] = [];
  const rest: string[] = [];
  const notUnderstood: ImportedSource['notUnderstood'] = [];
  const known = new Map<string, ImportedTask>();
  let below: ImportedTask | undefined;
  for (const { number, text: line, isCode } of markdownLines(file?.text ?? '')) {
    const item = isCode ? undefined : checkItem(line);
    const [, id, marks = '', words = ''] =
      (item && /^(T\d{2,5}[a-z]?)\b:?\s*((?:\[[^\]]{1,20}\]\s*)*)(.*)$/u.exec(item.text)) ?? [];
    if (item && id !== undefined) {
      const text = words.trim();
      below = {
        id,
        title: text,
        text: '',
        done: item.done,
        dependsOn: dependenciesIn(text),
        requirements: idsIn(marks, /\bUS\d+\b/gu),
      };
      tasks.push(below);
      if (!known.has(id)) known.set(id, below);
      continue;
    }
    if (item && file) notUnderstood.push({ where: `${file.path}:${String(number)}`, text: line.trim() });
    if (below && /^\s+\S/u.test(line)) {
      below.text += `\n${line.trim()}`;
      below.dependsOn.push(...dependenciesIn(line));
      continue;
    }
    if (line.trim() !== '') below = undefined;
    const [, one = '', others = ''] =
      (isCode
        ? null
        : /\b(T\d{2,5}[a-z]?)\b[`*]*\s+(?:depends on|requires|needs|after)\s+(.*)$/iu.exec(line)) ?? [];
    const task = known.get(one);
    task?.dependsOn.push(...idsIn(others, taskId));
    rest.push(line);
  }
  for (const task of tasks) {
    task.text = joinedLines([task.text]);
    task.dependsOn = [...new Set(task.dependsOn)];
  }
  return { tasks, rest: withoutTitle(joinedLines(rest)), notUnderstood };
}

function dependenciesIn(text: string): string[] {
  const found =
    /(?:depends on|requires|after|blocked by):?\s+((?:T\d{2,5}[a-z]?(?:\s*(?:,|and|&)\s*)*)+)/iu.exec(text);
  return found ? idsIn(found[1] ?? '', taskId) : [];
}

function withoutTitle(text: string): string {
  return text.replace(/^# .*\n*/u, '');
}
