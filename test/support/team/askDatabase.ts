import pg from 'pg';

/** The rows of one query to a team's database, over a connection of its own. */
export async function askDatabase<T extends pg.QueryResultRow>(
  url: string,
  sql: string,
): Promise<readonly T[]> {
  const client = new pg.Client(url);
  // The server may be killed meanwhile: the query says so.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}
