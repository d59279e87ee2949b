import type { ContextState } from '../../../context/contextState.ts';
import type { Section } from '../../../context/sections.ts';
import { type Bead, beadRuntimeFields } from '../../../domain/beads/bead.ts';
import { placeInPlan } from '../../../domain/beads/placeInPlan.ts';
import { type PrdParts, prdParts } from '../../../domain/links/prdParts.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { yamlText, storedJson, newestJson } from '../../shared/ticket/artifacts.ts';
import { linkedPrd } from '../../shared/ticket/linkedPrd.ts';
import { keepNewest } from '../../../base/keepNewest.ts';
import { isTestFile } from '../../../domain/proof/provingFiles.ts';
import type { Git } from '../../../engine/ports/ports.ts';
import { textsOf } from '../../shared/proof/changedTexts.ts';
import { Kickoff, kickoffText } from '../../../domain/beads/kickoff.ts';
import { Baseline } from '../../../domain/proof/baseline.ts';
import { BeadExecution } from '../../../domain/beads/reports.ts';
import { profileOf } from '../../shared/worktree/runtime.ts';

/**
 * A bead's slices, as the coder sees them. Notes are a slice of their own, so that they can be cut, and
 * nothing in the record changes, so that a provider's cache holds it
 * (docs/decisions/040-prompt-order-and-budget.md).
 */
export function beadSlices(bead: Bead): Pick<ContextState, 'beadData' | 'beadNotes'> {
  return { beadData: plannedBead(bead), beadNotes: splitNotes(bead.notes) };
}

/** A bead without anything that tells how often it was tried, or how that ended. */
export function plannedBead(bead: Bead): string {
  const runtime: readonly string[] = beadRuntimeFields;
  const planned = Object.entries(bead).filter(([field]) => !runtime.includes(field));
  return JSON.stringify(Object.fromEntries(planned), null, 2);
}

/** Removes the signs of headings: second-level headings are for the parts of a prompt. */
function splitNotes(notes: string): string[] {
  return notes
    .split(/^## /m)
    .map((note) => note.trim())
    .filter((note) => note !== '');
}

/**
 * Sections for all who work on a bead or judge it; none mentions attempts
 * (docs/decisions/172-what-a-bead-refers-to.md).
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

const mostFiles = 12;
/** The most files that are read for the names they use, none larger than this. */
const mostReaders = 300;
const largestFile = 400_000;
/** The most names and paths that are listed for a file. */
const mostNames = 10;
const mostPaths = 5;

/** A commit never changes, so what was found in it stays true. */
const found = new Map<string, Promise<string>>();
const mostFound = 200;

type Reader = Pick<Git, 'regularFiles' | 'blobs' | 'filesNaming'>;

/** Describes files of a commit, a line each. Found by names, so it is a lead and no proof. */
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

/** True if a test bears the name of a file, such as `total_test.go` or `test_total.py`. */
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

export function listed(what: string, all: readonly string[], most: number): string {
  if (all.length === 0) return '';
  const more = all.length > most ? ` and ${String(all.length - most)} more` : '';
  return `${what}${all.slice(0, most).join(', ')}${more}`;
}

/** Longer lines are made by tools. */
const longestLine = 400;

const declared =
  /^(?:(?:export|default|declare|pub(?:\([a-z ]{1,20}\))?|public|private|protected|internal|static|final|abstract|sealed|open|data|async|unsafe) {1,3})*(?:const enum|function\*?|class|interface|type|enum|const|let|var|val|def|fn|fun|func|struct|trait|impl|module|mod|object|record|namespace|protocol|extension) {1,3}(?:\([^()]{1,80}\) {0,3})?([A-Za-z_$][\w$]{0,80})/;

/** Names that a file declares at its top level, by the words that start a line in most languages. */
export function topLevelNames(text: string): readonly string[] {
  const names = new Set<string>();
  for (const line of text.split('\n')) {
    const name = line.length <= longestLine ? declared.exec(line)?.[1] : undefined;
    if (name !== undefined) names.add(name);
  }
  return [...names];
}

export function linesOf(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

export function stemOf(path: string): string {
  const parts = path.split('/');
  const stem = (parts.at(-1) ?? '').replace(/(?:\.(?:test|spec|d))?\.\w+$/, '');
  return /^(?:index|mod|__init__|main|lib)$/.test(stem) ? (parts.at(-2) ?? stem) : stem;
}

const importing = /\b(?:import|from|require|require_relative|include|use|using|mod|load|source|export)\b/;
/** A line of a block of imports, as Go has them. */
const quotedAlone = /^\s{0,20}(?:[\w.]{1,40} )?"[^"]{1,200}"\s{0,5}$/;
const quoted = /["'`]([^"'`]{1,300})["'`]/;

/** True if the text of `from` has a line that imports `path`. A relative name has to lead to that file. */
export function importsFile(text: string, from: string, path: string): boolean {
  const word = path.endsWith('.go') ? (path.split('/').at(-2) ?? '') : stemOf(path);
  if (word === '' || !text.includes(word)) return false;
  return text.split('\n').some((line) => {
    if (
      line.length > longestLine ||
      !line.includes(word) ||
      !(importing.test(line) || quotedAlone.test(line))
    )
      return false;
    const name = quoted.exec(line)?.[1];
    if (name?.startsWith('.') === true && name.includes('/'))
      return bare(resolved(from, name)) === bare(path);
    return wordIn(line, word);
  });
}

/** Written out, since any path may be the word. */
function wordIn(line: string, word: string): boolean {
  for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + 1)) {
    if (!isPart(line.charAt(at - 1)) && !isPart(line.charAt(at + word.length))) return true;
  }
  return false;
}

function isPart(character: string): boolean {
  return /[\w-]/.test(character);
}

/** A path without what an import may leave out. */
function bare(path: string): string {
  return path.replace(/\.\w+$/, '').replace(/\/index$/, '');
}

function resolved(from: string, name: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of name.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/** The sections of the coder beside the bead and its notes (docs/decisions/067-what-the-coder-gets.md). */
export async function coderSections(
  io: StepIo,
  ticket: TicketSnapshot,
  bead: Bead,
): Promise<readonly Section[]> {
  const [workspace, handoff] = await Promise.all([workspaceOf(io), handoffOf(io, ticket, bead)]);
  return [
    { name: 'kickoff_insights', content: await insightsOf(io, bead.id) },
    { name: 'workspace', content: workspace },
    { name: 'handoff', content: handoff },
  ];
}

async function insightsOf(io: StepIo, bead: string): Promise<string> {
  const kickoff = await storedJson(io, `bead_kickoff:${bead}`, Kickoff);
  return kickoff ? kickoffText(kickoff) : '';
}

/** Seconds that a tool call may take by default; see `serverSetup` of the OpenCode adapter. */
const usualSeconds = 600;

async function workspaceOf(io: StepIo): Promise<string> {
  const [profile, baseline] = await Promise.all([profileOf(io), storedJson(io, 'baseline', Baseline)]);
  const lines = [
    `A command that you run ends after ${String(usualSeconds)} s. Give one that may take longer a \`timeout\` of its own, in milliseconds.`,
  ];
  const times = new Map(baseline?.checks.map((check) => [check.command, check]));
  for (const [kind, commands] of Object.entries(profile?.project_commands ?? {})) {
    for (const command of commands) {
      const measured = times.get(command);
      lines.push(`- ${kind.replace(/_full$/, '')}: \`${command}\`${measured ? measuredText(measured) : ''}`);
    }
  }
  for (const { name, start, ready, stop } of profile?.services ?? []) {
    const end = stop === '' ? '' : `, stop it with \`${stop}\``;
    lines.push(
      `- service ${name}: the engine starts it for its own runs only. For yours, start \`${start}\` in the background, wait until \`${ready}\` succeeds${end}, and leave nothing of it running.`,
    );
  }
  for (const caution of profile?.cautions ?? []) lines.push(`- ${caution}`);
  return lines.join('\n');
}

