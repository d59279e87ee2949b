import assert from 'node:assert/strict';
import type { Client } from '../../../../src/adapters/forge/github/client.ts';
import { mergePull, readMerging, unplanPull } from '../../../../src/adapters/forge/github/merges.ts';
import type { BeadsmithError } from '../../../../src/domain/core/errors.ts';

const place = { remote: 'origin', host: 'git.example', api: '', owner: 'octo', name: 'sample' };
const commit = 'c'.repeat(40);

describe('merging on a server without GitHub’s other API', () => {
  let sent: (readonly [route: string, parameters: object])[];
  const graphql = (): Promise<never> =>
    Promise.reject(Object.assign(new Error('Field does not exist'), { name: 'GraphqlResponseError' }));
  const request = (route: string, parameters: object): Promise<object> => {
    sent.push([route, parameters]);
    return Promise.resolve({ data: {} });
  };
  const client = { request, graphql } as unknown as Client;
  const parts = { client, reader: client, place };
  const said = (error: BeadsmithError): boolean => {
    assert.equal(error.code, 'FORGE_REFUSED');
    assert.notEqual(error.nextStep, '');
    return true;
  };

  beforeEach(() => (sent = []));

  it('says nothing of it, and merges now all the same', async () => {
    assert.equal(await readMerging(client, place, 7), undefined);
    await mergePull(parts, 7, { whenReady: false, kind: undefined, commit, base: 'main' });
    assert.deepEqual(sent, [
      [
        'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge',
        { owner: 'octo', repo: 'sample', pull_number: 7, sha: commit, request: { retries: 0 } },
      ],
    ]);
  });

  it('plans nothing and takes nothing back, and says what to do', async () => {
    await assert.rejects(
      mergePull(parts, 7, { whenReady: true, kind: 'squash', commit, base: 'main' }),
      said,
    );
    await assert.rejects(unplanPull(parts, 7), said);
    assert.deepEqual(sent, []);
  });

  it('is no such server where only the rate limit is used up', async () => {
    const limited = (): Promise<never> =>
      Promise.reject(
        Object.assign(new Error('limit'), {
          name: 'GraphqlResponseError',
          errors: [{ type: 'RATE_LIMITED' }],
        }),
      );
    const busy = { request, graphql: limited } as unknown as Client;
    await assert.rejects(readMerging(busy, place, 7), /limit/);
  });
});

describe('a merge on GitHub', () => {
  let state: { isInMergeQueue: boolean; baseRefName: string };
  let sent: string[];
  const graphql = (query: string): Promise<unknown> => {
    if (!query.startsWith('query')) {
      sent.push(query.split(/[ (]/, 1)[0] ?? '');
      return Promise.reject(Object.assign(new Error('Already queued'), { name: 'GraphqlResponseError' }));
    }
    const pullRequest = {
      id: 'PR_7',
      isMergeQueueEnabled: true,
      mergeStateStatus: 'CLEAN',
      autoMergeRequest: null,
      ...state,
    };
    const allowed = { mergeCommitAllowed: true, squashMergeAllowed: false, rebaseMergeAllowed: false };
    return Promise.resolve({
      repository: { ...allowed, autoMergeAllowed: false, viewerDefaultMergeMethod: 'MERGE', pullRequest },
    });
  };
  const client = { graphql } as unknown as Client;
  const merge = (): Promise<void> =>
    mergePull({ client, reader: client, place }, 7, {
      whenReady: false,
      kind: undefined,
      commit,
      base: 'main',
    });

  beforeEach(() => {
    state = { isInMergeQueue: true, baseRefName: 'main' };
    sent = [];
  });

  it('stands if it is refused because it is planned already, as after a lost answer', async () => {
    await merge();
    assert.deepEqual(sent, ['mutation']);
    state.isInMergeQueue = false;
    await assert.rejects(merge(), { code: 'FORGE_REFUSED' });
  });

  it('isn’t sent where the pull request goes into another branch by now', async () => {
    state.baseRefName = 'release';
    await assert.rejects(merge(), /It goes into "release" now/);
    assert.deepEqual(sent, []);
  });
});
