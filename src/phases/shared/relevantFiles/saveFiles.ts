import type { RelevantFile, RelevantFiles } from '../../../domain/documents/relevantFiles.ts';
import { relevantFilesDocument } from '../../../domain/documents/relevantFiles.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { yamlText } from '../ticket/artifacts.ts';
import type { Kept } from './keepFiles.ts';
import { rulesFilesOf } from '../ask/repositoryRules.ts';

/**
 * Stages a new version of the list, with the rules files that apply to it. `place`: the status and the
 * attempt that it is filed under.
 */
export async function saveFiles(
  io: StepIo,
  ticket: TicketSnapshot,
  { files, notes }: Kept,
  place: Pick<TicketSnapshot, 'status' | 'attempt'>,
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
  const { status, attempt } = place;
  io.save({
    type: 'artifact',
    artifact: relevantFilesDocument.kind,
    content: yamlText(document),
    status,
    attempt,
  });
}

async function rulesPaths(
  io: StepIo,
  { baseCommit }: TicketSnapshot,
  files: readonly RelevantFile[],
): Promise<string[]> {
  if (baseCommit === null) return [];
  const places = await rulesFilesOf(
    io,
    baseCommit,
    files.map(({ path }) => path),
  );
  return places.map(({ path }) => path);
}
