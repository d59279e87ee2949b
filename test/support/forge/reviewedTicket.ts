import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RemoteForges } from '../../../src/adapters/forge/forges.ts';
import { CommandLineTokens } from '../../../src/adapters/forge/tokens.ts';
import { GitAdapter } from '../../../src/adapters/git/gitAdapter.ts';
import type { Settings } from '../../../src/domain/settings/settings.ts';
import type { InboxBody } from '../../../src/domain/ticket/inbox.ts';
import { integrate } from '../../../src/phases/delivery/integrate.ts';
import { pullRequest } from '../../../src/phases/delivery/pullRequest.ts';
import { type ExecutionWorld, pullRequestDraft } from '../engine/executionWorld.ts';
import type { ForgeStandIn } from './forgeStandIn.ts';

/** A request to publish that asks for nothing special. */
export const plainPublishing: InboxBody<'create_pull_request'> = {
  remote: '',
  repository: '',
  pushTo: '',
  labels: '',
  reviewers: '',
  draft: false,
};

/** The address of a repository of the stand-in, with the login. */
export function withLogin(forge: ForgeStandIn, name = 'octo/sample'): string {
  return forge.addressOf(name).replace('//', `//x:${forge.token}@`);
}

/** A ticket at its review, in a clone of `octo/sample` whose person is signed in. `more`: variables. */
export async function reviewedTicket(
  world: ExecutionWorld,
  forge: ForgeStandIn,
  settings: Partial<Settings> = {},
  more: (world: ExecutionWorld) => Readonly<Record<string, string>> = () => ({}),
): Promise<ExecutionWorld> {
  const home = join(world.repository.root, '..', 'home');
  mkdirSync(home);
  const helper = `!f() { echo username=x; echo password=${forge.token}; }; f`;
  writeFileSync(join(home, '.gitconfig'), `[credential]\n\thelper = ${JSON.stringify(helper)}\n`);
  const environment = {
    PATH: process.env['PATH'],
    HOME: home,
    GH_HOST: forge.host,
    GH_ENTERPRISE_TOKEN: forge.token,
    // A person's own, which simple-git takes for an attack.
    GIT_SSH_COMMAND: 'ssh -x',
    GIT_PROXY_COMMAND: '/bin/false',
    ...more(world),
  };
  world.git = new GitAdapter({ folder: world.repository.root, environment });
  const tokens = new CommandLineTokens({ environment, inside: [] });
  world.forges = new RemoteForges(world.git, tokens);
  await world.repository.git('remote', 'add', 'origin', forge.addressOf('octo/sample'));
  await world.repository.git('push', '--quiet', withLogin(forge), 'main');
  await world.beginIntegration(settings);
  world.answers({ 'pull-request': pullRequestDraft });
  await world.drive({ integrate, pullRequest });
  await world.isIn('WAITING_PR_REVIEW');
  return world;
}
