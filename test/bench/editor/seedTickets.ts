import { SqliteDatabase } from '../../../src/adapters/store/sqlite/database.ts';
import { SqliteStore } from '../../../src/adapters/store/sqliteStore.ts';
import { seededCalls } from '../ticket/seedCalls.ts';

const verbs = [
  'Sort',
  'Filter',
  'Print',
  'Export',
  'Validate',
  'Cache',
  'Rename',
  'Translate',
  'Test',
  'Document',
];
const things = [
  'the report',
  'the stock list',
  'orders',
  'the price table',
  'the settings',
  'suppliers',
  'the search',
  'invoices',
  'returns',
];
const manners = [
  'by shelf',
  'by month',
  'in the background',
  'without duplicates',
  'for auditors',
  'in two languages',
  'as CSV',
];

/** Drafts, through the store's own code. Nobody may drive it meanwhile. */
export function seedTickets(stateFolder: string, prefix: string, count: number): void {
  const database = new SqliteDatabase(stateFolder);
  // Nothing here outlives a power loss; ten thousand commits to a disk take minutes.
  database.exec('PRAGMA synchronous = OFF');
  let time = Date.now() - count * 60_000;
  const store = new SqliteStore(database, () => (time += 60_000));
  try {
    for (let at = store.calls.tickets().length; at < count; at++) {
      const title = `${pick(verbs, at)} ${pick(things, at)} ${pick(manners, at)}`;
      const description = `${title}. What is there now stays as it is; the new way is tested, and the README says how it is used.`;
      store.calls.createTicket({ prefix, atLeast: 1, title, description, priority: (at % 5) + 1 });
    }
  } finally {
    store.close();
  }
}

/** Nobody may drive it meanwhile. */
export function seedCalls(stateFolder: string, ticket: string, count: number): void {
  const store = new SqliteStore(new SqliteDatabase(stateFolder), () => Date.now());
  try {
    store.adopt();
    store.calls.commit({ ticket, journal: [], changes: seededCalls(ticket, count, () => 'Do it.') });
  } finally {
    store.close();
  }
}

function pick(words: readonly string[], at: number): string {
  return words[at % words.length] ?? '';
}
