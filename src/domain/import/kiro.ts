import * as z from 'zod';
import { jsonOf } from '../../base/json.ts';
import { type ImportedSource, type ImportedTask, importedOf, type SourceFile } from './imported.ts';
import {
  checkItem,
  headingOf,
  idsIn,
  indentOf,
  joinedLines,
  markdownLines,
  titleOfName,
} from './markdownLines.ts';
import { isCriteriaTitle, requirementTitle } from './knownHeadings.ts';
import { RequirementLines } from './requirementLines.ts';
import { nameOf } from './sourceNames.ts';
import { part } from './specKit.ts';

/** A specification of Kiro: `.kiro/specs/NAME/` with requirements.md or bugfix.md, design.md and tasks.md. */
export function readKiro(folder: string, files: readonly SourceFile[]): ImportedSource {
  const fileOf = (name: string): SourceFile | undefined => files.find(({ path }) => nameOf(path) === name);
  const asked = fileOf('requirements.md') ?? fileOf('bugfix.md');
  const { requirements, rest } = readRequirements(asked?.text ?? '');
  const { tasks, rest: notes, notUnderstood } = readTasks(fileOf('tasks.md'));
  const ticket = importedOf({
    format: 'kiro',
    path: folder,
    title: titleOfName(folder),
    description: joinedLines([
      rest,
      ...part('Design', fileOf('design.md')?.text ?? ''),
      ...part('Notes on the tasks', notes),
    ]),
    requirements,
    tasks,
    files: files.map(({ path }) => path),
  });
  return { tickets: [ticket], done: 0, notUnderstood };
}

type Criterion = RequirementLines['found'][number]['criteria'][number];

/** A clause of a bugfix, or a criterion that says its whole number itself. */
const clause = /^(\s*)(?:[-*+]\s+)?(?:\*\*)?(\d{1,4})\.(\d{1,4})\.?(?:\*\*)?[.:]?\s+(\S.*)$/u;

function readRequirements(text: string): {
  readonly requirements: RequirementLines['found'];
  readonly rest: string;
} {
  const rest: string[] = [];
  const requirements = new RequirementLines();
  let open: string | undefined;
  // Clauses of a bugfix are below any heading.
  const clauses = new Map<string, { title: string; criteria: Criterion[] }>();
  let last: Criterion | undefined;
  let section = '';
  for (const { text: line, isCode } of markdownLines(text)) {
    const heading = isCode ? undefined : headingOf(line);
    const requirement = heading && heading.level >= 3 ? requirementTitle(heading.text) : undefined;
    const [, indent = '', of = '', at = '', words = ''] = (isCode ? null : clause.exec(line)) ?? [];
    if (requirement) {
      requirements.open(requirement.number, requirement.title);
      open = requirement.number;
    } else if (
      open !== undefined &&
      isCriteriaTitle(heading?.text ?? (line.trim().startsWith('**') ? line : ''))
    )
      requirements.openCriteria();
    else if (open !== undefined && (!heading || heading.level > 3))
      requirements.take(of === open ? `${indent}${at}. ${words}` : line, (one, number) => `${one}.${number}`);
    else if (of !== '') {
      const known = clauses.get(of) ?? { title: section, criteria: [] };
      last = { id: `${of}.${at}`, text: words, met: false };
      known.criteria.push(last);
      clauses.set(of, known);
    } else if (last && !heading && line.trim() !== '') last.text += `\n${line.trim()}`;
    else {
      open = undefined;
      last = undefined;
      if (heading) section = heading.text;
      if (!heading || (heading.level > 1 && !/^Requirements$/iu.test(heading.text))) rest.push(line);
    }
  }
  const others = [...clauses].map(([id, { title, criteria }]) => ({ id, title, text: '', criteria }));
  return { requirements: [...requirements.found, ...others], rest: joinedLines(rest) };
}

const reference = /\d{1,3}(?:\.\d{1,3})*/gu;

