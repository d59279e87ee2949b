import { parse } from 'yaml';
import {
  inRepository,
  isAt,
  mostNamed,
  namedFiles,
  type RulesFile,
  type RulesPlace,
  rulesPlaces,
  rulesText,
} from '../../../context/repositoryRules.ts';
import { RelevantFiles, relevantFilesDocument } from '../../../domain/documents/relevantFiles.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { RecordIo, StepIo } from '../../../engine/run/run.ts';
import type { CallFrame } from '../structured/askTypes.ts';

/**
 * The rules for a call's work (docs/decisions/101-repository-rules.md): of a bead's files at its start; else
 * of the relevant files and all beads, at the base or, at the final test, on the branch.
 */
export async function rulesFor(
  io: StepIo,
  ticket: TicketSnapshot,
  call: Pick<CallFrame, 'contextKey' | 'bead'>,
): Promise<string> {
  const beads = await io.ports.store.beads(ticket.id);
  const bead = beads.find(({ id }) => id === call.bead?.id);
  if (bead) return bead.beadStartCommit === null ? '' : rulesAt(io, bead.beadStartCommit, bead.targetFiles);
  const tested = call.contextKey === 'final_test' ? ticket.worktree : null;
  const commit = tested === null ? ticket.baseCommit : await io.ports.git.head(tested);
  if (commit === null) return '';
  return rulesAt(io, commit, [
    ...(await relevantPaths(io)),
    ...beads.flatMap(({ targetFiles }) => targetFiles),
  ]);
}

export async function rulesFilesOf(
  io: StepIo,
  commit: string,
  files: readonly string[],
): Promise<readonly RulesPlace[]> {
  return (await readRules(io, commit, files)).map(({ folder, path }) => ({ folder, path }));
}

async function rulesAt(io: StepIo, commit: string, files: readonly string[]): Promise<string> {
  return rulesText(await readRules(io, commit, files));
}

/** Links are followed once, and named files twice, within the repository and files of the commit only. */
async function readRules(
  io: StepIo,
  commit: string,
  files: readonly string[],
): Promise<readonly RulesFile[]> {
  const { git } = io.ports;
  const places = rulesPlaces(files);
  const paths = places.map(({ path }) => path);
  const found = await git.regularFiles(commit, paths);
  const plain = places.flatMap((place) =>
    found.filter((path) => isAt(place, path)).map((path) => ({ folder: place.folder, path })),
  );
  const read = async (wanted: readonly RulesPlace[]): Promise<readonly RulesFile[]> => {
    const wantedPaths = wanted.map(({ path }) => path);
    const contents = await git.blobs(commit, wantedPaths);
    return wanted.flatMap((place, index) =>
      contents[index] ? [{ ...place, text: new TextDecoder().decode(contents[index]) }] : [],
    );
  };
  const there = async (
    wanted: readonly { readonly folder: string; readonly ways: readonly string[] }[],
  ): Promise<readonly RulesPlace[]> => {
    if (wanted.length === 0) return [];
    const known = await git.regularFiles(commit, [...new Set(wanted.flatMap(({ ways }) => ways))]);
    return wanted.flatMap(({ folder, ways }) => {
      const path = ways.find((way) => known.includes(way));
      return path === undefined ? [] : [{ folder, path }];
    });
  };
  // What is at such a place and is no regular file is a link, whose content is where it leads.
  const links = await read(places.filter(({ path }) => !path.endsWith('/') && !found.includes(path)));
  const linked = links.map(({ folder, path, text }) => ({
    folder,
    ways: [inRepository(path, text.trim())].filter((way) => way !== undefined),
  }));
  let all = await read(distinct([...plain, ...(await there(linked))]));
  for (let round = 0, latest = all; round < 2 && latest.length > 0; round += 1) {
    const named = latest
      .flatMap((file) => namedFiles(file).map((ways) => ({ folder: file.folder, ways })))
      .slice(0, mostNamed);
    const known = new Set(all.map(({ path }) => path));
    latest = await read(distinct(await there(named)).filter(({ path }) => !known.has(path)));
    all = [...all, ...latest];
  }
  return all;
}

function distinct(places: readonly RulesPlace[]): readonly RulesPlace[] {
  return places.filter(({ path }, index) => places.findIndex((other) => other.path === path) === index);
}

async function relevantPaths(io: RecordIo): Promise<readonly string[]> {
  const stored = await io.ports.store.artifact(io.ticket, relevantFilesDocument.kind);
  const document = stored && RelevantFiles.safeParse(parse(stored.content)).data;
  return document?.files.map(({ path }) => path) ?? [];
}
