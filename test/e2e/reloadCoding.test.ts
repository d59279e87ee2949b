import assert from 'node:assert/strict';
import { codingTasks } from '../support/codingTasks.ts';
import { EditorScene } from '../support/editorScene.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

/** Model calls, git and test runs lie in between. */
const slow = { timeout: 90_000 };

/** A reload costs no iteration: OpenCode goes on working, and the new window takes over what it does. */
describe('a reload in the middle of coding', function () {
  this.bail(true);
  let scene: EditorScene;
  let workbench: Workbench;

  before(async function () {
    this.timeout(150_000);
    scene = await EditorScene.start({ atSetup: { title: 'Greet by name' }, tasks: codingTasks({ fails: true, delayMs: 4_000 }) });
    workbench = scene.workbench;
  });

  after(async function () {
    this.timeout(60_000);
    await scene.end();
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await workbench.screenshots('failed-reload');
    console.error(scene.output.slice(-4_000));
  });

  it('shows which bead is at work, and which try it is', async () => {
    await workbench.showView();
    await workbench.row('Approve the setup').waitFor(slow);
    await scene.cli('approve', 'SAMPL-1', '--no-wait');
    await workbench.row(/SAMPL-1.*1\/\d+, iteration 1/).waitFor(slow);
    await workbench.statusBarItem(/1\/\d+/).waitFor();
    await until(() => coding().length > 0, 'the model is asked to code', 90_000);
    await workbench.screenshots('coding');
  });

  it('takes over the running session, and sees the iteration fail and the next one begin', async () => {
    const asked = coding().length;
    await workbench.reload();
    await workbench.row(/SAMPL-1.*1\/\d+, iteration 1/).waitFor(slow);
    await workbench.row(/SAMPL-1.*iteration 2/).waitFor(slow);
    await workbench.screenshots('second-iteration');
    assert.ok(coding().length > asked);
    await workbench.row('Review the pull request').waitFor(slow);
  });

  it('sent no prompt twice, and began no session anew', () => {
    const bodies = coding().map(({ sha256 }) => sha256);
    assert.equal(new Set(bodies).size, bodies.length);
    const first = coding().filter(({ iteration, bead }) => iteration === 1 && bead === coding()[0]?.bead);
    assert.equal(new Set(first.map(({ session, thread }) => session ?? thread)).size, 1);
  });

  const coding = () => scene.requests().filter(({ task }) => task === 'coding');
});
