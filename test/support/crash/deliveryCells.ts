import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ForgeWatch } from '../../../src/app/forgeWatch.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import { CheckRounds } from '../../../src/domain/forge/checkRounds.ts';
import type { TicketEvent } from '../../../src/domain/core/events.ts';
import type { Ports, RemoteForge } from '../../../src/engine/ports/ports.ts';
import type { Transaction } from '../../../src/engine/ports/storePort.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { integrate } from '../../../src/phases/delivery/integrate.ts';
import { pullRequest } from '../../../src/phases/delivery/pullRequest.ts';
import { review } from '../../../src/phases/delivery/review.ts';
import { finalTest } from '../../../src/phases/finalTest/finalTest.ts';
import { ticketEvidence } from '../../../src/phases/shared/proof/ticketEvidence.ts';
import { type ExecutionWorld, fixBead, pullRequestDraft, report } from '../engine/executionWorld.ts';
import type { StandInCheck } from '../forge/checkEndpoints.ts';
import { talkOf } from '../forge/commentEndpoints.ts';
import { tipOf } from '../forge/endpoints.ts';
import { type ForgeTickets, forgeTickets, plainPublishing, withLogin } from '../forge/forgeTickets.ts';
import { until } from '../until.ts';

/** Of an effect outside. The receipt is the first commit with a finished step after it. */
export const deliveryPoints = [
  'before the effect',
  'between effect and receipt',
  'after the receipt',
] as const;
type Point = (typeof deliveryPoints)[number];

type Effect = 'push' | keyof RemoteForge;

interface Story {
  /** Brings about where it begins, in a copy. */
  readonly begin: (tickets: ForgeTickets) => Promise<ExecutionWorld>;
  /** Filed once, before the first driver. */
  readonly ask: (world: ExecutionWorld) => Promise<unknown>;
  readonly effects: readonly Effect[];
  /** A driver that may be killed. Default: the handler of the review. */
  readonly drive?: (world: ExecutionWorld, ports: Ports) => Promise<void>;
  /** What the undisturbed story has to be. */
  readonly check: (told: Told) => void;
}

interface Told {
  readonly status: string;
  readonly pulls: readonly unknown[];
  readonly replies: readonly string[];
  readonly resolved: readonly number[];
  readonly attempts: readonly string[];
  readonly rounds: readonly string[];
  readonly tip: string | undefined;
  readonly asked: readonly string[];
  readonly news: string | undefined;
  readonly ended: unknown;
}

interface Kill {
  /** `name`: of an effect, or `receipt` for a commit with a finished step, and `commit` for any other. */
  readonly at: (name: string, when: 'before' | 'after') => boolean;
}

const red: StandInCheck = { name: 'test', status: 'completed', conclusion: 'failure' };
const comment = {
  id: 5_000_000_001,
  author: 'eve',
  association: 'MEMBER',
  path: 'greet.txt',
  line: 1,
} as const;

