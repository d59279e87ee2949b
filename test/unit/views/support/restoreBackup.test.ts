import assert from 'node:assert/strict';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import type { BackupChoice, RestoreResult } from '../../../../src/protocol/upkeep.ts';
import type { RepositoryEntry } from '../../../../src/views/shared/repositories.ts';
import type { Workbench } from '../../../../src/views/shared/workbench.ts';
import { restoreBackup } from '../../../../src/views/support/restoreBackup.ts';
import { FakeClient, ticketView } from '../../../support/fakes/fakeClient.ts';
import { editor, person } from '../../../support/fakes/fakeEditor.ts';
import { openRepository } from '../../../support/fakes/fakeRepositories.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const backup = (name: string, at: number, problem: string | null = null): BackupChoice => ({
  name,
  at,
  bytes: 2_000,
  tickets: 2,
  problem,
});

describe('restoring a backup in the editor', () => {
  const newest = backup('new.db', noon);
  const older = backup('old.db', noon - 86_400_000);
  const broken = backup('broken.db', noon - 2 * 86_400_000, 'a page is $(bug) damaged');
  let restored: string[];
  let refreshed = 0;
  beforeEach(() => {
    restored = [];
    refreshed = 0;
  });

  const workbench = (list: readonly BackupChoice[], result: Partial<RestoreResult> = {}): Workbench =>
    ({
      backups: {
        list: () => Promise.resolve(list),
        restore: (root: string, name: string) => {
          restored.push(`${root} ${name}`);
          return Promise.resolve({ damaged: null, tickets: 2, lost: [], ...result });
        },
      },
      board: { refresh: () => Promise.resolve(void (refreshed += 1)) },
    }) as unknown as Workbench;
  const entry = (): RepositoryEntry => {
    const client = new FakeClient();
    client.tickets = () =>
      Promise.resolve([
        ticketView({ id: 'TST-1', updatedAt: noon - 1_000 }),
        ticketView({ id: 'TST-2', updatedAt: noon - 3 * 86_400_000 }),
      ]);
    const { root, name } = client.repository;
    return { kind: 'open', root, name, repository: openRepository(client) };
  };
  const said = () => editor.shown.filter(({ kind }) => kind === 'information' || kind === 'warning');

  it('shows each with its time and size, and says what is newer or what is wrong', async () => {
    editor.will('leave');
    await restoreBackup(workbench([newest, older, broken]), entry());
    const { items = [] } = editor.shown.find(({ kind }) => kind === 'pick') ?? {};
    assert.deepEqual(
      items.map(({ detail }) => detail),
      [
        'No tickets changed since then.',
        'Changed since: TST-1',
        'Can’t be restored: a page is $\u200B(bug) damaged',
      ],
    );
    assert.match(items[1]?.description ?? '', /^2\.0 kB · tickets: 2$/);
  });

  it('restores only after a warning that says what is lost and what is kept', async () => {
    editor.will(person.picks(older), 'leave');
    await restoreBackup(workbench([newest, older]), entry());
    assert.deepEqual(restored, []);
    assert.match(
      said()[0]?.detail ?? '',
      /since then are lost[^]*Changed since: TST-1[^]*is kept next to it/,
    );
    editor.will(person.picks(older), person.presses(0));
    const { root } = entry();
    await restoreBackup(workbench([newest, older]), entry());
    assert.deepEqual([restored, refreshed], [[`${root} old.db`], 1]);
    assert.match(said().at(-1)?.text ?? '', /^Restored the backup of /);
  });

  it('names the tickets whose commits the backup doesn’t know', async () => {
    editor.will(person.picks(newest), person.presses(0));
    await restoreBackup(
      workbench([newest], { lost: [{ ticket: 'TST-1', ref: 'refs/beadsmith/TST-1/restored/x' }] }),
      entry(),
    );
    assert.match(said().at(-1)?.text ?? '', /kept under refs\/beadsmith\/<ticket>\/restored: TST-1\./);
  });

  it('works where the tickets can’t be opened, and says when there is no backup', async () => {
    const error = new BeadsmithError('DATABASE_CORRUPT', { path: '/x', reason: 'gone', backup: '(none)' });
    const failed: RepositoryEntry = { kind: 'failed', root: '/sample', name: 'sample', error };
    editor.will(person.picks(newest), person.presses(0));
    await restoreBackup(workbench([newest]), failed);
    assert.deepEqual(restored, ['/sample new.db']);
    await restoreBackup(workbench([]), failed);
    assert.match(said().at(-1)?.text ?? '', /^sample has no backups yet\./);
  });
});
