import type { HandlerDefinition } from '../../engine/run/run.ts';
import { takeUserContext, ticketParts } from '../shared/ticket/ticketParts.ts';
import { askForFiles } from '../shared/relevantFiles/askForFiles.ts';
import { saveFiles } from '../shared/relevantFiles/saveFiles.ts';

/** SCANNING_RELEVANT_FILES: lists files for later phases (docs/decisions/017-relevant-files.md). */
export const scanRelevantFiles: HandlerDefinition<'ready' | 'quick'> = {
  version: 1,
  run: async (run, ticket) => {
    const sections = await takeUserContext(run, ticket);
    await askForFiles(run, ticket, {
      key: 'scan',
      contextKey: 'relevant_files_scan',
      sections,
      accept: (io, kept) => saveFiles(io, ticket, kept, ticket),
    });
    return { exit: ticketParts(ticket).settings.depth === 'quick' ? 'quick' : 'ready' };
  },
};
