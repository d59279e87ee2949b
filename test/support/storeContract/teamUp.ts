import { startLocalServer } from '../../../src/adapters/store/postgres/localServer.ts';
import { teamWorker } from './postgresServer.ts';

/** Starts a team's server in a folder, prints its URL, and stays until it is killed. */
const [folder = ''] = process.argv.slice(2);
const { url } = await startLocalServer({ folder, worker: teamWorker });
process.stdout.write(`${url}\n`);
