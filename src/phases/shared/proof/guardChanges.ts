import * as z from 'zod';
import { sha256 } from '../../../base/sha256.ts';
import { acceptedFile, readAccepted } from '../../../domain/guarded/acceptedChanges.ts';
import {
  GuardedChange,
  guardedNames,
  GuardedReceipt,
  type GuardedText,
  identityOf,
} from '../../../domain/guarded/catalogue/guardedChange.ts';
import { guardedChanges } from '../../../domain/guarded/guardedChanges.ts';
import { WeakenedTests } from '../../../domain/proof/weakening.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { artifactChange, isoNow, readJson, storedJson } from '../ticket/artifacts.ts';
import { askChoice } from '../ticket/askChoice.ts';
import { listLines } from '../../../base/listed.ts';
import { comparedTexts } from './changedTexts.ts';
import { HookRefusal, runHooks } from './runHooks.ts';
import { redact } from '../../../base/redact.ts';
import { visible } from '../../../base/visible.ts';
import { newLines } from '../../../domain/guarded/catalogue/entries.ts';

const Guarded = z.object({
  accepted: z.boolean(),
  reason: z.string(),
  findings: z.array(GuardedChange),
  problem: z.string().default(''),
  hook: HookRefusal.optional(),
});

/** `name`: what the receipt is about. `planned`: paths approved with the plan. */
interface Work {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly planned: readonly string[];
}

/**
 * Looks in a commit, before the branch gets it, for secrets and changes beyond the code, and asks a person
 * about them (docs/decisions/165-guarded-by-default.md). `problem` is for the agent, without secrets.
 */
export async function guardChanges(
  run: Run,
  ticket: TicketSnapshot,
  { key, ...work }: Work & { readonly key: string },
): Promise<{ readonly problem: string; readonly hook?: HookRefusal | undefined }> {
  const guarded = await run.step(key, Guarded, async (io) => {
    const { name, from: start, to: commit } = work;
    const { limits } = run;
    const { problem, refusal: hook } = await runHooks(io, ticket, { name, start, commit, limits });
    if (problem !== '')
      return { accepted: false, reason: '', findings: [], problem, ...(hook ? { hook } : {}) };
    return askAbout(io, ticket, work, await findGuarded(io, work));
  });
  return { problem: refusal(guarded), hook: guarded.hook };
}

/**
 * As `guardChanges`, within a step. `stands`: other commits that the work stands on, whose changes don't
 * count.
 */
export async function guardCommit(
  io: StepIo,
  ticket: TicketSnapshot,
  work: Work,
  stands: readonly string[] = [],
): Promise<string> {
  let found = await findGuarded(io, work);
  for (const from of stands) {
    if (found.length === 0) break;
    const others = new Set((await findGuarded(io, { ...work, from })).map(identityOf));
    found = found.filter((one) => others.has(identityOf(one)));
  }
  return refusal(await askAbout(io, ticket, work, found));
}

async function askAbout(
  io: StepIo,
  ticket: TicketSnapshot,
  work: Work,
  found: readonly GuardedChange[],
): Promise<z.infer<typeof Guarded>> {
  const accepted = { accepted: true, reason: '', findings: [...found], problem: '' };
  if (found.length === 0) return accepted;
  const texts = await comparedTexts(io, work.from, work.to);
  const earlier = await acceptedEarlier(io, ticket, work, found, texts);
  const byRepository = await acceptedByRepository(io, ticket, found);
  const open = found.filter((one) => !earlier.includes(one) && !byRepository.includes(one));
  if (open.length === 0) {
    keepReceipt(io, ticket, work, { found, texts, byRepository });
    return accepted;
  }
  const shown = await shownTexts(io, texts, open);
  const lines = [...new Set(open.filter(({ kind }) => kind !== 'secret').map(placeOf))]
    .slice(0, 3)
    .map((line) => `\`${line}\``);
  const text = [`Review these changes before ${work.name} is committed:\n${listGuarded(open)}`];
  if (shown.length > 0)
    text.push(`What changes:\n${guardedExcerpt(shown)}`, `All of it: git diff ${work.from} ${work.to}`);
  if (lines.length > 0)
    text.push(
      `To accept such changes in every ticket, add lines such as ${lines.join(', ')} to ${acceptedFile} on the base branch.`,
    );
  const lasting = {
    id: 'accept_for_ticket',
    label: 'Accept for this ticket',
    description:
      'As Accept, and later changes of the same kind in these files are accepted, too. Secrets are asked about each time.',
  } as const;
  const { choice, words } = await askChoice(io, {
    asked: `guarded:${work.to}`,
    topic: 'guarded_changes',
    header: 'Secrets and protected files',
    text: text.join('\n\n'),
    options: [
      {
        id: 'accept',
        label: 'Accept',
        description: 'The changes are right. They are committed, and a receipt says who accepted them.',
      },
      { id: 'send_back', label: 'Send back', description: 'The agent has to do without them.' },
      ...(lines.length > 0 ? [lasting] : []),
    ],
  });
  const forTicket = choice === lasting.id;
  const isAccepted = choice === 'accept' || forTicket;
  if (isAccepted) keepReceipt(io, ticket, work, { found, texts, byRepository, forTicket });
  return { ...accepted, accepted: isAccepted, reason: words, findings: [...open] };
}

