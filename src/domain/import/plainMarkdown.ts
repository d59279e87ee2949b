import { cleanedText, titleFrom } from '../description/ticketText.ts';
import { type ImportedSource, type ImportedTask, importedOf, type SourceFile } from './imported.ts';
import { isCriteriaTitle } from './knownHeadings.ts';
import { checkItem, headingOf, joinedLines, markdownLines } from './markdownLines.ts';
import { RequirementLines } from './requirementLines.ts';

/**
 * A Markdown file without a format of its own. Checkboxes are tasks; a list below "Acceptance criteria" holds
 * criteria.
 */
export function readMarkdown({ path, text }: SourceFile): ImportedSource {
  const title = titleFrom(cleanedText(text).text, { prefer: 'heading' });
  const requirements = new RequirementLines();
  const tasks: ImportedTask[] = [];
  const rest: string[] = [];
  let level = 0;
  let inCriteria = false;
  for (const { text: line, isCode } of markdownLines(text)) {
    const heading = isCode ? undefined : headingOf(line);
    const item = isCode || inCriteria ? undefined : checkItem(line);
    if (heading && isCriteriaTitle(heading.text)) {
      requirements.open('R1', title);
      requirements.openCriteria();
      inCriteria = true;
      level = heading.level;
    } else if (heading && inCriteria && heading.level <= level) {
      inCriteria = false;
      rest.push(line);
    } else if (inCriteria) requirements.take(line, (id, at) => `${id}.AC${at}`);
    else if (item) {
      const task = { title: item.text, text: '', done: item.done, dependsOn: [], requirements: [] };
      tasks.push({ id: String(tasks.length + 1), ...task });
    } else rest.push(line);
  }
  const description = joinedLines(rest).replace(/^#\s+.*\n*/u, (line) => (line.includes(title) ? '' : line));
  const ticket = importedOf({
    format: 'markdown',
    path,
    title,
    description,
    requirements: requirements.found,
    tasks,
  });
  return { tickets: [ticket], done: 0, notUnderstood: [] };
}