const stories: Readonly<Record<string, Story>> = {
  'a first publication': {
    begin: (tickets) => {
      tickets.repository.labels.push('bug');
      tickets.repository.collaborators.push('grace');
      return tickets.proved();
    },
    ask: (world) =>
      world.post('create_pull_request', { ...plainPublishing, labels: 'bug', reviewers: 'grace' }),
    effects: ['push', 'create', 'assign'],
    check: ({ pulls }) => assert.match(JSON.stringify(pulls), /"labels":\["bug"\],"reviewers":\["grace"\]/),
  },
  'an update with a reply to a fixed comment': {
    begin: (tickets) => tickets.prepared('a fixed comment', () => fixedComment(tickets)),
    ask: (world) => world.post('create_pull_request', plainPublishing),
    effects: ['push', 'update', 'reply', 'resolve'],
    check: ({ replies, resolved }) => {
      assert.match(replies.join(), /^Fixed in \w{40}: Say it louder/);
      assert.deepEqual([replies.length, resolved], [1, [comment.id]]);
    },
  },
  'a reply of a person': {
    begin: (tickets) => tickets.prepared('a comment', () => commented(tickets)),
    ask: (world) =>
      world.post('reply_comment', { comment: `r${String(comment.id)}`, text: 'Why?', resolve: true }),
    effects: ['reply', 'resolve'],
    check: ({ replies, resolved }) => {
      assert.match(replies.join(), /^Why\?/);
      assert.deepEqual([replies.length, resolved], [1, [comment.id]]);
    },
  },
  'a rerun of failed checks': {
    begin: failed,
    ask: (world) => world.post('check_pull_request', {}),
    effects: ['rerun'],
    check: ({ attempts, rounds }) =>
      assert.deepEqual([attempts, rounds], [['test 2 queued'], ['rerun by setting: open']]),
  },
  'a fix of failed checks': {
    begin: failedAgain,
    ask: (world) => world.post('check_pull_request', {}),
    effects: ['failedChecks'],
    check: ({ status, rounds }) => assert.deepEqual([status, rounds], ['CODING', ['fix by setting: open']]),
  },
  'the push of that fix': {
    begin: async (tickets) => {
      const world = await tickets.prepared('a fix of failed checks', () => fixedCheck(tickets));
      world.failedChecks = 'auto';
      return world;
    },
    ask: () => Promise.resolve(),
    effects: ['push', 'update'],
    check: ({ rounds }) => assert.deepEqual(rounds, ['fix by setting: pushed']),
  },
  'a merge on the forge': {
    begin: async (tickets) => (await tickets.provedAndPublished()).world,
    ask: (world) => world.post('merge_pull_request', { kind: '', whenReady: false }),
    effects: ['merge'],
    check: ({ status, ended }) => {
      assert.equal(status, 'WRITING_RETROSPECTIVE');
      assert.match(JSON.stringify(ended), /"disposition":"merged"/);
    },
  },
  'a merge that the watch sees': {
    begin: merged,
    ask: () => Promise.resolve(),
    effects: ['look'],
    drive: watched,
    check: ({ status, ended }) => {
      assert.equal(status, 'WRITING_RETROSPECTIVE');
      assert.match(JSON.stringify(ended), /"disposition":"merged"/);
    },
  },
};

/**
 * Called inside `describe`. A driver ends at these points of each effect on a forge; the next has to bring
 * the story to the same end, as seen from outside: nothing is there twice, and nothing was pushed that no
 * evidence proves. `isWhole`: and at each commit.
 */
export function deliveryCells(points: readonly Point[], { isWhole = false } = {}): void {
  const tickets = forgeTickets();
  const references = new Map<Story, Promise<Told>>();

  async function reference(story: Story): Promise<Told> {
    const told = await (references.get(story) ?? play(tickets, story));
    references.set(story, Promise.resolve(told));
    return told;
  }

  /** False if no driver came to the kill. */
  async function cell(story: Story, kill: Kill): Promise<boolean> {
    const expected = await reference(story);
    await tickets.begin();
    const told = await play(tickets, story, kill);
    if (!told) return false;
    assert.deepEqual(told, expected);
    return true;
  }

  for (const [name, story] of Object.entries(stories))
    describe(name, () => {
      for (const effect of story.effects)
        for (const point of points)
          it(`comes to the same end, once, if a driver ends ${point} of "${effect}"`, async () => {
            assert.ok(await cell(story, killAt(effect, point)), 'no driver came to this point');
          });
      if (isWhole)
        it('comes to the same end, once, whichever commit a driver ends at', async () => {
          for (let number = 1, isThere = true; isThere; number += 1) {
            let count = 0;
            const at: Kill['at'] = (name, when) =>
              when === 'before' && ['commit', 'receipt'].includes(name) && ++count === number;
            isThere = await cell(story, { at });
          }
        });
    });
}

