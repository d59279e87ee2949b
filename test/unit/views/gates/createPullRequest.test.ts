import assert from 'node:assert/strict';
import type { ForgePlace } from '../../../../src/domain/forge/forgePlace.ts';
import { createPullRequest } from '../../../../src/views/gates/createPullRequest.ts';
import { cancelWork, editor, person } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';
import { until } from '../../../support/until.ts';

describe('the creation of a pull request', () => {
  const fork = { remote: 'origin', host: 'github.com', api: '', owner: 'ada', name: 'sample' };
  const team = { ...fork, remote: 'upstream', owner: 'octo' };
  const ours = { ...fork, remote: 'work', host: 'git.example.com' };

  const location = 'https://github.com/octo/sample/pull/7';
  const made = {
    schema_version: 1,
    forge: 'github',
    repository: 'github.com/octo/sample',
    remote: 'upstream',
    branch: 'ticket/TST-1',
    pushed: [],
    number: 7,
    location,
    request: 'entry-1',
  };

  const nothing = [person.writes(''), person.writes('')];

  function at(...places: readonly ForgePlace[]): FakePlace {
    editor.reset();
    const place = new FakePlace({ ticket: { status: 'WAITING_PR_REVIEW' } });
    place.client.places = places;
    place.client.documents.set('forge_pull_request', JSON.stringify(made));
    return place;
  }

  it('says which repositories get what, and sends no more than that', async () => {
    for (const [button, draft] of [
      [0, false],
      [1, true],
    ] as const) {
      const place = at({ base: team, head: fork });
      editor.will(person.writes('bug, ui'), person.writes(''), person.presses(button), person.presses(0));
      await createPullRequest(place);
      const [, , asked, , told] = editor.shown;
      assert.equal(asked?.text, 'Create a pull request for ticket/TST-1 in octo/sample?');
      assert.match(
        asked.detail,
        /^The branch is pushed to origin \(ada\/sample\) with your git credentials\./,
      );
      assert.deepEqual(asked.buttons, ['Create Pull Request', 'Create Draft']);
      const body = {
        remote: 'upstream',
        repository: 'octo/sample',
        pushTo: 'ada/sample',
        labels: 'bug, ui',
        reviewers: '',
        draft,
      };
      assert.deepEqual(place.sent, [['create_pull_request', body]]);
      assert.deepEqual(
        [told?.text, told?.buttons, editor.opened],
        ['TST-1: pull request created.', ['Open on GitHub'], [location]],
      );
    }
  });

  it('is called an update, from its first question to its end, where there is a pull request', async () => {
    const place = at({ base: team, head: fork });
    place.become({ ticket: { status: 'WAITING_PR_REVIEW' }, actions: ['check_pull_request'] });
    editor.will(...nothing, person.presses(0), 'leave');
    await createPullRequest(place);
    const [, , asked, progress, told] = editor.shown;
    assert.deepEqual(
      [asked?.text, asked?.buttons],
      ['Update the pull request for ticket/TST-1 in octo/sample?', ['Update Pull Request']],
    );
    assert.deepEqual(
      [progress?.text, told?.text],
      ['TST-1: updating the pull request…', 'TST-1: pull request updated.'],
    );
  });

  it('offers the labels and reviewers of last time, and says which could not be set', async () => {
    const place = at({ base: team, head: fork });
    const unset = [{ name: 'nope', reason: 'there is no such label.' }];
    place.client.documents.set(
      'forge_pull_request',
      JSON.stringify({ ...made, labels: ['bug', 'ui'], reviewers: ['grace'], unset }),
    );
    editor.will(...nothing, person.presses(0), 'leave');
    await createPullRequest(place);
    assert.deepEqual(
      editor.shown.slice(0, 2).map(({ items }) => items[0]?.label),
      ['bug, ui', 'grace'],
    );
    assert.equal(
      editor.shown.at(-1)?.text,
      'TST-1: pull request created. Not set on it: nope (there is no such label).',
    );
  });

  it('says what the review refused after it took the request', async () => {
    const place = at({ base: team, head: fork });
    place.client.documents.clear();
    place.client.becomes = { state: 'refused', code: 'FORGE_REFUSED', message: 'It is merged.' };
    editor.will(...nothing, person.presses(0));
    await assert.rejects(createPullRequest(place), { code: 'FORGE_REFUSED', message: 'It is merged.' });
  });

  it('says that it continues when the person no longer waits', async () => {
    const place = at({ base: team, head: fork });
    place.client.documents.clear();
    place.client.becomes = undefined;
    editor.will(...nothing, person.presses(0), 'leave');
    const asked = createPullRequest(place);
    await until(() => editor.shown.some(({ kind }) => kind === 'progress'), 'it is being created');
    cancelWork();
    await asked;
    assert.match(editor.shown.at(-1)?.text ?? '', /^TST-1: no longer waiting\. .* cancel the ticket\.$/);
    assert.equal(place.sent.length, 1);
  });

  it('asks for the repository if there are several, and names the host of another GitHub', async () => {
    const other = { base: ours, head: ours };
    const place = at({ base: team, head: fork }, other);
    editor.will(person.picks(other), ...nothing, person.presses(0), 'leave');
    await createPullRequest(place);
    const [list, , , asked] = editor.shown;
    assert.deepEqual(
      list?.items.map(({ label, description }) => [label, description]),
      [
        ['octo/sample', 'upstream'],
        ['git.example.com/ada/sample', 'work'],
      ],
    );
    assert.match(asked?.text ?? '', / in git\.example\.com\/ada\/sample\?$/);
    assert.deepEqual(
      place.sent.map(([, body]) => body),
      [
        {
          remote: 'work',
          repository: 'git.example.com/ada/sample',
          pushTo: 'git.example.com/ada/sample',
          labels: '',
          reviewers: '',
          draft: false,
        },
      ],
    );
  });

  it('does nothing when the person leaves', async () => {
    const [first, second] = [
      { base: team, head: fork },
      { base: fork, head: fork },
    ];
    for (const answers of [
      ['leave'],
      [person.picks(first), 'leave'],
      [person.picks(first), ...nothing, 'cancel'],
    ] as const) {
      const place = at(first, second);
      editor.will(...answers);
      await createPullRequest(place);
      assert.deepEqual(place.sent, []);
    }
  });
});
