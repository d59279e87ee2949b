import * as z from 'zod';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { DatabaseBusy } from '../sql/whenFree.ts';
import { schemaVersion } from '../sql/migrations.ts';
import { ownObjects, postgresMigrations, sharedObjects, sharedVersion } from './dialect.ts';
import type { PostgresDatabase } from './postgresDatabase.ts';
import { MadeMeanwhile } from './postgresErrors.ts';
import { createRoles, grantOwn, grantShared } from './roles.ts';

const Repository = z.object({ id: z.number(), version: z.number() });
const Names = z.object({ name: z.string() });
const Version = z.object({ version: z.number().nullable() });
const Found = z.object({ found: z.string().nullable() });
const Rights = z.object({ roles: z.number() });

export interface Preparing {
  /** Its tables are made or updated. */
  readonly make?: boolean;
  /** Of a new repository: its address for clones, without a login. */
  readonly origin?: string;
  readonly steps?: readonly string[];
}

const isOlder = 'is older than this version of Beadsmith';

/**
 * Uses a repository's tables. Each repository has a schema of its own in the team's database
 * (docs/decisions/214-a-schema-for-each-repository.md). Throws DATABASE_NEWER, TEAM_TABLES for missing or
 * older ones that aren't to be made, and DATABASE_READ_ONLY where this login may not make them.
 */
export function prepareRepository(
  database: PostgresDatabase,
  name: string,
  { make = true, origin = '', steps = postgresMigrations }: Preparing = {},
): void {
  if (make && !isCurrent(database, find(database, name), steps))
    making(database, () => update(database, { name, origin }, steps));
  checkShared(database);
  const found = find(database, name);
  if (!found) throw new BeadsmithError('TEAM_TABLES', { state: `has no tables for ${name} yet` });
  if (found.version > steps.length)
    throw new BeadsmithError('DATABASE_NEWER', { found: found.version, known: schemaVersion });
  if (found.version < steps.length) throw new BeadsmithError('TEAM_TABLES', { state: isOlder });
  database.use(schemaOf(found.id));
}

/** Makes what all repositories share, where it is missing: their list, and the team's devices. */
export function prepareShared(database: PostgresDatabase): void {
  if (sharedIn(database) < sharedVersion) making(database, () => updateShared(database));
}

/** Makes what repositories share, and updates the tables of all. */
export function prepareAll(database: PostgresDatabase): void {
  making(database, () => {
    updateShared(database);
    for (const { name } of namesIn(database)) update(database, { name, origin: '' }, postgresMigrations);
  });
}

/** Throws TEAM_TABLES where what repositories share is missing or older, and DATABASE_NEWER. */
export function checkShared(database: PostgresDatabase): void {
  const shared = sharedIn(database);
  if (shared > sharedVersion)
    throw new BeadsmithError('DATABASE_NEWER', { found: shared, known: sharedVersion });
  if (shared < sharedVersion)
    throw new BeadsmithError('TEAM_TABLES', { state: shared === 0 ? 'has no tables yet' : isOlder });
}

/** The repositories whose tickets are in a team's database, by name. Throws TEAM_TABLES. */
export function repositoriesIn(database: PostgresDatabase): readonly string[] {
  checkShared(database);
  return namesIn(database).map(({ name }) => name);
}

function namesIn(database: PostgresDatabase): readonly z.infer<typeof Names>[] {
  return database.rows(Names, 'SELECT name FROM beadsmith.repositories ORDER BY name');
}

function isCurrent(
  database: PostgresDatabase,
  found: z.infer<typeof Repository> | undefined,
  steps: readonly string[],
): boolean {
  return found !== undefined && found.version >= steps.length && sharedIn(database) >= sharedVersion;
}

/**
 * Makes tables in a transaction, one process at a time. Only who owns the tables can take this lock, and
 * nobody waits for it for long: an advisory one could be held by a reader.
 */
function making(database: PostgresDatabase, work: () => void): void {
  try {
    database.transaction(() => {
      database.exec(
        'CREATE SCHEMA IF NOT EXISTS beadsmith; CREATE TABLE IF NOT EXISTS beadsmith.about (version BIGINT NOT NULL)',
      );
      database.exec('LOCK TABLE beadsmith.about IN EXCLUSIVE MODE; SET LOCAL statement_timeout = 0');
      work();
    });
  } catch (error) {
    if (error instanceof MadeMeanwhile) throw new DatabaseBusy(error.message, { cause: error });
    throw error;
  }
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
  if (roles === 1) database.exec(createRoles());
  if (sharedIn(database) >= sharedVersion) return;
  database.exec(sharedObjects());
  database.run('DELETE FROM beadsmith.about');
  database.run('INSERT INTO beadsmith.about VALUES (?)', sharedVersion);
  database.exec(grantShared());
}

/** In its transaction, too. */
function update(
  database: PostgresDatabase,
  { name, origin }: { readonly name: string; readonly origin: string },
  steps: readonly string[],
): void {
  updateShared(database);
  const { id, version } =
    find(database, name) ??
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
