import assert from 'node:assert/strict';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { checkPullRequestsOnFocus } from '../../../../src/views/tickets/checkPullRequests.ts';
import { FakeClient } from '../../../support/fakes/fakeClient.ts';
import { FakeRepositories } from '../../../support/fakes/fakeRepositories.ts';
import { ownWindow } from '../../../support/fakes/fakeWindow.ts';

describe('a window that a person comes back to', () => {
  it('has the pull requests of its tickets checked', () => {
    const repositories = new FakeRepositories();
    const client = new FakeClient();
    const watching = checkPullRequestsOnFocus(repositories);
    ownWindow.focused.emit({ focused: true });
    repositories.show(client);
    ownWindow.focused.emit({ focused: false });
    assert.equal(client.forgeChecks, 0);
    ownWindow.focused.emit({ focused: true });
    assert.equal(client.forgeChecks, 1);
    repositories.fail('/sample', new BeadsmithError('NO_COMMITS'));
    ownWindow.focused.emit({ focused: true });
    watching.dispose();
    assert.equal(client.forgeChecks, 1);
  });
});
