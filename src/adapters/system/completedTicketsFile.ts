import { hash } from 'node:crypto';
import { appendFile, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { jsonOf } from '../../base/json.ts';
import type { CompletedTicket } from '../../domain/estimate/completedTicket.ts';
import { Depth } from '../../domain/settings/settings.ts';
import { writeAtomically, textAt } from './files.ts';

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

const newest = 200;
const mostBytes = 100_000;

/**
 * The effort of this user's completed tickets: lines of JSON in their configuration folder
 * (docs/decisions/158-estimates-of-a-machine.md), with hashes for repositories. Lines added while it is
 * shortened may be lost.
 */
export class CompletedTicketsFile {
  readonly #folder: string;
  readonly #repository: string;

  constructor(configFolder: string, commonDir: string) {
    this.#folder = configFolder;
    this.#repository = hash('sha256', commonDir).slice(0, 16);
  }

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

  /** Tickets of other repositories, newest first; none if no file can be read. */
  async elsewhere(): Promise<readonly CompletedTicket[]> {
    const text = await textAt(this.#path);
    const known = new Map<string, CompletedTicket>();
    for (const line of text.trimEnd().split('\n').slice(-newest).reverse()) {
      const parsed = Line.safeParse(jsonOf(line)).data;
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
