import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { forgeText } from '../../../base/forgeText.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { CommitSha, TicketId } from '../../../domain/core/ids.ts';
import type { Forge } from '../../../engine/ports/ports.ts';
import { writeAtomically, reasonOf } from '../../system/files.ts';

type PullRequest = Parameters<Forge['publish']>[0];

/** A forge without a network: a pull request is `<folder>/<TICKET>.md`, and nothing is pushed. */
export class LocalForge implements Forge {
  readonly name = 'local';
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Throws PULL_REQUEST_FAILED. */
  async publish(pullRequest: PullRequest): Promise<{ readonly location: string }> {
    const location = this.#fileOf(pullRequest.ticket);
    try {
      await mkdir(this.#folder, { recursive: true });
      await writeAtomically(location, documentOf(pullRequest));
    } catch (error) {
      throw new BeadsmithError('PULL_REQUEST_FAILED', { reason: reasonOf(error) }, { cause: error });
    }
    return { location };
  }

  async find(ticket: string): Promise<{ readonly location: string; readonly commit: string } | undefined> {
    const location = this.#fileOf(ticket);
    const text = await readFile(location, 'utf8').catch(() => undefined);
    const front = text === undefined ? undefined : frontMatterOf(text);
    return front?.ticket === ticket ? { location, commit: front.commit } : undefined;
  }

  #fileOf(ticket: string): string {
    if (!TicketId.safeParse(ticket).success)
      throw new BeadsmithError('PULL_REQUEST_FAILED', { reason: `"${ticket}" is no ticket.` });
    return join(this.#folder, `${ticket}.md`);
  }
}

const FrontMatter = z.object({ ticket: TicketId, commit: CommitSha });

function documentOf({ ticket, title, body, branch, base, commit }: PullRequest): string {
  const front = stringify({ ticket, title, branch, base, commit }, { lineWidth: 0 });
  return `---\n${front}---\n\n# ${forgeText.prose(title)}\n\n${body.trimEnd()}\n`;
}

function frontMatterOf(text: string): z.infer<typeof FrontMatter> | undefined {
  const front = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(text)?.[1];
  if (front === undefined) return undefined;
  try {
    return FrontMatter.safeParse(parse(front)).data;
  } catch {
    return undefined;
  }
}
