import { parse } from 'yaml';
import { isAt, rulesPlaces, type RulesPlace, rulesText } from '../../../context/repositoryRules.ts';
import { RelevantFiles, relevantFilesDocument } from '../../../domain/documents/relevantFiles.ts';
import type { TicketSnapshot } from '../../../domain/ticket.ts';
import type { RecordIo, StepIo } from '../../../engine/run/run.ts';

/**
 * The rules of the repository for a call's work (docs/decisions/101-repository-rules.md), as text for its prompt: for a bead those of its target files, as
 * the commit has them that the bead starts at; otherwise those of the relevant files and of all beads, as the base has them, or, at the final test,
 * as the ticket's branch has them.
 */
export async function rulesFor(
  io: StepIo,
  ticket: TicketSnapshot,
  { contextKey, bead: active }: { readonly contextKey: string; readonly bead?: { readonly id: string } | undefined },
): Promise<string> {
  const beads = await io.ports.store.beads(ticket.id);
  const bead = beads.find(({ id }) => id === active?.id);
  if (bead) return bead.beadStartCommit === null ? '' : rulesAt(io, bead.beadStartCommit, bead.targetFiles);
  const tested = contextKey === 'final_test' ? ticket.worktree : null;
  const commit = tested === null ? ticket.baseCommit : await io.ports.git.head(tested);
  if (commit === null) return '';
  return rulesAt(io, commit, [...(await relevantPaths(io)), ...beads.flatMap(({ targetFiles }) => targetFiles)]);
}

/** The rules files of a commit that apply to these files. Links, and what lies behind them, don't count. */
export async function rulesFilesOf(io: StepIo, commit: string, files: readonly string[]): Promise<readonly RulesPlace[]> {
  const places = rulesPlaces(files);
  const found = await io.ports.git.regularFiles(
    commit,
    places.map(({ path }) => path),
  );
  return places.flatMap((place) => found.filter((path) => isAt(place, path)).map((path) => ({ folder: place.folder, path })));
}

async function rulesAt(io: StepIo, commit: string, files: readonly string[]): Promise<string> {
  const places = await rulesFilesOf(io, commit, files);
  const contents = await io.ports.git.blobs(
    commit,
    places.map(({ path }) => path),
  );
  return rulesText(places.map((place, index) => ({ ...place, text: new TextDecoder().decode(contents[index]) })));
}

async function relevantPaths(io: RecordIo): Promise<readonly string[]> {
  const stored = await io.ports.store.artifact(io.ticket, relevantFilesDocument.kind);
  const document = stored ? RelevantFiles.safeParse(parse(stored.content)) : undefined;
  return document?.success === true ? document.data.files.map(({ path }) => path) : [];
}
