import assert from 'node:assert/strict';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { regenerationText } from '../../../../src/views/gates/approveGate.ts';
import { blockedText } from '../../../../src/views/shared/errorText.ts';
import { takeAction } from '../../../../src/views/shared/fillForm.ts';
import { editor, person } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';
import { forgeState } from '../../../support/forge/forgeState.ts';

describe('an action that is taken by its form', () => {
  let place: FakePlace;

  beforeEach(() => {
    place = new FakePlace({ ticket: { status: 'CODING' } });
  });

  for (const action of ['pause', 'continue', 'fix_gaps', 'check_again'] as const)
    it(`is sent without a question where nothing is to say (${action})`, async () => {
      await takeAction(place, action, 'TST-1');
      assert.deepEqual([place.sent, editor.shown], [[[action, {}]], []]);
    });

  it('retries with a note, and shows why the ticket is blocked', async () => {
    const error = {
      code: 'SETUP_FAILED',
      message: 'The tools are missing.',
      nextStep: 'Install them.',
      continuable: false,
    };
    place.become({ ticket: { status: 'BLOCKED_ERROR', previousStatus: 'PREPARING_EXECUTION_ENV' }, error });
    editor.will(person.writes('Use pnpm.'));
    await takeAction(place, 'retry', 'TST-1', blockedText);
    assert.match(editor.shown[0]?.detail ?? '', /The tools are missing\./);
    assert.equal(editor.shown[0]?.items[0]?.description, 'What should be done differently?');
    assert.deepEqual(place.sent, [['retry', { note: 'Use pnpm.' }]]);
  });

  describe('with a choice', () => {
    const merging = { usual: 'squash', mayAuto: true, auto: null, hasQueue: false, isQueued: false } as const;
    const become = (more: object): void =>
      place.become({
        ticket: {
          status: 'WAITING_PR_REVIEW',
          worktree: '/w',
          forge: { ...forgeState(), merging: { ...merging, kinds: ['merge', 'squash'], ...more } },
        },
      });

    it('offers what makes sense for the ticket, most likely first, and then confirms', async () => {
      become({});
      editor.will(person.picks('merge'), person.presses(1));
      await takeAction(place, 'merge_pull_request', 'TST-1');
      const [list] = editor.shown;
      assert.deepEqual(
        list?.items.map(({ label }) => label),
        ['Squash', 'Merge Commit'],
      );
      assert.deepEqual(place.sent, [['merge_pull_request', { kind: 'merge', whenReady: true }]]);
    });

    it('asks nothing where nothing is to choose, and sends nothing when the person leaves', async () => {
      for (const more of [{ kinds: ['squash'] }, { hasQueue: true }]) {
        become(more);
        editor.will(person.presses(0));
        await takeAction(place, 'merge_pull_request', 'TST-1');
      }
      become({});
      editor.will('leave');
      await takeAction(place, 'merge_pull_request', 'TST-1');
      const plain = ['merge_pull_request', { kind: '', whenReady: false }];
      assert.deepEqual(place.sent, [plain, plain]);
    });
  });

  it('retries without a note, and not at all when the person leaves', async () => {
    editor.will(person.writes(''), 'leave');
    await takeAction(place, 'retry', 'TST-1');
    await takeAction(place, 'retry', 'TST-1');
    assert.deepEqual(place.sent, [['retry', { note: '' }]]);
  });

  it('continues, and says why when the ticket can’t be continued', async () => {
    await takeAction(place, 'continue', 'TST-1');
    assert.deepEqual(place.sent, [['continue', {}]]);
    place.client.act = () => Promise.reject(new BeadsmithError('NOTHING_TO_CONTINUE'));
    await assert.rejects(takeAction(place, 'continue', 'TST-1'), { code: 'NOTHING_TO_CONTINUE' });
  });

  it('cancels after a question, with or without the worktree', async () => {
    for (const [answer, deleteWorktree] of [
      [0, false],
      [1, true],
    ] as const) {
      place = new FakePlace();
      editor.will(person.presses(answer));
      await takeAction(place, 'cancel', 'TST-1');
      assert.deepEqual(place.sent, [['cancel', { reason: '', deleteWorktree }]]);
    }
    assert.match(editor.shown[0]?.detail ?? '', /Greet people/);
  });

  it('does not offer to delete a worktree that there isn’t', async () => {
    place.become({ ticket: { status: 'DRAFT', worktree: null } });
    editor.will('cancel');
    await takeAction(place, 'cancel', 'TST-1');
    assert.equal(editor.shown[0]?.buttons.length, 1);
    assert.deepEqual(place.sent, []);
  });

  it('goes back to the setup plan after a question', async () => {
    editor.will('cancel', person.presses(0));
    await takeAction(place, 'rewind_setup', 'TST-1');
    assert.deepEqual(place.sent, []);
    await takeAction(place, 'rewind_setup', 'TST-1');
    assert.deepEqual(place.sent, [['rewind_setup', {}]]);
  });

  it('sends a note to the reviewer, and wants one', async () => {
    editor.will(person.writes('  '), person.writes('Look at names.'));
    await takeAction(place, 'review_note', 'TST-1');
    assert.equal(editor.refusals.length, 1);
    assert.deepEqual(place.sent, [['review_note', { text: 'Look at names.' }]]);
    assert.deepEqual(editor.said, ['TST-1: Note to the reviewer sent.']);
  });

  describe('at the end of a review', () => {
    beforeEach(() => place.become({ ticket: { status: 'WAITING_PR_REVIEW' } }));

    for (const [what, action, sent] of [
      ['merges', 'merge', ['merge', {}]],
      ['closes without merging', 'close', ['close', { reason: '' }]],
    ] as const) {
      it(`${what} after a question that names the branch`, async () => {
        editor.will(person.presses(0));
        await takeAction(place, action, 'TST-1');
        assert.deepEqual(place.sent, [sent]);
        const [question] = editor.shown;
        assert.equal(question?.kind, 'warning');
        assert.match(`${question.text} ${question.detail}`, /ticket\/TST-1/);
      });

      it(`does nothing of that when the person cancels (${what})`, async () => {
        editor.will('cancel');
        await takeAction(place, action, 'TST-1');
        assert.deepEqual(place.sent, []);
      });
    }

    it('names the base that a merge moves', async () => {
      place.become({ ticket: { status: 'WAITING_PR_REVIEW', baseBranch: 'release/2' } });
      editor.will('cancel');
      await takeAction(place, 'merge', 'TST-1');
      assert.match(editor.shown[0]?.text ?? '', /release\/2/);
    });

    it('removes the worktree with the second button', async () => {
      editor.will(person.presses(1));
      await takeAction(place, 'merge', 'TST-1');
      assert.deepEqual(place.sent, [['merge', { deleteWorktree: true }]]);
    });
  });

  describe('that drafts a document again', () => {
    const at = (artifact: string): FakePlace =>
      new FakePlace({ gate: { artifact, sha256: 'a'.repeat(64) }, actions: ['regenerate'] });
    const regenerate = (one: FakePlace): Promise<void> =>
      takeAction(one, 'regenerate', 'TST-1', ({ gate }) => regenerationText(gate?.artifact ?? ''));

    it('regenerates with a note, and refuses one that is too long', async () => {
      const prd = at('prd');
      editor.will(person.writes('x'.repeat(20_001)), person.writes('Smaller.'));
      await regenerate(prd);
      assert.equal(editor.refusals.length, 1);
      assert.deepEqual(prd.sent, [['regenerate', { note: 'Smaller.' }]]);
    });

    it('says before what becomes of an interview’s answers', async () => {
      editor.will('leave', 'leave');
      await regenerate(at('interview'));
      assert.match(editor.shown[0]?.detail ?? '', /Your answers are kept/);
      await regenerate(at('prd'));
      assert.match(
        editor.shown[1]?.detail ?? '',
        /^This creates the document again\. .* Note for the next attempt \(optional\)/,
      );
    });
  });
});
