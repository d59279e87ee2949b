import {
  type RelevantFile,
  type RelevantFiles,
  relevantFilesDocument,
} from '../../../domain/documents/relevantFiles.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { artifactChange, type Place, yamlText } from '../ticket/artifacts.ts';
import { rulesFilesOf } from '../ask/repositoryRules.ts';
import { isRulesFile } from '../../../context/repositoryRules.ts';

export async function saveFiles(
  io: StepIo,
  ticket: TicketSnapshot,
  { files, notes }: Kept,
  place: Place,
): Promise<void> {
  const document: RelevantFiles = {
    schema_version: 1,
    ticket_id: ticket.id,
    artifact: relevantFilesDocument.kind,
    file_count: files.length,
    rules_files: await rulesPaths(io, ticket, files),
    files: [...files],
    notes: [...notes],
  };
  io.save(artifactChange(place, relevantFilesDocument.kind, yamlText(document)));
}

async function rulesPaths(
  io: StepIo,
  { baseCommit }: TicketSnapshot,
  files: readonly RelevantFile[],
): Promise<string[]> {
  if (baseCommit === null) return [];
  const paths = files.map(({ path }) => path);
  return (await rulesFilesOf(io, baseCommit, paths)).map(({ path }) => path);
}

export interface Kept {
  readonly files: readonly RelevantFile[];
  readonly notes: readonly string[];
}

/** Files, and characters of reasons and previews (docs/decisions/017-relevant-files.md). */
const mostFiles = 30;
const longestScan = 160_000;
const rank = { high: 0, medium: 1, low: 2 } as const;

export async function keepFiles(io: StepIo, worktree: string, found: readonly RelevantFile[]): Promise<Kept> {
  const notes: string[] = [];
  const there: RelevantFile[] = [];
  for (const file of found) {
    const problem = await problemOf(io, worktree, file);
    if (problem !== undefined) notes.push(problem);
    // A rules file's text reaches the calls that it is for, and no other one.
    else there.push(isRulesFile(file.path) ? { ...file, content_preview: '' } : file);
  }
  const files = capped(there);
  for (const file of there) {
    const keptOne = files.find(({ path }) => path === file.path);
    if (!keptOne) notes.push(`${file.path} was left out, because the list was too long.`);
    else if (keptOne !== file) notes.push(`${file.path} was listed more than once; the first entry counts.`);
  }
  return { files, notes };
}

async function problemOf(
  io: StepIo,
  worktree: string,
  { path, likely_action }: RelevantFile,
): Promise<string | undefined> {
  try {
    if (likely_action === 'create' || (await io.ports.files.exists(worktree, path))) return undefined;
    return `${path} was left out, because there is no such file.`;
  } catch {
    return `${path} was left out, because it leads out of the repository.`;
  }
}

/** Without the least relevant and later files. Repeated paths count once. */
export function capped(files: readonly RelevantFile[], most: number = longestScan): RelevantFile[] {
  const unique = files.filter(
    (file, index) => files.findIndex((other) => other.path === file.path) === index,
  );
  const byValue = unique.toSorted((a, b) => rank[a.relevance] - rank[b.relevance]);
  const kept = new Set<RelevantFile>();
  let size = 0;
  for (const file of byValue.slice(0, mostFiles)) {
    size += file.rationale.length + file.content_preview.length;
    if (size > most) break;
    kept.add(file);
  }
  return unique.filter((file) => kept.has(file));
}
