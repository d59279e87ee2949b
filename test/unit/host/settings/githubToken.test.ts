import assert from 'node:assert/strict';
import { githubToken } from '../../../../src/host/settings/githubToken.ts';
import { ownWindow } from '../../../support/fakes/fakeEditor.ts';

describe('the sign-in at GitHub', () => {
  const secrets: string[] = [];
  const token = (host: string) => githubToken(host, (secret) => secrets.push(secret));
  beforeEach(() => {
    secrets.length = 0;
    ownWindow.accounts.clear();
  });

  it('is the editor’s, and its token is kept out of the log', async () => {
    ownWindow.accounts.set('github', 'gho_own');
    ownWindow.accounts.set('github-enterprise', 'gho_team');
    assert.deepEqual([await token('github.com'), await token('git.example.com')], ['gho_own', 'gho_team']);
    assert.deepEqual(secrets, ['gho_own', 'gho_team']);
  });

  it('is none when the person doesn’t sign in', async () => {
    assert.deepEqual([await token('github.com'), secrets], [undefined, []]);
  });
});
