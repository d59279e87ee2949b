import assert from 'node:assert/strict';
import { codingTasks, greetingQuestion, outsideCommand } from '../../support/models/codingTasks.ts';
import { EditorScene } from '../../support/editor/editorScene.ts';
import { until } from '../../support/until.ts';
import type { Workbench } from '../../support/editor/workbench.ts';

const slow = { timeout: 90_000 };
const calls = [{ tool: 'question', args: { questions: [greetingQuestion] } }, outsideCommand];

/** Either can act, and only one of them says what there is to say. */
describe('two windows on one repository', function () {
  this.bail(true);
  let scene: EditorScene;
  let driver: Workbench;
  let follower: Workbench;

  before(async function () {
    this.timeout(150_000);
    const options = ['--agent-questions', '300'];
    scene = await EditorScene.start({
      tickets: [{ title: 'Greet by name', at: 'setup', options }],
      tasks: codingTasks({ calls }),
    });
    driver = scene.workbench;
    await scene.drive();
    follower = await scene.openWindow();
    // The window opens with the view, and a click on its icon would hide that.
    await follower.run('Focus on Tickets View');
  });

  after(async function () {
    this.timeout(60_000);
    await scene.end();
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await driver.failed('driver');
    await follower.failed('follower');
    console.error(await driver.notifications(), await follower.notifications(), scene.output.slice(-4_000));
  });

  it('say which of them drives', async () => {
    await follower.message(/Another window or process is working/).waitFor();
    await driver.row('Approve setup').waitFor(slow);
    assert.equal(await driver.message(/Another window/).count(), 0);
  });

  it('both show what an agent asks, with the time it waits, and one of them tells it', async () => {
    await scene.cli('approve', 'SAMPL-1', '--no-wait');
    for (const window of [driver, follower])
      await window.row(/Answer question.*[45]:\d\d left/).waitFor(slow);
    await until(async () => (await told(/exclamation mark/)) === 1, 'the notification');
    await driver.screenshots('agent-asks');
  });

  it('let the one that follows answer', async () => {
    await follower.run('Beadsmith: Answer the Agent');
    await follower.answerDialog('Answer the Agent');
    await follower.choice('Let the agent decide').waitFor();
    await follower.screenshots('answer-agent');
    await follower.choose('No');
    await driver.row(/Allow or deny/).waitFor(slow);
  });

  it('ask for a permission with the command as it is, once', async () => {
    await until(async () => (await told(/cat \/etc\/hostname/)) === 1, 'the notification');
    const teller = (await tells(driver, /cat \/etc\/hostname/)) ? driver : follower;
    await teller.screenshots('agent-permission');
    await teller.answerNotification(/cat \/etc\/hostname/, 'Deny');
    for (const window of [driver, follower]) await window.row('Review pull request').waitFor(slow);
  });

  it('say nothing again after a reload', async () => {
    const review = /needs your input: Review the pull request/;
    await until(async () => (await told(review)) === 1, 'the notification of the review');
    const before = await tells(follower, review);
    await driver.reload();
    await driver.row('Review pull request').waitFor(slow);
    // It comes after what would have been told before.
    await driver.takeAction('Close Without Merging');
    await driver.answerDialog('Close Without Merging…');
    await driver.answerDialog('Close Without Merging');
    await until(async () => (await told(/SAMPL-1 .* is completed/)) === 1, 'the notification of the end');
    assert.deepEqual([await tells(driver, review), await tells(follower, review)], [false, before]);
    assert.equal(await tells(driver, /exclamation mark|hostname/), false);
  });

  async function tells(window: Workbench, text: RegExp): Promise<boolean> {
    return (await window.notifications()).some((notification) => text.test(notification));
  }

  async function told(text: RegExp): Promise<number> {
    return Number(await tells(driver, text)) + Number(await tells(follower, text));
  }
});
