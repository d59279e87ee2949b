import { openTeamDatabase } from '../../../src/adapters/store/postgres/serveTeam.ts';
import { teamWorker } from './postgresServer.ts';

/** Stops its process in a transaction that holds the repository's row; once woken, prints what came of it. */
const [url = '', repository = ''] = process.argv.slice(2);
const { database } = await openTeamDatabase({ url, repository, worker: teamWorker, patienceMs: 10_000 });
let outcome = 'committed';
try {
  database.write(() => {
    database.run(`UPDATE tickets SET revision = 99`);
    process.stdout.write('stopped\n');
    process.kill(process.pid, 'SIGSTOP');
    database.run(`UPDATE tickets SET revision = 100`);
  });
} catch (error) {
  outcome = error instanceof Error ? error.name : 'failed';
}
process.stdout.write(`${outcome}\n`);
process.exit(0);
