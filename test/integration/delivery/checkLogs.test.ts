import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { GithubForge } from '../../../src/adapters/forge/github/githubForge.ts';
import type { FailedCheck } from '../../../src/domain/forge/failedCheck.ts';
import type { StandInCheck } from '../../support/forge/checkEndpoints.ts';
import type { StandInRepository } from '../../support/forge/endpoints.ts';
import { ForgeStandIn } from '../../support/forge/forgeStandIn.ts';

const logRoute = 'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs';
const jobRoute = 'GET /repos/{owner}/{repo}/actions/jobs/{job_id}';
const rerunRoute = 'POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs';
const rerequestRoute = 'POST /repos/{owner}/{repo}/check-runs/{check_run_id}/rerequest';

const red: StandInCheck = {
  name: 'test',
  status: 'completed',
  conclusion: 'failure',
  steps: [{ name: 'Run npm test', conclusion: 'failure', started_at: '2026-01-01T00:00:05Z' }],
};
const said = (text: string): string => `2026-01-01T00:00:06.0000000Z ${text}\n`;
const error = said('##[error]Process completed with exit code 1.');

describe('the failed checks of a commit on GitHub', function () {
  this.timeout(60_000);
  let stand: ForgeStandIn;
  let repository: StandInRepository;
  let commit: string;

  beforeEach(async () => {
    stand = new ForgeStandIn();
    await stand.start();
    repository = stand.addRepository('octo/sample');
    const git = (...args: string[]): string =>
      execFileSync('git', ['-C', repository.git, ...args], { encoding: 'utf8', input: '' }).trim();
    const tree = git('hash-object', '-t', 'tree', '-w', '--stdin');
    const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
    const [main, tip] = ['Base', 'Work'].map((message) => git(...author, 'commit-tree', tree, '-m', message));
    git('update-ref', 'refs/heads/main', main ?? '');
    git('update-ref', 'refs/heads/work', tip ?? '');
    commit = tip ?? '';
    repository.checksOf.set(main ?? '', []);
  });
  afterEach(async () => {
    await stand.stop();
    stand.assertSound();
  });

  function forge(): GithubForge {
    const { host } = stand;
    const base = { remote: 'origin', host, api: `http://${host}/api/v3`, owner: 'octo', name: 'sample' };
    return new GithubForge({ place: { base, head: base }, token: async () => stand.token });
  }

  async function failed(...checks: readonly StandInCheck[]): Promise<readonly FailedCheck[]> {
    repository.checks = checks;
    return forge().failedChecks({ commit, base: 'main' });
  }

  it('keep the end of a log of 50 MB, which no answer in memory may have', async () => {
    const end = `\n${said('the last words')}${error}`;
    const [check] = await failed({ ...red, log: { megabytes: 50, end } });
    assert.match(check?.failure.output ?? '', /the last words\nProcess completed with exit code 1\.$/);
    assert.ok((check?.failure.output.length ?? 0) < 4_000);
  });

  it('say what is left where the log is gone, or not for this person', async () => {
    const annotations = [{ path: 'src/a.ts', line: 3, message: 'is wrong' }];
    for (const status of [410, 403, 404]) {
      const [check] = await failed({ ...red, log: { status }, annotations });
      assert.deepEqual(check?.failure.args, { check: 'test', step: 'Run npm test' });
      assert.equal(check.failure.output, 'src/a.ts:3: failure: is wrong');
    }
    stand.troubles(jobRoute, { status: 403 });
    const [unread] = await failed({ ...red, log: error, annotations });
    assert.deepEqual(unread?.failure.args, { check: 'test', reason: 'failure' });
  });

  it('are told of other apps and of classic statuses by their own words', async () => {
    repository.statuses = [
      { context: 'ci/old', state: 'failure', description: 'Two failed', target_url: 'https://ci.example/7' },
    ];
    const output = { title: 'Coverage', summary: 'It fell to 3 %.' };
    const found = await failed({ ...red, name: 'coverage', app: 'other', output });
    assert.deepEqual(
      found.map(({ name, id, failure }) => [name, id, failure.output]),
      [
        ['coverage', 1, 'Coverage\nIt fell to 3 %.'],
        ['ci/old', null, 'Two failed\nhttps://ci.example/7'],
      ],
    );
    assert.equal(stand.count(logRoute), 0);
  });

  it('are known as red on the base by their names, and come last then', async () => {
    repository.checksOf.set(
      execFileSync('git', ['-C', repository.git, 'rev-parse', 'main'], { encoding: 'utf8' }).trim(),
      [
        { ...red, name: 'flaky' },
        { ...red, name: 'renamed before' },
      ],
    );
    const found = await failed({ ...red, name: 'flaky', log: error }, { ...red, name: 'test', log: error });
    assert.deepEqual(
      found.map(({ name, onBase }) => [name, onBase]),
      [
        ['test', false],
        ['flaky', true],
      ],
    );
  });

  it('hold no escape codes, marks, hidden characters and secrets of a log', async () => {
    const hostile = [
      said('\u001b]0;title\u0007\u001b[2J\u001b[31mred\u001b[0m'),
      said('##[group]Run ::set-output name=a::b'),
      said('a\u0000b\u0008c'),
      said(`token ghp_${'0123456789'.repeat(4)}`),
      error,
      said('Post job cleanup.'),
    ];
    const [check] = await failed({ ...red, log: hostile.join('') });
    assert.equal(
      check?.failure.output,
      'red\nRun ::set-output name=a::b\nabc\ntoken [redacted: github]\nProcess completed with exit code 1.',
    );
  });

  it('stop for an answer that may be right the next time', async () => {
    stand.troubles(logRoute, ...Array.from({ length: 3 }, () => ({ status: 500 })));
    await assert.rejects(failed({ ...red, log: error }), { code: 'FORGE_UNREACHABLE' });
  });

  it('run again once, whatever was interrupted, each app in its way', async () => {
    const other: StandInCheck = { ...red, name: 'coverage', app: 'other' };
    const found = await failed(
      { ...red, log: error },
      { ...red, name: 'build', log: error },
      { ...red, name: 'lint', run: 2 },
      other,
    );
    const runs = found.flatMap(({ id }) => id ?? []);
    stand.troubles(rerunRoute, { status: 502, done: true });
    await assert.rejects(forge().rerun({ commit, runs }), { code: 'FORGE_UNREACHABLE' });
    await forge().rerun({ commit, runs });
    await forge().rerun({ commit, runs });
    assert.equal(stand.count(rerunRoute), 2);
    assert.equal(stand.count(rerequestRoute), 1);
    assert.deepEqual(
      repository.checks.map(({ status }) => status),
      ['queued', 'queued', 'queued', 'queued'],
    );
  });
});
