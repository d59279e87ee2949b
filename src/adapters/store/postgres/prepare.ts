import * as z from 'zod';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { schemaVersion } from '../sql/migrations.ts';
import { ownObjects, postgresMigrations, sharedObjects, sharedVersion } from './dialect.ts';
import type { PostgresDatabase } from './postgresDatabase.ts';
import { createRoles, grantOwn, grantShared } from './roles.ts';

const Repository = z.object({ id: z.number(), version: z.number() });
const Names = z.object({ name: z.string() });
const Version = z.object({ version: z.number().nullable() });
const Found = z.object({ found: z.string().nullable() });
const Rights = z.object({ roles: z.number() });

/**
 * Limits in milliseconds: a lock is asked for again, and a stopped process loses its transaction. A commit is
 * on the disk when it is acknowledged, regardless of the server's default.
 */
const settings = `SET lock_timeout = 2000; SET idle_in_transaction_session_timeout = 15000; SET statement_timeout = 30000;
  SET synchronous_commit = on; SET default_transaction_isolation = 'read committed'`;

/** "Bead": the lock of those who change tables. */
const migrationLock = 0x42656164;

interface PrepareOptions {
  readonly steps?: readonly string[];
  /** Of a new repository: its address for clones. */
  readonly origin?: string | undefined;
}

/**
 * Makes a repository's tables, or updates them, one process at a time, and uses them. Each repository has a
 * schema of its own in the team's database (docs/decisions/214-a-schema-for-each-repository.md). Throws
 * DATABASE_NEWER, and DATABASE_READ_ONLY where this login may not.
 */
export function prepareRepository(
  database: PostgresDatabase,
  name: string,
  { steps = postgresMigrations, origin = '' }: PrepareOptions = {},
): void {
  let found = find(database, name);
  if (sharedIn(database) < sharedVersion || !found || found.version < steps.length) {
    database.transaction(() => {
      database.get('SELECT pg_advisory_xact_lock(?)', migrationLock);
      update(database, { name, origin }, steps);
    });
    found = find(database, name);
  }
  if (!found) throw new BeadsmithError('UNEXPECTED', { reason: `the database has no ${name}` });
  if (found.version > steps.length)
    throw new BeadsmithError('DATABASE_NEWER', { found: found.version, known: schemaVersion });
  database.use(schemaOf(found.id), settings);
}

/** Makes what all repositories share, where it is missing: their list, and the team's devices. */
export function prepareShared(database: PostgresDatabase): void {
  if (sharedIn(database) >= sharedVersion) return;
  database.transaction(() => {
    database.get('SELECT pg_advisory_xact_lock(?)', migrationLock);
    updateShared(database);
  });
}

/** The repositories whose tickets are in a team's database, by name. */
export function repositoriesIn(database: PostgresDatabase): readonly string[] {
  if (!isThere(database)) return [];
  return database
    .rows(Names, 'SELECT name FROM beadsmith.repositories ORDER BY name')
    .map(({ name }) => name);
}

function schemaOf(id: number): string {
  return `beadsmith_${id}`;
}

function isThere(database: PostgresDatabase): boolean {
  const row = database.get(`SELECT CAST(to_regclass('beadsmith.repositories') AS TEXT) AS found`);
  return Found.parse(row).found !== null;
}

function sharedIn(database: PostgresDatabase): number {
  if (!isThere(database)) return 0;
  return Version.parse(database.get('SELECT max(version) AS version FROM beadsmith.about')).version ?? 0;
}

function find(database: PostgresDatabase, name: string): z.infer<typeof Repository> | undefined {
  if (!isThere(database)) return undefined;
  const row = database.get('SELECT id, version FROM beadsmith.repositories WHERE name = ?', name);
  return row === undefined ? undefined : Repository.parse(row);
}

/** In its transaction; another process may have done some of it. */
function updateShared(database: PostgresDatabase): void {
  const { roles } = Rights.parse(
    database.get('SELECT rolcreaterole OR rolsuper AS roles FROM pg_roles WHERE rolname = current_user'),
  );
  if (roles === 1) database.exec(createRoles);
  if (sharedIn(database) < sharedVersion) {
    database.exec(sharedObjects);
    database.run('DELETE FROM beadsmith.about');
    database.run('INSERT INTO beadsmith.about VALUES (?)', sharedVersion);
    database.exec(grantShared);
  }
}

/** In its transaction, too. */
function update(
  database: PostgresDatabase,
  { name, origin }: { readonly name: string; readonly origin: string },
  steps: readonly string[],
): void {
  updateShared(database);
  const known = find(database, name);
  const { id, version } =
    known ??
    Repository.parse(
      database.get(
        'INSERT INTO beadsmith.repositories (name, version, url) VALUES (?, 0, ?) RETURNING id, version',
        name,
        origin,
      ),
    );
  if (version >= steps.length) return;
  const schema = schemaOf(id);
  database.exec(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
  database.exec(`SET LOCAL search_path = "${schema}", beadsmith, pg_catalog`);
  if (version === 0) database.exec(ownObjects);
  for (const step of steps.slice(version)) database.exec(step);
  database.run('UPDATE beadsmith.repositories SET version = ? WHERE id = ?', steps.length, id);
  if (steps.length === postgresMigrations.length) database.exec(grantOwn(schema));
}
