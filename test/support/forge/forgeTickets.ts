import assert from 'node:assert/strict';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RemoteForges } from '../../../src/adapters/forge/forges.ts';
import { CommandLineTokens } from '../../../src/adapters/forge/tokens.ts';
import { GitAdapter } from '../../../src/adapters/git/gitAdapter.ts';
import type { IssueOrigin } from '../../../src/domain/forge/issue.ts';
import type { Settings } from '../../../src/domain/settings/settings.ts';
import type { InboxBody } from '../../../src/domain/ticket/inbox.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { integrate } from '../../../src/phases/delivery/integrate.ts';
import { pullRequest } from '../../../src/phases/delivery/pullRequest.ts';
import { review } from '../../../src/phases/delivery/review.ts';
import { finalTest } from '../../../src/phases/finalTest/finalTest.ts';
import {
  oneTry,
  ExecutionWorld,
  pullRequestDraft,
  report,
  sampleFiles,
  type WorldNames,
} from '../engine/executionWorld.ts';
import { repositoryAt, tempRepository } from '../git/tempRepository.ts';
import { type TempFolder, tempFolder } from '../tempFolder.ts';
import type { StandInPull, StandInRepository } from './endpoints.ts';
import { ForgeStandIn } from './forgeStandIn.ts';

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

interface ReviewedOptions {
  readonly settings?: Partial<Settings>;
  readonly origin?: IssueOrigin;
  /** More variables of the person, for the tests alone. */
  readonly variables?: (world: ExecutionWorld) => Readonly<Record<string, string>>;
}

interface Published {
  readonly world: ExecutionWorld;
  readonly pull: StandInPull;
}

/** What a prepared ticket consists of, beside its folder. */
interface Kept {
  readonly folder: string;
  readonly names: WorldNames;
  readonly there: Pick<StandInRepository, 'pulls' | 'checks' | 'checksOf'>;
}

/**
 * Called inside `describe`: the stand-in for GitHub with `octo/sample`, empty before each test, and a clone
 * whose person is signed in. A ticket is driven to where tests begin once in a process, in one place with one
 * address, and copied from then on (docs/decisions/160-prepared-tickets.md).
 */
export function forgeTickets(): ForgeTickets {
  const tickets = new ForgeTickets();
  beforeEach(() => tickets.begin());
  afterEach(() => tickets.end());
  return tickets;
}

let place: TempFolder | undefined;
let standIn: ForgeStandIn | undefined;
const prepared = new Map<string, Kept>();

export class ForgeTickets {
  readonly forge: ForgeStandIn;
  readonly #place: string;
  #repository: StandInRepository | undefined;
  #worlds: ExecutionWorld[] = [];

