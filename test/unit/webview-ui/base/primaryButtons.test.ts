import assert from 'node:assert/strict';
import { PrimaryButtons } from '../../../../webview-ui/base/primaryButtons.ts';

describe('the primary button of a page', () => {
  const [approve, save] = [Symbol('approve'), Symbol('save')];

  it('is one at most: the one that came last, and the one before again when that is gone', () => {
    const buttons = new PrimaryButtons();
    const primary = (): readonly symbol[] => [approve, save].filter((button) => buttons.isPrimary(button));
    assert.deepEqual(primary(), []);
    buttons.add(approve);
    buttons.add(save);
    assert.deepEqual(primary(), [save]);
    buttons.remove(save);
    assert.deepEqual(primary(), [approve]);
    buttons.remove(approve);
    assert.deepEqual(primary(), []);
  });

  it('is told whenever it may be another', () => {
    const buttons = new PrimaryButtons();
    let told = 0;
    buttons.onDidChange(() => told++);
    buttons.add(approve);
    buttons.add(save);
    buttons.remove(approve);
    assert.equal(told, 3);
  });
});
