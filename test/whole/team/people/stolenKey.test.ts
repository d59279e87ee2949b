import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { openTeam } from '../../../../src/app/team.ts';
import { openTeamDevices } from '../../../../src/app/teamDevices.ts';
import { gateAnswer, parseGates } from '../../../../src/cli/drive/gatePolicy.ts';
import { benchForEach } from '../../../support/team/benchForEach.ts';
import type { TeamBench } from '../../../support/team/teamBench.ts';
import { until } from '../../../support/until.ts';

const policy = { approve: parseGates('all'), answers: undefined, skipInterview: true, end: 'close' } as const;

describe('a stolen key of a device', function () {
  this.timeout(400_000);
  let bench: TeamBench;
  const server = benchForEach((opened) => (bench = opened));

  /** Approves what waits, on a machine with this person's configuration folder. */
  async function approve(person: string, id: string): Promise<void> {
    const env = { ...process.env, XDG_CONFIG_HOME: bench.folderOf(person) };
    const team = openTeam({ url: server.url, env, decisions: { decide: () => Promise.resolve() } });
    const tickets = await team.openHere(bench.repository.root);
    try {
      const answer = await gateAnswer(tickets.client, await tickets.client.ticket(id), policy);
      assert.equal(answer?.kind, 'approve');
      await tickets.client.act(id, 'approve', answer.body);
    } finally {
      await tickets.close();
    }
  }
  const decisions = (id: string) => bench.tickets.ports.store.inbox(id);

  it('decides as its owner until it is revoked, and nothing after that, not even what waits', async () => {
    const devices = await openTeamDevices({
      url: server.url,
      env: { ...process.env, XDG_CONFIG_HOME: bench.folderOf('ann') },
    });
    const { id: key } = await devices.join(await bench.pairingCode('Ann'));
    await devices.close();
    await cp(bench.folderOf('ann'), bench.folderOf('thief'), { recursive: true });

    const runner = await bench.run('one');
    const id = await bench.start('Greet by name');
    await bench.driveTo(id, 'WAITING_PLAN_APPROVAL');
    // Nothing tells the copy from the key.
    await approve('thief', id);
    await until(
      async () => (await bench.ticket(id)).status === 'WAITING_EXECUTION_SETUP_APPROVAL',
      'the decision is carried out',
    );
    runner.child.kill('SIGTERM');
    await runner.ended;
    await approve('thief', id);
    assert.equal((await decisions(id)).at(-1)?.state, 'pending');

    const revoked = await bench.cli('team', 'revoke', key.slice(0, 8), '--yes');
    assert.equal(revoked.code, 0, revoked.stderr);
    assert.match(revoked.stdout, new RegExp(`What it decided before stays:\n.* ${id}  approve\n`));
    await bench.run('two');
    const refused = await until(
      async () => (await decisions(id)).find(({ state }) => state === 'refused'),
      'what waits is refused',
    );
    assert.equal(refused.outcome?.code, 'DECISION_UNSEALED');
    assert.equal((await bench.ticket(id)).status, 'WAITING_EXECUTION_SETUP_APPROVAL');

    for (const person of ['thief', 'ann'])
      await assert.rejects(approve(person, id), { code: 'DEVICE_REVOKED' });
    assert.equal((await decisions(id)).filter(({ state }) => state === 'pending').length, 0);
    // What was carried out stays, and names the device.
    const [start, approval] = await decisions(id);
    assert.equal(start?.kind, 'start');
    assert.match(approval?.seal ?? '', new RegExp(`^team:${key}:`));
    assert.equal(approval?.state, 'consumed');
    await bench.driveTo(id, 'COMPLETED', 120_000);
  });
});
