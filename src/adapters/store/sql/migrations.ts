/**
 * Step n leads from version n to n + 1. A released step never changes; add new ones below, in words that
 * `postgres/dialect.ts` translates.
 *
 * `journal` is only added to; `runs` and `steps` are projections, whose seq columns name entries. A content
 * column holds what `Database.pack` gave.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO meta VALUES ('epoch', '0');

  CREATE TABLE tickets (
    id TEXT PRIMARY KEY, prefix TEXT NOT NULL, number INTEGER NOT NULL, idempotency_key TEXT UNIQUE,
    status TEXT NOT NULL, revision INTEGER NOT NULL, body TEXT NOT NULL, UNIQUE (prefix, number)
  ) STRICT;

  CREATE TABLE journal (
    ticket TEXT NOT NULL REFERENCES tickets (id), seq INTEGER NOT NULL, prev_hash TEXT NOT NULL, hash TEXT NOT NULL,
    at REAL NOT NULL, epoch INTEGER NOT NULL, entry ANY NOT NULL, PRIMARY KEY (ticket, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE runs (
    id TEXT PRIMARY KEY, ticket TEXT NOT NULL REFERENCES tickets (id), status TEXT NOT NULL, attempt INTEGER NOT NULL, parent TEXT,
    handler_version INTEGER NOT NULL, state TEXT NOT NULL, exit TEXT, opened_seq INTEGER NOT NULL, continued_seq INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX runs_of_ticket ON runs (ticket, opened_seq);

  CREATE TABLE steps (
    run TEXT NOT NULL REFERENCES runs (id), key TEXT NOT NULL, ticket TEXT NOT NULL, state TEXT NOT NULL, intent_seq INTEGER NOT NULL,
    end_seq INTEGER, notes TEXT NOT NULL DEFAULT '[]', active_ms REAL NOT NULL DEFAULT 0, PRIMARY KEY (run, key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE inbox (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, ticket TEXT NOT NULL REFERENCES tickets (id), kind TEXT NOT NULL,
    body ANY NOT NULL, posted_at REAL NOT NULL, state TEXT NOT NULL DEFAULT 'pending', outcome TEXT
  ) STRICT;
  CREATE INDEX inbox_of_ticket ON inbox (ticket, state);

  CREATE TABLE artifacts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, ticket TEXT NOT NULL REFERENCES tickets (id), type TEXT NOT NULL, status TEXT NOT NULL,
    attempt INTEGER NOT NULL, version INTEGER NOT NULL, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL, created_at REAL NOT NULL,
    archived INTEGER NOT NULL DEFAULT 0, content ANY NOT NULL, UNIQUE (ticket, type, version)
  ) STRICT;

  CREATE TABLE beads (
    ticket TEXT NOT NULL REFERENCES tickets (id), id TEXT NOT NULL, position INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (ticket, id)
  ) STRICT;

  CREATE TABLE sessions (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, ticket TEXT NOT NULL REFERENCES tickets (id), run TEXT NOT NULL,
    step TEXT NOT NULL, member TEXT NOT NULL, bead TEXT, iteration INTEGER, directory TEXT NOT NULL, title TEXT NOT NULL, state TEXT NOT NULL
  ) STRICT;
  CREATE INDEX sessions_of_ticket ON sessions (ticket);

  CREATE TABLE calls (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, ticket TEXT NOT NULL REFERENCES tickets (id), run TEXT NOT NULL,
    step TEXT NOT NULL, session TEXT NOT NULL, model TEXT NOT NULL, estimated INTEGER NOT NULL, reported INTEGER, plan ANY NOT NULL,
    input ANY NOT NULL, output ANY NOT NULL, outcome TEXT NOT NULL, error TEXT NOT NULL, started_at REAL NOT NULL, ended_at REAL NOT NULL
  ) STRICT;
  CREATE INDEX calls_of_ticket ON calls (ticket);
  CREATE INDEX calls_of_session ON calls (session);
  CREATE INDEX calls_of_model ON calls (model, number) WHERE reported IS NOT NULL;

  CREATE TABLE usage (
    message_id TEXT PRIMARY KEY, ticket TEXT NOT NULL REFERENCES tickets (id), run TEXT NOT NULL, model TEXT NOT NULL,
    input INTEGER NOT NULL, output INTEGER NOT NULL, reasoning INTEGER NOT NULL, cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL,
    cost REAL NOT NULL
  ) STRICT;
  CREATE INDEX usage_of_ticket ON usage (ticket);

  CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT, ticket TEXT NOT NULL REFERENCES tickets (id), kind TEXT NOT NULL, body ANY NOT NULL,
    delivered_at REAL
  ) STRICT;
  CREATE INDEX outbox_pending ON outbox (id) WHERE delivered_at IS NULL;
  `,
  // Removes the unused outbox. The index covers calibration: a call's row has long texts before it.
  `
  DROP TABLE outbox;
  DROP INDEX calls_of_model;
  CREATE INDEX calls_of_model ON calls (model, number, estimated, reported) WHERE reported IS NOT NULL;
  `,
  // Comments on diffs aren't in the journal: they are the person's, and followers write them.
  `
  CREATE TABLE comments (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, ticket TEXT NOT NULL REFERENCES tickets (id),
    revision INTEGER NOT NULL, body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX comments_of_ticket ON comments (ticket, number);
  `,
  // Not every provider reports what a call used.
  `
  ALTER TABLE usage ADD COLUMN estimated INTEGER NOT NULL DEFAULT 0;
  `,
  // Shows that a person decided. Earlier decisions have none, and are asked for again.
  `
  ALTER TABLE inbox ADD COLUMN seal TEXT;
  `,
  // An answer's call, and its first request: only that says what was in the provider's cache.
  `
  ALTER TABLE usage ADD COLUMN call TEXT;
  ALTER TABLE usage ADD COLUMN first_prompt INTEGER;
  ALTER TABLE usage ADD COLUMN first_read INTEGER;
  `,
  // Dismissals stay when the ticket is over. Numbers aren't used twice.
  `
  CREATE TABLE dismissals (
    number INTEGER PRIMARY KEY AUTOINCREMENT, ticket TEXT NOT NULL, finding TEXT NOT NULL, revision INTEGER NOT NULL, body TEXT NOT NULL,
    UNIQUE (ticket, finding)
  ) STRICT;
  `,
  // What the first request had a cache keep: other tokens have another price.
  `
  ALTER TABLE usage ADD COLUMN first_write INTEGER;
  `,
  // For today's sum: a call's row has long texts before its times.
  `
  CREATE INDEX calls_by_end ON calls (ended_at, id);
  `,
  // What a commit made of rows, so that other changes are noticed.
  `
  ALTER TABLE journal ADD COLUMN covers ANY;
  `,
  // The last write of each process, in a table whose rows have an owner in PostgreSQL.
  `
  CREATE TABLE writes (writer TEXT PRIMARY KEY, id INTEGER NOT NULL, at REAL NOT NULL, answer TEXT) STRICT, WITHOUT ROWID;
  DELETE FROM meta WHERE key LIKE 'write:%';
  `,
];

/** A database with a higher number was written by a newer program. */
export const schemaVersion = migrations.length;
