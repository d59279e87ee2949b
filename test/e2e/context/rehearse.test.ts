import type { EditorScene } from '../../support/editor/editorScene.ts';
import { sharedScene } from '../../support/editor/sharedScene.ts';
import type { Workbench } from '../../support/editor/workbench.ts';
import { until } from '../../support/until.ts';

const atSetup = { title: 'Greet by name', options: ['--review', 'off'] };

/** A ticket that is driven on a copy, from the editor. */
describe('a rehearsal in the editor', function () {
  this.timeout(400_000);
  let scene: EditorScene;
  let workbench: Workbench;
  sharedScene(this, { name: 'rehearse', atSetup }, async (started) => {
    scene = started;
    workbench = scene.workbench;
    await scene.drive();
  });

  it('shows how far it is, and then every call with its parts and their tokens', async () => {
    await workbench.row(/SAMPL-1 Greet by name/).click();
    await workbench.run('Beadsmith: Rehearse with Scripted Answers');
    await workbench
      .notice(/Rehearsing SAMPL-1 with scripted answers/)
      .first()
      .waitFor();
    await workbench.screenshots('rehearsal-running');
    await workbench.tab('rehearsal.txt').waitFor({ timeout: 300_000 });
    await until(async () => (await workbench.editorText()).includes('coding'), 'the calls');
    await workbench.allScreenshots('rehearsal');
  });
});