function readTasks(
  file: SourceFile | undefined,
): Pick<ImportedSource, 'notUnderstood'> & { readonly tasks: ImportedTask[]; readonly rest: string } {
  const tasks: ImportedTask[] = [];
  const rest: string[] = [];
  const notUnderstood: ImportedSource['notUnderstood'] = [];
  let below: { readonly task: ImportedTask; readonly indent: number } | undefined;
  for (const { number, text: line, isCode } of markdownLines(file?.text ?? '')) {
    // Formatters escape the star of an optional task.
    const item = isCode ? undefined : checkItem(line.replace(/\]\\?\*\s/u, '] *'));
    const [, optional = '', id, words = ''] =
      (item && /^(\*?)\s*(\d{1,3}(?:\.\d{1,3})*)\.?\s+(\S.*)$/u.exec(item.text)) ?? [];
    if (item && id !== undefined) {
      const task: ImportedTask = {
        id,
        title: optional === '' ? words : `${words} (optional)`,
        text: '',
        done: item.done,
        dependsOn: [],
        requirements: [],
      };
      tasks.push(task);
      below = { task, indent: item.indent };
    } else if (below && (indentOf(line) > below.indent || line.trim() === ''))
      addTo(below.task, line, isCode);
    else {
      if (item && file) notUnderstood.push({ where: `${file.path}:${String(number)}`, text: line.trim() });
      below = undefined;
      rest.push(line);
    }
  }
  for (const task of tasks) {
    task.text = joinedLines([task.text]);
    task.requirements = [...new Set(task.requirements)];
    task.dependsOn = [...new Set(task.dependsOn)];
  }
  const text = joinedLines(rest).replace(/^# .*\n*/u, '');
  addWaves(tasks, text);
  return { tasks, rest: text, notUnderstood };
}

function addTo(task: ImportedTask, line: string, isCode: boolean): void {
  if (isCode) {
    task.text += `\n${line.trim()}`;
    return;
  }
  // Long spaces would be tried at every length.
  const words = line.replaceAll(/\s{3,}/gu, '  ');
  const before = /_(?:Depends(?: on)?|Dependencies|Prerequisites?)\s*[:：]\s*(.*?)_\s*$/iu.exec(words);
  // In any language: what is between underscores and names nothing but numbers.
  const named = before ? null : (/_Requirements?:\s*(.*?)_\s*$/iu.exec(words) ?? numbersOnly.exec(words));
  const validated = /\*\*Validates:?\s*(?:\*\*)?\s*Requirements?:?\s*(.*)$/iu.exec(words);
  task.requirements.push(...numbersIn((named ?? validated)?.[1] ?? ''));
  task.dependsOn.push(...numbersIn(before?.[1] ?? ''));
  const saysMore = (before ?? named) && /\p{L}/u.test((before ?? named)?.[1] ?? '');
  if ((!before && !named) || saysMore === true) task.text += `\n${line.trim()}`;
}

const numbersOnly = /_\p{L}[\p{L}\s'’]{0,40}[:：]([\d\s.,;、，–-]+)_\s*$/u;
/** In the ranges of a line. */
const mostInRange = 500;

/** Numbers of a text, each once; `1.2-1.4` stands for three. */
function numbersIn(text: string): readonly string[] {
  let left = mostInRange;
  const wide = text.replaceAll(
    /(\d{1,3}\.)(\d{1,3})\s?[-–]\s?(?:\1)?(\d{1,3})(?![\d.])/gu,
    (whole, of: string, from: string, to: string) => {
      const length = Number(to) - Number(from) + 1;
      left -= Math.max(length, 1);
      if (length < 1 || left < 0) return whole;
      return Array.from({ length }, (_, place) => `${of}${String(Number(from) + place)}`).join(', ');
    },
  );
  return idsIn(wide, reference);
}

const Waves = z.object({ waves: z.array(z.object({ tasks: z.array(z.string()).max(5_000) })).max(1_000) });

/** A graph of waves: the tasks of one wave follow those of the wave before it. */
function addWaves(tasks: readonly ImportedTask[], notes: string): void {
  const blocks = [...notes.matchAll(/```json[ \t]*\n([^`]*)```/gu)].map(([, block = '']) => block);
  const json = blocks.find((block) => block.includes('"waves"')) ?? '';
  const read = Waves.safeParse(jsonOf(json));
  if (!read.success) return;
  const { waves } = read.data;
  const known = new Map(tasks.map((task) => [task.id, task]));
  let left = mostWaits;
  for (const [place, wave] of waves.entries()) {
    const before = waves[place - 1]?.tasks ?? [];
    left -= wave.tasks.length * before.length;
    // The graph stays in the notes on the tasks.
    if (left < 0) return;
    for (const id of before.length > 0 ? wave.tasks : []) {
      const task = known.get(id);
      if (task) task.dependsOn = [...new Set([...task.dependsOn, ...before])];
    }
  }
}

/** Pairs of a task and one that it waits for. */
const mostWaits = 100_000;
