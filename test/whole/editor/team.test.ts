import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openWorkerStore } from '../../../src/adapters/store/workerStore.ts';
import { openTeam, type TeamTickets } from '../../../src/app/team.ts';
import { openTeamDevices } from '../../../src/app/teamDevices.ts';
import { TicketPage } from '../../support/editor/editorPages.ts';
import type { EditorScene } from '../../support/editor/editorScene.ts';
import { sharedScene } from '../../support/editor/sharedScene.ts';
import { moveTicket } from '../../support/engine/moveTicket.ts';
import { postgresServer, teamWorker } from '../../support/storeContract/postgresServer.ts';
import { until } from '../../support/until.ts';
import type { Workbench } from '../../support/editor/workbench.ts';

const slow = { timeout: 60_000 };

/** Each test continues where the one before stopped. */
describe('a team’s tickets in the editor', function () {
  const server = postgresServer();
  let scene: EditorScene;
  let workbench: Workbench;
  let team: TeamTickets | undefined;
  sharedScene(this, { name: 'team', tickets: [{ title: 'Greet by name', at: 'setup' }] }, async (started) => {
    scene = started;
    workbench = scene.workbench;
    await scene.repository.addOrigin();
    team = await openTeam({ url: server.url, env: process.env }).openHere(scene.repository.root, {
      make: true,
    });
    await team.client.create({ title: 'Add CSV export', description: '', priority: 2 });
    await scene.drive();
  });
  after(() => team?.close());
  const pairingCode = async (): Promise<string> => {
    const admin = await openTeamDevices({ url: server.url, env: process.env });
    try {
      return (await admin.pair({ person: 'ann', role: 'reviewer' })).code;
    } finally {
      await admin.close();
    }
  };

  it('are asked for with a password, which no setting holds', async () => {
    const url = new URL(server.url);
    const { password } = url;
    url.password = '';
    scene.changeSettings({ 'beadsmith.team': url.href });
    await workbench.showNotification('no password is stored');
    await workbench.answerNotification('no password is stored', 'Enter Password…');
    await workbench.write('secret storage', 'wrong');
    await workbench.showNotification('authentication failed');
    await workbench.answerNotification('authentication failed', 'Enter Password…');
    await workbench.write('secret storage', password);
  });

  it('stand under their repository, after its own', async () => {
    await workbench.hideNotifications();
    await workbench.row(/sample.*\(team\)/i).waitFor(slow);
    await workbench.row(/· Add CSV export/).waitFor(slow);
    assert.ok(await workbench.row(/· Greet by name/).isVisible());
    await workbench.screenshots('team-tree');
  });

  it('open their page, and take an action of a person once the device has joined', async () => {
    await workbench.row(/· Add CSV export/).click();
    const page = new TicketPage(workbench);
    await page.open();
    await workbench.allScreenshots('team-page');
    assert.ok(team);
    const { client, ports } = team;
    const [ticket] = await client.tickets();
    const cancel = async (): Promise<void> => {
      await workbench.takeAction('Cancel', ticket?.id);
      await workbench.answerDialog('Cancel Ticket');
    };
    await cancel();
    await workbench.showNotification('This device isn');
    await workbench.answerNotification('This device isn', 'Enter Pairing Code…');
    await workbench.write('An admin of the team', await pairingCode());
    await workbench.statusBarItem('Joined the team as ann (reviewer).').waitFor(slow);
    await cancel();
    const filed = await until(
      async () => (await ports.store.inbox(ticket?.id ?? '', { pending: true }))[0],
      'it is filed',
    );
    assert.equal(filed.kind, 'cancel');
    assert.match(filed.seal ?? '', /^team:[0-9a-f]{32}:/);
  });

  it('are checked out beside the clone, from what their runner pushed', async () => {
    assert.ok(team);
    const { client } = team;
    const { id } = await client.create({ title: 'Sort by date' });
    const runner = await openWorkerStore(teamWorker, {
      url: server.url,
      repository: client.repository.name,
      runner: 'one',
    });
    await runner.claims.claim(id, 60_000);
    await moveTicket(runner.store, id, 'CODING');
    await runner.store.close();
    await workbench.row(/· Sort by date/).waitFor(slow);
    await workbench.takeAction('Open Terminal', id);
    await workbench.showNotification('has no commits on the team');
    await workbench.hideNotifications();
    const commit = await scene.repository.git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'Sort');
    await scene.repository.git('push', '--quiet', 'origin', `${commit}:refs/beadsmith/${id}/worktree/branch`);
    await workbench.takeAction('Open Terminal', id);
    const path = join(`${scene.repository.root}.worktrees`, 'team', id);
    await until(() => existsSync(join(path, '.git')), 'it is checked out');
    assert.equal(await scene.repository.git('-C', path, 'rev-parse', 'HEAD'), commit);
    await workbench.page.locator('.terminal-tabs-entry, .terminal-wrapper').first().waitFor(slow);
  });
});
