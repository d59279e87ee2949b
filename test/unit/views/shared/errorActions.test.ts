import assert from 'node:assert/strict';
import { BeadsmithError, type ErrorCode, errorTexts } from '../../../../src/domain/core/errors.ts';
import { errorActions } from '../../../../src/views/shared/errorActions.ts';
import { RefusedAction } from '../../../../src/views/shared/sendAction.ts';

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
    assert.deepEqual(errorActions(new RefusedAction('Too late. Look again.', 'STATUS_CONFLICT'), true), [
      'log',
    ]);
  });

  it('fits into a notice, with the log last', () => {
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
