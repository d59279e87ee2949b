import { hash } from 'node:crypto';
import * as z from 'zod';
import { canonicalJson, isRecord, type Json } from '../../../base/json.ts';
import type { AlteredRow, Change } from '../../../engine/ports/storePort.ts';
import type { Database } from '../sql/database.ts';
import { checkedLink, type Tip } from './journal.ts';
import { claimsOf } from './dismissals.ts';
import { Covers, parseJson, newestArtifacts } from '../sql/rows.ts';

/** A person's decisions, and where it works; not holds and errors. */
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
const uncoveredBeadFields: readonly string[] = ['updatedAt'];

/** Keys: `ticket FIELD`, `bead ID FIELD`, `plan order`, `artifact TYPE`, `dismissal NUMBER`. */
type Digests = Map<string, string>;

const TicketRow = z.object({ status: z.string(), body: z.string() });
const BeadRow = z.object({ id: z.string(), body: z.string() });

interface Touched {
  readonly ticket: boolean;
  readonly beads: 'all' | readonly string[];
  readonly artifacts: boolean;
  readonly dismissals: boolean;
  /** Stated by the change: they count whatever the row held before. */
  readonly stated: readonly string[];
}

interface Known {
  tip: Tip;
  broken: number | undefined;
  /** Undefined while no entry covers a row: the ticket is of an earlier version. */
  covered: Digests | undefined;
  readonly seen: Map<string, string>;
  /** The database's `dataVersion` when nothing was altered: changes with other connections' commits. */
  soundAt?: unknown;
}

/**
 * Knows what a ticket's hash chain says of its rows (docs/decisions/166-the-chain-covers-rows.md), so that an
 * altered row is told from a decided one. Reads the chain once, then additions.
 */
export class CoveredRows {
  readonly #database: Database;
  readonly #known = new Map<string, Known>();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Call before a commit changes rows, and the answer afterwards: it gives what the last entry covers. A
   * field that wasn't as covered isn't covered now, unless stated: no commit makes an altered one right.
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
        // Nothing altered is left in what is replaced or gone.
        const replaced = old !== now && (/^(?:artifact|dismissal) /.test(key) || now === undefined);
        const counts = isFirst || replaced || touched.stated.includes(key) || covered.get(key) === old;
        if (counts && now !== covered?.get(key)) covers[key] = now ?? null;
      }
      return Object.keys(covers).length === 0 ? undefined : covers;
    };
  }

  /** Rows that aren't as the chain says. None for a ticket of an earlier version. */
  altered(ticket: string): readonly AlteredRow[] {
    const version = this.#database.dataVersion;
    // Only this connection wrote since, and its commits cover what they write.
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
    // Nobody decided anything of a ticket without a journal.
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
      // People remove dismissals from any process, and reviews are stricter then.
      if (!found.has(key) && !wasSeen(beadOf(key)) && !key.startsWith('dismissal ')) altered.add(key);
    const bad = new Set([...altered].map(beadOf));
    for (const [id, body] of beads) if (!bad.has(id)) seen.set(id, body);
    return [...altered].map((key) => ({ row: nameOf(key) }));
  }

  /** Reads additions, so that a following write has little to read. */
  catchUp(ticket: string): void {
    this.#upToDate(ticket);
  }

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
    const sql = 'SELECT id, body FROM beads WHERE ticket = ? ORDER BY position';
    return new Map(this.#database.rows(BeadRow, sql, ticket).map(({ id, body }) => [id, body]));
  }

  #addArtifacts(digests: Digests, ticket: string): void {
    for (const { type, sha256, version } of newestArtifacts(this.#database, ticket))
      digests.set(`artifact ${type}`, digestOf([version, sha256]));
  }
}

const everything: Touched = { ticket: true, beads: 'all', artifacts: true, dismissals: true, stated: [] };

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

function nameOf(key: string): string {
  const [kind = '', name = '', field = ''] = key.split(' ');
  if (kind === 'bead') return `bead ${name}: ${field === '' ? 'unreadable' : field}`;
  if (kind === 'dismissal') return key;
  return kind === 'artifact' ? `document ${name}` : `${kind}: ${name}`;
}

/** Half a SHA-256 is still unforgeable, and each bead has two dozen. */
function digestOf(value: unknown): string {
  return hash('sha256', canonicalJson(value)).slice(0, 32);
}

/** A text that is no object has a field that equals nothing. */
function fieldsOf(body: string): Readonly<Record<string, Json | undefined>> {
  try {
    const parsed = parseJson(body);
    if (isRecord(parsed)) return parsed as Record<string, Json>;
  } catch {
    // It isn't what was written.
  }
  return { '': body };
}
