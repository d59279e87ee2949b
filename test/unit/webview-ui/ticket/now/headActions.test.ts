import assert from 'node:assert/strict';
import type { Offer } from '../../../../../src/protocol/pages/ticket.ts';
import { headActions } from '../../../../../webview-ui/ticket/now/headActions.ts';

const offer = (name: string, part: Offer['part'] = null): Offer => ({
  name,
  label: name,
  detail: '',
  icon: '',
  part,
});
const shown = (offers: readonly Offer[], isLed = false): readonly unknown[] => {
  const { primary, besides, hasMore } = headActions(offers, isLed);
  return [primary?.name, besides.map(({ name }) => name), hasMore];
};

describe('the actions in the head of a page', () => {
  it('are one that stands out, two beside it, and a list of the rest', () => {
    const names = ['reviewChanges', 'updateFromBase', 'merge', 'hold', 'requestChanges', 'changeLimits'];
    assert.deepEqual(shown(names.map((name) => offer(name))), [
      'reviewChanges',
      ['merge', 'requestChanges'],
      true,
    ]);
    assert.deepEqual(
      shown(
        names.map((name) => offer(name)),
        true,
      ),
      [undefined, ['reviewChanges', 'merge'], true],
    );
  });

  it('leave what is rarely wanted to the list, also where there is room', () => {
    assert.deepEqual(shown([offer('updateFromBase'), offer('cancel')]), [undefined, [], true]);
    assert.deepEqual(shown([offer('hold')]), [undefined, ['hold'], false]);
    assert.deepEqual(shown([offer('hold'), offer('cancel')], true), [undefined, ['cancel', 'hold'], false]);
  });

  it('lead to the pull request where nothing is merged here', () => {
    const names = ['reviewChanges', 'close', 'hold', 'requestChanges', 'createPullRequest'];
    const all = names.map((name) => offer(name));
    assert.deepEqual(shown(all), ['reviewChanges', ['requestChanges', 'createPullRequest'], true]);
  });

  it('lead to one form of the page at most', () => {
    assert.deepEqual(shown([offer('approve', 'plan'), offer('qa', 'review')]), ['approve', [], false]);
  });
});
