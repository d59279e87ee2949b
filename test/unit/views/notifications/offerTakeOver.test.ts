import assert from 'node:assert/strict';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { offerTakeOver } from '../../../../src/views/notifications/offerTakeOver.ts';
import { editor } from '../../../support/fakes/fakeEditor.ts';
import { FakeRepositories } from '../../../support/fakes/fakeRepositories.ts';
import { until } from '../../../support/until.ts';

describe('a repository whose owner is in another container', () => {
  const error = new BeadsmithError('OWNER_ELSEWHERE', {
    host: 'box',
    pid: 7,
    since: '2026-01-02 03:04 UTC',
    minutes: 90,
  });
  const failed = (logged: unknown): void => assert.fail(String(logged));

  it('is taken over when a person says so and confirms it, and asked about once', async () => {
    const repositories = new FakeRepositories();
    const shown = offerTakeOver({ repositories, logError: (_what, logged) => failed(logged) });
    editor.will({ press: 0 }, { press: 0 });
    repositories.fail('/sample', error);
    repositories.fail('/sample', error);
    await until(() => repositories.opened.length > 0, 'it is opened');
    assert.deepEqual(repositories.opened, [{ again: true, takeOver: '/sample' }]);
    assert.match(editor.shown[0]?.text ?? '', /process 7 on box.*since 2026-01-02 03:04 UTC.*90 min ago/);
    assert.match(editor.shown[1]?.detail ?? '', /only if that process is gone/);
    assert.equal(editor.shown.length, 2);
    shown.dispose();
  });

  it('is left alone by a person who thinks better of it', async () => {
    const repositories = new FakeRepositories();
    const shown = offerTakeOver({ repositories, logError: (_what, logged) => failed(logged) });
    editor.will({ press: 0 }, 'cancel');
    repositories.fail('/sample', error);
    await until(() => editor.shown.length === 2, 'it was asked for');
    assert.deepEqual([repositories.opened, editor.left], [[], 0]);
    shown.dispose();
  });
});