  constructor() {
    if (!place) {
      const made = tempFolder('forge-tickets');
      process.once('exit', () => made.remove());
      place = made;
    }
    this.#place = place.path;
    this.forge = standIn ??= new ForgeStandIn(join(this.#place, 'now', 'forge'));
  }

  get repository(): StandInRepository {
    return this.#repository ?? assert.fail('no test runs');
  }

  async begin(): Promise<void> {
    if (!this.forge.isStarted) await this.forge.start();
    this.forge.reset();
    this.#repository = this.forge.addRepository('octo/sample');
  }

  async end(): Promise<void> {
    await Promise.all(this.#worlds.splice(0).map((world) => world.remove()));
    this.forge.assertSound();
  }

  /** A clone whose person is signed in, with its base on the forge. */
  async signedIn(): Promise<ExecutionWorld> {
    const parent = join(this.#place, 'now', 'clone');
    rmSync(parent, { recursive: true, force: true });
    const home = join(parent, 'home');
    mkdirSync(home, { recursive: true });
    const helper = `!f() { echo username=x; echo password=${this.forge.token}; }; f`;
    writeFileSync(join(home, '.gitconfig'), `[credential]\n\thelper = ${JSON.stringify(helper)}\n`);
    const repository = await tempRepository({ files: sampleFiles, parent });
    await repository.git('remote', 'add', 'origin', this.forge.addressOf('octo/sample'));
    await repository.git('push', '--quiet', this.repository.git, 'main');
    return this.#world(repository);
  }

  /** A ticket at its review. */
  async reviewed({ settings = {}, origin, variables }: ReviewedOptions = {}): Promise<ExecutionWorld> {
    const key = `reviewed ${JSON.stringify({ settings, origin })}`;
    return this.prepared(
      key,
      async () => {
        const world = await this.signedIn();
        world.origin = origin;
        await world.beginIntegration(settings);
        world.answers({ 'pull-request': pullRequestDraft });
        await world.drive({ integrate, pullRequest }, 'WAITING_PR_REVIEW');
        return world;
      },
      variables,
    );
  }

  /** The same, whose pull request is published. */
  async published({ variables, ...of }: ReviewedOptions = {}): Promise<Published> {
    const make = async (): Promise<ExecutionWorld> => {
      const made = await this.reviewed(of);
      await publish(made);
      return made;
    };
    return this.#withPull(await this.prepared(`published ${JSON.stringify(of)}`, make, variables));
  }

  /** A ticket at its review, whose work agents did and commands proved. */
  async proved(): Promise<ExecutionWorld> {
    return this.prepared('proved', async () => {
      const world = await this.signedIn();
      await world.begin('CODING', {
        beads: [{ testCommands: ['sh greet.sh'], targetFiles: ['greet.txt', 'greet.sh'] }],
        limits: oneTry,
      });
      world.answers({
        coding: () => {
          world.write('greet.txt', 'hello\n');
          world.write('greet.sh', 'grep -q hello greet.txt\n');
          return report('greet');
        },
        'final-test': () => {
          world.write('whole.sh', 'test -f greet.txt\n');
          return '<FINAL_TEST_COMMANDS>\ncommands: ["sh whole.sh"]\ntest_files: ["whole.sh"]\n</FINAL_TEST_COMMANDS>';
        },
        'pull-request': pullRequestDraft,
      });
      await world.drive({ coding, finalTest, integrate, pullRequest }, 'WAITING_PR_REVIEW');
      return world;
    });
  }

  async provedAndPublished(): Promise<Published> {
    return this.#withPull(
      await this.prepared('proved and published', async () => {
        const world = await this.proved();
        await publish(world);
        return world;
      }),
    );
  }

  /** What `make` brings about, in a copy. */
  async prepared(
    key: string,
    make: () => Promise<ExecutionWorld>,
    variables?: ReviewedOptions['variables'],
  ): Promise<ExecutionWorld> {
    const now = join(this.#place, 'now');
    let kept = prepared.get(key);
    if (!kept) {
      const { names } = await make();
      const folder = join(this.#place, `kept-${String(prepared.size)}`);
      copy(now, folder);
      const { pulls, checks, checksOf } = this.repository;
      kept = { folder, names, there: structuredClone({ pulls, checks, checksOf }) };
      prepared.set(key, kept);
      await Promise.all(this.#worlds.splice(0).map((world) => world.remove()));
    }
    rmSync(join(now, 'clone'), { recursive: true, force: true });
    copy(kept.folder, now);
    Object.assign(this.repository, structuredClone(kept.there));
    this.forge.requests.length = 0;
    const world = this.#world(repositoryAt(join(now, 'clone', 'sample')), variables);
    world.continues(kept.names);
    return world;
  }

  #withPull(world: ExecutionWorld): Published {
    const [pull] = this.repository.pulls;
    return { world, pull: pull ?? assert.fail('no pull request was created') };
  }

  #world(
    repository: ConstructorParameters<typeof ExecutionWorld>[0],
    variables?: ReviewedOptions['variables'],
  ): ExecutionWorld {
    const parent = join(repository.root, '..');
    const world = new ExecutionWorld(repository, { store: join(parent, 'state') });
    this.#worlds.push(world);
    const environment = {
      PATH: process.env['PATH'],
      HOME: join(parent, 'home'),
      GH_HOST: this.forge.host,
      GH_ENTERPRISE_TOKEN: this.forge.token,
      // A person's own, which simple-git takes for an attack.
      GIT_SSH_COMMAND: 'ssh -x',
      GIT_PROXY_COMMAND: '/bin/false',
      ...variables?.(world),
    };
    world.git = new GitAdapter({ folder: repository.root, environment });
    world.forges = new RemoteForges(world.git, new CommandLineTokens({ environment, inside: [] }));
    return world;
  }
}

/** Publishes the pull request as it is now, or updates it. */
export async function publish(world: ExecutionWorld): Promise<void> {
  const id = await world.post('create_pull_request', plainPublishing);
  await world.drive({ review }, 'WAITING_PR_REVIEW');
  assert.equal(await world.outcome(id), 'consumed', await world.said(id));
}

function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
}
