import { hash } from 'node:crypto';
import * as z from 'zod';
import { canonicalJson, isRecord, type Json } from '../../../base/json.ts';
import type { AlteredRow, Change } from '../../../engine/ports/storePort.ts';
import type { Database } from '../sqlite/database.ts';
import { checkedLink, type Tip } from './journal.ts';
import { claimsOf } from './dismissals.ts';
import { Covers, parseJson } from '../sqlite/rows.ts';

/** Covered fields of a ticket: what a person decided, and where it works. Holds and errors aren't. */
const ticketFields = [
  'title',
  'description',
  'attempts',
  'settings',
  'limits',
  'baseBranch',
  'baseCommit',
  'branch',
  'worktree',
] as const;
/** Of a bead everything is covered but the time of its last change. */
const uncoveredBeadFields: readonly string[] = ['updatedAt'];

/** Digests by key: `ticket FIELD`, `bead ID FIELD`, `plan order`, `artifact TYPE`, `dismissal NUMBER`. */
type Digests = Map<string, string>;

const TicketRow = z.object({ status: z.string(), body: z.string() });
const BeadRow = z.object({ id: z.string(), body: z.string() });
const Version = z.object({ data_version: z.number() });
const CurrentRow = z.object({ type: z.string(), sha256: z.string(), version: z.number() });

/** The covered rows that a commit changes. */
interface Touched {
  readonly ticket: boolean;
  /** Ids, or the whole plan. */
  readonly beads: 'all' | readonly string[];
  readonly artifacts: boolean;
  readonly dismissals: boolean;
  /** Keys that the change itself states: they count whatever the row held before. */
  readonly stated: readonly string[];
}

interface Known {
  tip: Tip;
  /** The first entry that isn't what was written. */
  broken: number | undefined;
  /** undefined: as long as no entry covers a row, the ticket is of an earlier version. */
  covered: Digests | undefined;
  /** Texts of beads that were found to be as covered. */
  readonly seen: Map<string, string>;
  /** `PRAGMA data_version` when nothing was altered. Commits of other connections change it. */
  soundAt?: number | undefined;
}

/**
 * Knows what the hash chain of each ticket says of its rows (docs/decisions/166-the-chain-covers-rows.md). An
 * entry covers what its commit made of the rows, so that a row which anything else changed is told from one
 * that was decided. It reads the chain once, and then what was added.
 */
export class CoveredRows {
  readonly #database: Database;
  readonly #known = new Map<string, Known>();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Called before a commit changes rows; what it answers is called after that, and gives what the last entry
   * covers. A field that wasn't as covered before isn't covered now either, unless the change states it: what
   * was altered isn't made right by the next commit that reads and writes it.
   */
  begin(ticket: string, changes: readonly Change[], moves: boolean): () => Covers | undefined {
    const touched = touchedBy(changes, moves);
    if (!touched) return () => undefined;
    const { covered } = this.#upToDate(ticket);
    const before = this.#digests(ticket, touched);
    return () => {
      const isFirst = covered === undefined;
      const after = this.#digests(ticket, isFirst ? everything : touched);
      const covers: Record<string, string | null> = {};
      for (const key of new Set([...before.keys(), ...after.keys()])) {
        const [old, now] = [before.get(key), after.get(key)];
        // What is written again, and what is gone, holds nothing of what was altered.
        const replaced = old !== now && (/^(?:artifact|dismissal) /.test(key) || now === undefined);
        const counts = isFirst || replaced || touched.stated.includes(key) || covered.get(key) === old;
        if (counts && now !== covered?.get(key)) covers[key] = now ?? null;
      }
      return Object.keys(covers).length === 0 ? undefined : covers;
    };
  }

