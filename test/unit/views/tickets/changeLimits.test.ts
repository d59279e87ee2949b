import assert from 'node:assert/strict';
import { limitNames, limitsHash, limitsOf } from '../../../../src/domain/settings/limits.ts';
import { changeLimits } from '../../../../src/views/tickets/changeLimits.ts';
import { editor, person } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace, type TicketChanges } from '../../../support/fakes/ticketPlace.ts';

describe('the limits of a ticket', () => {
  const coding = (changes: TicketChanges = {}): FakePlace =>
    new FakePlace({ ticket: { status: 'CODING' }, actions: ['limits'], ...changes });
  function blocked(
    code: string,
    continuable: boolean,
    actions: TicketChanges['actions'] = ['limits', 'retry', 'continue'],
  ): FakePlace {
    const record = { code, args: {}, continuable, diagnostics: {} } as unknown as NonNullable<
      FakePlace['detail']['ticket']['error']
    >;
    return new FakePlace({
      ticket: { status: 'BLOCKED_ERROR', previousStatus: 'CODING', error: record },
      actions,
      error: { code, message: 'It blocked.', nextStep: '', continuable },
    });
  }
  const hashOf = (place: FakePlace): string => {
    const limits = limitsOf(place.detail.ticket);
    assert.ok(limits);
    return limitsHash(limits);
  };
  const values = (index: number): readonly unknown[] =>
    editor.shown[index]?.items.map(({ value }) => value) ?? [];

  it('are listed with their values, and can’t be saved before one changed', async () => {
    editor.will('leave');
    await changeLimits(coding());
    assert.deepEqual(values(0), [...limitNames, 'file']);
    const described = Object.fromEntries(
      (editor.shown[0]?.items ?? []).map(({ value, description }) => [String(value), description]),
    );
    assert.match(described['perIterationTimeout'] ?? '', /1,200 s/, 'times are in seconds');
    assert.equal(described['maxIterations'], '5');
  });

  it('are changed, with the hash of what the person saw', async () => {
    const place = coding();
    editor.will(
      person.picks('commandTimeout'),
      person.writes('30'),
      person.picks('tokenCap'),
      person.writes(' 500000 '),
      person.picks('save'),
    );
    await changeLimits(place);
    assert.deepEqual(place.sent, [
      [
        'limits',
        { baseSha256: hashOf(place), limits: { commandTimeout: 30_000, tokenCap: 500_000 }, reason: '' },
      ],
    ]);
    assert.match(
      editor.shown[2]?.items.find(({ value }) => value === 'commandTimeout')?.description ?? '',
      /600 s → 30 s/,
    );
    assert.equal(editor.said.length, 1);
  });

  it('take whole numbers of their range only', async () => {
    const place = coding();
    editor.will(
      person.picks('maxIterations'),
      ...['21', '-1', '2.5', 'many', ''].map(person.writes),
      person.writes('20'),
      person.picks('save'),
    );
    await changeLimits(place);
    assert.equal(editor.refusals.length, 5);
    assert.match(editor.refusals[0] ?? '', /0.*20/);
    assert.equal((place.sent[0]?.[1] as { limits: { maxIterations: number } }).limits.maxIterations, 20);
  });

  it('count as unchanged again when the old value is written', async () => {
    editor.will(
      person.picks('maxIterations'),
      person.writes('7'),
      person.picks('maxIterations'),
      person.writes('5'),
      'leave',
    );
    await changeLimits(coding());
    assert.ok(values(2).includes('save'));
    assert.ok(!values(4).includes('save'));
  });

  it('change nothing when the person leaves, at the list or at a value, and lead back from a value to the list', async () => {
    for (const answers of [
      ['leave'],
      [person.picks('maxIterations'), 'leave'],
      [person.picks('maxIterations'), 'back', 'leave'],
    ] as const) {
      const place = coding();
      editor.will(...answers);
      await changeLimits(place);
      assert.deepEqual([place.sent, editor.left], [[], 0]);
    }
  });

  it('ask first for the one that blocked the ticket, and retry with the new one', async () => {
    const place = blocked('BEAD_RETRY_BUDGET_EXHAUSTED', false);
    editor.will(person.writes('9'), person.picks('retry'));
    await changeLimits(place);
    assert.deepEqual(
      place.sent.map(([kind]) => kind),
      ['limits', 'retry'],
    );
    assert.deepEqual(values(1).slice(0, 4), ['retry', 'save', 'maxIterations', 'perIterationTimeout']);
    assert.match(editor.shown[1]?.items[2]?.label ?? '', /\$\(warning\)/);
  });

  it('continue in the same session where that loses nothing', async () => {
    const place = blocked('BUDGET_EXHAUSTED', true);
    editor.will(person.writes('1000000'), person.picks('continue'));
    await changeLimits(place);
    assert.deepEqual(place.sent.slice(1), [['continue', {}]]);
  });

  it('let a ticket that is paused by one continue, once it is above what is used', async () => {
    const error = {
      code: 'BUDGET_EXHAUSTED',
      args: {},
      continuable: true,
      diagnostics: { limit: 'beadTokenCap', used: 1_234.5 },
    } as const;
    const ticket = { status: 'CODING', hold: { kind: 'budget', since: 0, detail: '' }, error } as const;
    const place = new FakePlace({ ticket, actions: ['limits', 'resume'] });
    editor.will(person.writes('1234'), person.writes('1235'), person.picks('resume'));
    await changeLimits(place);
    assert.match(editor.refusals[0] ?? '', /1,235 are already used/);
    assert.deepEqual(place.sent, [
      ['limits', { baseSha256: hashOf(place), limits: { beadTokenCap: 1_235 }, reason: '' }],
      ['resume', {}],
    ]);
  });

  it('are only saved when the ticket can’t continue by itself', async () => {
    const place = blocked('BUDGET_EXHAUSTED', false, ['limits']);
    editor.will(person.writes('1000000'), 'leave');
    await changeLimits(place);
    assert.deepEqual(values(1).slice(0, 2), ['save', 'tokenCap']);
  });

  it('fail with the message of a driver that saw other limits, and continue nothing then', async () => {
    const place = blocked('BEAD_RETRY_BUDGET_EXHAUSTED', false);
    place.client.becomes = { state: 'refused', code: 'EDIT_CONFLICT', message: 'The limits changed.' };
    editor.will(person.writes('9'), person.picks('retry'));
    await assert.rejects(changeLimits(place), /The limits changed\./);
    assert.deepEqual(
      place.sent.map(([kind]) => kind),
      ['limits'],
    );
  });

  it('are none before the start', async () => {
    const draft = new FakePlace({ ticket: { status: 'DRAFT', limits: null, settings: null } });
    await assert.rejects(changeLimits(draft), { code: 'ACTION_NOT_ALLOWED' });
  });
});
