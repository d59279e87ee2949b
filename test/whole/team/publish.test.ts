import assert from 'node:assert/strict';
import { MergeReport } from '../../../src/domain/beads/reports.ts';
import { shownName } from '../../../src/domain/forge/forgePlace.ts';
import { readArtifact } from '../../../src/protocol/readDocument.ts';
import { mergeThere } from '../../demo/forgePeople.ts';
import { ForgeStandIn } from '../../support/forge/forgeStandIn.ts';
import { plainPublishing } from '../../support/forge/forgeTickets.ts';
import { postgresServer } from '../../support/storeContract/postgresServer.ts';
import { TeamBench } from '../../support/team/teamBench.ts';
import { until } from '../../support/until.ts';

const watches = /this runner watches the pull requests/;

describe('the pull request of a team’s ticket', function () {
  this.timeout(500_000);
  const server = postgresServer();
  const forge = new ForgeStandIn();
  let bench: TeamBench;
  before(() => forge.start());
  after(() => forge.stop());
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') console.error(bench.said(), forge.requests.slice(-40));
    await bench.close();
  });

  it('is created and watched by a runner, then by another one, until its merge completes the ticket', async () => {
    bench = await TeamBench.open(server.url, undefined, 0, forge);
    const { client } = bench.tickets;
    const runners = [await bench.run('one'), await bench.run('two')] as const;
    const id = await bench.start('Greet by name');
    await bench.driveTo(id, 'WAITING_PR_REVIEW');

    const { actions } = (await client.ticket(id)).view;
    assert.ok(actions.includes('create_pull_request') && !actions.includes('merge'), actions.join());
    await assert.rejects(client.act(id, 'merge', {}), { code: 'MERGE_ON_FORGE' });

    const [place = assert.fail()] = await client.pullRequestPlaces(id);
    const request = await client.act(id, 'create_pull_request', {
      ...plainPublishing,
      remote: place.base.remote,
      repository: shownName(place.base),
      pushTo: shownName(place.head),
    });
    const repository = forge.repositories.get('octo/sample') ?? assert.fail();
    const pull = await until(
      async () => {
        const outcome = await client.outcome(id, request.id);
        if (outcome?.state === 'refused') throw new Error(outcome.message);
        return repository.pulls[0] ?? false;
      },
      'the pull request is there',
      60_000,
    );
    await until(async () => (await bench.ticket(id)).forge?.number === 1, 'it is filed');
    assert.equal((await client.ticket(id)).view.actions.includes('merge_pull_request'), true);

    const [first, second] = runners;
    await until(() => watches.test(first.stdout), 'the oldest runner watches', 60_000);
    assert.doesNotMatch(second.stdout, watches);
    first.child.kill('SIGKILL');
    await first.ended;
    const merged = mergeThere(repository, pull);
    const isOver = async (): Promise<boolean> => (await bench.ticket(id)).status === 'COMPLETED';
    await until(isOver, 'the ticket is completed', 120_000);
    assert.match(second.stdout, watches);
    const report = await readArtifact(client, id, 'merge_report', MergeReport);
    assert.deepEqual([report?.disposition, report?.mergeCommit], ['merged', merged]);
    forge.assertSound();
  });
});
