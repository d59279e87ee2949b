import * as z from 'zod';
import { RelevantFile, type RelevantFiles, RelevantFilesResult } from '../../domain/relevantFiles.ts';
import { timeoutMs } from '../../domain/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { HandlerDefinition, StepIo } from '../../engine/run.ts';
import { ask } from '../ask.ts';
import { ticketParts } from '../execution/ticketParts.ts';
import { parseStructured } from '../structured/parseStructured.ts';
import { takeUserContext } from '../takeUserContext.ts';
import { yamlText } from '../yamlText.ts';
import { capped, tidyPath } from './cleanFiles.ts';

/** SCANNING_RELEVANT_FILES: the main implementer names the files that matter; later phases see this list instead of the repository (LoopTroop 3). */
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
  const files = capped(there);
  const document: RelevantFiles = {
    schema_version: 1,
    ticket_id: ticket.id,
    artifact: 'relevant_files',
    file_count: files.length,
    rules_files: [...(await io.ports.files.rulesFiles(worktree))],
    files,
  };
  const content = yamlText(document);
  io.save({ type: 'artifact', artifact: 'relevant_files', content, status: ticket.status, attempt: ticket.attempt });
}