type Texts = readonly GuardedText[];

/** With the file after it, so that only the same change counts as accepted. */
function markOf(change: GuardedChange, texts: Texts): string {
  return sha256(`${identityOf(change)}\n${texts.find(({ path }) => path === change.path)?.after ?? ''}`);
}

const placeOf = ({ kind, path }: GuardedChange): string => `${kind} ${path}`;

interface Decided {
  readonly found: readonly GuardedChange[];
  readonly texts: Texts;
  readonly byRepository: readonly GuardedChange[];
  readonly forTicket?: boolean;
}

function keepReceipt(
  io: StepIo,
  ticket: TicketSnapshot,
  { name, to }: Work,
  { found, texts, byRepository, forTicket = false }: Decided,
): void {
  const receipt: GuardedReceipt = {
    schema_version: 1,
    name,
    commit: to,
    content_sha256: sha256(JSON.stringify(found)),
    findings: [...found],
    marks: found.filter(({ kind }) => kind !== 'secret').map((one) => markOf(one, texts)),
    ...(forTicket ? { for_ticket: true } : {}),
    ...(byRepository.length > 0 ? { by_repository: byRepository.map(placeOf) } : {}),
    accepted_by: 'user',
    accepted_at: isoNow(io),
  };
  io.save(artifactChange(ticket, `guarded_changes_receipt:${name}`, receipt));
}

async function acceptedEarlier(
  io: StepIo,
  ticket: TicketSnapshot,
  { name, to }: Work,
  found: readonly GuardedChange[],
  texts: Texts,
): Promise<readonly GuardedChange[]> {
  const { store } = io.ports;
  const infos = await store.artifacts(ticket.id, { type: 'guarded_changes_receipt:', archived: false });
  const contents = await Promise.all(infos.map(({ id }) => store.artifactContent(id)));
  const receipts = contents.flatMap((content) => readJson(GuardedReceipt, content) ?? []);
  const marks = new Set(receipts.filter((one) => one.name === name).flatMap((one) => one.marks ?? []));
  const places = new Set(
    receipts.filter((one) => one.for_ticket === true).flatMap(({ findings }) => findings.map(placeOf)),
  );
  const weakened = await storedJson(io, `weakened_tests_receipt:${name}`, WeakenedTests);
  const reviewed =
    weakened?.commit === to
      ? weakened.weakenings.filter(({ kind }) => kind === 'scripts' || kind === 'configuration')
      : [];
  return found.filter((one) => {
    if (one.kind === 'secret') return false;
    if (marks.has(markOf(one, texts))) return true;
    const isReviewed = reviewed.some(
      ({ path, text }) => path === one.path && (text === '' || text.startsWith(`${one.text}: `)),
    );
    return isReviewed || places.has(placeOf(one));
  });
}

async function acceptedByRepository(
  io: StepIo,
  ticket: TicketSnapshot,
  found: readonly GuardedChange[],
): Promise<readonly GuardedChange[]> {
  const content =
    ticket.baseCommit === null ? undefined : await io.ports.git.blob(ticket.baseCommit, acceptedFile);
  return content === undefined ? [] : found.filter(readAccepted(new TextDecoder().decode(content)));
}

async function shownTexts(
  io: StepIo,
  texts: Texts,
  found: readonly GuardedChange[],
): Promise<readonly ShownText[]> {
  const paths = new Set(
    found.filter(({ kind }) => kind !== 'secret' && kind !== 'name').map(({ path }) => path),
  );
  const blotted = async (path: string, text: string | null): Promise<string | null> => {
    if (text === null || text.length > largestScan) return text;
    const secrets = await io.ports.secrets.scan(path, text);
    return secrets
      .toSorted((a, b) => b.start - a.start)
      .reduce((rest, { start, end }) => `${rest.slice(0, start)}<secret>${rest.slice(end)}`, text);
  };
  const shown: ShownText[] = [];
  for (const { path, before, after } of texts.filter((one) => paths.has(one.path)))
    shown.push({ path, before: await blotted(path, before), after: await blotted(path, after) });
  return shown;
}

