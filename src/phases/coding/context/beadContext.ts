import type { Section } from '../../../context/sections.ts';
import type { Bead } from '../../../domain/beads/bead.ts';
import { placeInPlan } from '../../../domain/beads/placeInPlan.ts';
import { type PrdParts, prdParts } from '../../../domain/links/prdParts.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { yamlText } from '../../shared/ticket/artifacts.ts';
import { linkedPrd } from '../../shared/ticket/linkedPrd.ts';
import { keepNewest } from '../../../base/keepNewest.ts';
import { isTestFile } from '../../../domain/proof/provingFiles.ts';
import type { Git } from '../../../engine/ports/ports.ts';
import { textsOf } from '../../shared/proof/changedTexts.ts';
import { importsFile, linesOf, stemOf, topLevelNames } from './sourceNames.ts';

/**
 * Returns the sections that everyone who works on a bead or judges it gets beside it
 * (docs/decisions/172-what-a-bead-refers-to.md): its place in the plan, the parts of the PRD that it names,
 * and its files as `commit` has them. None of them mentions attempts. Without a PRD there is no part of one.
 */
export async function beadSections(
  io: StepIo,
  ticket: TicketSnapshot,
  bead: Bead,
  { commit, stories = true }: { readonly commit: string; readonly stories?: boolean },
): Promise<readonly Section[]> {
  const [plan, prd, files] = await Promise.all([
    io.ports.store.beads(ticket.id),
    linkedPrd(io),
    describeFiles(io.ports.git, commit, bead.targetFiles),
  ]);
  return [
    { name: 'place_in_plan', content: placeInPlan(ticket, bead, plan) },
    { name: 'prd_parts', content: prd ? partsText(prdParts(prd, stories ? bead.prdRefs : [])) : '' },
    { name: 'target_files', content: files },
  ];
}

function partsText(parts: PrdParts): string {
  return Object.keys(parts).length === 0 ? '' : yamlText(parts);
}

/** So many files of a bead are described; of others only the name is told. */
const mostFiles = 12;
/** So many files that name one of them are read, none larger than this. */
const mostReaders = 300;
const largestFile = 400_000;
/** The most names and the most paths that are listed for a file. */
const mostNames = 10;
const mostPaths = 5;

/** A commit never changes, so what was found in it stays true. */
const found = new Map<string, Promise<string>>();
const mostFound = 200;

type Reader = Pick<Git, 'regularFiles' | 'blobs' | 'filesNaming'>;

/**
 * The files that a bead names, as a commit has them, one line each: whether the file exists, its length, what
 * it declares, which files import it, and which tests touch it. It is found by names, so it is a lead for the
 * reader and no proof.
 */
export function describeFiles(git: Reader, commit: string, files: readonly string[]): Promise<string> {
  const key = [commit, ...files].join('\0');
  const known = found.get(key);
  if (known) return known;
  const told = describe(git, commit, files);
  found.set(key, told);
  keepNewest(found, mostFound);
  void told.catch(() => found.delete(key));
  return told;
}

async function describe(git: Reader, commit: string, files: readonly string[]): Promise<string> {
  if (files.length === 0) return '';
  const asked = files.slice(0, mostFiles);
  const existing = await git.regularFiles(commit, asked);
  const stems = [...new Set(existing.map(stemOf))].filter((stem) => stem.length > 2);
  const naming = stems.length === 0 ? [] : (await git.filesNaming(commit, stems)).slice(0, mostReaders);
  const texts = await textsOf(git, commit, [...new Set([...existing, ...naming])], () => largestFile);
  const lines = asked.map((path) => {
    if (!existing.includes(path)) return `- ${path}: new`;
    const users = naming.filter(
      (other) => other !== path && importsFile(texts.get(other) ?? '', other, path),
    );
    const tests = naming.filter(
      (other) => other !== path && isTestFile(other) && (users.includes(other) || isTestOf(other, path)),
    );
    const importers = users.filter((other) => !isTestFile(other));
    return `- ${path}: ${[
      sizeOf(texts.get(path)),
      listed('declares ', topLevelNames(texts.get(path) ?? ''), mostNames),
      ...(isTestFile(path)
        ? []
        : [listed('imported by ', importers, mostPaths), listed('tested in ', tests, mostPaths)]),
    ]
      .filter((text) => text !== '')
      .join('; ')}`;
  });
  const more = files.slice(mostFiles);
  return [...lines, ...(more.length === 0 ? [] : [`- also named: ${more.join(', ')}`])].join('\n');
}

/** Returns true if a test bears the name of a file, such as `total_test.go` or `test_total.py`. */
function isTestOf(test: string, path: string): boolean {
  const name = (test.split('/').at(-1) ?? '').toLowerCase();
  return (
    name.split(/[._-]/).includes(stemOf(path).toLowerCase()) ||
    name.startsWith(`${stemOf(path).toLowerCase()}test`)
  );
}

function sizeOf(text: string | undefined): string {
  if (text === undefined) return 'binary or very large';
  const lines = linesOf(text);
  return lines === 1 ? '1 line' : `${String(lines)} lines`;
}

function listed(what: string, all: readonly string[], most: number): string {
  if (all.length === 0) return '';
  const more = all.length > most ? ` and ${String(all.length - most)} more` : '';
  return `${what}${all.slice(0, most).join(', ')}${more}`;
}
