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
import { keepFiles, type Kept } from './saveFiles.ts';
import { classifyChange } from '../../../domain/core/noise.ts';

interface Scan {
  readonly key: string;
  readonly contextKey: 'relevant_files_scan' | 'relevant_files_refresh';
  readonly sections: readonly Section[];
  readonly onProviderFailure?: OnProviderFailure;
  readonly accept: (io: StepIo, kept: Kept) => Promise<void>;
}

/**
 * A list without an existing file is asked about once more; then names decide
 * (docs/decisions/102-a-list-that-is-never-empty.md). Throws what `ask` throws.
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

function tidyPath(path: unknown, worktree: string): unknown {
  if (typeof path !== 'string') return path;
  const inside = path.startsWith(`${worktree}/`) ? path.slice(worktree.length + 1) : path;
  return inside.trim().replace(/^(?:\.\/)+/, '');
}

const mostWords = 40;
const mostFiles = 15;
/** Longer runs are no names, and their parts would be tried one by one. */
const readLength = 40_000;
const longRun = /[\w@./-]{121,}/g;

interface Named {
  readonly paths: readonly string[];
  readonly words: readonly string[];
}

/** `src/cart.ts`, `cart.ts`, `applyCode`, `max_items`, and what stands in backticks. */
export function namesIn(text: string): Named {
  const read = text.slice(0, readLength).replace(longRun, ' ');
  const quoted = Array.from(read.matchAll(/`([^`\n]{2,120})`/g), ([, name = '']) => name);
  const bare =
    read.match(
      /[\w@.-]+(?:\/[\w@.-]+)+|\b\w[\w.-]+\.[A-Za-z]\w{0,7}\b|\b[A-Za-z]\w*_\w+\b|\b[a-z]+[A-Z]\w*\b|\b(?:[A-Z][a-z0-9]+){2,}\b/g,
    ) ?? [];
  const all = [...new Set([...quoted, ...bare].map((name) => name.replace(/^\.\/|[().,;:]+$/g, '')))].filter(
    (name) => name.length > 2,
  );
  const isPath = (name: string): boolean => /^[\w@./-]+$/.test(name) && /[/.]/.test(name);
  return {
    paths: all.filter(isPath).slice(0, mostWords),
    words: all.filter((name) => /^\w+$/.test(name)).slice(0, mostWords),
  };
}

export function filesNamed(tracked: readonly string[], { paths }: Named): readonly string[] {
  return tracked.filter((file) => paths.some((name) => file === name || file.endsWith(`/${name}`)));
}

/** `naming`: files that name what the ticket names. */
function filesByName(
  tracked: readonly string[],
  ticket: string,
  naming: readonly string[],
): readonly RelevantFile[] {
  const sources = tracked.filter(isSource);
  const words = [
    ...new Set(
      ticket
        .slice(0, readLength)
        .toLowerCase()
        .match(/[\p{L}\d]{4,}/gu) ?? [],
    ),
  ];
  const named = new Set([...filesNamed(sources, namesIn(ticket)), ...naming]);
  const score = (path: string): number => {
    const inPath = words.filter((word) => path.toLowerCase().includes(word)).length;
    return (named.has(path) ? 10 : 0) + 2 * inPath + (atTop.test(path) ? 1 : 0);
  };
  const ranked = sources
    .map((path) => ({ path, score: score(path) }))
    .toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  return ranked.slice(0, mostFiles).map(({ path, score: points }) => ({
    path,
    rationale: 'Chosen by its name, because the scan listed no file that exists.',
    relevance: points >= 2 ? 'medium' : 'low',
    likely_action: 'read',
    content_preview: '',
  }));
}

const atTop =
  /^(?:readme[^/]*|makefile|package\.json|pyproject\.toml|setup\.py|cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|[^/]+\.csproj|composer\.json|gemfile)$/i;
const noText =
  /\.(?:png|jpe?g|gif|ico|svg|webp|woff2?|ttf|pdf|zip|gz|jar|lock|min\.js|map|snap)$|(?:^|\/)package-lock\.json$|(?:^|\/)\.git/i;

function isSource(path: string): boolean {
  return !noText.test(path) && classifyChange({ path, state: 'untracked' }) === 'committable';
}
