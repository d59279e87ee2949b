import assert from 'node:assert/strict';
import fc from 'fast-check';
import { inboxBodies, type InboxKind } from '../../../../src/domain/ticket/inbox.ts';
import { FromPage, type RequestContract } from '../../../../src/protocol/pages/frame.ts';
import { ticketPage as contract } from '../../../../src/protocol/pages/ticket.ts';
import { definePage } from '../../../../src/views/pages/pageKind.ts';
import { ticketPage } from '../../../../src/views/pages/ticketPage.ts';
import type { Workbench } from '../../../../src/views/shared/workbench.ts';
import { editor } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';
import { TalkingPage } from '../../../support/pages/talkingPage.ts';
import { until } from '../../../support/until.ts';

const page = definePage(ticketPage);
function kindsOf({ params }: RequestContract): readonly InboxKind[] {
  const all = Object.keys(inboxBodies) as readonly InboxKind[];
  return all.filter((kind) => params.safeParse({ kind, body: {} }).success);
}

const ofEveryObject = Object.getOwnPropertyNames(Object.prototype);
const long = 'x'.repeat(1_000_000);
const deep = Array.from({ length: 500 }).reduce<unknown>((below) => ({ below }), null);

/** Parameters that no request takes as they are; `{}` and null are some requests' own. */
const hostile: readonly unknown[] = [
  undefined,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  'x',
  long,
  [],
  [[]],
  [null],
  deep,
  JSON.parse('{"__proto__": {"artifact": "prd", "command": "approve", "request": "r", "allow": true}}'),
  { constructor: { prototype: {} }, toString: 'x' },
  {
    command: ['approve'],
    request: { toString: 'r' },
    allow: 'yes',
    answers: 'all',
    note: 7,
    reason: null,
    id: {},
    part: '__proto__',
  },
  {
    artifact: 'constructor',
    sha256: 'A'.repeat(64),
    version: '1',
    bead: '../../x',
    iteration: -1,
    batch: 0,
    baseSha256: '',
  },
  { request: '', allow: true, command: long, id: long, note: long, reason: long, bead: long, artifact: long },
];

describe('what a page may ask for', () => {
  let place: FakePlace;
  const workbench = { logError: () => undefined } as unknown as Workbench;
  const serve = (method: string, params: unknown) => page.serve(method, params, place, workbench);

  beforeEach(() => {
    editor.reset();
    place = new FakePlace({ ticket: { status: 'WAITING_PRD_APPROVAL' } });
  });

  for (const [method, request] of Object.entries<RequestContract>(contract.requests))
    it(`is refused with its code when ${method} carries something else, and nothing is done`, async () => {
      const refused = hostile.filter((params) => !request.params.safeParse(params).success);
      assert.ok(refused.length >= 12, 'most of it is refused');
      for (const params of refused)
        await assert.rejects(serve(method, params), { code: 'INVALID_INPUT' }, method);
      assert.deepEqual([place.sent, editor.ran, editor.opened, editor.shown], [[], [], [], []]);
    });

  it('is refused when the body of an action is anything else, and nothing is done', async () => {
    for (const kind of kindsOf(contract.requests.act))
      for (const body of hostile.filter((one) => !inboxBodies[kind].safeParse(one).success))
        await assert.rejects(serve('act', { kind, body }), { code: 'INVALID_INPUT' }, kind);
    assert.deepEqual([place.sent, editor.ran, editor.opened, editor.shown], [[], [], [], []]);
  });

  it('is nothing that every object has', async () => {
    for (const method of [...ofEveryObject, '', ' approve', 'APPROVE', 'requests', 'length'])
      await assert.rejects(serve(method, null), { code: 'INVALID_INPUT' }, method);
    assert.ok(![...ofEveryObject, ''].some((method) => page.isReadOnly(method)));
  });

  it('keeps texts of people whole, whatever letters are in them, up to their limit', async () => {
    const text = `${'\u202E🙂\0\r\n"\\'.repeat(100)}${ofEveryObject.join()}`;
    const act = (kind: string, body: unknown) => serve('act', { kind, body });
    await act('regenerate', { note: text });
    await act('skip', { reason: text });
    assert.deepEqual(place.sent, [
      ['regenerate', { note: text }],
      ['skip', { reason: text }],
    ]);
    const tooLong = 'x'.repeat(20_001);
    await assert.rejects(act('regenerate', { note: tooLong }), { code: 'INVALID_INPUT' });
  });

  it('is refused where it names something that isn’t there', async () => {
    for (const id of ['unknown', ...ofEveryObject])
      for (const [method, params] of [
        ['call', { id }],
        ['copyCall', { id, part: 'input' }],
        ['run', { command: id }],
      ] as const)
        await assert.rejects(serve(method, params), { code: 'STATUS_CONFLICT' }, `${method} ${id}`);
    assert.deepEqual(await serve('decision', { request: 'unknown', since: 0 }), { decision: null });
    assert.deepEqual([place.sent, editor.ran, editor.clipboard], [[], [], '']);
  });
});

