import * as z from 'zod';
import { isRulesFile } from '../../context/repositoryRules.ts';
import { RelevantFile, type RelevantFiles, RelevantFilesResult, relevantFilesDocument } from '../../domain/documents/relevantFiles.ts';
import { timeoutMs } from '../../domain/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { HandlerDefinition, StepIo } from '../../engine/run/run.ts';
import { yamlText } from '../shared/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { ticketParts, takeUserContext } from '../shared/ask/ticketParts.ts';
import { rulesFilesOf } from '../shared/repositoryRules.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';

/**
 * SCANNING_RELEVANT_FILES: the main implementer names the files that matter; later phases see this list instead of the repository
 * (docs/decisions/017-relevant-files.md).
 */
export const scanRelevantFiles: HandlerDefinition<'ready'> = {
  version: 1,
  run: async (run, ticket) => {
    const { settings, worktree } = ticketParts(ticket);
    const sections = await takeUserContext(run, ticket);
    const File = RelevantFile.extend({ path: z.preprocess((path) => tidyPath(path, worktree), RelevantFile.shape.path) });
    const schema = RelevantFilesResult.extend({ files: z.array(File).max(30) });
    await ask(run, ticket, {
      key: 'scan',
      contextKey: 'relevant_files_scan',
      prompt: 'relevant-files-scan',
      member: settings.mainImplementer,
      sections,
      parse: parseStructured({ tag: 'RELEVANT_FILES_RESULT', schema }),
      result: RelevantFilesResult,
      activeMs: timeoutMs(run.limits.councilResponseTimeout),
      accept: (io, result) => record(io, ticket, worktree, result.files),
    });
    return { exit: 'ready' };
  },
};

async function record(io: StepIo, ticket: TicketSnapshot, worktree: string, found: readonly RelevantFile[]): Promise<void> {
  const there: RelevantFile[] = [];
  for (const file of found) {
    if (file.likely_action === 'create' || (await io.ports.files.exists(worktree, file.path))) there.push(file);
  }
  // What a rules file says reaches the calls that it is for, and no other one.
  const files = capped(there).map((file) => (isRulesFile(file.path) ? { ...file, content_preview: '' } : file));
  const document: RelevantFiles = {
    schema_version: 1,
    ticket_id: ticket.id,
    artifact: relevantFilesDocument.kind,
    file_count: files.length,
    rules_files: await rulesPaths(io, ticket, files),
    files,
  };
  const content = yamlText(document);
  io.save({ type: 'artifact', artifact: relevantFilesDocument.kind, content, status: ticket.status, attempt: ticket.attempt });
}

async function rulesPaths(io: StepIo, { baseCommit }: TicketSnapshot, files: readonly RelevantFile[]): Promise<string[]> {
  if (baseCommit === null) return [];
  const places = await rulesFilesOf(
    io,
    baseCommit,
    files.map(({ path }) => path),
  );
  return places.map(({ path }) => path);
}

/** The most characters of reasons and previews together (docs/decisions/017-relevant-files.md). */
const longestScan = 160_000;
const rank = { high: 0, medium: 1, low: 2 } as const;

/**
 * Keeps what fits: the least relevant files are dropped first, and of equally relevant ones the later. The others keep their order. Repeated paths
 * count once.
 */
export function capped(files: readonly RelevantFile[], most: number = longestScan): RelevantFile[] {
  const unique = files.filter((file, index) => files.findIndex((other) => other.path === file.path) === index);
  const byValue = unique.toSorted((a, b) => rank[a.relevance] - rank[b.relevance]);
  const kept = new Set<RelevantFile>();
  let size = 0;
  for (const file of byValue) {
    size += file.rationale.length + file.content_preview.length;
    if (size > most) break;
    kept.add(file);
  }
  return unique.filter((file) => kept.has(file));
}

/** A path as models write it: without `./`, and without the worktree in front. */
function tidyPath(path: unknown, worktree: string): unknown {
  if (typeof path !== 'string') return path;
  const inside = path.startsWith(`${worktree}/`) ? path.slice(worktree.length + 1) : path;
  return inside.trim().replace(/^(?:\.\/)+/, '');
}
