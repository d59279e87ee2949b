import { hash } from 'node:crypto';
import { appendFile, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { CompletedTicket } from '../../domain/estimate/completedTicket.ts';
import { Depth } from '../../domain/settings/settings.ts';
import { writeAtomically } from './files.ts';

const amount = z.number().nonnegative();
const Line: z.ZodType<CompletedTicket & { readonly repository: string; readonly ticket: string }> = z.object({
  repository: z.string(),
  ticket: z.string(),
  depth: Depth,
  calls: amount,
  tokens: amount,
  minutes: amount,
  money: amount.nullable(),
  review: z
    .object({ mode: z.enum(['standard', 'party']), beads: amount, calls: amount, tokens: amount })
    .nullable(),
});

/** So many of the newest lines are read, and kept when the file is shortened. */
const newest = 200;
/** Over this the file is shortened: about 400 lines. */
const mostBytes = 100_000;

/**
 * The effort of completed tickets, of all repositories of this user: a line of JSON each, in their
 * configuration folder (docs/decisions/158-estimates-of-a-machine.md). It has numbers, ids of tickets, and
 * hashes in place of the repositories' paths. Two processes that add a line while the file is shortened may
 * lose one, which an estimate can do without.
 */
export class CompletedTicketsFile {
  readonly #folder: string;
  readonly #repository: string;

  /** `commonDir`: the git common dir of the repository that is open. */
  constructor(configFolder: string, commonDir: string) {
    this.#folder = configFolder;
    this.#repository = hash('sha256', commonDir).slice(0, 16);
  }

  /** Adds a ticket of this repository. Throws what the system says if the file can't be written. */
  async add(ticket: string, completed: CompletedTicket): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await appendFile(
      this.#path,
      `${JSON.stringify({ repository: this.#repository, ticket, ...completed })}\n`,
      { mode: 0o600 },
    );
    if ((await stat(this.#path)).size <= mostBytes) return;
    const lines = (await readFile(this.#path, 'utf8')).trimEnd().split('\n').slice(-newest);
    await writeAtomically(this.#path, `${lines.join('\n')}\n`, { mode: 0o600, durable: false });
  }

  /** The newest of other repositories, newest first; none if no file can be read. */
  async elsewhere(): Promise<readonly CompletedTicket[]> {
    const text = await readFile(this.#path, 'utf8').catch(() => '');
    const known = new Map<string, CompletedTicket>();
    for (const line of text.trimEnd().split('\n').slice(-newest).reverse()) {
      const parsed = parsedLine(line);
      if (!parsed || parsed.repository === this.#repository) continue;
      const { repository, ticket, ...completed } = parsed;
      const key = `${repository} ${ticket}`;
      if (!known.has(key)) known.set(key, completed);
    }
    return [...known.values()];
  }

  get #path(): string {
    return join(this.#folder, 'completed-tickets.jsonl');
  }
}

function parsedLine(line: string): z.infer<typeof Line> | undefined {
  try {
    return Line.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