function measuredText({ durationMs, passed, timedOut }: Baseline['checks'][number]): string {
  const seconds = Math.ceil(durationMs / 1_000);
  const allowed = Math.ceil((3 * durationMs) / 60_000) * 60_000;
  const state = timedOut ? 'didn’t end' : passed ? 'took' : 'fails, and took';
  const advice = allowed > usualSeconds * 1_000 ? `; run it with \`timeout: ${String(allowed)}\`` : '';
  return ` (on the untouched base it ${state}${timedOut ? ` within ${String(seconds)} s` : ` ${String(seconds)} s`}${advice})`;
}

const mostBeads = 6;
const longestRecord = 1_200;

async function handoffOf(io: StepIo, ticket: TicketSnapshot, bead: Bead): Promise<string> {
  const done = (await io.ports.store.beads(ticket.id)).filter(
    ({ status, id }) => status === 'done' && id !== bead.id,
  );
  const newest = done.toSorted((a, b) => b.completedAt.localeCompare(a.completedAt));
  const needed = newest.filter(({ id }) => bead.dependencies.blocked_by.includes(id));
  const told = [...new Set([...needed, ...newest])].slice(0, mostBeads);
  return recordsOf(io, told);
}

export async function recordsOf(io: StepIo, told: readonly Pick<Bead, 'id' | 'title'>[]): Promise<string> {
  const records = await Promise.all(
    told.map(async ({ id, title }) => ({ title, id, lines: await recordLines(io, id) })),
  );
  return records
    .filter(({ lines }) => lines.length > 0)
    .map(({ id, title, lines }) => `### Bead ${id}: ${title}\n\n${lines.join('\n').slice(0, longestRecord)}`)
    .join('\n\n');
}

async function recordLines(io: StepIo, bead: string): Promise<readonly string[]> {
  const record = (await newestJson(io, `bead_execution:${bead}`, BeadExecution))?.devRecord;
  if (!record) return [];
  return [
    ...record.decisions.map((decision) => `- Decided: ${decision}`),
    ...record.notes_for_reviewer.map((note) => `- Noted for reviewers: ${note}`),
  ];
}