async function play(tickets: ForgeTickets, story: Story): Promise<Told>;
async function play(tickets: ForgeTickets, story: Story, kill: Kill): Promise<Told | undefined>;
async function play(tickets: ForgeTickets, story: Story, kill?: Kill): Promise<Told | undefined> {
  const world = await story.begin(tickets);
  await story.ask(world);
  const drive = story.drive ?? ((of: ExecutionWorld) => of.drive({ review }).then(() => undefined));
  if (kill) {
    const { store, forges, git } = world;
    const life = mortal(world, kill);
    // What it says is not what counts: a kill behind the last commit leaves nothing to miss.
    await drive(world, world.ports).catch((error: unknown) => {
      if (!life.isOver()) throw error;
    });
    if (!life.isOver()) return undefined;
    Object.assign(world, { forges, git });
    assert.notEqual(world.store, store);
  }
  await drive(world, world.ports);
  const told = await tell(tickets, world);
  if (!kill) story.check(told);
  const proved = (await ticketEvidence(world.store, await world.read())).evidence.map(({ commit }) => commit);
  for (const commit of pushedTo(tickets)) assert.ok(proved.includes(commit), `${commit} was pushed unproved`);
  return told;
}

/** Gives the world ports that fail once the driver is killed. */
function mortal(world: ExecutionWorld, { at }: Kill): { readonly isOver: () => boolean } {
  let over = false;
  const isOver = (): boolean => over;
  const check = (name: string, when: 'before' | 'after'): void => {
    if (isOver() || !at(name, when)) return;
    over = true;
    world.crash();
  };
  const seen = async <T>(name: string, act: () => Promise<T>): Promise<T> => {
    check(name, 'before');
    if (isOver()) throw new Error('The process was killed.');
    const done = await act();
    check(name, 'after');
    if (isOver() && name !== 'commit') throw new Error('The process was killed.');
    return done;
  };
  const { store, forges, git } = world;
  world.store = intercepted(store, {
    commit: (transaction: Transaction) =>
      seen(transaction.journal.some(({ kind }) => kind === 'step.done') ? 'receipt' : 'commit', () =>
        store.commit(transaction),
      ),
    post: (entry: Parameters<typeof store.post>[0]) => seen('post', () => store.post(entry)),
  });
  world.git = intercepted(git, {
    push: (request: Parameters<typeof git.push>[0]) => seen('push', () => git.push(request)),
  });
  world.forges = intercepted(forges, {
    at: async (wish: Parameters<typeof forges.at>[0]) => {
      const found = await forges.at(wish);
      return new Proxy(found, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name, target);
          if (typeof value !== 'function') return value;
          return (...args: readonly unknown[]) =>
            seen(String(name), async (): Promise<unknown> => Reflect.apply(value, target, args));
        },
      });
    },
  });
  return { isOver };
}

