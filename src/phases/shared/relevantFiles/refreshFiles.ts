import * as z from 'zod';
import {
  type RelevantFile,
  RelevantFiles,
  relevantFilesDocument,
} from '../../../domain/documents/relevantFiles.ts';
import { Interview, interviewDocument } from '../../../domain/requirements/interview.ts';
import { RelativePath } from '../../../domain/core/ids.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { storedDocument } from '../ticket/artifacts.ts';
import { isFailureOf, replaceableCall } from '../ask/providerError.ts';
import { askForFiles, trackedFiles, filesNamed, namesIn } from './askForFiles.ts';
import { saveFiles, capped, type Kept } from './saveFiles.ts';

/** Beyond so many files a word is too common to say anything. */
const mostHits = 12;

/** One call at most. What the interview's answers name is listed in any case. */
export async function refreshFiles(run: Run, ticket: TicketSnapshot): Promise<void> {
  const added = await run.step('files-named', z.array(RelativePath), (io) => newlyNamed(io, ticket));
  if (added.length === 0) return;
  try {
    await askForFiles(run, ticket, {
      key: 'files-again',
      contextKey: 'relevant_files_refresh',
      sections: [],
      onProviderFailure: 'fail',
      accept: (io, kept) => saveMerged(io, ticket, added, kept),
    });
  } catch (error) {
    if (!isFailureOf(error, replaceableCall)) throw error;
    const notes = [`The list could not be made again after the interview: ${error.message}`];
    await run.step('files-kept', z.null(), async (io) => {
      await saveMerged(io, ticket, added, { files: [], notes });
      return null;
    });
  }
}

async function newlyNamed(io: StepIo, ticket: TicketSnapshot): Promise<string[]> {
  if (ticket.baseCommit === null) return [];
  if ((await io.ports.store.artifact(io.ticket, relevantFilesDocument.kind)) === undefined) return [];
  const { document: listed, content } = await storedDocument(io, relevantFilesDocument.kind, RelevantFiles);
  const { document: interview } = await storedDocument(io, interviewDocument.kind, Interview);
  const known = `${ticket.title}\n${ticket.description}\n${content}`;
  const named = namesIn(interview.questions.map(answerText).join('\n'));
  const paths = filesNamed(await trackedFiles(io, ticket), named);
  const hits: string[] = [];
  for (const word of named.words.filter((one) => !known.includes(one))) {
    const files = await io.ports.git.filesNaming(ticket.baseCommit, [word]);
    if (files.length <= mostHits) hits.push(...files);
  }
  const there = new Set(listed.files.map(({ path }) => path));
  return [...new Set([...paths, ...hits])]
    .filter((path) => !there.has(path) && RelativePath.safeParse(path).success)
    .slice(0, mostHits);
}

function answerText({ answer, options }: Interview['questions'][number]): string {
  const chosen = options
    .filter(({ id }) => answer.selected_option_ids.includes(id))
    .map(({ label }) => label);
  return [answer.free_text, ...chosen].join('\n');
}

async function saveMerged(
  io: StepIo,
  ticket: TicketSnapshot,
  added: readonly string[],
  { files, notes }: Kept,
): Promise<void> {
  const stored = await storedDocument(io, relevantFilesDocument.kind, RelevantFiles);
  const previous = stored.document;
  const named = added.map((path) => ({
    path,
    rationale: 'Named in the answers of the interview, or has what they name.',
    relevance: 'high' as const,
    likely_action: 'read' as const,
    content_preview: '',
  }));
  const all: RelevantFile[] = [...files, ...named, ...previous.files];
  const kept = capped(all);
  const paths = new Set(all.map(({ path }) => path));
  for (const { path } of kept) paths.delete(path);
  const leftOut = [...paths].map((path) => `${path} was left out, because the list was too long.`);
  const told = [...new Set([...previous.notes, ...notes, ...leftOut])];
  await saveFiles(io, ticket, { files: kept, notes: told }, stored);
}