  /** Lists what isn't as the chain says. Empty for a ticket of an earlier version. */
  altered(ticket: string): readonly AlteredRow[] {
    const version = Version.parse(this.#database.get('PRAGMA data_version')).data_version;
    // Only this connection has written since, and each of its commits covers what it writes.
    if (this.#known.get(ticket)?.soundAt === version) return [];
    const altered = this.#altered(ticket);
    const known = this.#known.get(ticket);
    if (known) known.soundAt = altered.length === 0 ? version : undefined;
    return altered;
  }

  #altered(ticket: string): readonly AlteredRow[] {
    const known = this.#upToDate(ticket);
    if (known.broken !== undefined) return [{ brokenAt: known.broken }];
    const { covered, seen } = known;
    // Of a ticket that has no journal nobody decided anything.
    if (!covered)
      return known.tip.seq > 0
        ? []
        : [...claimsOf(this.#database, ticket).keys()].map((number) => ({ row: `dismissal ${number}` }));
    const found = this.#digests(ticket, everything, seen);
    const beads = this.#beads(ticket);
    const wasSeen = (id: string | undefined): boolean =>
      id !== undefined && seen.has(id) && seen.get(id) === beads.get(id);
    const altered = new Set<string>();
    for (const [key, digest] of found) if (covered.get(key) !== digest) altered.add(key);
    for (const key of covered.keys())
      // People remove what they dismissed from any process, and reviews are stricter then.
      if (!found.has(key) && !wasSeen(beadOf(key)) && !key.startsWith('dismissal ')) altered.add(key);
    const bad = new Set([...altered].map(beadOf));
    for (const [id, body] of beads) if (!bad.has(id)) seen.set(id, body);
    return [...altered].map((key) => ({ row: nameOf(key) }));
  }

  /** Reads what was added to a journal, so that a write that follows has little to read. */
  catchUp(ticket: string): void {
    this.#upToDate(ticket);
  }

  /** Reads the chain up to its end. */
  #upToDate(ticket: string): Known {
    let known = this.#known.get(ticket);
    if (known && known.tip.seq > 0 && !this.#has(ticket, known.tip)) known = undefined;
    known ??= { tip: { seq: 0, hash: '' }, broken: undefined, covered: undefined, seen: new Map() };
    this.#known.set(ticket, known);
    if (known.broken !== undefined) return known;
    for (;;) {
      const rows = this.#database.all(
        'SELECT * FROM journal WHERE ticket = ? AND seq > ? ORDER BY seq LIMIT 100',
        ticket,
        known.tip.seq,
      );
      if (rows.length === 0) return known;
      for (const row of rows) {
        const link = checkedLink(this.#database, known.tip, row);
        if (!link) {
          known.broken = known.tip.seq + 1;
          return known;
        }
        known.tip = link.tip;
        if (link.covers !== null) add(known, Covers.parse(parseJson(link.covers)));
      }
    }
  }

  #has(ticket: string, tip: Tip): boolean {
    return (
      this.#database.get(
        'SELECT 1 FROM journal WHERE ticket = ? AND seq = ? AND hash = ?',
        ticket,
        tip.seq,
        tip.hash,
      ) !== undefined
    );
  }

  /** `seen`: texts of beads that aren't taken apart again. */
  #digests(ticket: string, touched: Touched, seen?: ReadonlyMap<string, string>): Digests {
    const digests: Digests = new Map();
    if (touched.ticket) this.#addTicket(digests, ticket);
    if (touched.beads === 'all' || touched.beads.length > 0) {
      const beads = this.#beads(ticket);
      if (touched.beads === 'all' && beads.size > 0) digests.set('plan order', digestOf([...beads.keys()]));
      for (const [id, body] of beads) {
        if ((touched.beads !== 'all' && !touched.beads.includes(id)) || seen?.get(id) === body) continue;
        for (const [field, value] of Object.entries(fieldsOf(body)))
          if (!uncoveredBeadFields.includes(field)) digests.set(`bead ${id} ${field}`, digestOf(value));
      }
    }
    if (touched.artifacts) this.#addArtifacts(digests, ticket);
    if (touched.dismissals)
      for (const [number, claim] of claimsOf(this.#database, ticket))
        digests.set(`dismissal ${number}`, digestOf(claim));
    return digests;
  }

  #addTicket(digests: Digests, ticket: string): void {
    const row = this.#database.get('SELECT status, body FROM tickets WHERE id = ?', ticket);
    if (row === undefined) return;
    const { status, body } = TicketRow.parse(row);
    const fields = fieldsOf(body);
    digests.set('ticket status', digestOf(status));
    for (const field of ticketFields) digests.set(`ticket ${field}`, digestOf(fields[field] ?? null));
  }

  #beads(ticket: string): ReadonlyMap<string, string> {
    const rows = this.#database.all('SELECT id, body FROM beads WHERE ticket = ? ORDER BY position', ticket);
    return new Map(rows.map((row) => BeadRow.parse(row)).map(({ id, body }) => [id, body]));
  }

