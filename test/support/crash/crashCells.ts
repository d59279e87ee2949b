import assert from 'node:assert/strict';
import { CrashBench } from './crashBench.ts';
import { type CrashPoint, crashTargetNames, crashTargets, type CrashTargetName } from './crashPoints.ts';
import { crashStory, type Found, type Story } from './crashStory.ts';

/**
 * Tests of drivers that are killed at these points of each step, while the next takes over: real processes,
 * git, database and OpenCode. In the end everything is as in a ticket that nobody disturbed.
 */
export function crashCells(points: readonly CrashPoint[]): void {
  const undisturbed = 'undisturbed';
  const names = [undisturbed, ...points];
  const stories = new Map<string, Promise<Story>>();
  let bench: CrashBench;

  before(async () => {
    bench = await CrashBench.start(new Map(names.map((name) => [providerOf(name), latencyOf(name)])));
  });
  after(async () => {
    bench.end();
    await Promise.allSettled(stories.values());
    await bench.stop();
  });

  const begin = (name: string): Promise<Story> => {
    const point = points.find((candidate) => candidate === name);
    const story = stories.get(name) ?? crashStory(bench, providerOf(name), point);
    stories.set(name, story);
    return story;
  };
  /** Two at a time: while a story is waited for, the next one is being told. */
  const storyOf = (name: string): Promise<Story> => {
    const story = begin(name);
    const next = names[names.indexOf(name) + 1];
    // Reported by the tests that ask for it.
    if (next !== undefined) begin(next).catch(() => undefined);
    return story;
  };

  it('is compared with one that comes to its end undisturbed', async () => {
    const story = await storyOf(undisturbed);
    assertWhole(story);
    const steps = [...story.receipts.keys()];
    for (const [name, { step }] of Object.entries(crashTargets))
      assert.equal(steps.filter((at) => step.test(at)).length, 1, `the step of ${name} should be there once`);
  });

  for (const point of points) {
    describe(point, () => {
      for (const target of crashTargetNames) {
        it(target, async () => {
          const [story, reference] = [await storyOf(point), await storyOf(undisturbed)];
          const found =
            story.found.get(target) ?? assert.fail(`no driver came as far as this; ${endOf(story)}`);
          assertKilled(found, point, target);
          assertOnce(story, reference, found, target);
          assertWhole(story);
          assertSame(story, reference);
        });
      }
    });
  }
}

function assertKilled(found: Found, point: CrashPoint, target: CrashTargetName): void {
  assert.equal(found.signal, 'SIGKILL', `the driver was not killed: ${found.errors}`);
  assert.equal(found.killed?.point, point);
  assert.match(`${found.killed.run} ${found.killed.key}`, crashTargets[target].step);
  const state = point === 'before the intent' ? undefined : point === 'after the receipt' ? 'done' : 'intent';
  assert.equal(found.step?.state, state, 'what the journal says of the step');
  if (!('task' in crashTargets[target])) return;
  const sent = point === 'before the intent' || point === 'after the intent' ? 0 : 1;
  assert.equal(
    (found.step?.notes ?? []).filter((note) => JSON.stringify(note).includes('"type":"prompt"')).length,
    sent,
    'noted prompts',
  );
  if (point === 'in the middle')
    assert.equal(found.killed.saw, 'busy', 'OpenCode should have been working on the prompt');
  else assert.equal(found.requests, sent, 'requests to the model for the step');
}

function assertOnce(story: Story, reference: Story, found: Found, target: CrashTargetName): void {
  const key = `${found.killed?.run ?? ''} ${found.killed?.key ?? ''}`;
  assert.equal(story.receipts.get(key), 1, `${key} should have one receipt`);
  assert.ok(!story.failed.includes(key), `${key} should not have failed`);
  const { task } = { task: '(none)', ...crashTargets[target] };
  const calls = (of: Story): readonly string[] => of.requests.filter((line) => line.startsWith(`${task} `));
  assert.deepEqual(calls(story), calls(reference), 'requests to the model for the step');
}

function assertWhole(story: Story): void {
  assert.equal(story.status, 'COMPLETED', endOf(story));
  assert.ok(story.journal.ok, `the journal is broken: ${JSON.stringify(story.journal)}`);
  assert.deepEqual(
    [...story.receipts].filter(([, count]) => count !== 1),
    [],
    'steps with more than one receipt',
  );
  assert.deepEqual(story.failed, []);
  assert.deepEqual(story.lost, [], 'commands that were acknowledged and not dealt with');
  assert.ok(story.checkoutUntouched, 'the checkout of the person changed');
}

function assertSame(story: Story, reference: Story): void {
  assert.deepEqual(story.repeated, [], 'prompts that were sent again although their step had a receipt');
  assert.deepEqual(story.requests, reference.requests);
  assert.deepEqual([...story.receipts.keys()].sort(), [...reference.receipts.keys()].sort());
  assert.deepEqual(story.sessions, reference.sessions);
  assert.deepEqual(story.artifacts, reference.artifacts);
  assert.deepEqual(story.inbox, reference.inbox);
  assert.deepEqual(story.commits, reference.commits);
  assert.equal(story.tree, reference.tree);
}

function endOf({ status, stopped, last }: Story): string {
  return `the ticket is ${status}; ${stopped?.error ?? ''} ${last.signal ?? ''} ${last.errors}`;
}

/** Long enough that the killed driver has seen OpenCode work on the prompt. */
function latencyOf(name: string): (task: string) => number {
  const tasks = Object.values(crashTargets).flatMap((target) => ('task' in target ? [target.task] : []));
  return (task) => (name === 'in the middle' && tasks.some((one) => one === task) ? 1_000 : 50);
}

function providerOf(name: string): string {
  return name.replaceAll(' ', '-');
}
