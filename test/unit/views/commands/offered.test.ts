import assert from 'node:assert/strict';
import type { Status } from '../../../../src/domain/workflow/workflow.ts';
import {
  furtherCommands,
  likelyCommand,
  menuCommands,
  offeredCommands,
} from '../../../../src/views/commands/offered.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';

describe('offeredCommands', () => {
  it('offers at a gate what the workflow allows there', () => {
    assert.deepEqual(offeredCommands(ticketView({ status: 'WAITING_PR_REVIEW', beadsDone: 1 })), [
      'reviewChanges',
      'merge',
      'close',
      'pause',
      'updateFromBase',
      'requestChanges',
      'addContext',
      'withdrawContext',
      'editContext',
      'choosePromptParts',
      'previewNextPrompt',
      'changeLimits',
      'changeModels',
      'acceptBead',
      'rejectBead',
      'sendReview',
      'cancel',
    ]);
  });

  it('calls the publication of a pull request what it is', () => {
    const offered = (more: object) =>
      offeredCommands({ ...ticketView({ status: 'WAITING_PR_REVIEW' }), ...more }).filter((name) =>
        /^(?:create|update)PullRequest$/.test(name),
      );
    assert.deepEqual(offered({ actions: ['create_pull_request'] }), ['createPullRequest']);
    assert.deepEqual(offered({ actions: ['create_pull_request', 'check_pull_request'] }), [
      'updatePullRequest',
    ]);
  });

  it('offers the changes before the merge until each bead has a verdict', () => {
    const view = ticketView({ status: 'WAITING_PR_REVIEW', beadsDone: 1 });
    const [first] = offeredCommands(view, true);
    assert.equal(first, 'merge');
    assert.deepEqual(offeredCommands(view, true).toSorted(), offeredCommands(view).toSorted());
    assert.ok(!offeredCommands(ticketView({ status: 'CODING', beadsDone: 1 })).includes('reviewChanges'));
  });

  it('offers to resume what is held, and to pause what is not', () => {
    assert.ok(offeredCommands(ticketView({ status: 'CODING', hold: 'paused' })).includes('resume'));
    assert.ok(!offeredCommands(ticketView({ status: 'CODING', hold: 'paused' })).includes('pause'));
    assert.ok(!offeredCommands(ticketView({ status: 'CODING' })).includes('resume'));
  });

  it('offers nothing for what is over', () => {
    assert.deepEqual(offeredCommands(ticketView({ status: 'COMPLETED' })), []);
  });
});

describe('furtherCommands', () => {
  it('offers to show and to export what is there, and what is about one line, but nothing twice', () => {
    const view = ticketView({ status: 'WAITING_PR_REVIEW', beadsDone: 1 });
    const further = furtherCommands(view);
    for (const name of ['showArtifact', 'showDiff', 'verifyEvidence', 'exportContext', 'copyId'] as const)
      assert.ok(further.includes(name), name);
    assert.deepEqual(
      further.filter((name) => offeredCommands(view).includes(name)),
      [],
    );
  });

  it('still offers to show a ticket that is over', () => {
    assert.ok(furtherCommands(ticketView({ status: 'COMPLETED' })).includes('showHistory'));
  });
});

describe('likelyCommand', () => {
  it('is the one thing a gate waits for, and a choice where there are several', () => {
    assert.equal(likelyCommand(ticketView({ status: 'WAITING_INTERVIEW_ANSWERS' })), 'openInterview');
    assert.equal(likelyCommand(ticketView({ status: 'WAITING_BEADS_APPROVAL' })), 'approve');
    assert.equal(likelyCommand(ticketView({ status: 'WAITING_PR_REVIEW' })), 'reviewChanges');
    const red = ticketView({ status: 'WAITING_PR_REVIEW', published: true, checksFailed: true });
    assert.equal(likelyCommand(red), 'rerunChecks');
    assert.deepEqual(offeredCommands(red, true).slice(0, 2), ['rerunChecks', 'fixChecks']);
    assert.equal(likelyCommand(ticketView({ status: 'WAITING_PR_REVIEW' }), true), 'merge');
    const ofTeam = {
      ...ticketView({ status: 'WAITING_PR_REVIEW' }),
      actions: ['create_pull_request'] as const,
    };
    assert.equal(likelyCommand(ofTeam, true), 'createPullRequest');
    assert.equal(likelyCommand(ticketView({ status: 'BLOCKED_ERROR' })), 'whatNext');
  });

  it('never approves what is held', () => {
    assert.equal(likelyCommand(ticketView({ status: 'WAITING_BEADS_APPROVAL', hold: 'paused' })), 'whatNext');
  });
});

describe('menuCommands', () => {
  it('offer the worktree of a ticket that has one', () => {
    const offers = (status: Status): boolean => menuCommands(ticketView({ status })).includes('openWorktree');
    assert.deepEqual(
      [offers('DRAFT'), offers('CODING'), offers('BLOCKED_ERROR'), offers('COMPLETED')],
      [false, true, true, false],
    );
  });

  it('offer the changes of a ticket that may have some', () => {
    const offers = (status: Status, beadsDone = 0): boolean =>
      menuCommands(ticketView({ status, beadsDone })).includes('showDiff');
    assert.deepEqual(
      [offers('DRAFT'), offers('WAITING_PRD_APPROVAL'), offers('CANCELED')],
      [false, false, false],
    );
    assert.deepEqual(
      [offers('CODING'), offers('WAITING_PR_REVIEW'), offers('CANCELED', 1), offers('COMPLETED', 1)],
      [true, true, true, true],
    );
  });

  it('offer to revise a document at its gate, and to rewind only the setup', () => {
    assert.ok(
      menuCommands(ticketView({ status: 'WAITING_PRD_APPROVAL', openGaps: true })).includes('fixGaps'),
    );
    assert.ok(menuCommands(ticketView({ status: 'WAITING_PRD_APPROVAL' })).includes('regenerate'));
    assert.ok(!menuCommands(ticketView({ status: 'WAITING_INTERVIEW_APPROVAL' })).includes('fixGaps'));
    assert.ok(menuCommands(ticketView({ status: 'WAITING_BEADS_APPROVAL' })).includes('checkAgain'));
    assert.ok(!menuCommands(ticketView({ status: 'WAITING_INTERVIEW_APPROVAL' })).includes('checkAgain'));
    assert.ok(menuCommands(ticketView({ status: 'PREPARING_EXECUTION_ENV' })).includes('rewindSetup'));
    const blocked = (previousStatus: Status) =>
      menuCommands(ticketView({ status: 'BLOCKED_ERROR', previousStatus }));
    assert.ok(blocked('PREPARING_EXECUTION_ENV').includes('rewindSetup'));
    assert.ok(!blocked('CODING').includes('rewindSetup'));
  });

  it('offer nothing that must fail', () => {
    assert.ok(
      !menuCommands(ticketView({ status: 'WAITING_PRD_APPROVAL' })).includes('fixGaps'),
      'there are no gaps',
    );
    assert.ok(
      !menuCommands(ticketView({ status: 'BLOCKED_ERROR' })).includes('continue'),
      'there is no session',
    );
    assert.ok(menuCommands(ticketView({ status: 'BLOCKED_ERROR', continuable: true })).includes('continue'));
    assert.ok(
      !menuCommands(ticketView({ status: 'COMPLETED', beadsDone: 2 })).includes('acceptBead'),
      'the ticket is finished',
    );
    assert.ok(!menuCommands(ticketView({ status: 'CODING' })).includes('acceptBead'), 'no bead is finished');
  });
});
