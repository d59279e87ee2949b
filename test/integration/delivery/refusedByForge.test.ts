import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { review } from '../../../src/phases/delivery/review.ts';
import type { ExecutionWorld } from '../../support/engine/executionWorld.ts';
import { tipOf, type StandInRepository } from '../../support/forge/endpoints.ts';
import { forgeTickets, plainPublishing } from '../../support/forge/forgeTickets.ts';

const create = 'POST /repos/{owner}/{repo}/pulls';
const branch = 'ticket/TST-1';

describe('a pull request that a forge refuses', function () {
  this.timeout(120_000);
  const tickets = forgeTickets();
  const { forge } = tickets;
  let repository: StandInRepository;
  beforeEach(() => {
    ({ repository } = tickets);
  });

  async function asked(world: ExecutionWorld): Promise<string> {
    const id = await world.post('create_pull_request', plainPublishing);
    await world.drive({ review }, 'WAITING_PR_REVIEW');
    return `${(await world.outcome(id)) ?? ''} ${await world.said(id)}`;
  }

  it('is created once what refused its branch is gone: a protected branch, or a hook with its own words', async () => {
    const world = await tickets.reviewed();
    forge.protect(repository, branch);
    assert.match(await asked(world), /^PUSH_REFUSED .*GH006: Protected branch update failed/s);
    const hook = join(repository.git, 'hooks', 'update');
    const words = `echo "Every commit needs a \\033[31mticket\\033[0m: https://ada:${forge.token}@tracker.example/"`;
    writeFileSync(hook, `#!/bin/sh\nprintf "$(${words})\\n" >&2\nexit 1\n`);
    chmodSync(hook, 0o755);
    const refusal = await asked(world);
    assert.match(refusal, /^PUSH_REFUSED .*Every commit needs a .*ticket/s);
    assert.ok(!refusal.includes('\u001b') && !refusal.includes(forge.token), refusal);
    assert.deepEqual([tipOf(repository, branch), repository.pulls.length], [undefined, 0]);
    writeFileSync(hook, '#!/bin/sh\n');
    assert.match(await asked(world), /^consumed/);
    assert.equal(repository.pulls.length, 1);
  });

  it('is created once, though the token expired between the look, the push and the creation', async () => {
    const world = await tickets.reviewed();
    const push = world.git.push.bind(world.git);
    world.git.push = (request) => {
      forge.expired.add(forge.token);
      return push(request);
    };
    assert.match(await asked(world), /^(PUSH_REFUSED|GIT_FAILED|FORGE_SIGN_IN) /);
    assert.equal(tipOf(repository, branch), undefined);
    forge.expired.clear();
    world.git.push = async (request) => {
      await push(request);
      forge.expired.add(forge.token);
    };
    assert.match(await asked(world), /^FORGE_SIGN_IN .*token is not valid, or has expired/);
    assert.equal(tipOf(repository, branch), await world.git.head(world.worktree));
    forge.expired.clear();
    assert.match(await asked(world), /^consumed/);
    assert.deepEqual([repository.pulls.length, forge.count(create)], [1, 2]);
  });

  it('says which access is missing where a person lost their rights', async () => {
    const { world } = await tickets.published();
    const before = tipOf(repository, branch);
    repository.isPrivate = true;
    assert.match(await asked(world), /^FORGE_REFUSED .*Not Found/);
    assert.equal(tipOf(repository, branch), before);
    repository.isPrivate = false;
    assert.match(await asked(world), /^consumed/);
  });

  it('goes to the repository under its new name', async () => {
    const world = await tickets.reviewed();
    forge.repositories.set('octo/renamed', { ...repository, name: 'octo/renamed' });
    repository.renamedTo = 'octo/renamed';
    assert.match(await asked(world), /^consumed/);
    assert.equal(repository.pulls.length, 1);
    assert.match(await asked(world), /^consumed/);
    assert.equal(repository.pulls.length, 1);
  });

  it('has a text that fits, however long the ticket’s is', async () => {
    const world = await tickets.reviewed();
    const report = (await world.json('pull_request_report')) ?? {};
    const sections = Array.from(
      { length: 40 },
      (_, at) => `## Part ${String(at)}\n\n${'ä long line. '.repeat(400)}`,
    );
    await world.put('pull_request_report', { ...report, body: sections.join('\n\n') }, 'WAITING_PR_REVIEW');
    for (let turn = 0; turn < 2; turn += 1) {
      assert.match(await asked(world), /^consumed/);
      const text = repository.pulls[0]?.body ?? '';
      assert.ok(text.length <= 65_536 && text.length > 40_000, String(text.length));
      assert.match(text, /Left out, because GitHub takes 65,536 characters at most: Part/);
    }
  });

  it('is created after a secondary limit that is short, and says how long a longer one is', async () => {
    const world = await tickets.reviewed();
    const message = 'You have exceeded a secondary rate limit.';
    forge.troubles(create, { status: 403, headers: { 'retry-after': '600' }, message });
    assert.match(await asked(world), /^FORGE_UNREACHABLE .*rate limit is used up; try again in 10 min/);
    forge.troubles(create, { status: 429, headers: { 'retry-after': '1' }, message });
    assert.match(await asked(world), /^consumed/);
    assert.equal(repository.pulls.length, 1);
  });
});