function refusal({ accepted, reason, findings, problem }: z.infer<typeof Guarded>): string {
  if (accepted || problem !== '') return problem;
  const said = reason === '' ? '' : `\n\nThey said: ${reason}`;
  return `A person did not accept these changes. Take them back, or reach the goal without them:\n\n${listGuarded(findings)}${said}`;
}

export async function findGuarded(
  io: StepIo,
  work: Pick<Work, 'from' | 'to' | 'planned'>,
): Promise<readonly GuardedChange[]> {
  const compared = await comparedTexts(io, work.from, work.to);
  const texts = compared.flatMap(({ path, oldPath, change, before, after }): GuardedText[] => {
    const isGone = change === 'deleted';
    // A file that was moved is gone from where a tool found it, and new where one may.
    if (oldPath === null || oldPath === path) return [{ path, before, after, isGone }];
    return [
      { path: oldPath, before, after: null, isGone: true },
      { path, before: null, after },
    ];
  });
  const isAdded = compared.some(({ change }) => change === 'added' || change === 'renamed');
  const tree =
    isAdded || texts.some(({ path }) => /\.gitignore$/i.test(path))
      ? await io.ports.git.regularFiles(work.to)
      : [];
  return [...guardedChanges(texts, work.planned, tree), ...(await secretsIn(io, compared))];
}

const mostListed = 200;

export function listGuarded(findings: readonly GuardedChange[]): string {
  return listLines(findings, mostListed, ({ kind, path, line, text }) => {
    const place = line === null ? path : `${path}:${line}`;
    return `${place}: ${guardedNames[kind]}${text === '' ? '' : ` (${text})`}`;
  }).join('\n');
}

/** Scanning longer texts would take too long; tools write them. */
const largestScan = 1_000_000;

/** Of secrets that the files held before only a hash is compared. */
async function secretsIn(io: StepIo, texts: readonly GuardedText[]): Promise<readonly GuardedChange[]> {
  const found: GuardedChange[] = [];
  for (const { path, before, after } of texts) {
    if (after === null || after.length > largestScan) continue;
    const now = await io.ports.secrets.scan(path, after);
    if (now.length === 0) continue;
    const earlier =
      before === null || before.length > largestScan ? [] : await io.ports.secrets.scan(path, before);
    const known = new Set(earlier.map(({ start, end }) => sha256((before ?? '').slice(start, end))));
    for (const { rule, line, start, end } of now) {
      if (!known.has(sha256(after.slice(start, end)))) found.push({ kind: 'secret', path, line, text: rule });
    }
  }
  return found;
}

type ShownText = Pick<GuardedText, 'path' | 'before' | 'after'>;

const mostLines = 16;
const mostInAll = 120;
const longestLine = 160;

/**
 * Each line is behind a sign, so that no text can pass for the question; characters that hide or turn text
 * are marked.
 */
function guardedExcerpt(texts: readonly ShownText[]): string {
  let left = mostInAll;
  const parts = texts.map(({ path, before, after }) => {
    if (before === null && after === null)
      return [`  ${shownLine(path)} isn't a text, or is too large to be shown.`];
    const removed = newLines(after, before ?? '').map(({ text }) => `    - ${shownLine(text)}`);
    const added = newLines(before, after ?? '').map(({ text }) => `    + ${shownLine(text)}`);
    const lines = [
      ...removed.slice(0, mostLines / 2),
      ...added.slice(0, mostLines - Math.min(removed.length, mostLines / 2)),
    ].slice(0, left);
    left -= lines.length;
    const more = removed.length + added.length - lines.length;
    return [
      `  ${shownLine(path)}:`,
      ...lines,
      ...(more === 0 ? [] : [`    … and ${more} more changed lines`]),
    ];
  });
  return parts.flat().join('\n');
}

function shownLine(text: string): string {
  const shown = visible(redact(text.slice(0, 2 * longestLine)).replace(/[\r\n]+/g, ' '));
  return text.length <= longestLine && shown.length <= 2 * longestLine
    ? shown
    : `${shown.slice(0, longestLine)} … (${text.length} characters)`;
}
