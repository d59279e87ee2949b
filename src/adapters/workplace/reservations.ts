import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Reservation } from '../../engine/ports/workplacePort.ts';
import { createExclusively, readJson, removeFolder, removeIfSame } from '../system/files.ts';

const Claim = z.object({ repository: z.string(), ticket: z.string() });
type Claim = z.infer<typeof Claim>;

const firstPort = 21_000;
const portsEach = 20;
const unfinishedMs = 60_000;
/** The last range ends below the ports that Linux gives to outgoing connections. */
const mostClaims = 588;

/**
 * The claims of this user's tickets to port ranges and temporary folders: one file per claim, created
 * exclusively, over all repositories and processes. A claim ends with its ticket, or when its repository is
 * gone.
 */
export class Reservations {
  readonly #folder: string;

  /** `folder`: in the user's cache; made as needed. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The ticket's own, the same each time; undefined if there is no room, or no cache to write to. */
  async of(claim: Claim): Promise<Reservation | undefined> {
    try {
      const number = (await this.#find(claim)) ?? (await this.#claim(claim));
      if (number === undefined) return undefined;
      const [own, proof] = [this.#folders(number), this.#folders(number, 'proof.')];
      for (const { temporary } of [own, proof]) await mkdir(temporary, { recursive: true, mode: 0o700 });
      return { portBase: firstPort + number * portsEach, ports: portsEach, ...own, proof };
    } catch {
      return undefined;
    }
  }

  /** Empties the folders of a ticket's proofs, if it has any. `home`: that of their sandbox as well. */
  async emptyProof(claim: Claim, { home }: { readonly home: boolean }): Promise<void> {
    const number = await this.#find(claim);
    if (number === undefined) return;
    const { temporary, box } = this.#folders(number, 'proof.');
    for (const folder of [temporary, home ? box : join(box, 'tmp')]) await removeFolder(folder);
  }

  async release(claim: Claim): Promise<void> {
    const number = await this.#find(claim);
    if (number === undefined) return;
    for (const { temporary, box } of [this.#folders(number), this.#folders(number, 'proof.')])
      for (const folder of [temporary, box]) await removeFolder(folder);
    await rm(this.#file(number), { force: true });
  }

  async #find({ repository, ticket }: Claim): Promise<number | undefined> {
    for (const number of await this.#taken()) {
      const claim = await readJson(this.#file(number), Claim);
      if (claim?.repository === repository && claim.ticket === ticket) return number;
    }
    return undefined;
  }

  async #claim(claim: Claim): Promise<number | undefined> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await this.#forgetGone();
    const taken = new Set(await this.#taken());
    for (let number = 0; number < mostClaims; number += 1) {
      if (taken.has(number)) continue;
      if (await createExclusively(this.#file(number), JSON.stringify(claim), { durable: false }))
        return number;
    }
    return undefined;
  }

  async #forgetGone(): Promise<void> {
    for (const number of await this.#taken()) {
      const file = this.#file(number);
      const claim = await readJson(file, Claim);
      const found = claim ? undefined : await stat(file).catch(() => undefined);
      // Another process may be writing it, but ended if it is still empty after this.
      if (found && Math.abs(Date.now() - found.mtimeMs) > unfinishedMs) await removeIfSame(file, found);
      if (claim && !(await stat(claim.repository).catch(() => undefined))) await this.release(claim);
    }
  }

  async #taken(): Promise<readonly number[]> {
    const names = await readdir(this.#folder).catch(() => []);
    return names.flatMap((name) => (/^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : []));
  }

  #file(number: number): string {
    return join(this.#folder, `${String(number)}.json`);
  }

  #folders(number: number, part = ''): Pick<Reservation, 'temporary' | 'box'> {
    const [temporary, box] = ['tmp', 'box'].map((kind) =>
      join(this.#folder, `${String(number)}.${part}${kind}`),
    );
    return { temporary: temporary ?? '', box: box ?? '' };
  }
}
