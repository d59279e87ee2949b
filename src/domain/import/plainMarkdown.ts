import { cleanedText, titleFrom } from '../description/ticketText.ts';
import { type ImportedSource, type ImportedTask, importedOf, type SourceFile } from './imported.ts';
import { isCriteriaTitle } from './knownHeadings.ts';
import { checkItem, headingOf, joinedLines, listItem, markdownLines } from './markdownLines.ts';
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
  /** Of the heading of the criteria; 7 for a line of its own, such as `**Acceptance criteria**`. */
  let level: number | undefined;
  let hasItems = false;
  for (const { text: line, isCode } of markdownLines(text)) {
    const heading = isCode ? undefined : headingOf(line);
    const isTitle = !isCode && isCriteriaTitle(heading?.text ?? titleIn(line));
    const isOver =
      level !== undefined &&
      (heading ? heading.level <= level : level === lineLevel && hasItems && /^[^\s\d*+-]|^\*\*/u.test(line));
    if (isOver) level = undefined;
    const item = isCode || level !== undefined ? undefined : checkItem(line);
    if (isTitle) {
      requirements.open('R1', title);
      requirements.openCriteria();
      level = heading?.level ?? lineLevel;
      hasItems = false;
    } else if (level !== undefined) {
      hasItems ||= listItem(line) !== undefined;
      requirements.take(line, (id, at) => `${id}.AC${at}`);
    } else if (item) {
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

const lineLevel = 7;

/** The title in a line of its own, in bold or with a colon at its end. */
function titleIn(line: string): string {
  const text = line.trim();
  return /^(?:\*\*|__).*(?:\*\*|__)\s*[:：]?$|[:：]$/u.test(text) ? text : '';
}
