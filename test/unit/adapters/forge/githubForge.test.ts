import assert from 'node:assert/strict';
import { GithubForge } from '../../../../src/adapters/forge/github/githubForge.ts';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import type { ForgeRepository } from '../../../../src/domain/forge/forgePlace.ts';
import type { SoughtPullRequest } from '../../../../src/engine/ports/ports.ts';

describe('a forge on GitHub', () => {
  const { fetch: realFetch } = globalThis;
  const base: ForgeRepository = {
    remote: 'upstream',
    host: 'github.com',
    api: 'https://api.github.com',
    owner: 'octo',
    name: 'sample',
  };
  const head = { ...base, remote: 'origin', owner: 'ada' };
  const pull = {
    number: 7,
    html_url: 'https://github.com/octo/sample/pull/7',
    state: 'open',
    draft: false,
    merged_at: null,
    body: null,
    base: { ref: 'main' },
    head: {
      ref: 'ticket/TST-1',
      sha: 'c'.repeat(40),
      repo: { full_name: 'octo/sample' },
    },
  };

  let answers: Readonly<Record<string, object>> = {};
  let token = 'ghp_1';
  let posted: string[] = [];

  beforeEach(() => {
    posted = [];
    token = 'ghp_1';
    answers = { '/repos/octo/sample/pulls': [] };
    globalThis.fetch = async (address, options) => {
      new Headers(options?.headers);
      if (options?.method === 'POST') {
        const sent = typeof options.body === 'string' ? options.body : '';
        posted.push(sent);
        if (sent.includes('nobody'))
          return Response.json({ message: 'Only collaborators.' }, { status: 422 });
        return Response.json({}, { status: 201 });
      }
      const { pathname } = new URL(address instanceof Request ? address.url : address);
      const found = answers[pathname];
      const status = found ? 200 : 404;
      return Response.json(found ?? { message: 'Not Found' }, { status });
    };
  });
  after(() => (globalThis.fetch = realFetch));

  const forge = (): GithubForge => new GithubForge({ place: { base, head }, token: async () => token });
  const find = (of: Partial<SoughtPullRequest> = {}) =>
    forge().find({ ticket: 'TST-1', branch: 'ticket/TST-1', ...of });

  function knows(one: object): void {
    answers = { ...answers, '/repos/octo/sample/pulls/7': { ...pull, ...one } };
  }

  it('sends no token that is more than one line', async () => {
    for (const wrong of ['ghp_1\nghp_2', 'ghp_1 ghp_2', '', 'ghp_ü']) {
      token = wrong;
      await assert.rejects(find(), ({ code, message }: BeadsmithError) => {
        assert.equal(code, 'FORGE_SIGN_IN', wrong);
        assert.doesNotMatch(message, /ghp_/);
        return true;
      });
    }
  });

  it('finds the pull request of a number, though its branch is in another repository than now', async () => {
    assert.equal(await find({ number: 7 }), undefined);
    knows({});
    assert.equal(await find(), undefined);
    const moved = '"ticket/TST-1" in octo/sample, not "ticket/TST-1" in ada/sample.';
    for (const [of, where, remedy] of [
      [{}, moved, /^Add a remote for octo\/sample, set remote\.pushDefault to it/],
      [{ repo: null }, 'in a repository that is gone, not', /^Close that one there, then create a new/],
      [{ ref: 'mine', repo: { full_name: 'ada/sample' } }, '"mine" in ada/sample, not', /^Rename the branch/],
    ] as const) {
      knows({ head: { ...pull.head, ...of } });
      await assert.rejects(find({ number: 7 }), ({ code, message, nextStep }: BeadsmithError) => {
        assert.equal(code, 'FORGE_REFUSED');
        assert.ok(message.includes(`the branch of ${pull.html_url} is `) && message.includes(where), message);
        assert.match(nextStep, remedy);
        return true;
      });
    }
  });

  it('takes a branch of the same name in another repository of the owner for another one', async () => {
    const listed = (full_name: string, of: object = {}): void => {
      const one = { ...pull, ...of, head: { ...pull.head, repo: { full_name } } };
      answers = { ...answers, '/repos/octo/sample/pulls': [one] };
    };
    listed('ada/other-fork', { body: '<!-- beadsmith TST-1 -->' });
    assert.equal(await find(), undefined);
    await assert.rejects(find({ number: 7 }), ({ code, nextStep }: BeadsmithError) => {
      assert.match(nextStep, /^Add a remote for ada\/other-fork/);
      return code === 'FORGE_REFUSED';
    });
    // The remote has the name before it was renamed.
    answers = { ...answers, '/repos/ada/sample': { full_name: 'ada/renamed', archived: false } };
    listed('ada/renamed', { body: '<!-- beadsmith TST-1 -->' });
    assert.equal((await find())?.number, 7);
    listed('ada/renamed');
    await assert.rejects(find(), { code: 'FORGE_REFUSED' });
  });

  it('asks the other reviewers where one is refused', async function () {
    // GitHub wants seconds between requests that notify people.
    this.timeout(30_000);
    const unset = await forge().assign(7, { labels: [], reviewers: ['nobody', 'octo/platform'] });
    assert.deepEqual(unset, [{ name: 'nobody', reason: 'Only collaborators. (422)' }]);
    assert.deepEqual(
      posted.map((sent) => JSON.parse(sent) as unknown),
      [
        { reviewers: ['nobody'], team_reviewers: ['platform'] },
        { reviewers: ['nobody'], team_reviewers: [] },
        { reviewers: [], team_reviewers: ['platform'] },
      ],
    );
  });

  describe('that answers wrongly', () => {
    let answer: () => Response;
    beforeEach(() => (globalThis.fetch = async () => answer()));

    /** As a person reads it, and how long the forge wants to be left alone, in minutes. */
    async function failureOf(): Promise<string> {
      const error: unknown = await forge()
        .look(7)
        .catch((reason: unknown) => reason);
      assert.ok(error instanceof BeadsmithError, String(error));
      const { waitMs } = error.diagnostics;
      return `${error.code} ${error.message} ${typeof waitMs === 'number' ? String(waitMs / 60_000) : ''}`;
    }

    it('is read up to 20 MB', async () => {
      const chunk = new TextEncoder().encode(`"${'x'.repeat(1_000_000)}",`);
      let sent = 0;
      const body = (): ReadableStream<Uint8Array> =>
        new ReadableStream({
          pull: (controller) => {
            sent += 1;
            if (sent > 200) controller.close();
            else controller.enqueue(chunk);
          },
        });
      answer = () => new Response(body(), { headers: { 'content-type': 'application/json' } });
      assert.match(await failureOf(), /^FORGE_UNREACHABLE .*answer isn't GitHub's/);
      assert.ok(sent < 30, String(sent));
    });

    it('is left alone as long as its own clock says, whatever the time is here', async () => {
      const there = Date.now() - 24 * 3_600_000;
      const headers = {
        date: new Date(there).toUTCString(),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.floor(there / 1_000) + 1_800),
      };
      answer = () => Response.json({ message: 'API rate limit exceeded' }, { status: 403, headers });
      assert.match(await failureOf(), /^FORGE_UNREACHABLE .*try again in 30 min\. 30$/);
    });

    it('is left alone for a minute where it says nothing but that a secondary limit is used up', async () => {
      const message = 'You have exceeded a secondary rate limit. Please wait a few minutes.';
      answer = () => Response.json({ message }, { status: 403 });
      assert.match(await failureOf(), /^FORGE_UNREACHABLE .*try again in 1 min\. 1$/);
    });
  });

  it('finds one that it knows by its number where the list lacks it', async () => {
    knows({ head: { ...pull.head, repo: { full_name: 'Ada/Sample' } } });
    assert.equal((await find({ number: 7 }))?.state, 'open');
    knows({ state: 'closed' });
    assert.equal((await find({ number: 7 }))?.state, 'closed');
    knows({ state: 'closed', merged_at: '2026-01-01T00:00:00Z' });
    assert.equal((await find({ number: 7 }))?.state, 'merged');
  });
});
