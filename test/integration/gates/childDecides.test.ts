import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../src/adapters/clock/systemClock.ts';
import { Shell } from '../../../src/adapters/process/shell.ts';
import { DrivenApp } from '../../../src/app/app.ts';
import { openParts } from '../../../src/app/createApp.ts';
import { completeSettings, Limits } from '../../../src/domain/settings/settings.ts';
import { moveTicket } from '../../support/engine/moveTicket.ts';
import { tempFolders, tempRepositories, type TempRepository } from '../../support/git/tempRepository.ts';
import { until } from '../../support/until.ts';

const root = join(import.meta.dirname, '../../..');
const hash = 'a'.repeat(64);

/** On the command line. */
const attempts: readonly (readonly string[])[] = [
  ['approve', 'TST-2', '--sha256', hash],
  ['merge', 'TST-2'],
  ['close', 'TST-2'],
  ['changes', 'TST-2', 'Remove the tests.'],
  ['retry', 'TST-3'],
  ['cancel', 'TST-3', '--delete-worktree'],
  ['pause', 'TST-2'],
  ['limits', 'TST-3', '--iterations', '9'],
  ['start', 'TST-1', '--model', 'a/b', '--approve', 'all'],
  ['restore', '--yes'],
];

/** Written without the product: bare, and sealed with the key of this user's folder. */
const forger = (common: string, config: string) => `
  import { createHmac, hash } from 'node:crypto';
  import { readFileSync, writeFileSync } from 'node:fs';
  import { DatabaseSync } from 'node:sqlite';
  const database = new DatabaseSync(${JSON.stringify(join(common, 'beadsmith/state.db'))});
  database.exec('PRAGMA busy_timeout = 20000');
  const key = readFileSync(${JSON.stringify(join(config, 'beadsmith/seal-key'))}, 'utf8');
  const bodies = { merge: {}, approve: { reason: '', sha256: '${hash}' }, retry: { note: '' } };
  for (const [kind, body] of Object.entries(bodies)) for (const ticket of ['TST-2', 'TST-3']) for (const sealed of [false, true]) {
    const id = 'forged-' + ticket + kind + sealed;
    const text = JSON.stringify([id, ticket, kind, hash('sha256', JSON.stringify(body))]);
    const mac = createHmac('sha256', key).update(text).digest('base64url');
    database.prepare('INSERT INTO inbox (id, ticket, kind, body, posted_at, seal) VALUES (?, ?, ?, ?, ?, ?)')
      .run(id, ticket, kind, JSON.stringify(body), Date.now(), sealed ? mac + ' ' + mac : null);
  }
  writeFileSync(${JSON.stringify(join(common, 'beadsmith/owner.json'))}, '{}');
`;

describe('a child of a command', function () {
  this.timeout(300_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();
  let repository: TempRepository;
  let config: string;
  let app: DrivenApp;

  before(function () {
    if (process.platform === 'linux') return;
    console.log('skipped: what commands start is marked on Linux only');
    this.skip();
  });
  beforeEach(async () => {
    repository = await makeRepository();
    config = await makeFolder();
    const env = { ...process.env, XDG_CONFIG_HOME: config };
    app = new DrivenApp(
      await openParts({
        folder: repository.root,
        drive: true,
        decisions: { decide: () => Promise.resolve() },
        env,
        sandbox: 'off',
        opencode: {},
      }),
    );
    for (const title of ['One', 'Two', 'Three'])
      await app.client.create({ title, description: '', priority: 3, key: title });
  });
  afterEach(() => app.dispose());

  it('decides nothing: not by the command line, not by the database, not by the owner file', async () => {
    const { store } = app.ports;
    const ids = (await store.tickets()).map(({ id }) => id);
    const rename = (text: string): string =>
      text.replace(/TST-(\d)/g, (_all, number: string) => ids[Number(number) - 1] ?? '');
    await moveTicket(store, rename('TST-2'), 'WAITING_PR_REVIEW');
    await moveTicket(store, rename('TST-3'), 'WAITING_PRD_APPROVAL');
    const settings = completeSettings({ mainImplementer: 'a/b', councilMembers: [] });
    await moveTicket(store, rename('TST-3'), 'BLOCKED_ERROR', { settings, limits: Limits.parse({}) });
    await app.start('all');
    await until(
      () => ids.slice(1).every((id) => app.engine?.idleState(id) !== undefined),
      'the driver is idle',
    );
    const before = await Promise.all(ids.map(async (id) => (await store.ticket(id))?.status));

    const script = join(repository.root, '..', 'attack.sh');
    const forge = join(repository.root, '..', 'forge.mjs');
    await writeFile(forge, rename(forger(join(repository.root, '.git'), config)));
    const cli = (words: readonly string[]): string =>
      rename(
        `"$NODE" "${root}/src/cli/main.ts" ${words.map((word) => `'${word}'`).join(' ')} --repo "${repository.root}" < /dev/null; echo "exit $?"`,
      );
    // Without environment, session and terminal: little shows where it comes from.
    const lines = [
      ...attempts.map(cli),
      `"$NODE" "${forge}"`,
      cli(['merge', 'TST-2']),
      cli(['run', 'TST-2', '--approve', 'all', '--end', 'merge']),
    ];
    await writeFile(script, `${lines.join('\n')}\n`);
    const shell = new Shell({ clock: systemClock });
    const { head, exitCode } = await shell.run(
      `env -i setsid --wait env NODE="${process.execPath}" NODE_NO_WARNINGS=1 BEADSMITH_UNATTENDED_WITHOUT_SANDBOX=1 PATH="$PATH" XDG_CONFIG_HOME="${config}" sh "${script}" 2>&1`,
      { cwd: repository.root, timeoutMs: 240_000 },
    );
    assert.equal(exitCode, 0, head);
    // Nothing is opened for it, also after the owner file was overwritten.
    assert.deepEqual(
      head.match(/^exit \d+$/gm),
      [...attempts, 'merge', 'run'].map(() => 'exit 6'),
      head,
    );

    const entries = async () => (await Promise.all(ids.map((id) => store.inbox(id)))).flat();
    await until(
      async () => (await entries()).every(({ state }) => state !== 'pending'),
      'the driver has judged all',
    );
    const found = await entries();
    assert.deepEqual(
      [...new Set(found.map(({ state, outcome }) => `${state} ${outcome?.code ?? ''}`))],
      ['refused DECISION_UNSEALED'],
    );
    assert.deepEqual([found.length, found.every(({ id }) => id.startsWith('forged-'))], [12, true]);
    assert.deepEqual(await Promise.all(ids.map(async (id) => (await store.ticket(id))?.status)), before);
    assert.match(await repository.git('log', '--oneline', 'main'), /^\w+ First commit$/);

    const log = join(repository.root, '.git/beadsmith/logs', `${ids[1] ?? ''}.jsonl`);
    await until(
      async () =>
        ((await readFile(log, 'utf8').catch(() => '')).match(/"type":"refused"/g)?.length ?? 0) >= 6,
      'all is in the log',
    );

    // The driver still drives, and a person's decision counts.
    const { id } = await app.client.act(ids[1] ?? '', 'pause', {});
    await until(
      async () => (await app.client.outcome(ids[1] ?? '', id))?.state === 'consumed',
      'the person pauses the ticket',
    );
  });
});
