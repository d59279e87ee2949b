/**
 * Roles in a team's database, whose rights PostgreSQL enforces. A login gets one of them (docs/team.md). The
 * login that prepared the database owns its tables, and may do anything.
 */
export const roles = { runner: 'beadsmith_runner', person: 'beadsmith_person', reader: 'beadsmith_reader' };

const all = Object.values(roles);
const ifThere = (sql: string): string =>
  `DO $do$ BEGIN IF (SELECT count(*) FROM pg_roles WHERE rolname IN ('${all.join("', '")}')) = ${all.length} THEN ${sql} END IF; END $do$;`;

export const createRoles = all
  .map(
    (role) =>
      `DO $do$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role} NOLOGIN; END IF; END $do$;`,
  )
  .join('\n');

export const grantShared = ifThere(`
  GRANT USAGE ON SCHEMA beadsmith TO ${all.join(', ')};
  GRANT SELECT ON beadsmith.about, beadsmith.repositories, beadsmith.keys TO ${all.join(', ')};
  GRANT SELECT ON beadsmith.runners TO ${all.join(', ')};
  GRANT INSERT, UPDATE, DELETE ON beadsmith.runners TO ${roles.runner};
  GRANT SELECT, INSERT, UPDATE ON beadsmith.keys, beadsmith.pairings TO ${roles.runner};
  REVOKE ALL ON FUNCTION beadsmith.redeem(text, text, text) FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION beadsmith.redeem(text, text, text) TO ${all.join(', ')};
`);

/** Commands that a person may use on a table, and the rows. `true`: all. */
const ofPeople: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // A draft with the first entry of its journal.
  tickets: { INSERT: `status = 'DRAFT' AND revision = 0` },
  journal: { INSERT: `seq = 1 AND prev_hash = '' AND entry = '{"kind":"ticket.created"}'` },
  inbox: { INSERT: `state = 'pending' AND outcome IS NULL` },
  // That a write was made, never the epoch.
  meta: { INSERT: `key LIKE 'write:%'`, UPDATE: `key LIKE 'write:%'` },
  comments: { INSERT: 'true', UPDATE: 'true', DELETE: 'true' },
  dismissals: { UPDATE: 'true', DELETE: 'true' },
  bodies: { INSERT: 'true' },
  turn: { UPDATE: 'true' },
};

/** The rights in a repository's schema, given again after each migration. */
export function grantOwn(schema: string): string {
  const { runner, person } = roles;
  const policies = Object.entries(ofPeople).flatMap(([table, commands]) => [
    `ALTER TABLE "${schema}".${table} ENABLE ROW LEVEL SECURITY`,
    ...policy(schema, table, 'everyone_reads', `FOR SELECT USING (true)`),
    ...policy(schema, table, 'runner_writes', `FOR ALL TO ${runner} USING (true) WITH CHECK (true)`),
    ...Object.entries(commands).flatMap(([command, rows]) => [
      `GRANT ${command} ON "${schema}".${table} TO ${person}`,
      ...policy(
        schema,
        table,
        `person_${command.toLowerCase()}`,
        `FOR ${command} TO ${person} ${command === 'INSERT' ? '' : `USING (${rows})`} ${command === 'DELETE' ? '' : `WITH CHECK (${rows})`}`,
      ),
    ]),
  ]);
  return ifThere(`
    GRANT USAGE ON SCHEMA "${schema}" TO ${all.join(', ')};
    GRANT SELECT ON ALL TABLES IN SCHEMA "${schema}" TO ${all.join(', ')};
    GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${schema}" TO ${runner};
    ${policies.join(';\n    ')};
  `);
}

function policy(schema: string, table: string, name: string, rule: string): readonly string[] {
  return [
    `DROP POLICY IF EXISTS ${name} ON "${schema}".${table}`,
    `CREATE POLICY ${name} ON "${schema}".${table} ${rule}`,
  ];
}
