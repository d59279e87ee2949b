import assert from 'node:assert/strict';
import { ForgePullRequestReport, MergeReport } from '../../../src/domain/beads/reports.ts';
import type { ForgeState } from '../../../src/domain/forge/forgeLook.ts';
import { shownName } from '../../../src/domain/forge/forgePlace.ts';
import type { InboxBody, InboxKind } from '../../../src/domain/ticket/inbox.ts';
import { readArtifact } from '../../../src/protocol/readDocument.ts';
import { comment, mergeThere } from '../../demo/forgePeople.ts';
import type { CliProcess } from '../../support/cliProcess.ts';
import type { StandInCheck } from '../../support/forge/checkEndpoints.ts';
import { talkOf } from '../../support/forge/commentEndpoints.ts';
import type { StandInPull, StandInRepository } from '../../support/forge/endpoints.ts';
import { ForgeStandIn } from '../../support/forge/forgeStandIn.ts';
import { plainPublishing } from '../../support/forge/forgeTickets.ts';
import { repositoryAt } from '../../support/git/tempRepository.ts';
import { postgresServer } from '../../support/storeContract/postgresServer.ts';
import { TeamBench } from '../../support/team/teamBench.ts';
import { until } from '../../support/until.ts';

const watches = /this runner watches the pull requests/;
const green: StandInCheck = { name: 'build', status: 'completed', conclusion: 'success' };
const red: StandInCheck = { ...green, conclusion: 'failure', log: '2026-01-01T00:00:00.0Z ##[error]Red.' };

/** Checks that fail at one commit, and pass at all others. */
class RedAt extends Map<string, readonly StandInCheck[]> {
  readonly #commit: string;

  constructor(commit: string) {
    super();
    this.#commit = commit;
  }

  override get(commit: string): readonly StandInCheck[] | undefined {
    return commit === this.#commit ? undefined : [green];
  }
}

