import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { schemaVersion, migrations } from '../../../src/adapters/store/sql/migrations.ts';
import { openWorkerStore } from '../../../src/adapters/store/workerStore.ts';
import { locations } from '../../../src/app/locations.ts';
import { canonicalJson } from '../../../src/base/json.ts';
import { Limits } from '../../../src/domain/settings/settings.ts';
import type { JournalEntry } from '../../../src/engine/ports/storePort.ts';
import { tempFolder } from '../../support/tempFolder.ts';
import type { Measure } from '../measurement.ts';
import { sideBySide } from '../sideBySide.ts';

const stepsPerBlock = 100;
const run = 'bench-run';

/**
 * Steps a second through the worker, as the engine makes them (intent, receipt of 1 KB) ÷ those of a bare
 * loop that writes the same bodies in as many commits to the same schema in this thread.
 */
export const measureJournal: Measure = async ({ samples }) => {
  const folder = tempFolder('bench');
  const places = { ours: join(folder.path, 'ours'), bare: join(folder.path, 'bare') };
  for (const place of Object.values(places)) mkdirSync(place);
  const { store } = await openWorkerStore(locations.storeWorker, {
    folder: places.ours,
    installation: 'bench',
    drive: true,
    adopt: false,
  });
  const bare = new BareJournal(join(places.bare, 'state.db'));
  try {
    const ticket = await store.createTicket({
      prefix: 'ABC',
      atLeast: 1,
      title: 'Bench',
      description: '',
      priority: 3,
    });
    const opened = {
      id: run,
      ticket: ticket.id,
      status: ticket.status,
      attempt: 1,
      parent: null,
      handlerVersion: 1,
    };
    const snapshot = { ...ticket, attempt: 1, artifacts: {} };
    await store.commit({
      ticket: ticket.id,
      journal: [{ kind: 'run.opened', run: { ...opened, snapshot, limits: Limits.parse({}) } }],
    });
    let [stored, written] = [0, 0];
    const ours = async (): Promise<void> => {
      for (let step = 0; step < stepsPerBlock; step++)
        for (const entry of entriesOf(stored++)) await store.commit({ ticket: ticket.id, journal: [entry] });
    };
    const loop = (): void => {
      for (let step = 0; step < stepsPerBlock; step++)
        for (const entry of entriesOf(written++)) bare.commit(ticket.id, canonicalJson(entry));
    };
    const { ratios, aMs, bMs } = await sideBySide({ run: loop }, { run: ours }, { samples, rounds: 3 });
    const perStep = (times: readonly number[]): string =>
      `${(Math.min(...times) / stepsPerBlock).toFixed(2)} ms`;
    const notes = [`${perStep(bMs)} a step at best, the bare loop ${perStep(aMs)}`];
    return [{ name: 'journal', unit: 'x', bound: { atLeast: 0.6 }, samples: ratios, notes }];
  } finally {
    await store.close();
    bare.close();
    folder.remove();
  }
};

function entriesOf(step: number): readonly JournalEntry[] {
  const key = `step-${String(step)}`;
  const result = { session: `ses_${String(step)}`, text: 'A receipt holds what a step came to. '.repeat(27) };
  return [
    { kind: 'step.intent', run, key },
    { kind: 'step.done', run, key, result },
  ];
}

class BareJournal {
  readonly #database: DatabaseSync;
  #seq = 0;

  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    this.#database.exec('PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL');
    for (const migration of migrations) this.#database.exec(migration);
    this.#database.exec(`PRAGMA user_version = ${String(schemaVersion)}`);
    this.#database.exec(`INSERT INTO tickets VALUES ('ABC-1', 'ABC', 1, NULL, 'DRAFT', 1, '{}')`);
  }

  commit(ticket: string, body: string): void {
    this.#seq += 1;
    const insert = this.#database.prepare(
      'INSERT INTO journal (ticket, seq, prev_hash, hash, at, epoch, entry) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#database.exec('BEGIN IMMEDIATE');
    insert.run(ticket, this.#seq, '', '', 0, 1, body);
    this.#database.exec('COMMIT');
  }

  close(): void {
    this.#database.close();
  }
}
