import { reference } from './dialect.ts';

/**
 * Roles in a team's database, whose rights PostgreSQL enforces. A login gets one of them (docs/team.md). The
 * login that prepared the database owns its tables, and may do anything.
 */
export const roles = { runner: 'beadsmith_runner', person: 'beadsmith_person', reader: 'beadsmith_reader' };

const all = /* @__PURE__ */ Object.values(roles);
const ifThere = (sql: string): string =>
  `DO $do$ BEGIN IF (SELECT count(*) FROM pg_roles WHERE rolname IN ('${all.join("', '")}')) = ${all.length} THEN ${sql} END IF; END $do$;`;

// Functions, because a bundle that makes no tables has none of this text.
export const createRoles = (): string =>
  all
    .map(
      (role) =>
        `DO $do$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role} NOLOGIN; END IF; END $do$;`,
    )
    .join('\n');

export const grantShared = (): string =>
  ifThere(`
  GRANT USAGE ON SCHEMA beadsmith TO ${all.join(', ')};
  GRANT SELECT ON beadsmith.about, beadsmith.repositories, beadsmith.places, beadsmith.keys TO ${all.join(', ')};
  GRANT UPDATE (needs, commits) ON beadsmith.repositories TO ${roles.runner};
  GRANT INSERT, UPDATE, DELETE ON beadsmith.places TO ${roles.runner};
  GRANT SELECT ON beadsmith.runners, beadsmith.limits TO ${all.join(', ')};
  GRANT UPDATE (at_work) ON beadsmith.limits TO ${roles.runner};
  GRANT INSERT, UPDATE, DELETE ON beadsmith.runners TO ${roles.runner};
  GRANT SELECT, INSERT, UPDATE ON beadsmith.notices TO ${roles.runner};
  GRANT SELECT, INSERT, UPDATE ON beadsmith.keys, beadsmith.pairings TO ${roles.runner};
  GRANT DELETE ON beadsmith.pairings TO ${roles.runner};
  REVOKE ALL ON FUNCTION beadsmith.redeem(text, text, text) FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION beadsmith.redeem(text, text, text) TO ${all.join(', ')};
`);

/** A person's right on a table: to these rows, by default all, and these columns alone. */
interface Right {
  readonly columns?: string;
  readonly rows?: string;
}
type Rights = Readonly<Partial<Record<'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE', Right>>>;

/** Milliseconds since 1970 that a program reads as a number. */
const isTime = (column: string): string => `${column} BETWEEN 0 AND 1e15`;
const isText = (column: string): string =>
  `(starts_with(${column}, '${reference}') OR beadsmith.json_valid(${column}))`;
const isThread = 'revision BETWEEN 1 AND 1e9 AND beadsmith.json_valid(body)';
const isOwn = 'owner = current_user';

/** Numbers that count rows are never a person's: they aren't among the columns. */
const ofPeople = (schema: string): Readonly<Record<string, Rights>> => ({
  // A draft with the first entry of its journal. Its number leaves enough for those after it.
  tickets: {
    INSERT: {
      columns: 'id, prefix, number, idempotency_key, status, revision, body',
      rows: `status = 'DRAFT' AND revision = 0 AND prefix ~ '^[A-Z][A-Z0-9]{1,4}$' AND id = prefix || '-' || number
        AND number BETWEEN 1 AND "${schema}".highest(prefix) + 100000 AND beadsmith.is_draft(body)`,
    },
  },
  journal: {
    INSERT: {
      columns: 'ticket, seq, prev_hash, hash, at, epoch, entry, covers',
      rows: `seq = 1 AND prev_hash = '' AND entry = '{"kind":"ticket.created"}' AND hash ~ '^[0-9a-f]{64}$'
        AND ${isTime('at')} AND epoch BETWEEN 0 AND 1e15 AND ${isText('covers')}`,
    },
  },
  inbox: {
    INSERT: {
      columns: 'id, ticket, kind, body, posted_at, seal',
      rows: `state = 'pending' AND outcome IS NULL AND ${isTime('posted_at')} AND ${isText('body')}`,
    },
  },
  // That a write was made: nobody else can say so, or see whose it is.
  writes: {
    SELECT: { rows: isOwn },
    INSERT: { columns: 'writer, id, at, answer', rows: isOwn },
    UPDATE: { columns: 'id, at, answer', rows: isOwn },
  },
  comments: {
    INSERT: { columns: 'id, ticket, revision, body', rows: isThread },
    UPDATE: { columns: 'revision, body', rows: isThread },
    DELETE: {},
  },
  dismissals: { UPDATE: { columns: 'revision, body', rows: isThread }, DELETE: {} },
  bodies: { INSERT: { columns: 'sha256, content' } },
  turn: { UPDATE: { columns: 'one' } },
});

/** The rights in a repository's schema, given again after each migration. */
export function grantOwn(schema: string): string {
  const { runner, person, reader } = roles;
  const policies = Object.entries(ofPeople(schema)).flatMap(([table, commands]) => [
    `ALTER TABLE "${schema}".${table} ENABLE ROW LEVEL SECURITY`,
    ...(commands.SELECT ? [] : policy(schema, table, 'everyone_reads', `FOR SELECT USING (true)`)),
    ...policy(schema, table, 'runner_writes', `FOR ALL TO ${runner} USING (true) WITH CHECK (true)`),
    ...Object.entries(commands).flatMap(([command, { columns, rows = 'true' }]) => {
      // Which rows may be chosen says who may; what is written is checked.
      const chosen =
        command === 'INSERT' ? '' : `USING (${command === 'UPDATE' && rows !== isOwn ? 'true' : rows})`;
      const written = command === 'INSERT' || command === 'UPDATE' ? `WITH CHECK (${rows})` : '';
      return [
        `GRANT ${command}${columns === undefined ? '' : ` (${columns})`} ON "${schema}".${table} TO ${person}`,
        ...policy(
          schema,
          table,
          `person_${command.toLowerCase()}`,
          `FOR ${command} TO ${person} ${chosen} ${written}`,
        ),
      ];
    }),
  ]);
  return ifThere(`
    GRANT USAGE ON SCHEMA "${schema}" TO ${all.join(', ')};
    REVOKE ALL ON ALL TABLES IN SCHEMA "${schema}" FROM ${person}, ${reader};
    GRANT SELECT ON ALL TABLES IN SCHEMA "${schema}" TO ${all.join(', ')};
    GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${schema}" TO ${runner};
    CREATE OR REPLACE FUNCTION "${schema}".highest(text) RETURNS bigint LANGUAGE sql STABLE AS
      $f$ SELECT coalesce(max(number), 0) FROM "${schema}".tickets WHERE prefix = $1 $f$;
    ${policies.join(';\n    ')};
  `);
}

function policy(schema: string, table: string, name: string, rule: string): readonly string[] {
  return [
    `DROP POLICY IF EXISTS ${name} ON "${schema}".${table}`,
    `CREATE POLICY ${name} ON "${schema}".${table} ${rule}`,
  ];
}
