import type { EditorScene } from '../../support/editor/editorScene.ts';
import { sharedScene } from '../../support/editor/sharedScene.ts';
import type { Workbench } from '../../support/editor/workbench.ts';
import { until } from '../../support/until.ts';

const ticket = { title: 'Greet by name', at: 'setup', options: ['--review', 'off'] } as const;

/** On a copy. */
describe('a rehearsal in the editor', function () {
  this.timeout(400_000);
  let scene: EditorScene;
  let workbench: Workbench;
  sharedScene(this, { name: 'rehearse', tickets: [ticket] }, async (started) => {
    scene = started;
    workbench = scene.workbench;
    await scene.drive();
  });

  it('shows every call with its parts and their tokens', async () => {
    await workbench.row(/· Greet by name/).click();
    await workbench.takeAction('Rehearse with Scripted Answers');
    await workbench.tab('rehearsal.txt').waitFor({ timeout: 300_000 });
    await until(async () => (await workbench.editorText()).includes('coding'), 'the calls');
    await workbench.allScreenshots('rehearsal');
  });

  it('can be followed by a replay of what was recorded, which says that nothing differs', async () => {
    await workbench.row(/· Greet by name/).click();
    await workbench.takeAction('Replay Prompts');
    await workbench.tab('replay.txt').waitFor({ timeout: 60_000 });
    await until(async () => /calls: \d+ the same/.test(await workbench.editorText()), 'the summary');
    await workbench.allScreenshots('replay');
  });
});
