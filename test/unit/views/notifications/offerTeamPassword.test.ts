import assert from 'node:assert/strict';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { offerTeamPassword } from '../../../../src/views/notifications/offerTeamPassword.ts';
import { editor } from '../../../support/fakes/fakeEditor.ts';
import { FakeRepositories } from '../../../support/fakes/fakeRepositories.ts';
import { until } from '../../../support/until.ts';

describe('a team’s database without a password', () => {
  const error = new BeadsmithError('TEAM_LOGIN', { reason: 'no password is stored' });
  const passwords: string[] = [];
  let repositories: FakeRepositories;
  let shown: { dispose(): void };
  beforeEach(() => {
    passwords.length = 0;
    repositories = new FakeRepositories();
    shown = offerTeamPassword({
      repositories,
      team: {
        setPassword: async (password) => void passwords.push(password),
        join: () => Promise.reject(new Error('not in this test')),
      },
      logError: (_what, logged) => assert.fail(String(logged)),
    });
  });
  afterEach(() => shown.dispose());

  it('is asked for once, and again when the one that was given is refused', async () => {
    editor.will({ press: 0 }, { write: 'one' });
    repositories.fail('/sample:team', error);
    repositories.fail('/sample:team', error);
    await until(() => passwords.length === 1, 'a password is given');
    editor.will({ press: 0 }, { write: 'two' });
    repositories.fail('/sample:team', error);
    await until(() => passwords.length === 2, 'another one is given');
    assert.deepEqual(passwords, ['one', 'two']);
  });

  it('stays unset when a person leaves the box', async () => {
    editor.will({ press: 0 }, 'leave');
    repositories.fail('/sample:team', error);
    await until(() => editor.left === 0, 'the box was left');
    assert.deepEqual(passwords, []);
  });
});
