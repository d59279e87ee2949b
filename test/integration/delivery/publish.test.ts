import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { RemoteForges } from '../../../src/adapters/forge/forges.ts';
import { CommandLineTokens } from '../../../src/adapters/forge/tokens.ts';
import { GitAdapter } from '../../../src/adapters/git/gitAdapter.ts';
import { toBeadsmithError } from '../../../src/domain/core/errors.ts';
import { PullRequestReport } from '../../../src/domain/beads/reports.ts';
import type { HandlerDefinition } from '../../../src/engine/run/run.ts';
import { integrate } from '../../../src/phases/delivery/integrate.ts';
import { publish } from '../../../src/phases/delivery/publish.ts';
import { pullRequest } from '../../../src/phases/delivery/pullRequest.ts';
import { storedJson } from '../../../src/phases/shared/ticket/artifacts.ts';
import {
  type ExecutionWorld,
  executionWorlds,
  pullRequestDraft,
} from '../../support/engine/executionWorld.ts';
import { tipOf, type StandInRepository } from '../../support/forge/endpoints.ts';
import { ForgeStandIn } from '../../support/forge/forgeStandIn.ts';

const create = 'POST /repos/{owner}/{repo}/pulls';

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
    const address = forge.addressOf('octo/sample').replace('//', `//x:${forge.token}@`);
    await world.repository.git('push', '--quiet', address, 'main');
    await world.beginIntegration();
    world.answers({ 'pull-request': pullRequestDraft });
    await world.drive({ integrate, pullRequest });
    await world.isIn('WAITING_PR_REVIEW');
    return world;
  }

  /** The step of the review, alone. */
  const publishing: HandlerDefinition<'merge'> = {
    version: 1,
    run: async (run, ticket) => {
      const outcome = await run.step('publish', z.string(), async (io) => {
        const report = await storedJson(io, 'pull_request_report', PullRequestReport);
        assert.ok(report);
        try {
          return (await publish(io, ticket, report, { isDraft: true })).location;
        } catch (error) {
          const { code, message } = toBeadsmithError(error);
          if (code === 'EPOCH_LOST') throw error;
          return `${code}: ${message}`;
        }
      });
      said.push(outcome);
      await run.wait('end', ['merge']);
      return { exit: 'merge' };
    },
  };
  let said: string[];
  beforeEach(() => (said = []));

  it('has the branch, the text and the marker, as a draft', async () => {
    const world = await reviewed();
    await world.drive({ review: publishing });
    assert.deepEqual(said, [`http://${forge.host}/octo/sample/pull/1`]);
    assert.equal(tipOf(repository, 'ticket/TST-1'), await world.git.head(world.worktree));
    const [pull] = repository.pulls;
    assert.deepEqual([pull?.title, pull?.draft, pull?.base], ['TST-1: Greet people', true, 'main']);
    assert.match(pull?.body ?? '', /^<!-- beadsmith TST-1 -->\n## Summary[^]+\n<!-- \/beadsmith TST-1 -->$/);
    assert.equal((await world.json('forge_pull_request'))?.['number'], 1);
  });

  for (const kill of ['after the push', 'after the creation', 'with a lost answer'] as const) {
    it(`is there once, though the process was killed ${kill}`, async () => {
      const world = await reviewed();
      if (kill === 'after the push') {
        const push = world.git.push.bind(world.git);
        world.git.push = async (request) => {
          await push(request);
          world.crash();
        };
        await world.driveUntilKilled({ review: publishing });
        world.git.push = () => Promise.reject(new Error('It is pushed already.'));
      } else if (kill === 'after the creation') {
        const { forges } = world;
        world.forges = {
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
        await world.driveUntilKilled({ review: publishing });
        world.forges = forges;
      } else forge.troubles(create, { status: 502, done: true });
      await world.drive({ review: publishing });
      assert.equal(said.at(-1), `http://${forge.host}/octo/sample/pull/1`);
      assert.equal(repository.pulls.length, 1);
      assert.equal(forge.count(create), 1);
    });
  }
});
