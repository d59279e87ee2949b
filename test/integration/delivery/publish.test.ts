import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RemoteForges } from '../../../src/adapters/forge/forges.ts';
import { CommandLineTokens } from '../../../src/adapters/forge/tokens.ts';
import { commandEnvironment } from '../../../src/adapters/system/commandEnvironment.ts';
import { GitAdapter } from '../../../src/adapters/git/gitAdapter.ts';
import { integrate } from '../../../src/phases/delivery/integrate.ts';
import { review } from '../../../src/phases/delivery/review.ts';
import { pullRequest } from '../../../src/phases/delivery/pullRequest.ts';
import {
  type ExecutionWorld,
  executionWorlds,
  pullRequestDraft,
} from '../../support/engine/executionWorld.ts';
import { tipOf, type StandInRepository } from '../../support/forge/endpoints.ts';
import { ForgeStandIn } from '../../support/forge/forgeStandIn.ts';

const create = 'POST /repos/{owner}/{repo}/pulls';
const list = 'GET /repos/{owner}/{repo}/pulls';

describe('a published pull request', function () {
  this.timeout(60_000);
  const newWorld = executionWorlds();
  let forge: ForgeStandIn;
  let repository: StandInRepository;

  beforeEach(async () => {
    forge = new ForgeStandIn();
    await forge.start();
    repository = forge.addRepository('octo/sample');
  });
  afterEach(async () => {
    await forge.stop();
    forge.assertSound();
  });

  /** A ticket at its review, in a clone whose person is signed in. */
  async function reviewed(): Promise<ExecutionWorld> {
    const world = await newWorld();
    const home = join(world.repository.root, '..', 'home');
    mkdirSync(home);
    const helper = `!f() { echo username=x; echo password=${forge.token}; }; f`;
    writeFileSync(join(home, '.gitconfig'), `[credential]\n\thelper = ${JSON.stringify(helper)}\n`);
    const environment = {
      PATH: process.env['PATH'],
      HOME: home,
      GH_HOST: forge.host,
      GH_ENTERPRISE_TOKEN: forge.token,
    };
    world.git = new GitAdapter({ folder: world.repository.root, environment });
    const tokens = new CommandLineTokens({ environment, inside: [] });
    world.forges = new RemoteForges(world.git, tokens);
    await world.repository.git('remote', 'add', 'origin', forge.addressOf('octo/sample'));
    await world.repository.git('push', '--quiet', withLogin(), 'main');
    await world.beginIntegration();
    world.answers({ 'pull-request': pullRequestDraft });
    await world.drive({ integrate, pullRequest });
    await world.isIn('WAITING_PR_REVIEW');
    return world;
  }

  function location(): string {
    return `http://${forge.host}/octo/sample/pull/1`;
  }

  function withLogin(): string {
    return forge.addressOf('octo/sample').replace('//', `//x:${forge.token}@`);
  }

  /** Posts the action, and answers its outcome. */
  async function asked(world: ExecutionWorld, draft = false): Promise<string | undefined> {
    const id = await world.post('create_pull_request', { draft, remote: '' });
    await world.drive({ review });
    return world.outcome(id);
  }

  it('has the branch, the text and the marker, as a draft', async () => {
    const world = await reviewed();
    assert.equal(await asked(world, true), 'consumed');
    assert.equal((await world.json('pull_request_report'))?.['location'], location());
    assert.equal(tipOf(repository, 'ticket/TST-1'), await world.git.head(world.worktree));
    const [pull] = repository.pulls;
    assert.deepEqual([pull?.title, pull?.draft, pull?.base], ['TST-1: Greet people', true, 'main']);
    assert.match(pull?.body ?? '', /^<!-- beadsmith TST-1 -->\n## Summary[^]+\n<!-- \/beadsmith TST-1 -->$/);
    assert.equal((await world.json('forge_pull_request'))?.['number'], 1);
  });

  it('is updated by the next one, and what people wrote there stays', async () => {
    const world = await reviewed();
    await asked(world);
    const [pull] = repository.pulls;
    assert.ok(pull);
    pull.body = `Thanks!\n${pull.body ?? ''}\nPlease merge on Monday.`.replace('## Summary', '## Old');
    assert.equal(await asked(world), 'consumed');
    assert.equal(repository.pulls.length, 1);
    assert.match(pull.body, /^Thanks!\n<!--[^]+## Summary[^]+-->\nPlease merge on Monday\.$/);
  });

  it('overwrites no commits of others, and asks nothing of a forge that is away or does not know the person', async () => {
    const world = await reviewed();
    const theirs = await world.repository.git('commit-tree', '-m', 'theirs', '-p', 'main', 'main^{tree}');
    await world.repository.git('push', '--quiet', withLogin(), `${theirs}:refs/heads/ticket/TST-1`);
    assert.equal(await asked(world), 'PUSH_REFUSED');
    assert.equal(tipOf(repository, 'ticket/TST-1'), theirs);
    await world.repository.git('push', '--quiet', withLogin(), ':refs/heads/ticket/TST-1');
    forge.troubles('git', { status: 503 });
    assert.equal(await asked(world), 'FORGE_UNREACHABLE');
    forge.troubles(list, { status: 401 });
    assert.equal(await asked(world), 'FORGE_SIGN_IN');
    assert.equal(repository.pulls.length, 0);
    await world.isIn('WAITING_PR_REVIEW');
    assert.equal(await asked(world), 'consumed');
  });

  it('leaves the token in no file, journal or document', async () => {
    const world = await reviewed();
    forge.expired.add(forge.token);
    assert.equal(await asked(world), 'PUSH_REFUSED');
    forge.expired.clear();
    assert.equal(await asked(world), 'consumed');
    for (const folder of [world.repository.root, world.worktree, world.stateFolder])
      assert.deepEqual(filesNaming(folder, forge.token), [], folder);
    const given = commandEnvironment({ ...process.env, GH_TOKEN: forge.token, GITHUB_TOKEN: forge.token });
    assert.ok(!JSON.stringify(given).includes(forge.token));
    assert.doesNotMatch(JSON.stringify(world.events), new RegExp(forge.token));
  });

  for (const kill of ['after the push', 'after the creation', 'with a lost answer'] as const) {
    it(`is there once, though the process was killed ${kill}`, async () => {
      const world = await reviewed();
      await world.post('create_pull_request', { draft: true, remote: '' });
      if (kill === 'after the push') {
        const push = world.git.push.bind(world.git);
        world.git.push = async (request) => {
          await push(request);
          world.crash();
        };
        await world.driveUntilKilled({ review });
        world.git.push = () => Promise.reject(new Error('It is pushed already.'));
      } else if (kill === 'after the creation') {
        const { forges } = world;
        world.forges = {
          isThere: () => Promise.resolve(true),
          at: async (remote) => {
            const found = await forges.at(remote);
            const creating = found.create.bind(found);
            found.create = async (proposal) => {
              const made = await creating(proposal);
              world.crash();
              return made;
            };
            return found;
          },
        };
        await world.driveUntilKilled({ review });
        world.forges = forges;
      } else forge.troubles(create, { status: 502, done: true });
      await world.drive({ review });
      assert.equal((await world.json('forge_pull_request'))?.['location'], location());
      assert.equal(repository.pulls.length, 1);
      assert.equal(forge.count(create), 1);
    });
  }
});

function filesNaming(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name);
    return statSync(path).isFile() && readFileSync(path).includes(text);
  });
}
