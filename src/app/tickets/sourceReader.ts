import { relative, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { findImportPlaces, readImportFiles } from '../../adapters/files/importFiles.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { issueName } from '../../domain/forge/issue.ts';
import {
  type Imported,
  type ImportedSource,
  importKey,
  type SourceFile,
} from '../../domain/import/imported.ts';
import { readIssue } from '../../domain/import/githubIssue.ts';
import { type PlannedImport, planImport } from '../../domain/import/importPlan.ts';
import { readTodos } from '../../domain/import/todo.ts';
import type { Forges, Git } from '../../engine/ports/ports.ts';
import type { Client } from '../../protocol/api.ts';
import type {
  FoundSource,
  ReadImport,
  ReadOptions,
  TicketSources,
} from '../../domain/import/ticketSources.ts';

const mostFound = 200;
/** Tickets that are compared at a time. */
const atOnce = 100;
/** Bytes of a place that is only listed. */
const largestFound = 8_000_000;

interface SourcePorts {
  readonly forges: Pick<Forges, 'issue'>;
  readonly git: Pick<Git, 'ignored'>;
}

/** Sources of tickets, read for the checkout with this top folder. */
export class SourceReader implements TicketSources {
  readonly #client: Pick<Client, 'ticketsOfKeys' | 'ticket'>;
  readonly #root: string;
  readonly #ports: SourcePorts;

  constructor(client: Pick<Client, 'ticketsOfKeys' | 'ticket'>, root: string, ports: SourcePorts) {
    this.#client = client;
    this.#root = root;
    this.#ports = ports;
  }

  async find({ signal }: Pick<ReadOptions, 'signal'> = {}): Promise<readonly FoundSource[]> {
    const { readSource } = await readers();
    const found: FoundSource[] = [];
    for (const place of await findImportPlaces(this.#root, signal)) {
      const files = await filesAt(place, this.#root, signal);
      const { tickets } = readSource(files, false);
      found.push(...sourcesOf(tickets, relative(this.#root, place).replaceAll('\\', '/')));
      await pause(signal);
    }
    return found.slice(0, mostFound);
  }

  async read(paths: readonly string[], options: ReadOptions = {}): Promise<ReadImport> {
    const places = { root: this.#root, folder: this.#root, ports: this.#ports };
    const source = await readSources(paths, places, options);
    const { done, notUnderstood } = source;
    return { plan: await planSources(this.#client, source, options), done, notUnderstood };
  }
}

/** Loaded with the first import: most who drive tickets take none in. */
function readers() {
  return import('../../domain/import/readSource.ts');
}

/** None where nothing can be read. */
async function filesAt(
  place: string,
  root: string,
  signal: AbortSignal | undefined,
): Promise<readonly SourceFile[]> {
  try {
    return (await readImportFiles(place, root, { signal, largest: largestFound })).files;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof BeadsmithError) return [];
    throw error;
  }
}

/** A folder of Spec Kit or Kiro is a source; all tickets of a tracker are one. */
function sourcesOf(tickets: readonly Imported[], place: string): readonly FoundSource[] {
  const sources = new Map<string, FoundSource>();
  for (const { format, path: of, tasks } of tickets) {
    const path = format === 'spec-kit' || format === 'kiro' ? of : place;
    const known = sources.get(`${format} ${path}`);
    sources.set(`${format} ${path}`, {
      path,
      format,
      tickets: (known?.tickets ?? 0) + 1,
      tasks: (known?.tasks ?? 0) + tasks.filter(({ done }) => !done).length,
    });
  }
  return [...sources.values()];
}

/** `root`: of the checkout; `folder`: relative paths begin there. */
interface SourcePlaces {
  readonly root: string;
  readonly folder: string;
  readonly ports: SourcePorts;
}

/** Reads files, folders and issues. A ticket that several of them hold is taken once. */
export async function readSources(
  words: readonly string[],
  { root, folder, ports: { forges, git } }: SourcePlaces,
  { signal, tell, comments = false }: ReadOptions = {},
): Promise<ImportedSource> {
  const { mergeSources, readSource } = await readers();
  const parts: ImportedSource[] = [];
  let read = 0;
  for (const word of words) {
    const issue = issueName(word);
    if (issue) {
      parts.push(readIssue(await forges.issue(issue, signal)));
      tell?.((read += 1));
      continue;
    }
    const { files, isFile, left } = await readImportFiles(resolve(folder, word), root, {
      signal,
      anyText: comments,
      // A format's files count also where people keep them to themselves.
      ignoredIn: comments ? (below) => git.ignored({ below }) : undefined,
      tell: () => tell?.((read += 1)),
    });
    const part = comments ? mergeSources(files.map(readTodos)) : readSource(files, isFile);
    parts.push({ ...part, notUnderstood: [...left, ...part.notUnderstood] });
    await pause(signal);
  }
  const { tickets, ...rest } = mergeSources(parts);
  return { tickets: [...new Map(tickets.map((ticket) => [importKey(ticket), ticket])).values()], ...rest };
}

/** Compares each ticket of a source with the one that was made of it before. */
export async function planSources(
  client: Pick<Client, 'ticketsOfKeys' | 'ticket'>,
  { tickets }: ImportedSource,
  { signal, tell }: ReadOptions = {},
): Promise<readonly PlannedImport[]> {
  const known = await client.ticketsOfKeys(tickets.map(importKey));
  const plan: PlannedImport[] = [];
  while (plan.length < tickets.length) {
    const some = tickets.slice(plan.length, plan.length + atOnce);
    plan.push(
      ...(await Promise.all(
        some.map(async (imported) => {
          const id = known[importKey(imported)];
          return planImport(imported, id === undefined ? undefined : (await client.ticket(id)).ticket);
        }),
      )),
    );
    tell?.(plan.length);
    await pause(signal);
  }
  return plan;
}

/** Lets other work of the process continue, such as a cancel. */
async function pause(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}
