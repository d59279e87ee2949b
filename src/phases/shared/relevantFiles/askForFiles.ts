import * as z from 'zod';
import type { Section } from '../../../context/sections.ts';
import { RelevantFile, RelevantFilesResult } from '../../../domain/documents/relevantFiles.ts';
import { timeoutMs } from '../../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { ask } from '../ask/ask.ts';
import type { OnProviderFailure } from '../structured/askTypes.ts';
import { ticketParts } from '../ticket/ticketParts.ts';
import { parseStructured } from '../structured/parseStructured.ts';
import { keepFiles, type Kept } from './keepFiles.ts';
import { filesByName, namesIn } from './names.ts';

/** One scan of the repository by the main implementer. */
interface Scan {
  readonly key: string;
  readonly contextKey: 'relevant_files_scan' | 'relevant_files_refresh';
  readonly sections: readonly Section[];
  readonly onProviderFailure?: OnProviderFailure;
  /** Stores what was kept. */
  readonly accept: (io: StepIo, kept: Kept) => Promise<void>;
}

/**
 * Asks which files matter. A list without a file that exists is asked about once more, where the repository
 * has files; then the files are chosen by their names (docs/decisions/102-a-list-that-is-never-empty.md).
 * Throws what `ask` throws.
 */
export async function askForFiles(
  run: Run,
  ticket: TicketSnapshot,
  { key, accept, ...scan }: Scan,
): Promise<void> {
  const { settings, worktree } = ticketParts(ticket);
  const File = RelevantFile.extend({
    path: z.preprocess((path) => tidyPath(path, worktree), RelevantFile.shape.path),
  });
  const schema = RelevantFilesResult.extend({ files: z.array(File) });
  await ask(run, ticket, {
    ...scan,
    key,
    prompt: 'relevant-files-scan',
    member: settings.mainImplementer,
    parse: parseStructured({ tag: 'RELEVANT_FILES_RESULT', schema }),
    result: RelevantFilesResult,
    activeMs: timeoutMs(run.limits.councilResponseTimeout),
    doubt: async (io, { files }) => {
      const kept = await keepFiles(io, worktree, files);
      if (kept.files.length > 0 || (await trackedFiles(io, ticket)).length === 0) return undefined;
      return [
        'The list names no file, and the repository has some. Look again, and list what matters for the ticket.',
        ...kept.notes,
      ].join('\n');
    },
    accept: async (io, { files }) => {
      const kept = await keepFiles(io, worktree, files);
      await accept(io, kept.files.length > 0 ? kept : await chosenByName(io, ticket, kept.notes));
    },
  });
}

/** The files of the commit that the ticket started from. */
export async function trackedFiles(io: StepIo, { baseCommit }: TicketSnapshot): Promise<readonly string[]> {
  return baseCommit === null ? [] : io.ports.git.regularFiles(baseCommit);
}

async function chosenByName(io: StepIo, ticket: TicketSnapshot, notes: readonly string[]): Promise<Kept> {
  const tracked = await trackedFiles(io, ticket);
  if (tracked.length === 0) return { files: [], notes };
  const text = `${ticket.title}\n${ticket.description}`;
  const naming =
    ticket.baseCommit === null ? [] : await io.ports.git.filesNaming(ticket.baseCommit, namesIn(text).words);
  const files = filesByName(tracked, text, naming);
  return {
    files,
    notes: ['The scan listed no file that exists, so these were chosen by their names.', ...notes],
  };
}

/** A path as models write it: without `./`, and without the worktree in front. */
function tidyPath(path: unknown, worktree: string): unknown {
  if (typeof path !== 'string') return path;
  const inside = path.startsWith(`${worktree}/`) ? path.slice(worktree.length + 1) : path;
  return inside.trim().replace(/^(?:\.\/)+/, '');
}
