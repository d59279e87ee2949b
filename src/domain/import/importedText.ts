import { cleanedText, longestDescription } from '../description/ticketText.ts';
import { type Imported, importFormats, type ImportedRequirement, type ImportedTask } from './imported.ts';

const longestTitle = 200;
const mostLinks = 50;

/**
 * Title and description of a ticket for an imported one. Requirements keep their ids, criteria their words;
 * open tasks keep their dependencies, and done ones are counted.
 */
export function importedText(given: Imported): { readonly title: string; readonly description: string } {
  const title = plainLine(given.title) || plainLine(given.files[0] ?? '') || given.path;
  const open = given.tasks.filter(({ done }) => !done);
  const done = given.tasks.filter((task) => task.done);
  const doneIds = new Set(done.map(({ id }) => id));
  const isDone = (id: string): boolean => doneIds.has(id);
  const description = [
    ...(title.length > longestTitle ? [title] : []),
    given.description.trim(),
    section('Requirements', given.requirements.map(requirementText), requirementsHint),
    section(
      'Open tasks',
      open.map((task) => taskText(task, isDone)),
      tasksHint,
    ),
    done.length === 0 ? '' : `Done in the source, and left out: ${String(done.length)} (${idList(done)}).`,
    given.dependsOn.length === 0 ? '' : `Depends on: ${given.dependsOn.map(plainLine).join(', ')}.`,
    sourceText(given),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
  const lines = description.replaceAll('\0', '').replaceAll(/\r\n?/gu, '\n');
  return {
    title: stored(title.length > longestTitle ? `${title.slice(0, longestTitle - 1)}…` : title),
    description: stored(bounded(cleanedText(lines).text)),
  };
}

/** Halves of characters, as a cut leaves them, are stored as U+FFFD: a comparison has to find the same. */
function stored(text: string): string {
  return text.toWellFormed();
}

const requirementsHint =
  'Each requirement keeps its ID, and each criterion its words: a user story names the ID in its title.';
const tasksHint = 'Each task is a draft of a bead. It follows the tasks that it names after “after”.';

function section(title: string, items: readonly string[], hint: string): string {
  return items.length === 0 ? '' : `## ${title}\n\n${hint}\n\n${items.join('\n')}`;
}

function requirementText({ id, title, text, criteria }: ImportedRequirement): string {
  const head = [title, ...(title === '' || text === '' ? [text] : [])].join('');
  return [
    item('- ', `**${plainLine(id)}**: ${head}`),
    ...(title !== '' && text !== '' ? [indented(text, 2)] : []),
    ...criteria.map((one) =>
      item('  - ', `**${plainLine(one.id)}**: ${one.text}${one.met ? ' (met in the source)' : ''}`),
    ),
  ].join('\n');
}

function taskText(
  { id, title, text, dependsOn, requirements }: ImportedTask,
  isDone: (id: string) => boolean,
): string {
  const after = dependsOn.map((one) => `${plainLine(one)}${isDone(one) ? ' (done)' : ''}`);
  const notes = [
    ...(after.length === 0 ? [] : [`after ${after.join(', ')}`]),
    ...(requirements.length === 0 ? [] : [`for ${requirements.map(plainLine).join(', ')}`]),
  ];
  const words = `**${plainLine(id)}**: ${title}${notes.length === 0 ? '' : ` [${notes.join('; ')}]`}`;
  return [item('- ', words), ...(text.trim() === '' ? [] : [indented(text.trim(), 2)])].join('\n');
}

function sourceText({ format, path, id, files }: Imported): string {
  const links = files
    .slice(0, mostLinks)
    .map((file) => `[${plainLine(file)}](<${encodeURI(plainLine(file))}>)`);
  const more = files.length > mostLinks ? ` and ${String(files.length - mostLinks)} more` : '';
  const named = id === '' || format === 'todo' ? '' : `, ${plainLine(id)}`;
  return `Imported from ${importFormats[format]}${named}: ${(links.length > 0 ? links : [plainLine(path)]).join(', ')}${more}.`;
}

function idList(tasks: readonly ImportedTask[]): string {
  const ids = tasks.slice(0, mostLinks).map(({ id }) => plainLine(id));
  return [...ids, ...(tasks.length > mostLinks ? ['…'] : [])].join(', ');
}

function item(mark: string, text: string): string {
  const [first = '', ...others] = text.split('\n');
  return [`${mark}${first}`, ...others.map((line) => indented(line, mark.length))].join('\n');
}

function indented(text: string, by: number): string {
  return text.replaceAll(/^(?=.)/gmu, ' '.repeat(by));
}

function plainLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

const cut = '\n\n[The rest of the source doesn’t fit into a ticket: see the linked files.]';

function bounded(text: string): string {
  return text.length <= longestDescription ? text : text.slice(0, longestDescription - cut.length) + cut;
}
