import assert from 'node:assert/strict';
import { moveSettings } from '../../../../src/host/settings/moveSettings.ts';
import { editor, ownWindow, person } from '../../../support/fakes/fakeEditor.ts';

describe('settings with new names', () => {
  afterEach(() => (ownWindow.isTrusted = true));

  it('are moved where they were set, and the person is told once', async () => {
    ownWindow.set('beadsmith.limits.commandTimeout', 60, 'global');
    ownWindow.set('beadsmith.limits.tokenCap', 5_000, 'workspace');
    ownWindow.set('beadsmith.notices.blocked', false, 'global');
    editor.will('leave');
    await moveSettings();
    assert.deepEqual(ownWindow.settings.get('beadsmith.timeouts')?.global, { command: 60 });
    assert.deepEqual(ownWindow.settings.get('beadsmith.budgets')?.workspace, [
      { per: 'ticket', tokens: 5_000 },
    ]);
    assert.deepEqual(ownWindow.settings.get('beadsmith.notifications')?.global, { blocked: false });
    for (const name of ['limits.commandTimeout', 'limits.tokenCap', 'notices.blocked']) {
      const { global, workspace } = ownWindow.settings.get(`beadsmith.${name}`) ?? {};
      assert.deepEqual([global, workspace], [undefined, undefined], name);
    }
    assert.match(
      editor.shown[0]?.text ?? '',
      /beadsmith\.limits\.commandTimeout.*beadsmith\.limits\.tokenCap/,
    );
    await moveSettings();
    assert.equal(editor.shown.length, 1);
  });

  it('stay in the files of a workspace that isn’t trusted', async () => {
    ownWindow.isTrusted = false;
    ownWindow.set('beadsmith.limits.commandTimeout', 60, 'workspace');
    ownWindow.set('beadsmith.notices.blocked', false, 'global');
    editor.will('leave');
    await moveSettings();
    assert.deepEqual(ownWindow.settings.get('beadsmith.limits.commandTimeout'), { workspace: 60 });
    assert.deepEqual(ownWindow.settings.get('beadsmith.notifications')?.global, { blocked: false });
  });

  it('are shown when the person wants to see them', async () => {
    ownWindow.set('beadsmith.notices.blocked', false, 'global');
    editor.will(person.presses(0));
    await moveSettings();
    assert.deepEqual(editor.ran.at(-1)?.[0], 'workbench.action.openSettings');
  });
});
