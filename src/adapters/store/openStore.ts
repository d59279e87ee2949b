import { randomUUID } from 'node:crypto';
import { mkdir, realpath, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BeadsmithError, fromRecord } from '../../domain/core/errors.ts';
import type { Store } from '../../engine/ports/storePort.ts';
import { configRoot } from '../system/configRoot.ts';
import { codeOf, createExclusively, reasonOf, makePrivateFolder } from '../system/files.ts';
import { type Claim, OwnerFile } from './sqlite/ownerFile.ts';
import type { StoreStart } from './workerThread.ts';
import { openWorkerStore, type StoreState, type WorkerStore } from './workerStore.ts';

export interface StoreOptions {
  /** The state folder is `beadsmith/` in it. */
  readonly commonDir: string;
  /** `reader`: writes nothing, so it needs no place of its own. */
  readonly mode: 'driver' | 'follower' | 'reader';
  /** `worker.ts`, or its bundle. */
  readonly workerUrl: URL;
  /** A person allowed driving another installation's tickets. */
  readonly adopt?: boolean;
  /** A person said that the owner, in another container or machine, is gone. */
  readonly takeOver?: boolean;
  readonly configFolder?: string;
  /** The tickets are a team's; the folder holds what belongs to this clone. Throws DRIVEN_ELSEWHERE. */
  readonly team?: Extract<StoreStart, { readonly url: string }>;
  readonly log?: (message: string) => void;
}

/** No `store`: nothing can be read. `reason`: why this isn't what was asked for. */
export interface OpenedStore {
  readonly mode: 'driver' | 'follower' | 'readOnly';
  readonly store: Store | undefined;
  readonly owner: OwnerFile | undefined;
  readonly ofTeam?: Pick<WorkerStore, 'claims' | 'places' | 'log'>;
  readonly reason: BeadsmithError | undefined;
  /** Another process locks the database for long, no longer, or it can't be used. */
  readonly onDidChangeState: WorkerStore['onDidChangeState'];
  /** Ends long waits for locks: the process is about to end. */
  readonly hurry: () => void;
  /** Closes the store, then lets the next process drive. */
  close(): Promise<void>;
}

/**
 * Opens a repository's tickets (docs/decisions/004-one-driver.md,
 * docs/decisions/005-store-location-and-durability.md): as driver, or following with DRIVEN_ELSEWHERE.
 * Nothing while another container or machine drives (OWNER_ELSEWHERE): locks don't work across them.
 * Otherwise read-only: DATABASE_NEWER, DATABASE_CORRUPT, DATABASE_FOREIGN, DATABASE_READ_ONLY. Throws
 * DISK_FULL, UNEXPECTED.
 */
export async function openStore(options: StoreOptions): Promise<OpenedStore> {
  if (options.mode === 'reader') return openToRead(options);
  let folder: string;
  let installation: string;
  let claim: Claim | undefined;
  try {
    folder = join(await realpath(options.commonDir), 'beadsmith');
    await makePrivateFolder(folder);
    installation = await installationId(options.configFolder);
    const onRestore = (): void =>
      options.log?.(`${join(folder, 'owner.json')} was changed by another program, and was restored`);
    claim =
      options.mode === 'driver'
        ? await OwnerFile.claim(folder, { takeOver: options.takeOver ?? false, onRestore })
        : await currentDriver(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT')
      throw new BeadsmithError('DISK_FULL', {}, { cause: error });
    if (!['EROFS', 'EACCES', 'EPERM'].includes(codeOf(error))) throw error;
    return openToRead(
      options,
      new BeadsmithError('DATABASE_READ_ONLY', { reason: reasonOf(error) }, { cause: error }),
    );
  }
  const elsewhere = claim?.kind === 'driven' ? drivenBy(claim) : undefined;
  if (claim?.kind === 'driven' && claim.liveness === 'elsewhere')
    return result('readOnly', undefined, undefined, elsewhere);
  if (options.team && elsewhere) throw elsewhere;
  const owner = claim?.kind === 'owned' ? claim.owner : undefined;
  const drive = owner !== undefined;
  try {
    const worker = await openWorkerStore(
      options.workerUrl,
      options.team ?? { folder, installation, drive, adopt: options.adopt ?? false },
    );
    const { opened } = worker;
    if (opened.mode === 'readOnly') {
      await owner?.release();
      return await readOnly(worker, opened.readable, opened.reason ? fromRecord(opened.reason) : undefined);
    }
    if (owner && opened.epoch !== null) await owner.stamp(opened.epoch);
    return result(
      owner ? 'driver' : 'follower',
      worker,
      owner,
      options.mode === 'driver' ? elsewhere : undefined,
    );
  } catch (error) {
    await owner?.release();
    throw error;
  }
}

async function openToRead(options: StoreOptions, reason?: BeadsmithError): Promise<OpenedStore> {
  const folder = join(options.commonDir, 'beadsmith');
  const worker = await openWorkerStore(options.workerUrl, {
    folder,
    installation: null,
    drive: false,
    adopt: false,
  });
  const { opened } = worker;
  return readOnly(worker, opened.mode === 'readOnly' && opened.readable, reason);
}

async function readOnly(
  worker: WorkerStore,
  readable: boolean,
  reason: BeadsmithError | undefined,
): Promise<OpenedStore> {
  if (readable) return result('readOnly', worker, undefined, reason);
  await worker.store.close();
  return result('readOnly', undefined, undefined, reason);
}

function result(
  mode: OpenedStore['mode'],
  worker: WorkerStore | undefined,
  owner: OwnerFile | undefined,
  reason: BeadsmithError | undefined,
): OpenedStore {
  // A process that can't write can't drive; another may.
  const watch = worker?.onDidChangeState((state: StoreState) => {
    if (state.kind === 'lost') void owner?.release().catch(() => undefined);
  });
  const close = async (): Promise<void> => {
    watch?.dispose();
    await worker?.store.close();
    await owner?.release();
  };
  const hurry = (): void => {
    worker?.hurry();
    void owner?.leave().catch(() => undefined);
  };
  const onDidChangeState = worker?.onDidChangeState ?? (() => ({ dispose: () => undefined }));
  const ofTeam = worker && { claims: worker.claims, places: worker.places, log: worker.log };
  const common = { mode, store: worker?.store, owner, reason, onDidChangeState, hurry, close };
  return { ...common, ...(ofTeam && { ofTeam }) };
}

async function currentDriver(folder: string): Promise<Claim | undefined> {
  const found = await OwnerFile.current(folder);
  return found && { kind: 'driven', ...found };
}

function drivenBy({
  by: { host, pid, since },
  liveness,
  seenMs,
}: Extract<Claim, { readonly kind: 'driven' }>): BeadsmithError {
  if (liveness !== 'elsewhere') return new BeadsmithError('DRIVEN_ELSEWHERE', { host, pid });
  const minutes = Math.max(0, Math.round((Date.now() - seenMs) / 60_000));
  const started = new Date(since ?? seenMs).toISOString();
  return new BeadsmithError('OWNER_ELSEWHERE', {
    host,
    pid,
    minutes,
    since: `${started.slice(0, 10)} ${started.slice(11, 16)} UTC`,
  });
}

/**
 * This user's installation, created once. A database from another one came with a copied or downloaded
 * repository (docs/decisions/005-store-location-and-durability.md).
 */
export async function installationId(folder: string = configRoot(process.env)): Promise<string> {
  const path = join(folder, 'installation');
  await mkdir(folder, { recursive: true });
  await createExclusively(path, randomUUID());
  return (await readFile(path, 'utf8')).trim();
}
