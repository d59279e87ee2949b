import assert from 'node:assert/strict';
import { Settings } from '../../../../src/domain/settings/settings.ts';
import type { OfferedModel } from '../../../../src/domain/usage/offeredModel.ts';
import { changeModels } from '../../../../src/views/tickets/changeModels.ts';
import { editor, person } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

const offered: readonly OfferedModel[] = ['acme/small', 'acme/large', 'zeta/one'].map((id) => ({
  id,
  provider: id.replace(/\/.*/, ''),
  usesTools: true,
}));

describe('the models of a running ticket', () => {
  const coding = (settings: Partial<Settings> = {}): FakePlace => {
    const whole = Settings.parse({
      mainImplementer: 'acme/small',
      councilMembers: ['acme/large'],
      ...settings,
    });
    return new FakePlace(
      { ticket: { status: 'CODING', settings: whole }, actions: ['change_models'] },
      {
        models: () => Promise.resolve(offered),
        startSettings: () => ({ mainImplementer: 'zeta/one', settings: {}, limits: {} }),
      },
    );
  };

  it('are picked from what OpenCode offers, the present ones first', async () => {
    const place = coding();
    editor.will(person.picks('zeta/one'), person.picks('acme/large', 'acme/small'));
    await changeModels(place);
    assert.deepEqual(place.sent, [
      ['change_models', { mainImplementer: 'zeta/one', councilMembers: ['acme/large', 'acme/small'] }],
    ]);
    const [main, council] = editor.shown.filter(({ kind }) => kind === 'pick');
    assert.deepEqual(
      main?.items.slice(0, 2).map(({ label }) => label),
      ['recently used', 'acme/small'],
    );
    assert.match(council?.detail ?? '', /keeps its members/);
    assert.deepEqual(
      council?.items.filter(({ picked }) => picked).map(({ value }) => value),
      ['acme/large'],
    );
  });

  it('are those that the ticket has: no other one is asked for, and leaving changes nothing', async () => {
    const place = coding({ secondImplementer: 'acme/large', reviewer: 'zeta/one' });
    editor.will(
      person.picks('zeta/one'),
      person.picks(),
      person.picks('acme/small'),
      person.picks('acme/large'),
    );
    await changeModels(place);
    assert.deepEqual(place.sent, [
      [
        'change_models',
        {
          mainImplementer: 'zeta/one',
          councilMembers: [],
          secondImplementer: 'acme/small',
          reviewer: 'acme/large',
        },
      ],
    ]);
    const left = coding();
    editor.will(person.picks('zeta/one'), 'leave');
    await changeModels(left);
    assert.deepEqual(left.sent, []);
  });
});
