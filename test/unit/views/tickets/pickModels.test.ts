import assert from 'node:assert/strict';
import type { OfferedModel } from '../../../../src/domain/usage/offeredModel.ts';
import { Settings } from '../../../../src/domain/settings/settings.ts';
import { chooseModels, ModelPicker } from '../../../../src/views/tickets/pickModels.ts';
import { cancelWork, editor, endTerminal, person } from '../../../support/fakes/fakeEditor.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';
import { FakePlace, ticketDetail } from '../../../support/fakes/ticketPlace.ts';
import { until } from '../../../support/until.ts';

const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const offered: readonly OfferedModel[] = [
  { id: 'acme/small', provider: 'Acme', context: 128_000, usesTools: true },
  { id: 'acme/large', provider: 'Acme', context: 1_000_000, usesTools: true, price },
  { id: 'acme/mute', provider: 'Acme', context: 8_000, usesTools: false },
  { id: 'zeta/one', provider: 'Zeta' },
];
const place = { step: 1, steps: 1, back: false };
const launch = { program: '/bin/opencode', args: ['auth', 'login'], folder: '/home/me' };

describe('the list of models', () => {
  let here: FakePlace;
  const at = (
    models: readonly OfferedModel[] = offered,
    preset: { mainImplementer?: string; councilMembers?: string[] } = {},
  ) => {
    const remembered: unknown[] = [];
    here = new FakePlace(
      {},
      {
        models: () => Promise.resolve(models),
        startSettings: () => ({ ...preset, settings: {}, limits: {} }),
        rememberModels: (chosen) => Promise.resolve(void remembered.push(chosen)),
        logIn: () => Promise.resolve(launch),
      },
    );
    return { repository: here.repository, remembered };
  };
  const list = () => editor.shown.find(({ kind }) => kind === 'pick') ?? assert.fail('no list was shown');
  const rows = (): readonly string[] =>
    list().items.map(({ label, description = '' }) =>
      description === '' ? label : `${label}: ${description}`,
    );
  const pick = (repository: FakePlace['repository']) =>
    new ModelPicker(repository).main({ ...place, title: 'Start' });

  it('groups what OpenCode offers by provider, with price, context window and tools', async () => {
    editor.will(person.picks('acme/large'));
    assert.deepEqual(await pick(at().repository), { kind: 'given', value: 'acme/large' });
    assert.deepEqual(rows(), [
      'Acme',
      'acme/large: 1M context · $3 in, $15 out per million tokens · uses tools',
      'acme/small: 128K context · no price known · uses tools',
      'Zeta',
      'zeta/one: no price known',
      'not recommended',
      'acme/mute: 8K context · no price known · can’t use tools, so it can’t code',
      'more',
      '$(key) Log In to a Provider…: opens a terminal with OpenCode',
      '$(edit) Enter a Model…: as provider/model or provider/model@variant',
    ]);
  });

  it('puts first what the settings name and what recent tickets used, and last what isn’t offered any more', async () => {
    const { repository } = at(offered, { mainImplementer: 'zeta/one', councilMembers: ['gone/two'] });
    const settings = Settings.parse({ mainImplementer: 'acme/small', councilMembers: ['zeta/one@high'] });
    here.client.views = [
      ticketView({ id: 'TST-1', status: 'CODING', updatedAt: 2 }),
      ticketView({ id: 'TST-2', status: 'DRAFT' }),
    ];
    here.detail = ticketDetail({ ticket: { settings } });
    editor.will(person.picks('zeta/one'));
    await pick(repository);
    const labels = list().items.map(({ label }) => label);
    assert.deepEqual(labels.slice(0, 6), [
      'recently used',
      'zeta/one',
      'acme/small',
      'zeta/one@high',
      'Acme',
      'acme/large',
    ]);
    assert.ok(rows().includes('gone/two: not offered now: log in to its provider'));
  });

  it('takes a model that is typed, refuses what is none, and leads back to the list', async () => {
    const byHand = person.picksWhere(({ label }) => label.includes('Enter a Model'));
    editor.will(byHand, 'back', byHand, person.writes('nonsense'), person.writes(' own/model@high '));
    assert.deepEqual(await pick(at().repository), { kind: 'given', value: 'own/model@high' });
    assert.equal(editor.refusals.length, 1);
  });

  it('logs in in a terminal, with the program that was found and no shell between, and lists what is offered then', async () => {
    const models: OfferedModel[] = [];
    const { repository } = at(models);
    const logIn = person.picksWhere(({ label }) => label.includes('Log In'));
    editor.will(logIn, person.picks('acme/small'));
    const picking = pick(repository);
    await until(() => editor.ran.length > 0, 'the terminal is shown');
    const terminal = ['terminal', 'OpenCode Login', '/home/me', '/bin/opencode', 'auth', 'login'];
    assert.deepEqual(editor.ran, [terminal]);
    assert.equal(list().detail, 'OpenCode isn’t logged in to a provider');
    models.push(...offered);
    endTerminal(0);
    assert.deepEqual(await picking, { kind: 'given', value: 'acme/small' });
    editor.will(logIn);
    const leaving = pick(repository);
    await until(() => editor.ran.length > 1, 'the terminal is shown');
    endTerminal(undefined);
    assert.deepEqual(
      await leaving,
      { kind: 'left' },
      'a person who closes the terminal asks for nothing more',
    );
  });

  it('puts first what a person starred, at once and in every repository, until they take the star away', async () => {
    const { repository } = at(offered, { mainImplementer: 'acme/small' });
    const star = (of: number): unknown =>
      editor.shown[of]?.items.find(({ value }) => value === 'zeta/one')?.buttons?.[0]?.tooltip;
    const labels = (of: number) => editor.shown[of]?.items.map(({ label }) => label).slice(0, 4);
    editor.will(person.pressesButtonOf('zeta/one'), person.picks('zeta/one'));
    assert.deepEqual(await pick(repository), { kind: 'given', value: 'zeta/one' });
    const lists = editor.shown.flatMap(({ kind }, index) => (kind === 'pick' ? [index] : []));
    const [before = 0, after = 0] = lists;
    assert.deepEqual([star(before), star(after)], ['Add to Favorites', 'Remove from Favorites']);
    assert.deepEqual(labels(before), ['recently used', 'acme/small', 'Acme', 'acme/large']);
    assert.deepEqual(labels(after), ['favorites', 'zeta/one', 'recently used', 'acme/small']);
    editor.reset();
    const other = { ...at().repository, starred: repository.starred };
    editor.will(person.pressesButtonOf('zeta/one'), 'leave');
    await new ModelPicker(other).council({ ...place, title: 'Start' }, 'acme/large', []);
    const [first = 0, second = 0] = editor.shown.flatMap(({ kind }, index) =>
      kind === 'pick' ? [index] : [],
    );
    assert.deepEqual([labels(first)?.[0], labels(second)?.[0]], ['favorites', 'Acme']);
  });

  it('keeps what is checked for the council when a star is pressed', async () => {
    const { repository } = at();
    editor.will(person.pressesButtonOf('zeta/one'), person.picks('acme/small'));
    const reply = await new ModelPicker(repository).council({ ...place, title: 'Start' }, 'acme/large', [
      'acme/small',
    ]);
    assert.deepEqual(reply, { kind: 'given', value: ['acme/small'] });
    const last = editor.shown.at(-1);
    assert.deepEqual(
      last?.items.filter(({ picked }) => picked === true).map(({ label }) => label),
      ['acme/small'],
    );
  });

  it('offers the others for the council, and takes more that are typed', async () => {
    const { repository } = at();
    editor.will(
      person.picksWhere(({ label }) => label === 'acme/small' || label.includes('Enter')),
      person.writes('own/a, own/b'),
    );
    const reply = await new ModelPicker(repository).council({ ...place, title: 'Start' }, 'acme/large', []);
    assert.deepEqual(reply, { kind: 'given', value: ['acme/small', 'own/a', 'own/b'] });
    assert.ok(!rows().some((row) => row.startsWith('acme/large')), 'who codes sits in it anyway');
    assert.ok(!rows().some((row) => row.includes('Log In')), 'a check mark opens nothing');
  });

  it('sets the models of later tickets, the current ones chosen', async () => {
    const { repository, remembered } = at(offered, {
      mainImplementer: 'acme/large',
      councilMembers: ['acme/small'],
    });
    editor.will(person.picks('zeta/one'), person.picks('acme/large'));
    await chooseModels(repository);
    assert.deepEqual(remembered, [{ mainImplementer: 'zeta/one', councilMembers: ['acme/large'] }]);
    const council = editor.shown.findLast(({ kind }) => kind === 'pick');
    assert.deepEqual(
      council?.items.filter(({ picked }) => picked === true).map(({ label }) => label),
      ['acme/small'],
    );
    editor.will(person.picks('zeta/one'), 'leave');
    await chooseModels(repository);
    assert.equal(remembered.length, 1, 'nothing is set by a person who leaves');
  });

  it('leaves the council as it is for a person who doesn’t want to wait for the list', async () => {
    const { repository, remembered } = at([], { councilMembers: ['acme/small'] });
    const slow = { ...repository, models: () => new Promise<never>(() => undefined) };
    editor.will(person.writes('own/model'));
    const choosing = chooseModels(slow);
    await until(() => editor.shown.some(({ kind }) => kind === 'progress'), 'OpenCode is asked');
    cancelWork();
    await choosing;
    assert.deepEqual(remembered, [{ mainImplementer: 'own/model', councilMembers: ['acme/small'] }]);
  });
});