  #addArtifacts(digests: Digests, ticket: string): void {
    const rows = this.#database.all(
      'SELECT type, sha256, max(version) AS version FROM artifacts WHERE ticket = ? AND archived = 0 GROUP BY type',
      ticket,
    );
    for (const row of rows) {
      const { type, sha256, version } = CurrentRow.parse(row);
      digests.set(`artifact ${type}`, digestOf([version, sha256]));
    }
  }
}

const everything: Touched = { ticket: true, beads: 'all', artifacts: true, dismissals: true, stated: [] };

/** The rows that the first entry of a ticket's journal covers. */
export function coversOfNew(database: Database, ticket: string): Covers {
  const covers = new CoveredRows(database).begin(ticket, [], true);
  return covers() ?? {};
}

function touchedBy(changes: readonly Change[], moves: boolean): Touched | undefined {
  const stated: string[] = moves ? ['ticket status'] : [];
  const ids: string[] = [];
  let [ticket, plan, artifacts, dismissals] = [moves, false, false, false];
  for (const change of changes) {
    if (change.type === 'ticket') {
      const fields = ticketFields.filter((field) => change.set[field] !== undefined);
      stated.push(...fields.map((field) => `ticket ${field}`));
      ticket ||= fields.length > 0;
    } else if (change.type === 'bead') {
      stated.push(...Object.keys(change.set).map((field) => `bead ${change.id} ${field}`));
      ids.push(change.id);
    } else if (change.type === 'beads') {
      plan = true;
      if (change.byPerson === true)
        stated.push(
          'plan order',
          ...change.beads.flatMap((bead) => Object.keys(bead).map((field) => `bead ${bead.id} ${field}`)),
        );
    } else if (change.type === 'artifact' || change.type === 'artifacts.archive') artifacts = true;
    else if (change.type === 'dismissal') dismissals = true;
  }
  if (!ticket && !plan && !artifacts && !dismissals && ids.length === 0) return undefined;
  return { ticket, beads: plan ? 'all' : ids, artifacts, dismissals, stated };
}

function add(known: Known, covers: Covers): void {
  const covered = (known.covered ??= new Map<string, string>());
  for (const [key, digest] of Object.entries(covers)) {
    const bead = beadOf(key);
    if (bead !== undefined) known.seen.delete(bead);
    if (digest === null) covered.delete(key);
    else covered.set(key, digest);
  }
}

function beadOf(key: string): string | undefined {
  const [kind, id] = key.split(' ');
  return kind === 'bead' ? id : undefined;
}

/** A key in the words of people: `bead greet: testCommands`, `ticket: limits`. */
function nameOf(key: string): string {
  const [kind = '', name = '', field = ''] = key.split(' ');
  if (kind === 'bead') return `bead ${name}: ${field === '' ? 'unreadable' : field}`;
  if (kind === 'dismissal') return key;
  return kind === 'artifact' ? `document ${name}` : `${kind}: ${name}`;
}

/** Half of what SHA-256 gives: nobody finds another text for it, and each bead has two dozen of them. */
function digestOf(value: unknown): string {
  return hash('sha256', canonicalJson(value)).slice(0, 32);
}

/** Of a text that is no object, one field that equals nothing. */
function fieldsOf(body: string): Readonly<Record<string, Json | undefined>> {
  try {
    const parsed = parseJson(body);
    if (isRecord(parsed)) return parsed as Record<string, Json>;
  } catch {
    // It isn't what was written.
  }
  return { '': body };
}
