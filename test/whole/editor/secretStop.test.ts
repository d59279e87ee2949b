import assert from 'node:assert/strict';
import { assertAccessible, leastContrast } from '../../support/editor/accessible.ts';
import { TicketPage } from '../../support/editor/editorPages.ts';
import type { EditorScene } from '../../support/editor/editorScene.ts';
import { sharedScene } from '../../support/editor/sharedScene.ts';
import { until } from '../../support/until.ts';
import type { Workbench } from '../../support/editor/workbench.ts';

const slow = { timeout: 120_000 };
/** Put together so that no scanner finds it here. */
const pasted = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
const description = `Greet by name. The staging server takes ${pasted}.`;

const choices = ['Leave out', 'Allow for this ticket', 'Stop'] as const;

/** Each test continues where the one before stopped. */
describe('a secret in a prompt in the editor', function () {
  let scene: EditorScene;
  let workbench: Workbench;
  let page: TicketPage;
  const ticket = { title: 'Greet by name', at: 'setup', options: ['--description', description] } as const;
  sharedScene(this, { name: 'secret-stop', tickets: [ticket], settings: leastContrast }, async (started) => {
    scene = started;
    workbench = scene.workbench;
    page = new TicketPage(workbench);
    await scene.drive();
  });

  /** With the keyboard alone. */
  const answer = async (label: (typeof choices)[number]): Promise<void> => {
    await workbench.tabTo(page.frame.getByLabel(choices[0]), 120);
    await workbench.page.keyboard.press('Space');
    for (let at = choices.indexOf(label); at > 0; at--) await workbench.page.keyboard.press('ArrowDown');
    await workbench.tabTo(page.button(/^Send Answer/), 120);
    await workbench.page.keyboard.press('Enter');
  };
  const question = (place: RegExp) => page.frame.locator('.request', { hasText: place }).waitFor(slow);

  it('stops the call, says where it is and what it is without showing it, and can stop the ticket', async () => {
    await workbench.row(/· Greet by name/).click(slow);
    await page.open();
    await question(/ticket details, line \d+: github GITHUB_TOKEN: .*takes \[redacted: github\]/);
    await workbench.allScreenshots('secret-stop');
    await assertAccessible(page.frame, 'a secret that waits');
    assert.ok(!(await page.frame.locator('.request').innerText()).includes(pasted));
    await answer('Stop');
    await page.frame.getByText('was stopped before it was sent').waitFor(slow);
    assert.deepEqual(scene.bodies(), [], 'nothing was sent');
  });

  it('is replaced by a mark in what is sent, where a person wants that', async () => {
    await page
      .button(/Continue/)
      .first()
      .click();
    await question(/ticket details, line \d+/);
    await answer('Leave out');
    await until(
      () => scene.bodies().some((body) => body.includes('takes [redacted: github]')),
      'the prompt is sent with a mark',
    );
    await until(
      () => scene.requests().some(({ task }) => task.startsWith('interview')),
      'the interview starts',
    );
    assert.ok(scene.bodies().every((body) => !body.includes(pasted)));
  });
});
