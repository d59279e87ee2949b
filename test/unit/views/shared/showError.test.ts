import assert from 'node:assert/strict';
import { BeadsmithError, type ErrorCode } from '../../../../src/domain/core/errors.ts';
import { errorTexts } from '../../../../src/domain/core/errorTexts.ts';
import { errorActions, showError } from '../../../../src/views/shared/showError.ts';
import { sendAndTell, sendsUnsent, tellSent } from '../../../../src/views/shared/sendAction.ts';
import { RefusedAction } from '../../../../src/views/shared/errorText.ts';
import { withCancel } from '../../../../src/views/shared/withCancel.ts';
import type { Workbench } from '../../../../src/views/shared/workbench.ts';
import { cancelWork, editor, person } from '../../../support/fakes/fakeEditor.ts';
import { FakeRepositories } from '../../../support/fakes/fakeRepositories.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

describe('an error as a person sees it', () => {
  const logged: unknown[] = [];
  const workbench = {
    logError: (_what: string, error: unknown) => logged.push(error),
    repositories: new FakeRepositories(),
    team: {
      join: (code: string) =>
        code === 'good'
          ? Promise.resolve({ person: 'ann', role: 'reviewer' })
          : Promise.reject(new BeadsmithError('PAIRING_INVALID')),
    },
  } as unknown as Workbench;

  beforeEach(() => (logged.length = 0));

  it('says what happened and what to do, and is logged', async () => {
    const error = new BeadsmithError('OPENCODE_MISSING', {});
    editor.will('cancel');
    await showError(workbench, 'start', error);
    const [shown] = editor.shown;
    assert.equal(shown?.kind, 'error');
    assert.ok(shown.text.startsWith(error.message) && shown.text.includes(error.nextStep));
    assert.deepEqual(logged, [error]);
  });

  it('of a device that is none of the team’s takes a pairing code, and says that a wrong one is wrong', async () => {
    editor.will({ press: 0 }, { write: 'bad' }, 'cancel');
    await showError(workbench, 'approve', new BeadsmithError('DEVICE_UNKNOWN'));
    assert.match(editor.shown.at(-1)?.text ?? '', /pairing code/);
    editor.will({ press: 0 }, { write: '' }, { write: 'good' });
    await showError(workbench, 'approve', new BeadsmithError('DEVICE_UNKNOWN'));
    assert.deepEqual(editor.refusals, ['Enter the code, or press Escape to cancel.']);
    assert.equal(logged.length, 3);
  });

  it('offers what helps, and does it', async () => {
    const codes = [
      'OPENCODE_MISSING',
      'MODEL_UNKNOWN',
      'NO_COMMITS',
      'UNEXPECTED',
      'GIT_FAILED',
      'OPENCODE_START_FAILED',
    ] as const;
    for (const code of codes) {
      const error = new BeadsmithError(code, {
        model: 'x/y',
        models: '',
        reason: 'why',
        command: 'status',
        path: '/repo',
      });
      const actions = errorActions(error, true);
      for (const index of actions.keys()) {
        editor.reset();
        editor.will(person.presses(index));
        await showError(workbench, 'start', error);
        assert.equal(editor.ran.length, 1, `${code} ${String(actions[index])}`);
      }
      assert.equal(editor.shown[0]?.buttons.length ?? 0, actions.length);
    }
  });

  it('types into a terminal what trusts a setting, runs nothing, and types nothing that presses keys', async () => {
    const refused = (commands: string) =>
      new BeadsmithError('GIT_SETTING_REFUSED', { settings: 'merge.x.driver=x', commands });
    editor.will(person.presses(0));
    await showError(
      workbench,
      'start',
      refused("git config --global --add beadsmith.trusted 'merge.x.driver=x'"),
    );
    assert.deepEqual(editor.ran.at(-1), [
      'typed',
      "git config --global --add beadsmith.trusted 'merge.x.driver=x'",
      false,
    ]);
    for (const key of ['\u0003', '\r', '\n', '\u001b[A'])
      assert.deepEqual(errorActions(refused(`git config '${key}touch /tmp/x'`), true), ['log']);
  });

  it('is plain text, whatever a model or a program wrote', async () => {
    editor.will('cancel');
    await showError(
      workbench,
      'start',
      new BeadsmithError('UNEXPECTED', { reason: 'see [this](command:workbench.action.quit)' }),
    );
    assert.doesNotMatch(editor.shown[0]?.text ?? '', /\]\(command:/);
  });
});

