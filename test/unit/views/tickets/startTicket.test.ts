import assert from 'node:assert/strict';
import type { OpenRepository } from '../../../../src/views/shared/repositories.ts';
import { startTicket } from '../../../../src/views/tickets/startTicket.ts';
import { cancelWork, editor, person } from '../../../support/fakes/fakeEditor.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';
import { until } from '../../../support/until.ts';

const models = ['demo/main', 'demo/second', 'demo/third'].map((id) => ({ id, provider: 'Demo' }));

interface Start {
  readonly handoff?: string;
  readonly settings: {
    readonly depth: string;
    readonly mainImplementer: string;
    readonly councilMembers: readonly string[];
  };
  readonly limits: { readonly maxIterations: number };
  readonly baseBranch?: string;
}

describe('the start of a ticket', () => {
  const draft = (repository: Partial<OpenRepository> = {}): FakePlace =>
    new FakePlace(
      { ticket: { status: 'DRAFT' }, actions: ['start'] },
      { models: () => Promise.resolve(models), ...repository },
    );
  const started = (place: FakePlace): Start => {
    assert.deepEqual(
      place.sent.map(([kind]) => kind),
      ['start'],
    );
    return place.sent[0]?.[1] as Start;
  };
  const start = (place: FakePlace, depth?: 'full' | 'solo' | 'quick'): Promise<boolean> =>
    startTicket(place.repository, 'TST-1', depth);

  it('asks for depth, model and council where nothing is settled', async () => {
    const place = draft();
    editor.will(person.picks('full'), person.picks('demo/second'), person.picks('demo/main'));
    await start(place);
    const { settings, baseBranch } = started(place);
    assert.deepEqual(
      [settings.depth, settings.mainImplementer, settings.councilMembers],
      ['full', 'demo/second', ['demo/main']],
    );
    assert.equal(baseBranch, 'main');
    const council = editor.shown.findLast(({ kind }) => kind === 'pick');
    assert.deepEqual(
      council?.items.flatMap(({ label }) => (label.startsWith('demo/') ? label : [])),
      ['demo/main', 'demo/third'],
      'who codes sits in it anyway',
    );
  });

  it('offers the handoffs of completed tickets, and none where there is none', async () => {
    const place = draft();
    place.client.views = [ticketView({ id: 'TST-2', title: 'Before', status: 'COMPLETED' })];
    const lists = { patterns: [], gotchas: [], files: [], test_patterns: [], risks: [] };
    const decisions = [{ text: 'Dates are UTC.', evidence: ['src/dates.ts'] }];
    const handoff = {
      schema_version: 1,
      ticket_id: 'TST-2',
      artifact: 'handoff_report',
      ...lists,
      decisions,
    };
    place.client.documents.set('handoff_report', JSON.stringify(handoff));
    editor.will(person.picks('solo'), person.picks('demo/main'), person.picks('TST-2'));
    await start(place);
    assert.equal(started(place).handoff, 'TST-2');
  });

  it('suggests a depth first, says why, and estimates each from what was finished here', async () => {
    const place = draft();
    place.detail.ticket.title = 'Fix a typo';
    editor.will(person.picks('quick'), person.picks('demo/main'));
    await start(place);
    const items = editor.shown[0]?.items ?? [];
    assert.deepEqual(
      items.map(({ value }) => value),
      ['quick', 'full', 'solo'],
    );
    const [first] = items;
    assert.match(
      String(first?.description),
      /suggested: The description is short \(words: 5\)\. The ticket mentions “typo”\./,
    );
    assert.match(String(first?.detail), /5–40 calls, .* no price known \(no finished tickets here yet\)/);
    assert.equal(started(place).settings.depth, 'quick');
  });

  it('asks nothing that the settings say, and takes the limits from there', async () => {
    const place = draft({
      startSettings: () => ({
        mainImplementer: 'demo/main',
        councilMembers: ['demo/third'],
        settings: { interviewQuestions: 3 },
        limits: { maxIterations: 2 },
      }),
    });
    await start(place, 'full');
    assert.deepEqual(editor.shown, []);
    const { settings, limits } = started(place);
    assert.deepEqual([settings.councilMembers, limits.maxIterations], [['demo/third'], 2]);
  });

  it('asks for no council in a solo start', async () => {
    const place = draft();
    editor.will(person.picks('solo'), person.picks('demo/main'));
    await start(place);
    const { settings } = started(place);
    assert.deepEqual([settings.depth, settings.councilMembers], ['solo', []]);
    assert.equal(editor.shown.filter(({ kind }) => kind === 'pick').length, 2);
  });

  it('is solo when nobody else sits in the council', async () => {
    const place = draft();
    editor.will(person.picks('full'), person.picks('demo/main'), person.picks());
    await start(place);
    assert.equal(started(place).settings.depth, 'solo');
  });

  it('asks for the base only where the checkout is on another branch than the default, which comes first', async () => {
    const all = ['a', 'main', 'z'];
    const sure = draft({ branches: () => Promise.resolve({ all, usual: 'main', current: 'main' }) });
    editor.will(person.picks('demo/main'));
    await start(sure, 'solo');
    assert.equal(started(sure).baseBranch, 'main');

    editor.reset();
    const place = draft({ branches: () => Promise.resolve({ all, usual: 'main', current: 'z' }) });
    editor.will(person.picks('z'), person.picks('demo/main'));
    await start(place, 'solo');
    assert.deepEqual(
      editor.shown[0]?.items.map(({ value }) => value),
      ['main', 'z', 'a'],
    );
    assert.equal(started(place).baseBranch, 'z');
  });

  it('offers branches of tickets only to a person who asks for them', async () => {
    const all = ['main', 'ticket/TST-1', 'ticket/TST-2'];
    const place = draft({
      branches: () => Promise.resolve({ all, usual: 'ticket/TST-1', current: 'ticket/TST-1' }),
    });
    editor.will(person.picks(undefined), person.picks('ticket/TST-2'), person.picks('demo/main'));
    await start(place, 'solo');
    assert.deepEqual(
      editor.shown.slice(0, 2).map(({ items }) => items.map(({ value }) => value)),
      [
        ['main', undefined],
        ['ticket/TST-1', 'main', 'ticket/TST-2'],
      ],
    );
    assert.equal(started(place).baseBranch, 'ticket/TST-2');
  });

  it('asks for the base of a checkout that is on no branch, even if there is only one branch', async () => {
    const place = draft({ branches: () => Promise.resolve({ all: ['main'], usual: undefined }) });
    editor.will(person.picks('main'), person.picks('demo/main'));
    await start(place, 'solo');
    assert.equal(started(place).baseBranch, 'main');
  });

  it('asks where to start when the branch differs from the one of origin, and says how far', async () => {
    const place = draft({ apart: () => Promise.resolve({ ahead: 1, behind: 2 }) });
    editor.will(person.picks('origin/main'), person.picks('demo/main'));
    await start(place, 'solo');
    assert.match(editor.shown[0]?.items[0]?.description ?? '', /1 ahead of origin, 2 behind/);
    assert.equal(started(place).baseBranch, 'origin/main');
  });

  it('asks OpenCode for its models once, and leads back through the questions', async () => {
    let asked = 0;
    const place = draft({
      models: () => {
        asked++;
        return Promise.resolve(models);
      },
    });
    editor.will(
      person.picks('full'),
      person.picks('demo/main'),
      'back',
      'back',
      person.picks('full'),
      person.picks('demo/third'),
      person.picks('demo/main'),
    );
    await start(place);
    assert.deepEqual([asked, started(place).settings.mainImplementer], [1, 'demo/third']);
  });

  it('lets a person who doesn’t want to wait for the models type one', async () => {
    const place = draft({ models: () => new Promise(() => undefined) });
    editor.will(person.picks('solo'), person.writes('no model'), person.writes('demo/own'));
    const starting = start(place);
    await until(() => editor.shown.some(({ kind }) => kind === 'progress'), 'OpenCode is asked');
    cancelWork();
    await starting;
    assert.equal(editor.refusals.length, 1);
    assert.equal(started(place).settings.mainImplementer, 'demo/own');
  });

  it('leaves the ticket a draft when the person leaves', async () => {
    const place = draft();
    editor.will(person.picks('solo'), 'leave');
    await start(place);
    assert.deepEqual(place.sent, []);
    assert.match(editor.said[0] ?? '', /TST-1/);
  });

  it('needs a commit to start from', async () => {
    const place = draft({ branches: () => Promise.resolve({ all: [], usual: undefined }) });
    await assert.rejects(start(place), { code: 'NO_COMMITS' });
  });

  it('offers to remember models that were chosen, once the ticket runs', async () => {
    const remembered: unknown[] = [];
    const rememberModels = (chosen: unknown): Promise<void> => {
      remembered.push(chosen);
      return Promise.resolve();
    };
    const place = draft({ rememberModels });
    editor.will(person.picks('demo/main'), person.picks('demo/third'), person.presses(0));
    await start(place, 'full');
    await until(() => remembered.length > 0, 'the models are remembered');
    assert.deepEqual(remembered, [{ mainImplementer: 'demo/main', councilMembers: ['demo/third'] }]);

    const solo = draft({ rememberModels });
    editor.will(person.picks('demo/main'), person.presses(0));
    await start(solo, 'solo');
    await until(() => remembered.length > 1, 'the model is remembered');
    assert.deepEqual(remembered[1], { mainImplementer: 'demo/main' });
  });
});
