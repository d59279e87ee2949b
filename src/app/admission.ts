import { Seals, type Sealed } from '../adapters/seals/seals.ts';
import { Witness } from '../adapters/seals/witness.ts';
import { BeadsmithError, toBeadsmithError } from '../domain/core/errors.ts';
import { inboxBodies, type InboxEntry } from '../domain/ticket/inbox.ts';
import { definitionOf } from '../domain/workflow/actions.ts';
import type { Clock, EventSink } from '../engine/ports/ports.ts';
import type { Store } from '../engine/ports/storePort.ts';

export interface Decisions {
  /** Default: a key that ends with this process. */
  readonly key?: string;
  /** Throws the reason why a person doesn't make this decision. */
  readonly decide: (entry: Sealed) => Promise<void>;
}

/** Gives decisions their seals, and says whose seals count. */
export interface Sealing {
  /** Files a decision with its seal. */
  file(entry: Sealed, post: (seal: string) => Promise<InboxEntry>): Promise<InboxEntry>;
  /** Asked each time that the entry is read. */
  isGenuine(entry: InboxEntry): boolean | Promise<boolean>;
  /** Asked once about a genuine seal: a person made it, and not a copy of their key. */
  isPersons?(entry: InboxEntry): Promise<boolean>;
  /** The entry was judged. */
  judged?(id: string): Promise<void>;
}

interface SealedStoreOptions {
  readonly store: Store;
  readonly decisions: Decisions;
  readonly drives: boolean;
  readonly isAgent: boolean;
  readonly clock: Pick<Clock, 'now'>;
  readonly events: Pick<EventSink, 'emit'>;
}

export interface AdmissionOptions extends SealedStoreOptions {
  readonly stateFolder: string;
  readonly configFolder: string;
  readonly driverIsGone: () => Promise<boolean>;
}

/** Seals with the keys of this machine (docs/decisions/110-decisions-are-sealed.md). */
export async function withAdmission(options: AdmissionOptions): Promise<Store> {
  const { store, decisions, drives, driverIsGone } = options;
  const seals = await Seals.open(options.configFolder, decisions.key);
  const witness = new Witness(options.stateFolder);
  // Filed when no agent of this process was at work.
  const earlier = new Set<string>();
  if (drives)
    for (const ticket of await store.active())
      for (const { id } of await store.inbox(ticket, { pending: true })) earlier.add(id);
  return sealedStore(options, {
    file: (entry, post) => {
      const seal = seals.seal(entry);
      return drives ? post(seal) : witness.during(entry.id, seal, () => post(seal), driverIsGone);
    },
    isGenuine: (entry) => seals.check(entry) !== undefined,
    isPersons: async (entry) =>
      seals.check(entry) === 'secret' ||
      earlier.has(entry.id) ||
      (await witness.saw(entry.id, entry.seal ?? '')),
    judged: (id) => witness.forget(id),
  });
}

/** Seals every filed entry; a driver refuses entries without a seal. */
export function sealedStore(options: SealedStoreOptions, sealing: Sealing): Store {
  const { store, decisions, drives } = options;
  const post: Store['post'] = async (given) => {
    const parsed = inboxBodies[given.kind].safeParse(given.body);
    if (!parsed.success) return store.post(given);
    const entry = { ...given, body: parsed.data as typeof given.body };
    const reason = options.isAgent
      ? new BeadsmithError('DECISION_BY_AGENT')
      : definitionOf(entry.kind).decidesNothing
        ? undefined
        : await refusalOf(() => decisions.decide(entry));
    if (reason) {
      // Filed without a seal, so that the driver refuses it and the ticket's log shows the attempt.
      if (reason.code !== 'DECISION_NOT_CONFIRMED') await store.post(entry);
      throw reason;
    }
    return sealing.file(entry, (seal) => store.post({ ...entry, seal }));
  };
  if (!drives) return { ...store, post };
  const admit = admission(options, sealing);
  const inbox: Store['inbox'] = async (ticket, filter) => {
    const entries = await store.inbox(ticket, filter);
    if (filter?.pending !== true) return entries;
    const admitted = await Promise.all(
      entries.map(async (entry) => ((await admit.entry(entry)) ? [withoutSeal(entry)] : [])),
    );
    return admitted.flat();
  };
  const commit: Store['commit'] = async (transaction) => {
    const committed = await store.commit(transaction);
    for (const change of transaction.changes ?? []) if (change.type === 'inbox') admit.forget(change.id);
    return committed;
  };
  return { ...store, post, inbox, commit };
}

interface Admission {
  /** Refuses an entry that isn't a person's decision. */
  entry(entry: InboxEntry): Promise<boolean>;
  forget(id: string): void;
}

function admission({ store, clock, events }: SealedStoreOptions, sealing: Sealing): Admission {
  const admitted = new Map<string, string | undefined>();
  const judging = new Map<string, Promise<boolean>>();
  const judge = async (entry: InboxEntry): Promise<boolean> => {
    const { id, ticket, seal } = entry;
    const isGenuine = await sealing.isGenuine(entry);
    if (isGenuine && admitted.has(id) && admitted.get(id) === seal) return true;
    const isPersons = isGenuine && (sealing.isPersons === undefined || (await sealing.isPersons(entry)));
    // An entry that was put back is the copy of a decision.
    const isNew = isPersons && !(await store.consumed(ticket, id));
    if (isNew) admitted.set(id, seal);
    else await refuse(entry);
    await sealing.judged?.(id);
    return isNew;
  };
  const refuse = async ({ id, ticket, kind }: InboxEntry): Promise<void> => {
    const { code, message, nextStep } = new BeadsmithError('DECISION_UNSEALED');
    await store.commit({
      ticket,
      journal: [{ kind: 'inbox', id, outcome: 'refused', reason: code }],
      changes: [
        { type: 'inbox', id, state: 'refused', outcome: { code, message: `${message} ${nextStep}` } },
      ],
    });
    events.emit({ type: 'refused', ticket, at: clock.now(), action: kind, code, message });
  };
  return {
    entry: async (entry) => {
      // Several readers find it at once; it is refused once.
      const known = judging.get(entry.id);
      if (known) return known;
      const work = judge(entry).finally(() => judging.delete(entry.id));
      judging.set(entry.id, work);
      return work;
    },
    forget: (id) => admitted.delete(id),
  };
}

async function refusalOf(decide: () => Promise<void>): Promise<BeadsmithError | undefined> {
  try {
    await decide();
    return undefined;
  } catch (error) {
    return toBeadsmithError(error);
  }
}

function withoutSeal({ seal: _seal, ...entry }: InboxEntry): InboxEntry {
  return entry;
}
