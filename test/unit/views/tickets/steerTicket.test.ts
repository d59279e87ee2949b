import assert from 'node:assert/strict';
import {
  addContext,
  checkAgain,
  copyId,
  openTerminal,
  openWorktree,
  resumeTicket,
  withdrawContext,
} from '../../../../src/views/tickets/steerTicket.ts';
import { documentUri } from '../../../../src/views/documents/documentUri.ts';
import type { CheckedOut } from '../../../../src/domain/team/checkedOut.ts';
import { newContextEntry } from '../../../../src/domain/prompts/contextEntries.ts';
import { editor, person, Uri, workspace } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

describe('steering a ticket', () => {
  let place: FakePlace;

  beforeEach(() => {
    place = new FakePlace({ ticket: { status: 'CODING' } });
  });

  it('resumes without a question', async () => {
    await resumeTicket(place);
    assert.deepEqual([place.sent, editor.shown], [[['resume', {}]], []]);
  });

  describe('resuming one that waits for its provider', () => {
    const hold = {
      kind: 'quota',
      since: 0,
      detail: 'Limit reached. Come back after the reset.',
      until: Date.now() + 60_000,
    } as const;
    beforeEach(() => place.become({ ticket: { status: 'CODING', hold } }));

    it('shows what the provider said, and continues now', async () => {
      editor.will(person.picks('now'));
      await resumeTicket(place);
      assert.match(
        JSON.stringify(editor.shown[0]),
        /Message from the provider: Limit reached\. Come back after the reset\./,
      );
      assert.deepEqual(place.sent, [['resume', {}]]);
    });

    it('puts no words into the mouth of one that can’t be reached', async () => {
      place.become({
        ticket: {
          status: 'CODING',
          hold: { ...hold, kind: 'offline', detail: 'The connection was refused.' },
        },
      });
      editor.will(person.picks('now'));
      await resumeTicket(place);
      assert.equal(editor.shown[0]?.detail, 'The connection was refused.');
    });

    it('continues after a while, or at a time', async () => {
      const before = Date.now();
      editor.will(person.picks(3_600_000));
      await resumeTicket(place);
      editor.will(person.picks('time'), person.writes('2126-11-28T09:00:00Z'));
      await resumeTicket(place);
      const [[, first], [, second]] = place.sent as [[string, { at: number }], [string, { at: number }]];
      assert.ok(first.at >= before + 3_600_000 && first.at < before + 3_700_000);
      assert.equal(second.at, Date.UTC(2126, 10, 28, 9));
    });

    it('asks again for what is no time, and sends nothing when the person leaves', async () => {
      editor.will(person.picks('time'), person.writes('soon'), 'leave');
      await resumeTicket(place);
      assert.match(editor.refusals.join('\n'), /Enter a time, for example 14:30/);
      editor.will('leave');
      await resumeTicket(place);
      assert.deepEqual(place.sent, []);
    });
  });

  it('checks again what is saved, and asks about what isn’t', async () => {
    const uri = Uri.from(documentUri('/sample', 'TST-1', 'prd'));
    let saved = 0;
    workspace.textDocuments = [{ uri, isDirty: true, save: async () => ++saved > 0 }];
    editor.will('cancel', person.presses(0));
    await checkAgain(place);
    assert.deepEqual([place.sent, saved], [[], 0]);
    await checkAgain(place);
    assert.deepEqual([place.sent, saved], [[['check_again', {}]], 1]);
  });

  it('adds context for one call or for all, and does not wait for one', async () => {
    place.client.becomes = undefined;
    editor.will(person.writes(' British English. '), person.picks('pinned'));
    await addContext(place);
    assert.deepEqual(place.sent, [['context', { text: 'British English.', scope: 'pinned' }]]);
    assert.equal(editor.said.length, 1);
  });

  it('leads back from the scope to the text, which is still there', async () => {
    editor.will(
      person.writes(''),
      person.writes('British.'),
      'back',
      person.writes('American.'),
      person.picks('once'),
    );
    await addContext(place);
    assert.equal(editor.refusals.length, 1);
    assert.equal(editor.shown.filter(({ kind }) => kind === 'input').at(-1)?.items[0]?.label, 'British.');
    assert.deepEqual(place.sent, [['context', { text: 'American.', scope: 'once' }]]);
  });

  it('restarts the iteration that is at work, if the person wants it to', async () => {
    editor.will(person.writes('British.'), person.picks('now'));
    await addContext(place);
    assert.deepEqual(place.sent, [['context', { text: 'British.', scope: 'once', interrupt: true }]]);
  });

  it('withdraws what no agent has received, and says so when there is nothing', async () => {
    await withdrawContext(place);
    assert.deepEqual([place.sent, editor.shown.length], [[], 1]);
    const entry = newContextEntry({ id: 'entry-1', text: 'British.', author: 'user', mode: 'once', at: 0 });
    place.client.entries = [{ ...entry, id: 'entry-0', state: 'consumed' }, entry];
    editor.will(person.picks('entry-1'));
    await withdrawContext(place);
    assert.deepEqual(place.sent, [['withdraw_context', { entry: 'entry-1' }]]);
  });

  it('adds nothing when the person leaves', async () => {
    editor.will(person.writes('British.'), 'leave');
    await addContext(place);
    assert.deepEqual([place.sent, editor.said], [[], []]);
  });

  it('opens the worktree in a window of its own, and a terminal in it', async () => {
    await openWorktree(place);
    await openTerminal(place);
    const [[command, uri, options] = [], terminal] = editor.ran;
    assert.deepEqual(
      [command, String(uri), options],
      ['vscode.openFolder', 'file:///sample.worktrees/TST-1', { forceNewWindow: true }],
    );
    assert.deepEqual(terminal, ['terminal', 'TST-1', '/sample.worktrees/TST-1']);
  });

  it('checks a team’s ticket out, and says when it isn’t brought up to date', async () => {
    let state: CheckedOut['state'] = 'made';
    const path = '/sample.worktrees/team/TST-1';
    place = new FakePlace({ ticket: { status: 'CODING' } }, { checkOut: async () => ({ path, state }) });
    await openTerminal(place);
    assert.deepEqual(editor.ran, [['terminal', 'TST-1', path]]);
    const texts = (): readonly string[] => editor.shown.map(({ kind, text }) => `${kind}: ${text}`);
    assert.deepEqual(texts(), ['progress: Checking out TST-1…']);
    state = 'kept';
    await openWorktree(place);
    assert.match(texts().at(-1) ?? '', /^warning: TST-1: the checkout has changes of your own/);
    assert.equal(String(editor.ran[1]?.[1]), `file://${path}`);
  });

  it('says so when there is no worktree', async () => {
    place.become({ ticket: { worktree: null } });
    await openWorktree(place);
    await openTerminal(place);
    assert.deepEqual(
      editor.shown.map(({ kind }) => kind),
      ['information', 'information'],
    );
    assert.deepEqual(editor.ran, []);
  });

  it('copies the id', async () => {
    await copyId(place);
    assert.equal(editor.clipboard, 'TST-1');
  });
});
