import { RequestError } from '@octokit/request-error';
import assert from 'node:assert/strict';
import type { Client } from '../../../../src/adapters/forge/github/client.ts';
import { readFailedChecks } from '../../../../src/adapters/forge/github/failedChecks.ts';
import { lookAt } from '../../../../src/adapters/forge/github/lookAt.ts';
import { rerunChecks } from '../../../../src/adapters/forge/github/rerunChecks.ts';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';

const commit = 'c'.repeat(40);
const baseTip = 'b'.repeat(40);
const repository = {
  remote: 'origin',
  host: 'github.com',
  api: 'https://api.github.com',
  owner: 'octo',
  name: 'sample',
};

interface Run {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly conclusion: string | null;
  readonly app: { readonly slug: string };
}

function red(id: number, name: string, { app = 'github-actions', conclusion = 'failure' } = {}): Run {
  return { id, name, status: 'completed', conclusion, app: { slug: app } };
}

describe('the checks of a commit on GitHub', () => {
  let runs: Record<string, readonly Run[]>;
  let statuses: readonly { readonly context: string; readonly state: string }[];
  /** Workflow runs by the ids of their jobs, and what they are. */
  let jobs: Record<number, number>;
  let workflows: Record<number, { readonly status: string; readonly run_attempt: number }>;
  /** Statuses of refusals, by what is posted. */
  let refused: Record<string, number>;
  let posted: string[];
  let logsRead: number[];

  beforeEach(() => {
    [runs, statuses, jobs, workflows, refused] = [{}, [], {}, {}, {}];
    [posted, logsRead] = [[], []];
  });

  function refuse(status: number, message = 'Not Found'): never {
    const request = { method: 'GET' as const, url: 'https://api.github.com', headers: {} };
    throw new RequestError(message, status, { request });
  }

  /** A page of a list, with the address of the last one. */
  function paged<T>(all: readonly T[], given: Readonly<Record<string, unknown>>, name: string) {
    const [size, page] = [Number(given['per_page']), Number(given['page'])];
    const last = `<https://api.github.com/x?page=${String(Math.ceil(all.length / size))}>; rel="last"`;
    const data = { total_count: all.length, [name]: all.slice((page - 1) * size, page * size) };
    return { data, headers: page * size < all.length ? { link: last } : {} };
  }

  async function request(route: string, given: Readonly<Record<string, unknown>>): Promise<object> {
    const [, last = ''] = /\/([^/]+)$/.exec(route) ?? [];
    if (route.startsWith('POST')) {
      const act = `${last} ${String(given['run_id'] ?? given['check_run_id'])}`;
      if (refused[act] !== undefined) refuse(refused[act], 'Must have admin rights');
      posted.push(act);
      return { data: {}, headers: {} };
    }
    if (last === 'check-runs') return paged(runs[String(given['ref'])] ?? [], given, 'check_runs');
    if (last === 'status') return paged(given['ref'] === commit ? statuses : [], given, 'statuses');
    if (last === '{branch}') return { data: { commit: { sha: baseTip } }, headers: {} };
    if (last === 'annotations' || last === 'reviews') return { data: [], headers: {} };
    if (last === 'logs') {
      logsRead.push(Number(given['job_id']));
      return refuse(410, 'Gone');
    }
    if (last === '{job_id}') {
      const run = jobs[Number(given['job_id'])];
      return run === undefined ? refuse(404) : { data: { run_id: run, run_attempt: 1 }, headers: {} };
    }
    if (last === '{run_id}') return { data: workflows[Number(given['run_id'])], headers: {} };
    const head = { ref: 'ticket/TST-1', sha: commit, repo: { full_name: 'octo/sample' } };
    const links = { html_url: 'https://github.com/octo/sample/pull/7', merged_at: null };
    return {
      data: { number: 7, state: 'open', draft: false, body: null, head, base: { ref: 'main' }, ...links },
      headers: {},
    };
  }

  const graphql = () =>
    Promise.reject(Object.assign(new Error('no such field'), { name: 'GraphqlResponseError' }));
  const client = { request, graphql } as unknown as Client;
  const rerun = (...ids: readonly number[]) =>
    rerunChecks({ client, repository }, { commit, runs: ids }).then(
      () => 'started',
      (error: unknown) =>
        error instanceof BeadsmithError ? `${error.message} ${error.nextStep}` : String(error),
    );
  const failed = () => readFailedChecks({ client, repository }, { commit, base: 'main' });

  it('run again although one of them is the report of a job, and another is refused', async () => {
    runs[commit] = [red(1, 'Test results'), red(2, 'test'), red(3, 'lint'), red(4, 'e2e')];
    jobs = { 2: 20, 3: 30, 4: 40 };
    workflows = Object.fromEntries([20, 30, 40].map((id) => [id, { status: 'completed', run_attempt: 1 }]));
    refused = { 'rerun-failed-jobs 30': 403 };
    assert.equal(await rerun(1, 2, 3, 4), 'started');
    assert.deepEqual(posted, ['rerun-failed-jobs 20', 'rerun-failed-jobs 40']);
  });

  it('say so if none of them can run again', async () => {
    runs[commit] = [red(1, 'Test results')];
    assert.equal(
      await rerun(1),
      'github.com refused the request: "Test results" is a report, not a job. Run the job that reports it again on GitHub.',
    );
    runs[commit] = [red(3, 'lint'), red(5, 'external', { app: 'other' })];
    jobs = { 3: 30 };
    workflows = { 30: { status: 'completed', run_attempt: 1 } };
    refused = { 'rerun-failed-jobs 30': 403, 'rerequest 5': 422 };
    assert.match(await rerun(3, 5), /Must have admin rights/);
    assert.deepEqual(posted, []);
  });

  it('don’t count as started while other jobs of their workflow run, but once it has a later attempt', async () => {
    runs[commit] = [red(2, 'test')];
    jobs = { 2: 20 };
    workflows = { 20: { status: 'in_progress', run_attempt: 1 } };
    assert.equal(
      await rerun(2),
      'github.com refused the request: other jobs of the workflow still run. Try again once they end.',
    );
    workflows = { 20: { status: 'in_progress', run_attempt: 2 } };
    assert.equal(await rerun(2), 'started');
    runs[commit] = [];
    assert.equal(await rerun(2), 'started');
    assert.deepEqual(posted, []);
  });

  it('are read where they are the ticket’s own, however many the base branch has', async () => {
    const known = ['a', 'b', 'c', 'd', 'e'].map((name, index) => red(index + 1, name));
    runs = { [commit]: [...known, red(9, 'z')], [baseTip]: known };
    statuses = [{ context: 'y', state: 'failure' }];
    jobs = Object.fromEntries([1, 2, 3, 4, 5, 9].map((id) => [id, id]));
    const found = await failed();
    assert.deepEqual(
      found.map(({ name, onBase }) => `${name} ${String(onBase)}`),
      ['y false', 'z false', 'a true', 'b true', 'c true'],
    );
    assert.deepEqual(logsRead, [9, 1, 2, 3]);
  });

  it('keep what they ended with', async () => {
    runs = { [commit]: [red(1, 'a', { conclusion: 'cancelled' }), red(2, 'b')] };
    statuses = [{ context: 'c', state: 'error' }];
    const found = await failed();
    assert.deepEqual(
      found.map(({ conclusion }) => conclusion),
      ['cancelled', 'failure', 'error'],
    );
  });

  it('are all counted, and pending where there are too many to read', async () => {
    const green = (count: number) =>
      Array.from({ length: count }, (_, index) => red(index + 100, 'ok', { conclusion: 'success' }));
    const checks = async () => (await lookAt(client, repository, 7, {})).look.checks;
    runs[commit] = [red(1, 'first'), ...green(1_898), red(2, 'last')];
    statuses = [];
    const { failing, ...counts } = await checks();
    assert.deepEqual(failing, ['first', 'last']);
    assert.deepEqual(counts, { passed: 1_898, failed: 2, pending: 0, failedRuns: [1, 2] });
    runs[commit] = [red(1, 'first'), ...green(2_049)];
    statuses = Array.from({ length: 2_001 }, (_, index) => ({ context: String(index), state: 'success' }));
    const { passed, failed: wrong, pending } = await checks();
    assert.deepEqual([passed, wrong, pending], [3_999, 1, 51]);
  });
});
