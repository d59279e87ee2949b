import assert from 'node:assert/strict';
import { factsOf } from '../../../src/domain/facts/ticketFacts.ts';
import { IssueComments } from '../../../src/domain/forge/issueLink.ts';
import type { IssueOrigin } from '../../../src/domain/forge/issue.ts';
import { cleanup } from '../../../src/phases/delivery/cleanup.ts';
import { retrospective } from '../../../src/phases/delivery/retrospective.ts';
import { review } from '../../../src/phases/delivery/review.ts';
import type { ExecutionWorld } from '../../support/engine/executionWorld.ts';
import type { StandInIssue } from '../../support/forge/endpoints.ts';
import { forgeTickets, publish } from '../../support/forge/forgeTickets.ts';

const commentRoute = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments';

describe('a ticket that was imported from an issue', function () {
  this.timeout(120_000);
  const tickets = forgeTickets();
  const { forge } = tickets;
  let world: ExecutionWorld;
  let issue: StandInIssue;

  beforeEach(() => {
    issue = { number: 7, title: 'Greet', body: null };
    tickets.repository.issues.push(issue);
  });

  function originAt(owner: string, name: string): IssueOrigin {
    const url = `http://${forge.host}/${owner}/${name}/issues/7`;
    return { kind: 'issue', host: forge.host, owner, name, number: 7, url, id: 1_007 };
  }

  async function reviewed(origin = originAt('octo', 'sample')): Promise<void> {
    world = await tickets.reviewed({ origin });
    world.issueComments = 'milestones';
  }

  function moved(): void {
    forge.addRepository('octo/other', { issues: [{ ...issue, number: 3, movedTo: undefined }] });
  }

  const told = () => (issue.comments ?? []).map(({ body }) => body.split('\n')[0]);
  const said = () => world.events.flatMap((event) => (event.type === 'activity' ? [event.text] : []));

  it('tells it of its pull request and its end, once each, though it is updated and killed', async () => {
    await reviewed();
    await publish(world);
    await publish(world);
    const location = `http://${forge.host}/octo/sample/pull/1`;
    assert.deepEqual(told(), [`Pull request: ${location}`]);
    await world.post('merge_pull_request', { kind: '', whenReady: false });
    await world.drive({ review });
    forge.after.set(commentRoute, () => world.crash());
    await world.driveUntilKilled({ retrospective, cleanup });
    forge.after.clear();
    await world.drive({ retrospective, cleanup }, 'COMPLETED');
    const merge = tickets.repository.pulls[0]?.mergeSha?.slice(0, 12) ?? '';
    assert.deepEqual(told(), [`Pull request: ${location}`, `Merged by ${location}, as ${merge}.`]);
    const { posted } = IssueComments.parse(await world.json('issue_comments'));
    assert.deepEqual(
      posted.map(({ milestone }) => milestone),
      ['proposed', 'completed'],
    );
  });

  it('shows its state, and tells nobody by default', async () => {
    await reviewed();
    world.issueComments = 'off';
    await publish(world);
    const shown = async () => {
      await world.post('check_pull_request', {});
      await world.drive({ review });
      return factsOf(await world.read()).find(({ name }) => name === 'issue');
    };
    assert.deepEqual(await shown(), {
      name: 'issue',
      label: 'Issue',
      text: `${forge.host}/octo/sample#7 open`,
      href: `http://${forge.host}/octo/sample/issues/7`,
    });
    for (const [change, state] of [
      [{ state: 'closed' }, 'closed'],
      // Another one that got its number.
      [{ id: 5 }, 'transferred'],
      [{ isDeleted: true }, 'deleted, or not visible'],
      [{ isDeleted: false, movedTo: ['octo/other', 3] }, 'transferred'],
    ] as const) {
      Object.assign(issue, change);
      if ('movedTo' in change) moved();
      assert.equal((await shown())?.text, `${forge.host}/octo/sample#7 ${state}`);
    }
    assert.equal(forge.count(commentRoute), 0);
  });

  it('continues where it can’t be told, and says why', async () => {
    await reviewed();
    for (const [change, words] of [
      [{ isLocked: true }, /wasn't told\. .*#7 is locked\. Unlock it/],
      [{ isDeleted: true }, /#7 is gone, or you may not see it/],
      [{ isDeleted: false, movedTo: ['octo/other', 3] }, /#7 was transferred/],
    ] as const) {
      Object.assign(issue, change);
      if ('movedTo' in change) moved();
      await publish(world);
      assert.match(said().at(-1) ?? '', words);
    }
    assert.deepEqual(told(), []);
  });

  it('doesn’t comment on issues of repositories that no remote leads to', async () => {
    forge.addRepository('stranger/sample', { issues: [issue] });
    await reviewed(originAt('stranger', 'sample'));
    await publish(world);
    assert.deepEqual(told(), []);
    assert.match(said().at(-1) ?? '', /no remote leads to \S+stranger\/sample/);
  });

  it('finds its own comments again, and takes no mark of others for its own', async () => {
    await reviewed();
    // Both answers are lost, so that nobody here knows of a comment.
    for (const times of [1, 2]) {
      forge.troubles(commentRoute, { done: true, status: 502 });
      await publish(world);
      assert.match(said().at(-1) ?? '', /wasn't told/);
      issue.comments = (issue.comments ?? []).map((one) => (times === 1 ? { ...one, author: 'eve' } : one));
    }
    assert.equal(told().length, 2);
    await world.post('close', { reason: '', deleteWorktree: false });
    await world.drive({ review, retrospective, cleanup });
    assert.deepEqual(told().slice(2), ['Closed without merging.']);
  });
});
