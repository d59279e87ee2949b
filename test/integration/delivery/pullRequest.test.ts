import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import { integrate } from '../../../src/phases/delivery/integrate.ts';
import { pullRequest } from '../../../src/phases/delivery/pullRequest.ts';
import { executionWorlds, pullRequestDraft } from '../../support/engine/executionWorld.ts';

describe('the pull request', () => {
  const newWorld = executionWorlds();

  it('is worded by the model, with commits, evidence and left-out files filled in by the engine', async () => {
    const world = await newWorld();
    await world.beginIntegration();
    await world.put('bead_commit:greet', {
      schema_version: 1,
      beadId: 'greet',
      iteration: 1,
      commit: 'a'.repeat(40),
      noop: false,
      leftOut: ['debug.log'],
    });
    world.answers({
      'pull-request': ({ whole }) => {
        assert.match(whole, /\+line 1/, 'it sees the patch');
        assert.match(whole, /bead\(more\.txt\): work/, 'and the commits');
        return pullRequestDraft;
      },
    });
    await world.drive({ integrate, pullRequest }, 'WAITING_PR_REVIEW');
    const [published] = world.forge.published;
    assert.deepEqual(
      [published?.title, published?.branch, published?.base],
      ['TST-1: Greet people', 'ticket/TST-1', 'main'],
    );
    const body = published?.body ?? '';
    assert.match(body, /## Summary\n\n- People are greeted\.\n/, 'control characters are gone');
    assert.match(body, /\| greet \| Greet \\\| by name \| `a{12}` \| 1 \| none \|/);
    assert.match(body, /not committed: `debug\.log`/);
    assert.equal(
      (await world.json('pull_request_report'))?.['candidate'],
      await world.git.head(world.worktree),
    );
  });

  it('has the frame that the base branch asks for, whatever the ticket makes of it', async () => {
    const world = await newWorld({
      '.github/PULL_REQUEST_TEMPLATE.md': '## What\n\n<!-- say it -->\n\n## Notes for @team\n',
    });
    await world.beginIntegration();
    world.write('.github/PULL_REQUEST_TEMPLATE.md', '## Approved\n');
    await world.git.commit(world.worktree, {
      message: 'work',
      trailers: {},
      paths: ['.github/PULL_REQUEST_TEMPLATE.md'],
    });
    world.answers({ 'pull-request': pullRequestDraft });
    await world.drive({ integrate, pullRequest });
    assert.match(
      world.forge.published[0]?.body ?? '',
      /^## What\n\n- People are greeted\.\n\n## Notes for `@team`\n\n/,
    );
  });

  it('lists what the work made and git ignores, and neither what was there nor what was prepared', async () => {
    const world = await newWorld({ '.gitignore': '*.local\nbuilt/\nnode_modules/\n' });
    await world.beginIntegration();
    await world.put('worktree_inventory', { bead: 'greet', ignored: ['old.local'] }, 'CODING');
    await world.prepared({ temp_roots: ['built'] });
    for (const folder of ['built', 'node_modules']) mkdirSync(join(world.worktree, folder));
    for (const path of ['old.local', 'new.local', 'built/x', 'node_modules/y']) world.write(path, 'x\n');
    world.answers({ 'pull-request': pullRequestDraft });
    await world.drive({ integrate, pullRequest });
    assert.match(world.forge.published[0]?.body ?? '', /## Ignored files\n\n[^\n]+\n\n- `new\.local`\n\n/);
  });

  it('has a plain text when the model gives none', async () => {
    const world = await newWorld();
    await world.beginIntegration();
    world.answers({ 'pull-request': { kind: 'auth', message: 'no', statusCode: 401, continuable: false } });
    await world.drive({ integrate, pullRequest }, 'WAITING_PR_REVIEW');
    assert.match(world.forge.published[0]?.body ?? '', /## What changed\n\n- Greet \\\| by name/);
  });

  it('is published once, though the process was killed right after', async () => {
    const world = await newWorld();
    await world.beginIntegration();
    world.answers({ 'pull-request': pullRequestDraft });
    const publish = world.forge.publish.bind(world.forge);
    world.forge.publish = async (request) => {
      const place = await publish(request);
      world.crash();
      return place;
    };
    await world.driveUntilKilled({ integrate, pullRequest });
    await world.drive({ integrate, pullRequest }, 'WAITING_PR_REVIEW');
    assert.equal(world.forge.published.length, 1);
    assert.deepEqual(world.agent.tasks, ['pull-request']);
  });

  it('blocks when the forge refuses', async () => {
    const world = await newWorld();
    await world.beginIntegration();
    world.answers({ 'pull-request': pullRequestDraft });
    world.forge.publish = () =>
      Promise.reject(new BeadsmithError('GIT_FAILED', { command: 'push', reason: 'no way' }));
    await world.drive({ integrate, pullRequest });
    const { error } = await world.read();
    assert.equal(error?.code, 'PULL_REQUEST_FAILED');
    assert.match(String(error.args['reason']), /no way/);
  });
});
