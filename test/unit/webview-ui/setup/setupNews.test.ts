import assert from 'node:assert/strict';
import type { CheckLine, SetupState } from '../../../../src/protocol/pages/setup.ts';
import { setupNews } from '../../../../webview-ui/setup/setupNews.ts';

function line(id: string, result: CheckLine['result']): CheckLine {
  const word = { pass: 'OK', warn: 'WARNING', fail: 'FAILED', skip: 'NOT CHECKED' }[result];
  return { id, result, word, subject: 'git', sentence: 'It is old.', said: '', nextStep: '', fix: '' };
}

function state(isRunning: boolean, ...lines: readonly CheckLine[]): SetupState {
  return {
    title: 'Setup',
    isRunning,
    summary: isRunning ? '' : 'Failed: 1.',
    groups: [{ title: 'This machine', lines: [...lines] }],
  };
}

describe('what people hear of a check-up', () => {
  const [good, bad] = [line('1', 'pass'), line('2', 'fail')];

  it('is that it began, each problem once, and all results at the end', () => {
    const told = [
      state(true),
      state(true, good),
      state(true, good, bad),
      state(true, good, bad, line('3', 'skip')),
      state(false, good, bad, line('3', 'skip')),
    ];
    assert.deepEqual(
      told.map((now, at) => setupNews(told[at - 1], now)),
      ['Checking setup…', '', 'FAILED: git: It is old.', '', 'Failed: 1.'],
    );
  });

  it('is everything again after another check', () => {
    assert.equal(setupNews(state(false, bad), state(true)), 'Checking setup…');
    assert.equal(
      setupNews(state(true), state(false, line('4', 'warn'))),
      'WARNING: git: It is old. Failed: 1.',
    );
  });

  it('is the result of a page that comes back, and nothing where nothing changed', () => {
    assert.equal(setupNews(undefined, state(false, good)), 'Failed: 1.');
    assert.equal(setupNews(state(false, good), state(false, good)), '');
  });
});
