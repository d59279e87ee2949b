import { DatabaseSync } from 'node:sqlite';
import type { RequestRecord } from '../../src/demo/scriptedServer.ts';

/** What was on record at one moment: the sessions of steps that had their receipt. */
export interface Snapshot {
  readonly at: string;
  readonly sessions: ReadonlySet<string>;
}

/** Reads what has a receipt now. The database may be between two owners; it is only read. */
export function snapshot(database: string): Snapshot {
  return read(database, (db) => {
    const rows = db
      .prepare(
        "SELECT DISTINCT calls.session FROM calls JOIN steps ON steps.run = calls.run AND steps.state = 'done'",
      )
      .all();
    return { at: new Date().toISOString(), sessions: new Set(rows.map((row) => String(row['session']))) };
  });
}

/**
 * Prompts that were sent again although their step had a receipt when the driver was killed: the same chat
 * started by the same model in another session. Answers one sentence each.
 */
export function repeated(requests: readonly RequestRecord[], snapshots: readonly Snapshot[]): string[] {
  const found: string[] = [];
  for (const { at, sessions } of snapshots) {
    const receipted = new Map<string, string>();
    for (const request of requests)
      if (request.session !== null && sessions.has(request.session))
        receipted.set(`${request.model} ${request.thread}`, request.session);
    for (const request of requests) {
      const original = receipted.get(`${request.model} ${request.thread}`);
      if (original !== undefined && request.at > at && request.session !== original)
        found.push(
          `${request.task} by ${request.model} (request ${String(request.n)}) was sent again after ${at}`,
        );
    }
  }
  return found;
}

/** Commands that were acknowledged and are not to be found as dealt with. */
export function lostCommands(database: string, acknowledged: readonly string[]): string[] {
  return read(database, (db) => {
    const dealtWith = new Set(
      db
        .prepare("SELECT id FROM inbox WHERE state <> 'pending'")
        .all()
        .map((row) => String(row['id'])),
    );
    return acknowledged.filter((id) => !dealtWith.has(id));
  });
}

/**
 * Opened for writing too: what a kill left half-written can only be rolled back by a process that may write.
 */
function read<T>(database: string, look: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(database, { timeout: 2_000 });
  try {
    return look(db);
  } finally {
    db.close();
  }
}