describe('a page and the extension that get any message at all', () => {
  let page: TalkingPage;
  const anything = fc.anything({
    withNullPrototype: true,
    withBigInt: true,
    withDate: true,
    withMap: true,
    maxDepth: 3,
  });
  const almost = fc.record(
    {
      type: fc.constantFrom(
        'request',
        'draft',
        'crashed',
        'ready',
        'answer',
        'state',
        'hint',
        'drafts',
        'draftsStored',
        '__proto__',
      ),
      id: fc.oneof(fc.integer({ min: -5, max: 1_000_000 }), anything),
      method: fc.oneof(fc.constantFrom('shout', 'look', ...ofEveryObject), anything),
      params: anything,
      key: anything,
      value: anything,
      ok: fc.oneof(fc.boolean(), anything),
      state: anything,
      drafts: anything,
    },
    { requiredKeys: ['type'] },
  );

  beforeEach(() => (page = new TalkingPage()));
  afterEach(() => {
    page.session.dispose();
    page.link.close();
  });

  it('answer each request exactly once, and continue as if nothing had happened', async () => {
    let id = 1_000;
    const asked: number[] = [];
    fc.assert(
      fc.property(fc.oneof(anything, almost), fc.boolean(), (message, isRequest) => {
        const wrong =
          typeof message === 'object' && message !== null && isRequest
            ? { ...message, type: 'request', id: ++id }
            : message;
        // Whatever is a valid draft or a valid answer is none of this.
        const { success, data } = FromPage.safeParse(wrong);
        if (success && data.type !== 'request') return;
        if (isRequest && wrong !== message) asked.push(id);
        page.session.receive(wrong);
      }),
      { numRuns: 500 },
    );
    await until(() => asked.every((one) => page.answersTo(one).length > 0), 'everything is answered');
    for (const one of asked) {
      const [answer, ...others] = page.answersTo(one);
      assert.deepEqual(others, []);
      if (answer?.type === 'answer' && !answer.ok) assert.equal(answer.error.code, 'INVALID_INPUT');
    }
    page.link.ready();
    await until(() => page.link.shown?.kind === 'content', 'it is shown');
    assert.deepEqual(await page.link.request('shout', { text: 'still here' }), { text: 'STILL HERE' });
  });

  it('show what they showed before, and keep the drafts and requests they had', async () => {
    page.link.ready();
    await until(() => page.link.shown?.kind === 'content', 'it is shown');
    page.link.draftStore.set('answer', 'half');
    await until(() => page.drafts.drafts['answer'] === 'half', 'it is stored');
    const waiting = page.link.request('wait', null);
    fc.assert(
      fc.property(fc.oneof(anything, almost), (message) => {
        const { type, id } = fieldsOf(message);
        // The request that waits is the first of this page. An answer to it settles it, whatever the answer
        // says.
        const settles = type === 'answer' && id === 1;
        if (type !== 'state' && type !== 'drafts' && type !== 'draftsStored' && !settles)
          page.link.receive(message);
      }),
      { numRuns: 500 },
    );
    for (const drafts of [null, [], 'x', 7]) page.link.receive({ type: 'drafts', drafts });
    assert.equal(page.link.draftStore.get('answer'), 'half');
    assert.deepEqual(page.link.shown, { kind: 'content', state: { text: 'first' }, refusal: '' });
    page.released.resolve(null);
    assert.equal(await waiting, null);
  });
});

function fieldsOf(message: unknown): { readonly type: unknown; readonly id: unknown } {
  if (typeof message !== 'object' || message === null) return { type: undefined, id: undefined };
  return { type: Reflect.get(message, 'type'), id: Reflect.get(message, 'id') };
}
