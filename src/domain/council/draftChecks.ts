import { missingFor } from './commandChecks.ts';
import { filesMissing, filesNamed, type RepositoryFiles } from './repositoryFiles.ts';

/**
 * The parts of a draft that are checked: the commands that it wants to be run, all its other texts, and the
 * problems of its ids that are already known.
 */
interface CheckedDraft {
  readonly commands: readonly string[];
  readonly texts: readonly string[];
  readonly holes: readonly string[];
}

/** So many items of a kind are named; the others are counted. */
const mostNamed = 15;

/**
 * Returns the problems of a draft that can be seen without a model
 * (docs/decisions/097-votes-give-reasons.md): commands that the repository doesn't have, files that aren't
 * there, criteria and ids that lead nowhere. A sentence each; none if nothing was found. Nothing here refuses
 * a draft: a file may be meant as new.
 */
export function draftChecks(draft: CheckedDraft, files: RepositoryFiles): readonly string[] {
  if (files.paths.length === 0) return draft.holes.slice(0, mostNamed);
  const commands = [...new Set(draft.commands)].flatMap((command) => {
    const problem = missingFor(command, files);
    return problem === '' ? [] : [`“${short(command)}” (${problem})`];
  });
  const absent = filesMissing([...new Set([...draft.texts, ...draft.commands].flatMap(filesNamed))], files);
  return [
    ...(commands.length === 0 ? [] : [`Commands that the repository doesn't have: ${listed(commands)}.`]),
    ...(absent.length === 0
      ? []
      : [`Files that the repository doesn't have, unless they are meant as new: ${listed(absent)}.`]),
    ...draft.holes.slice(0, mostNamed),
    ...(draft.holes.length > mostNamed ? [`And ${draft.holes.length - mostNamed} more of that kind.`] : []),
  ];
}

function listed(items: readonly string[]): string {
  const named = items.slice(0, mostNamed).join(', ');
  return items.length > mostNamed ? `${named}, and ${items.length - mostNamed} more` : named;
}

function short(command: string): string {
  const line = command.replace(/\s+/g, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
