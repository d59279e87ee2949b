import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../../engine/ports/ports.ts';
import { codeOf, createExclusively, replaceFile } from '../system/files.ts';
import { type Fate, fateOf, ownIdentity, ProcessIdentity } from '../system/processIdentity.ts';

/** Who drives the tickets of a repository. `epoch` is 0 until the database has given one. */
export const OwnerRecord = ProcessIdentity.extend({ nonce: z.string().regex(/^[a-z0-9]{1,64}$/), epoch: z.number().int() });
export type OwnerRecord = z.infer<typeof OwnerRecord>;

export type Claim =
  | { readonly kind: 'owned'; readonly owner: OwnerFile }
  /** `fate` is `alive`, or `elsewhere`: on another host or kernel. */
  | { readonly kind: 'driven'; readonly by: OwnerRecord; readonly fate: Fate };

const triesOnRaces = 20;
const unreadable: OwnerRecord = {
  host: 'an unreadable owner.json',
  boot: '',
  namespace: '',
  pid: 1,
  started: '',
  nonce: 'unreadable',
  epoch: 0,
};

/**
 * `owner.json` of a state folder: the one driver of a repository (docs/decisions/004-one-driver.md). A dead owner is succeeded through a file
 * named after it, `owner-<its nonce>.next`, which only one process can make: whoever made it is the next owner and replaces `owner.json`. If that
 * one dies before it did, it is succeeded in the same way, so the last of the chain is the owner.
 */
export class OwnerFile {
  readonly #folder: string;
  #record: OwnerRecord;

  private constructor(folder: string, record: OwnerRecord) {
    this.#folder = folder;
    this.#record = record;
  }

  /** Becomes the owner of an existing folder, or tells who is. */
  static async claim(folder: string, clock: Clock): Promise<Claim> {
    const me: OwnerRecord = { ...(await ownIdentity()), nonce: clock.randomId(), epoch: 0 };
    for (let round = 0; ; round++) {
      const chain = await readChain(folder, clock);
      const [first] = chain;
      const last = chain.at(-1);
      if (!first || !last) {
        if (await createExclusively(ownerPath(folder), JSON.stringify(me))) return OwnerFile.#owned(folder, me);
        continue;
      }
      const fate = await fateOf(last, me);
      if (fate !== 'dead' || round >= triesOnRaces) return { kind: 'driven', by: last, fate };
      if (await succeed(folder, first, last, me)) return OwnerFile.#owned(folder, me);
      await clock.sleep(10);
    }
  }

  /** Who drives, as far as one can see from here; undefined when nobody does (any more). */
  static async look(folder: string, clock: Clock): Promise<{ readonly by: OwnerRecord; readonly fate: Fate } | undefined> {
    const last = (await readChain(folder, clock)).at(-1);
    if (!last) return undefined;
    const fate = await fateOf(last, await ownIdentity());
    return fate === 'dead' ? undefined : { by: last, fate };
  }

  get record(): OwnerRecord {
    return this.#record;
  }

  /** Writes down the epoch that the database gave. */
  async stamp(epoch: number): Promise<void> {
    this.#record = { ...this.#record, epoch };
    await replaceFile(ownerPath(this.#folder), JSON.stringify(this.#record));
  }

  /** Lets the next one drive. Does nothing if somebody else is the owner by now. */
  async release(): Promise<void> {
    const present = await readRecord(ownerPath(this.#folder));
    if (present !== 'missing' && present !== 'unreadable' && present.nonce === this.#record.nonce)
      await rm(ownerPath(this.#folder), { force: true });
  }

  static async #owned(folder: string, me: OwnerRecord): Promise<Claim> {
    await sweep(folder);
    return { kind: 'owned', owner: new OwnerFile(folder, me) };
  }
}

/** Takes the place of the dead `last`; `first` is the one `owner.json` named when the chain was read. Answers whether it was this call that did. */
async function succeed(folder: string, first: OwnerRecord, last: OwnerRecord, me: OwnerRecord): Promise<boolean> {
  const successor = nextPath(folder, last.nonce);
  if (!(await createExclusively(successor, JSON.stringify(me)))) return false;
  // Somebody may have taken over and swept the chain since it was read; then this link leads nowhere.
  const present = await readRecord(ownerPath(folder));
  if (present === 'missing' || present === 'unreadable' || present.nonce !== first.nonce) {
    await rm(successor, { force: true });
    return false;
  }
  await replaceFile(ownerPath(folder), JSON.stringify(me));
  return true;
}

/** Removes what take-overs left behind. Only the owner may: nobody can follow a living one, so no link is in use. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^owner[.-].*\.(next|part)$/.test(name)) continue;
    const path = join(folder, name);
    const isFresh = name.endsWith('.part') && Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0) < 60_000;
    if (!isFresh) await rm(path, { force: true });
  }
}

/** The owner and those who succeeded it, in order; empty when nobody drives. */
async function readChain(folder: string, clock: Clock): Promise<readonly OwnerRecord[]> {
  const chain: OwnerRecord[] = [];
  for (let path = ownerPath(folder); ;) {
    const record = await readWhole(path, clock);
    if (!record || chain.some(({ nonce }) => nonce === record.nonce)) return chain;
    chain.push(record);
    path = nextPath(folder, record.nonce);
  }
}

/** Looks again at a file that can't be read: it may be just being written. */
async function readWhole(path: string, clock: Clock): Promise<OwnerRecord | undefined> {
  for (let round = 0; round < triesOnRaces; round++) {
    const record = await readRecord(path);
    if (record === 'missing') return undefined;
    if (record !== 'unreadable') return record;
    await clock.sleep(20);
  }
  return unreadable;
}

async function readRecord(path: string): Promise<OwnerRecord | 'missing' | 'unreadable'> {
  try {
    return OwnerRecord.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'missing' : 'unreadable';
  }
}

function ownerPath(folder: string): string {
  return join(folder, 'owner.json');
}

function nextPath(folder: string, nonce: string): string {
  return join(folder, `owner-${nonce}.next`);
}
