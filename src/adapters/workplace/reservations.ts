import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Reservation } from '../../engine/ports/workplacePort.ts';
import {
  createExclusively,
  readJson,
  removeFolder,
  removeIfSame,
  namesAt,
  statAt,
  makePrivateFolder,
} from '../system/files.ts';

const Claim = z.object({ repository: z.string(), ticket: z.string() });
type Claim = z.infer<typeof Claim>;

const firstPort = 21_000;
const portsEach = 20;
const unfinishedMs = 60_000;
/** The last range ends below Linux's ports for outgoing connections. */
const mostClaims = 588;

/**
 * Tickets' claims to port ranges and temporary folders, over all repositories: a file each, created
 * exclusively. A claim ends with its ticket or repository.
 */
export class Reservations {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The same each time; undefined without room, or a writable cache. */
  async of(claim: Claim): Promise<Reservation | undefined> {
    try {
      const number = (await this.#find(claim)) ?? (await this.#claim(claim));
      if (number === undefined) return undefined;
      const [own, proof] = [this.#folders(number), this.#folders(number, 'proof.')];
      for (const { temporary } of [own, proof]) await makePrivateFolder(temporary);
      return { portBase: firstPort + number * portsEach, ports: portsEach, ...own, proof };
    } catch {
      return undefined;
    }
  }

  /** Empties the folders of a ticket's proofs. `home`: their sandbox's, too. */
  async emptyProof(claim: Claim, { home }: { readonly home: boolean }): Promise<void> {
    const number = await this.#find(claim);
    if (number === undefined) return;
    const { temporary, sandbox } = this.#folders(number, 'proof.');
    for (const folder of [temporary, home ? sandbox : join(sandbox, 'tmp')]) await removeFolder(folder);
  }

  async release(claim: Claim): Promise<void> {
    const number = await this.#find(claim);
    if (number === undefined) return;
    for (const { temporary, sandbox } of [this.#folders(number), this.#folders(number, 'proof.')])
      for (const folder of [temporary, sandbox]) await removeFolder(folder);
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
    await makePrivateFolder(this.#folder);
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
      const found = claim ? undefined : await statAt(file);
      // Another process may be writing it, but ended if it stays empty.
      if (found && Math.abs(Date.now() - found.mtimeMs) > unfinishedMs) await removeIfSame(file, found);
      if (claim && !(await statAt(claim.repository))) await this.release(claim);
    }
  }

  async #taken(): Promise<readonly number[]> {
    const names = await namesAt(this.#folder);
    return names.flatMap((name) => (/^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : []));
  }

  #file(number: number): string {
    return join(this.#folder, `${number}.json`);
  }

  #folders(number: number, part = ''): Pick<Reservation, 'temporary' | 'sandbox'> {
    const place = (kind: string) => join(this.#folder, `${number}.${part}${kind}`);
    return { temporary: place('tmp'), sandbox: place('box') };
  }
}