function intercepted<T extends object>(target: T, own: Partial<Record<keyof T, unknown>>): T {
  return new Proxy(target, {
    get: (_, name) => {
      if (Object.hasOwn(own, name)) return own[name as keyof T];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function killAt(effect: Effect, point: Point): Kill {
  let happened = false;
  return {
    at: (name, when) => {
      if (name === effect && when === 'before' && point === 'before the effect') return true;
      if (name === effect && when === 'after') happened = true;
      if (name === effect && when === 'after') return point === 'between effect and receipt';
      return point === 'after the receipt' && happened && name === 'receipt' && when === 'after';
    },
  };
}

/** What people see, there and here. */
async function tell({ forge, repository }: ForgeTickets, world: ExecutionWorld): Promise<Told> {
  const { status, error, forge: state } = await world.read();
  const rounds = CheckRounds.safeParse(await world.json('check_rounds')).data?.rounds ?? [];
  const talks = repository.pulls.map(talkOf);
  const inbox = (await world.store.inbox(world.ticket)).filter(({ kind }) => kind !== 'check_pull_request');
  return {
    status: error ? `${status} ${error.code}` : status,
    pulls: repository.pulls.map(({ talk: _, ...pull }) => pull),
    replies: talks.flatMap(({ lines, remarks }) =>
      [...lines, ...remarks].filter(({ author }) => author === forge.user).map(({ body }) => body),
    ),
    resolved: talks.flatMap(({ resolved }) => [...resolved]),
    attempts: repository.checks.map((one) => `${one.name} ${String(one.attempt ?? 1)} ${one.status}`),
    rounds: rounds.map(({ kind, by, end }) => `${kind} by ${by}: ${end ?? 'open'}`),
    tip: tipOf(repository, 'ticket/TST-1'),
    asked: inbox.map(({ kind, state: is, outcome }) => `${kind} ${outcome?.code ?? is}`),
    news: state?.news?.code,
    ended: await world.json('merge_report'),
  };
}

/** Each tip that the ticket's branch ever had on the forge. */
function pushedTo({ repository }: ForgeTickets): readonly string[] {
  const log = readFileSync(join(repository.git, 'logs', 'refs', 'heads', 'ticket', 'TST-1'), 'utf8');
  return log
    .trimEnd()
    .split('\n')
    .flatMap((line) => line.split(' ')[1] ?? []);
}

async function commented(tickets: ForgeTickets): Promise<ExecutionWorld> {
  const { world, pull } = await tickets.provedAndPublished();
  const commit = tipOf(tickets.repository, 'ticket/TST-1') ?? '';
  talkOf(pull).lines.push({ ...comment, body: 'Say it louder.', hunk: '@@ -0,0 +1 @@\n+hello', commit });
  await world.post('check_pull_request', {});
  await world.drive({ review });
  return world;
}

async function fixedComment(tickets: ForgeTickets): Promise<ExecutionWorld> {
  const world = await tickets.prepared('a comment', () => commented(tickets));
  await world.post('fix_comment', { comment: `r${String(comment.id)}`, note: '', shown: '', resolve: true });
  return fixedBy(world);
}

/** Checks are only red on the ticket's branch. */
async function failed(tickets: ForgeTickets): Promise<ExecutionWorld> {
  const { world } = await tickets.provedAndPublished();
  tickets.repository.checksOf.set(tipOf(tickets.repository, 'main') ?? '', []);
  tickets.repository.checks = [red];
  world.failedChecks = 'auto';
  return world;
}

/** They were run again there already. */
async function failedAgain(tickets: ForgeTickets): Promise<ExecutionWorld> {
  const world = await failed(tickets);
  tickets.repository.checks = [{ ...red, attempt: 2 }];
  return world;
}

async function fixedCheck(tickets: ForgeTickets): Promise<ExecutionWorld> {
  const world = await failedAgain(tickets);
  await world.post('check_pull_request', {});
  return fixedBy(world);
}

/** An agent fixes what was asked for, until the ticket is back at its review. */
async function fixedBy(world: ExecutionWorld): Promise<ExecutionWorld> {
  world.answers({
    'qa-fix': fixBead(),
    coding: () => {
      world.write('greet.txt', 'hello HELLO\n');
      return report('fix-loud');
    },
    'final-test': () => {
      world.write('loud.test.txt', 'loud\n');
      return finalCommands;
    },
    'pull-request': pullRequestDraft,
  });
  await world.drive({ review }, 'CODING');
  await world.drive({ coding, finalTest, integrate, pullRequest }, 'WAITING_PR_REVIEW');
  return world;
}

async function merged(tickets: ForgeTickets): Promise<ExecutionWorld> {
  const { world, pull } = await tickets.provedAndPublished();
  const tip = tipOf(tickets.repository, 'ticket/TST-1') ?? '';
  await world.repository.git('push', '--quiet', withLogin(tickets.forge), `${tip}:refs/heads/main`);
  Object.assign(pull, { sha: tip, state: 'closed', mergedAt: '2026-01-01T00:00:00Z', mergeSha: tip });
  return world;
}

/** A watch, and the handler of what it files. */
async function watched(world: ExecutionWorld, ports: Ports): Promise<void> {
  const events = new Emitter<TicketEvent>();
  const watch = new ForgeWatch({ ...ports, events, isOn: () => true, log: () => undefined });
  await watch.start(() => true);
  const isOver = (): boolean => world.ports.store !== ports.store;
  const hasLooked = () => isOver() || (watch.of(world.ticket)?.nextAt ?? Infinity) > world.clock.now();
  await until(hasLooked, 'the watch looked');
  await watch.stop();
  await world.drive({ review });
}

const finalCommands =
  '<FINAL_TEST_COMMANDS>\ncommands: ["grep -q HELLO greet.txt"]\ntest_files: [loud.test.txt]\nsummary: The whole\n</FINAL_TEST_COMMANDS>';
