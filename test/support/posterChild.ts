import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Seals, type Sealed } from '../../src/adapters/seals/seals.ts';
import { Witness } from '../../src/adapters/seals/witness.ts';

/** Files a decision with this user's files: `node posterChild.ts '<json>'`. Prints its number. */
interface PosterOrders {
  readonly stateFolder: string;
  readonly entry: Sealed;
  /** It waits to be seen, as the product does. */
  readonly staysVisible: boolean;
}

const { stateFolder, entry, staysVisible } = JSON.parse(process.argv[2] ?? '') as PosterOrders;
const seal = (await Seals.open(join(stateFolder, 'config'))).seal(entry);
const file = (): Promise<void> => {
  const database = new DatabaseSync(join(stateFolder, 'state.db'));
  database
    .prepare('INSERT INTO inbox (id, ticket, kind, body, posted_at, seal) VALUES (?, ?, ?, ?, 0, ?)')
    .run(entry.id, entry.ticket, entry.kind, JSON.stringify(entry.body), seal);
  database.close();
  process.stdout.write(`${String(process.pid)}\n`);
  return Promise.resolve();
};
if (staysVisible) await new Witness(stateFolder).during(entry.id, seal, file, () => Promise.resolve(false));
else await file();
