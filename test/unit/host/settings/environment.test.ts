import assert from 'node:assert/strict';
import { delimiter } from 'node:path';
import { environment } from '../../../../src/host/settings/hostSettings.ts';
import { ownWindow } from '../../../support/fakes/fakeEditor.ts';

describe('The environment of what a window starts', () => {
  it('is that of the editor, as long as its git is the one on PATH', () => {
    for (const none of [undefined, null, '', [], [7]]) {
      ownWindow.set('git.path', none);
      assert.equal(environment(), process.env, JSON.stringify(none));
    }
  });

  it('names the git that the editor uses, and leaves the environment of the process alone', () => {
    ownWindow.set('git.path', '/opt/git/bin/git');
    assert.deepEqual(environment(), { ...process.env, BEADSMITH_GIT: '/opt/git/bin/git' });
    ownWindow.set('git.path', ['/a/git', '/b/git']);
    assert.equal(environment()['BEADSMITH_GIT'], `/a/git${delimiter}/b/git`);
    assert.equal(process.env['BEADSMITH_GIT'], undefined);
  });
});
