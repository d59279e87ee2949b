import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenedStore, openStore } from '../../../src/adapters/store/openStore.ts';
import { locations } from '../../../src/app/locations.ts';
import type { CliEvent } from '../../../src/protocol/cliEvents.ts';
import { cliHere } from '../../support/cliHere.ts';
import { eventsOf } from '../../support/cliProcess.ts';
import { type TempRepository, tempFolders, tempRepositories } from '../../support/git/tempRepository.ts';
import { createTicket } from '../../support/storeContract/samples.ts';

/** By the command line alone. */
describe('restoring a backup by the command line', function () {
  this.timeout(120_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();
  let repository: TempRepository;
  let configFolder: string;
  beforeEach(async () => {
    repository = await makeRepository({ files: { 'a.txt': 'a' } });
    configFolder = await makeFolder();
  });

  const open = (): Promise<OpenedStore> =>
    openStore({
      commonDir: join(repository.root, '.git'),
      configFolder: join(configFolder, 'beadsmith'),
      mode: 'driver',
      workerUrl: locations.storeWorker,
    });
  const cli = async (
    ...words: readonly string[]
  ): Promise<{ readonly code: number | null; readonly events: readonly CliEvent[] }> => {
    const { code, stdout } = await cliHere([...words, '--repo', repository.root, '--json'], {
      env: { XDG_CONFIG_HOME: configFolder },
    });
    return { code, events: eventsOf(stdout) };
  };
  const of = <T extends CliEvent['type']>(events: readonly CliEvent[], type: T) =>
    events.filter((event): event is Extract<CliEvent, { type: T }> => event.type === type);

  it('lists, asks, restores, keeps what was damaged, and keeps branches that are newer', async () => {
    const first = await open();
    const { id } = await createTicket(first.store!);
    await first.close();
    await repository.git('branch', `ticket/${id}`);
    const tip = (await repository.git('rev-parse', 'HEAD')).trim();
    await repository.git('branch', 'ticket/ABC-7');

    const path = join(repository.root, '.git', 'beadsmith', 'state.db');
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0x58, 0, 8_192));
    const [listed] = of((await cli('restore')).events, 'backup');
    assert.deepEqual([listed?.tickets, listed?.problem], [1, null]);
    const name = listed?.name ?? '';

    const asked = await cli('restore', name);
    assert.deepEqual([asked.code, of(asked.events, 'error')[0]?.code], [2, 'USAGE']);
    assert.deepEqual(readFileSync(path), bytes, 'nothing happens without a yes');

    const driver = await cliHere(['restore', 'none.db', '--yes', '--repo', repository.root, '--json']);
    assert.equal(of(eventsOf(driver.stdout), 'error')[0]?.code, 'BACKUP_UNUSABLE');

    const { code, events } = await cli('restore', name, '--yes');
    const [restored] = of(events, 'restored');
    assert.deepEqual([code, restored?.tickets], [0, 1]);
    assert.deepEqual(readFileSync(restored?.damaged ?? ''), bytes);
    const refs = await repository.git(
      'for-each-ref',
      '--format=%(refname:lstrip=1) %(objectname)',
      'refs/beadsmith',
    );
    assert.match(refs, new RegExp(`^beadsmith/${id}/restored/\\S+ ${tip}$`, 'm'));
    assert.match(refs, new RegExp(`^beadsmith/ABC-7/restored/\\S+ ${tip}$`, 'm'));
    assert.deepEqual(
      of((await cli('list')).events, 'ticket').map((ticket) => ticket.id),
      [id],
    );
  });

  it('is refused while a process drives', async () => {
    const first = await open();
    await createTicket(first.store!);
    await first.close();
    const driver = await open();
    try {
      const [listed] = of((await cli('restore')).events, 'backup');
      const { code, events } = await cli('restore', listed?.name ?? '', '--yes');
      assert.deepEqual([code, of(events, 'error')[0]?.code], [1, 'DRIVEN_ELSEWHERE']);
    } finally {
      await driver.close();
    }
  });
});