describe('the pull request of a team’s ticket', function () {
  this.timeout(600_000);
  const server = postgresServer();
  const forge = new ForgeStandIn();
  let bench: TeamBench;
  let repository: StandInRepository;
  let id: string;
  before(() => forge.start());
  after(() => forge.stop());
  beforeEach(async () => {
    bench = await TeamBench.open(server.url, undefined, 0, forge);
    repository = forge.repositories.get('octo/sample') ?? assert.fail();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') console.error(bench.said(), forge.requests.slice(-40));
    await bench.close();
    forge.assertSound();
    forge.reset();
  });

  /** Resolves when a runner has carried it out. */
  const act = async <K extends InboxKind>(kind: K, body: InboxBody<K>): Promise<void> => {
    const { client } = bench.tickets;
    const request = await client.act(id, kind, body);
    const isDone = async (): Promise<boolean> => {
      const outcome = await client.outcome(id, request.id);
      if (outcome?.state === 'refused') throw new Error(outcome.message);
      return outcome?.state === 'consumed';
    };
    await until(isDone, `${kind} is carried out`, 60_000);
  };
  const publish = async (): Promise<StandInPull> => {
    const { client } = bench.tickets;
    const [place = assert.fail()] = await client.pullRequestPlaces(id);
    await act('create_pull_request', {
      ...plainPublishing,
      remote: place.base.remote,
      repository: shownName(place.base),
      pushTo: shownName(place.head),
    });
    const filed = () => readArtifact(client, id, 'forge_pull_request', ForgePullRequestReport);
    await until(async () => (await filed())?.number === 1, 'it is there', 60_000);
    return repository.pulls[0] ?? assert.fail();
  };
  const reviewed = async (): Promise<void> => {
    id = await bench.start('Greet by name');
    await bench.driveTo(id, 'WAITING_PR_REVIEW');
  };
  const seen = async (is: (forge: ForgeState) => boolean, what: string): Promise<void> => {
    const look = async (): Promise<boolean> => {
      const { forge: known, status, error } = await bench.ticket(id);
      if (status === 'BLOCKED_ERROR') throw new Error(JSON.stringify(error));
      return status === 'WAITING_PR_REVIEW' && known !== undefined && is(known);
    };
    await until(look, what, 150_000);
  };
  const completed = (): Promise<unknown> =>
    until(async () => (await bench.ticket(id)).status === 'COMPLETED', 'the ticket is completed', 150_000);
  const kill = async (runner: CliProcess): Promise<void> => {
    runner.child.kill('SIGKILL');
    await runner.ended;
  };

  it('is created and watched by a runner, then by another one, until its merge completes the ticket', async () => {
    const runners = [await bench.run('one'), await bench.run('two')] as const;
    await reviewed();
    const { client } = bench.tickets;
    const { actions } = (await client.ticket(id)).view;
    assert.ok(actions.includes('create_pull_request') && !actions.includes('merge'), actions.join());
    await assert.rejects(client.act(id, 'merge', {}), { code: 'MERGE_ON_FORGE' });

    const pull = await publish();
    await until(async () => (await bench.ticket(id)).forge?.number === 1, 'it is filed');
    assert.equal((await client.ticket(id)).view.actions.includes('merge_pull_request'), true);

    const [first, second] = runners;
    await until(() => watches.test(first.stdout), 'the oldest runner watches', 60_000);
    assert.doesNotMatch(second.stdout, watches);
    await kill(first);
    const merged = mergeThere(repository, pull);
    await completed();
    assert.match(second.stdout, watches);
    const report = await readArtifact(client, id, 'merge_report', MergeReport);
    assert.deepEqual([report?.disposition, report?.mergeCommit], ['merged', merged]);
  });

  it('is created and watched by a runner that is signed in at the forge, although an older one isn’t', async () => {
    const signedIn = bench.env;
    bench.env = { ...signedIn, GH_ENTERPRISE_TOKEN: '' };
    const first = await bench.run('one');
    bench.env = signedIn;
    const second = await bench.run('two');
    await reviewed();
    const merged = mergeThere(repository, await publish());
    await completed();
    assert.doesNotMatch(first.stdout, watches);
    assert.match(second.stdout, watches);
    const report = await readArtifact(bench.tickets.client, id, 'merge_report', MergeReport);
    assert.equal(report?.mergeCommit, merged);
  });

  it('brings failed checks and comments back, which any runner works on, until people merge it', async () => {
    const path = 'beadsmith-notes/note-greet-by-name-1.mjs';
    let thread = 0;
    repository.checks = [red];
    forge.after.set('POST /repos/{owner}/{repo}/pulls', () => {
      const said = { author: 'eve', path, on: 'export const note', text: 'Please greet Eve as well.' };
      thread = comment(repository, repository.pulls[0] ?? assert.fail(), said);
    });
    const first = await bench.run('one');
    await reviewed();
    const pull = await publish();
    const tip = (): Promise<string> =>
      repositoryAt(repository.git).git('rev-parse', `refs/heads/${pull.head.branch}`);
    const failed = await tip();
    Object.assign(repository, { checksOf: new RedAt(failed) });
    await seen(({ checks, threads }) => checks.failed === 1 && threads?.open === 1, 'both came back');

    const second = await bench.run('two');
    await kill(first);
    await act('fix_checks', {});
    const isGreen = ({ failed, passed }: ForgeState['checks']): boolean => failed === 0 && passed === 1;
    await seen(({ checks }) => isGreen(checks), 'the checks are fixed by the second runner');
    const fixed = await tip();
    assert.notEqual(fixed, failed);
    assert.equal(
      await repositoryAt(repository.git).git('merge-base', failed, fixed),
      failed,
      'nothing was forced',
    );

    const third = await bench.run('three');
    await kill(second);
    await act('fix_comment', { comment: `r${String(thread)}`, note: '', shown: '', resolve: true });
    await seen(({ news }) => news?.code === 'FORGE_BEHIND', 'the third runner has proved what Eve wants');
    await publish();
    const { lines, resolved } = talkOf(pull);
    await until(() => resolved.has(thread), 'the thread is resolved');
    const [answer, ...more] = lines.filter(({ replyTo }) => replyTo === thread);
    const [, fix = ''] = /^Fixed in ([0-9a-f]{40})/.exec(answer?.body ?? '') ?? [];
    await repositoryAt(repository.git).git('merge-base', '--is-ancestor', fix, await tip());
    assert.deepEqual(more, []);

    pull.state = 'closed';
    await act('check_pull_request', {});
    await seen(({ news }) => news?.code === 'FORGE_CLOSED', 'people read that it was closed');
    pull.state = 'open';
    await act('check_pull_request', {});
    await seen(({ news }) => news === null, 'it is open again');
    const fourth = await bench.run('four');
    await kill(third);
    const merged = mergeThere(repository, pull);
    await completed();
    assert.match(fourth.stdout, watches);
    const report = await readArtifact(bench.tickets.client, id, 'merge_report', MergeReport);
    assert.deepEqual([report?.disposition, report?.mergeCommit], ['merged', merged]);
  });
});
