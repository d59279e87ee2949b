// Turns a finished ticket's database into a recording that is replayed from then on:
//
//   node test/replay/record.ts NAME REPOSITORY|STATE.DB [TICKET]
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { cacheRoot } from '../../src/adapters/system/cacheRoot.ts';
import { SqliteDatabase } from '../../src/adapters/store/sqlite/database.ts';
import { verifyJournal } from '../../src/adapters/store/chain/journal.ts';
import { readInbox } from '../../src/adapters/store/reads.ts';
import { JournalColumns } from '../../src/adapters/store/sql/rows.ts';
import { readTickets } from '../../src/adapters/store/tickets.ts';
import { canonicalJson, isRecord } from '../../src/base/json.ts';
import { sha256 } from '../../src/base/sha256.ts';
import { isTerminal } from '../../src/domain/workflow/workflow.ts';
import { openRecording } from './recordedTicket.ts';
import { Recording, writeRecording } from './recording.ts';

/** What stands in for the recorded repository's folder; worktrees lie beside it in `/repo.worktrees`. */
const standIn = '/repo';
/** The folder of this project, whose programs a ticket of its own tests finds on the PATH. */
const ownFolder = join(import.meta.dirname, '../..');
const largestBytes = 600_000;

const [name, place, chosen] = process.argv.slice(2);
if (name === undefined || place === undefined || !/^[a-z0-9][a-z0-9.-]*$/.test(name)) {
  console.error('node test/replay/record.ts NAME REPOSITORY|STATE.DB [TICKET]');
  process.exit(2);
}
const { bytes, file } = writeRecording(name, record(place, chosen));
console.log(`${file}: ${String(bytes)} bytes`);
if (bytes > largestBytes) throw new Error(`That is more than ${String(largestBytes)} bytes. Record a smaller ticket.`);

function record(from: string, ticketId: string | undefined): Recording {
  const path = databaseOf(resolve(from));
  const database = new SqliteDatabase(dirname(path), { readOnly: true });
  try {
    const tickets = readTickets(database).filter(({ id, status }) => isTerminal(status) && (ticketId === undefined || id === ticketId));
    const [ticket] = tickets;
    if (!ticket || tickets.length > 1) throw new Error(`Name one finished ticket; there are: ${tickets.map(({ id }) => id).join(', ') || 'none'}`);
    const verdict = verifyJournal(database, ticket.id);
    if (!verdict.ok) throw new Error(`The journal is broken at entry ${String(verdict.seq)}`);
    const journal = database.all('SELECT * FROM journal WHERE ticket = ? ORDER BY seq', ticket.id).map((row) => {
      const { seq, at, epoch, entry } = JournalColumns.parse(row);
      return { seq, at, epoch, entry: JSON.parse(database.unpack(entry)) as unknown };
    });
    const { id, title, description, priority } = ticket;
    const found = { schema_version: 1, release: release(), ticket: { id, title, description, priority }, journal, inbox: readInbox(database, id) };
    return chained(scrubbed(found, dirname(dirname(realpathSync(dirname(path))))));
  } finally {
    database.close();
  }
}

/**
 * Replaces the folders of the repository, of this project and of the user's cache, wherever they are named,
 * and refuses to write down any other place of this machine.
 */
function scrubbed(found: unknown, repository: string): unknown {
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const text = JSON.stringify(found).replaceAll(inJson(repository), standIn).replaceAll(inJson(ownFolder), '/beadsmith').replaceAll(inJson(cacheRoot(process.env)), '/cache');
  for (const secret of [tmpdir(), realpathSync(tmpdir()), homedir()]) {
    const at = text.indexOf(`${inJson(secret)}/`);
    if (at >= 0) throw new Error(`A path of this machine is left: …${text.slice(Math.max(0, at - 80), at + 120)}…`);
  }
  return resized(found, JSON.parse(text));
}

/** Other paths have other lengths: the output of a command still counts as whole if it was. */
function resized(before: unknown, after: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(after)) return before.map((item, index) => resized(item, after[index]));
  if (!isRecord(before) || !isRecord(after)) return after;
  const entries = Object.entries(after).map(([key, value]) => [key, resized(before[key], value)] as const);
  const result: Record<string, unknown> = Object.fromEntries(entries);
  const { head, outputBytes } = before;
  if (typeof head === 'string' && typeof outputBytes === 'number' && typeof after['head'] === 'string')
    result['outputBytes'] = outputBytes + Buffer.byteLength(after['head']) - Buffer.byteLength(head);
  return result;
}

/**
 * Other paths make other hashes: the chain is computed again over what is recorded, by the rule of
 * `chainHash` in the store.
 */
function chained(found: unknown): Recording {
  const Unchained = Recording.extend({ journal: z.array(z.object({ seq: z.number(), at: z.number(), epoch: z.number(), entry: z.unknown() })) });
  const { journal, ...rest } = Unchained.parse(found);
  let previous = '';
  const rows = journal.map((row) => {
    const hash = sha256(previous + canonicalJson(row));
    const link = { ...row, prevHash: previous, hash };
    previous = hash;
    return link;
  });
  const recording = Recording.parse({ ...rest, journal: rows });
  const { brokenAt } = openRecording(recording);
  if (brokenAt !== undefined) throw new Error(`The recorded journal is broken at entry ${String(brokenAt)}`);
  return recording;
}

function databaseOf(path: string): string {
  if (statSync(path).isFile()) return path;
  const args = ['-C', path, 'rev-parse', '--path-format=absolute', '--git-common-dir'];
  const file = join(execFileSync('git', args, { encoding: 'utf8' }).trim(), 'beadsmith', 'state.db');
  if (!existsSync(file)) throw new Error(`${path} has no tickets`);
  return file;
}

function release(): string {
  const file = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(file)).version;
}
