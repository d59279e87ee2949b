import assert from 'node:assert/strict';
import { enterpriseHosts, githubToken } from '../../../../src/host/settings/githubToken.ts';
import { ownWindow } from '../../../support/fakes/fakeEditor.ts';

describe('the sign-in at GitHub', () => {
  const secrets: string[] = [];
  const token = (host: string, isQuiet = false) =>
    githubToken(host, (secret) => secrets.push(secret), isQuiet);
  beforeEach(() => {
    secrets.length = 0;
    ownWindow.accounts.clear();
    ownWindow.settings.delete('github-enterprise.uri');
  });
  after(() => ownWindow.settings.delete('github-enterprise.uri'));

  it('is the editor’s, and its token is kept out of the log', async () => {
    ownWindow.accounts.set('github', 'gho_own');
    ownWindow.accounts.set('github-enterprise', 'gho_team');
    ownWindow.set('github-enterprise.uri', 'https://git.example.com/', 'global');
    assert.deepEqual([await token('github.com'), await token('git.example.com')], ['gho_own', 'gho_team']);
    assert.deepEqual([secrets, enterpriseHosts()], [['gho_own', 'gho_team'], ['git.example.com']]);
  });

  it('is of the person’s own Enterprise host alone, which no workspace names', async () => {
    ownWindow.accounts.set('github', 'gho_own');
    ownWindow.accounts.set('github-enterprise', 'gho_team');
    ownWindow.set('github-enterprise.uri', 'https://evil.example', 'workspace');
    assert.deepEqual([await token('evil.example'), enterpriseHosts()], [undefined, []]);
    ownWindow.set('github-enterprise.uri', 'https://git.example.com', 'global');
    assert.deepEqual(
      [await token('evil.example'), await token('acme.ghe.com'), secrets],
      [undefined, undefined, []],
    );
  });

  it('is none when the person doesn’t sign in, and nobody is asked quietly', async () => {
    assert.deepEqual([await token('github.com'), secrets], [undefined, []]);
    ownWindow.asksToSignIn = [];
    await token('github.com', true);
    await token('github.com');
    assert.deepEqual(ownWindow.asksToSignIn, [false, true]);
  });
});
