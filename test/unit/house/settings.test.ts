import assert from 'node:assert/strict';
import { settingNames } from '../../../src/domain/settings/rows.ts';

describe('settings', () => {
  // Apart from what the manifest promises, so that the patches of docs/adding.md can add one.
  it('are 45 at most: who adds one takes one away', () => {
    assert.ok(settingNames.length <= 45, String(settingNames.length));
  });
});