describe('work that can be canceled', () => {
  it('answers what the work answers', async () => {
    assert.equal(await withCancel('Exporting…', () => Promise.resolve(7)), 7);
    assert.equal(editor.shown[0]?.text, 'Exporting…');
  });

  it('ends without an answer when it is canceled, however the work takes that', async () => {
    const canceled = withCancel('Exporting…', async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      signal.throwIfAborted();
    });
    cancelWork();
    assert.equal(await canceled, undefined);
  });

  it('fails as the work fails', async () => {
    await assert.rejects(
      withCancel('Exporting…', () => Promise.reject(new Error('disk full'))),
      /disk full/,
    );
  });
});

describe('what is said of something that was sent', () => {
  it('is that it is filed, while nobody took it', () => {
    tellSent('TST-1', 'pending', 'Done.');
    assert.equal(editor.said.length, 1);
    assert.doesNotMatch(editor.said[0] ?? '', /Done/);
  });

  it('is what was done, if that can’t be seen', async () => {
    tellSent('TST-1', 'consumed', 'Done.');
    tellSent('TST-1', 'consumed', '');
    await sendAndTell(new FakePlace(), 'pause', {});
    assert.deepEqual(editor.said, ['Done.']);
  });

  it('asks about what isn’t sent only if there is something', async () => {
    assert.equal(await sendsUnsent('Send?', []), false);
    editor.will(person.presses(0));
    assert.equal(await sendsUnsent('Send?', ['a', 'b']), true);
    assert.equal(editor.shown[0]?.detail, '- a\n- b');
  });
});

const of = (code: ErrorCode, args = {}, trusted = true): readonly string[] =>
  errorActions(new BeadsmithError(code, args), trusted);

describe('what can be done about an error', () => {
  it('leads to what fixes it', () => {
    assert.deepEqual(of('OPENCODE_MISSING'), ['install', 'checkSetup', 'log']);
    assert.deepEqual(of('NO_COMMITS'), ['sourceControl', 'log']);
    assert.deepEqual(of('GIT_SETTING_REFUSED'), ['trustSettings', 'log']);
    assert.deepEqual(of('INVALID_INPUT', { what: 'The setting beadsmith.opencode.path' }), [
      'settings',
      'log',
    ]);
    assert.deepEqual(of('INVALID_INPUT', { what: 'The ticket' }), ['log']);
    assert.deepEqual(of('DATABASE_READ_ONLY'), ['checkSetup', 'log']);
    assert.deepEqual(of('DATABASE_READ_ONLY', {}, false), ['trust', 'log']);
  });

  it('offer a backup for a damaged database', () => {
    assert.deepEqual(of('DATABASE_CORRUPT'), ['restoreBackup', 'checkSetup', 'log']);
  });

  it('is a report where only the maintainers can fix it, and never where a person was refused something', () => {
    assert.deepEqual(of('REPLAY_MISMATCH'), ['report', 'log']);
    assert.deepEqual(errorActions(new TypeError('x is undefined'), true), ['report', 'log']);
    assert.deepEqual(
      errorActions(new RefusedAction({ message: 'Too late. Look again.', code: 'STATUS_CONFLICT' }), true),
      ['log'],
    );
  });

  it('fits into a notification, with the log last', () => {
    for (const code of Object.keys(errorTexts) as ErrorCode[]) {
      const actions = of(code);
      assert.ok(actions.length <= 3 && actions.at(-1) === 'log', code);
    }
  });
});

describe('errors', () => {
  it('all say what happened and what to do next, in whole sentences', () => {
    for (const [code, [sentence, nextStep]] of Object.entries(errorTexts)) {
      // A hole at the end is filled with a sentence or a name.
      assert.match(sentence, /(?:[.]|\}"?)$/, code);
      if (nextStep === '{remedy}') continue; // A hole that is filled with the sentence.
      assert.match(nextStep, /^["A-Z].*[.]$/, code);
      assert.ok(nextStep.split(' ').length >= 3, `${code}: ${nextStep}`);
    }
  });
});
