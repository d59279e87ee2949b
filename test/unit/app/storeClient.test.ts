import assert from 'node:assert/strict';
import { EventBus } from '../../../src/app/eventBus.ts';
import { StoreClient } from '../../../src/app/storeClient.ts';
import { planHash } from '../../../src/domain/beads/beadPlan.ts';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import { Settings, Limits } from '../../../src/domain/settings/settings.ts';
import { FakeDiffs } from '../../support/fakes/fakeDiffs.ts';
import { moveTicket } from '../../support/engine/moveTicket.ts';
import { tempStores } from '../../support/engine/tempStore.ts';
import { testClient } from '../../support/engine/testClient.ts';
import { noForge } from '../../support/fakes/noForge.ts';
import { todaysPrompts } from '../../support/engine/todaysPrompts.ts';

const settings = Settings.parse({ mainImplementer: 'tiny/one' });
const limits = Limits.parse({});

const parts = {
  events: new EventBus(),
  stateFolder: '/nowhere',
  diffs: new FakeDiffs(),
  forges: noForge,
  today: todaysPrompts(),
  elsewhere: () => Promise.resolve([]),
  randomId: () => 'e1',
  naming: () => Promise.resolve({ prefix: 'TST', atLeast: 7 }),
};

describe('StoreClient', () => {
  const makeStore = tempStores();

  it('files a ticket once for a key, with the next free number', async () => {
    const client = testClient(makeStore().store);
    const first = await client.create({ title: 'First', key: 'k' });
    const again = await client.create({ title: 'Another title', key: 'k' });
    const second = await client.create({ title: 'Second' });
    assert.deepEqual([first.id, again.id, again.title, second.id], ['TST-1', 'TST-1', 'First', 'TST-2']);
  });

  it('remembers the issue that a ticket was imported from', async () => {
    const client = testClient(makeStore().store);
    const origin = {
      kind: 'issue',
      host: 'github.com',
      owner: 'octo',
      name: 'sample',
      number: 12,
      url: 'https://github.com/octo/sample/issues/12',
    } as const;
    const { id } = await client.create({ title: 'Bill', key: 'k', origin });
    assert.deepEqual((await client.ticket(id)).ticket.origin, origin);
    await assert.rejects(client.create({ title: 'Bill', origin: { ...origin, number: 0 } }), {
      code: 'INVALID_INPUT',
    });
  });

  it('takes titles that look like options or paths as what they are: texts', async () => {
    const client = testClient(makeStore().store);
    for (const title of ['--upload-pack=x', '../../x', '$(touch x)'])
      assert.equal((await client.create({ title, description: title })).title, title);
  });

  it('refuses control characters, a megabyte of text and an impossible priority, saying where', async () => {
    const client = testClient(makeStore().store);
    const bad = [
      [{ title: 'a\u0007b' }, /title/],
      [{ title: 'two\nlines' }, /title/],
      [{ title: 'x', description: 'a\u0000b' }, /description/],
      [{ title: 'x', description: 'x'.repeat(1_000_001) }, /1,000,000/],
      [{ title: ' ' }, /needs a title/],
      [{ title: 'x', priority: 9 }, /priority/],
    ] as const;
    for (const [input, said] of bad)
      await assert.rejects(
        client.create(input),
        (error) =>
          error instanceof BeadsmithError && error.code === 'INVALID_INPUT' && said.test(error.message),
      );
    assert.deepEqual(await client.tickets(), []);
  });

  it('names an unknown ticket, however odd its id is', async () => {
    const client = testClient(makeStore().store);
    for (const id of ['TST-9', '../../x', `\u001B[31m${'x'.repeat(100)}`])
      await assert.rejects(
        client.ticket(id),
        (error) =>
          error instanceof BeadsmithError && error.code === 'TICKET_UNKNOWN' && !/\u001B/.test(error.message),
      );
  });

  it('files an action once for an id and reports its result', async () => {
    const { store } = makeStore();
    const client = testClient(store);
    const { id } = await client.create({ title: 'A ticket' });
    const acts: unknown[] = [];
    client.onDidAct((act) => acts.push(act));
    const posted = await client.act(id, 'start', { settings, limits }, 'my-id');
    await client.act(id, 'start', { settings, limits }, 'my-id');
    assert.equal(posted.id, 'my-id');
    assert.deepEqual(acts, [{ ticket: id, kind: 'start' }], 'reported once, to this process');
    assert.equal((await store.inbox(id)).length, 1);
    assert.equal(await client.outcome(id, 'my-id'), undefined);
    await store.commit({
      ticket: id,
      journal: [{ kind: 'inbox', id: 'my-id', outcome: 'refused', reason: 'NO_COMMITS' }],
      changes: [
        {
          type: 'inbox',
          id: 'my-id',
          state: 'refused',
          outcome: { code: 'NO_COMMITS', message: 'No commits.' },
        },
      ],
    });
    assert.deepEqual(await client.outcome(id, 'my-id'), {
      state: 'refused',
      code: 'NO_COMMITS',
      message: 'No commits.',
    });
  });

  it('refuses a loop that no command could prove before it is filed, and says what to do', async () => {
    const { store } = makeStore();
    const client = testClient(store);
    const { id } = await client.create({ title: 'A loop', description: 'Tidy up.' });
    const start = (loop: { readonly tests: string[]; readonly noTests: string }) =>
      client.act(id, 'start', {
        settings: { ...settings, depth: 'loop' },
        limits,
        loop: { setup: [], ...loop },
      });
    assert.deepEqual(await client.projectChecks(), []);
    await assert.rejects(
      start({ tests: [], noTests: '' }),
      (error) =>
        error instanceof BeadsmithError &&
        error.code === 'LOOP_UNPROVED' &&
        /test commands, or say why/.test(error.nextStep),
    );
    assert.deepEqual(await store.inbox(id), []);
    await start({ tests: [], noTests: 'Only text.' });
    assert.equal((await store.inbox(id)).length, 1);
  });

  it('acknowledges the same entry again although the ticket has moved on', async () => {
    const { store } = makeStore();
    const client = testClient(store);
    const { id } = await client.create({ title: 'A ticket' });
    await client.act(id, 'start', { settings, limits }, 'once');
    await moveTicket(store, id, 'SCANNING_RELEVANT_FILES');
    assert.deepEqual(await client.act(id, 'start', { settings, limits }, 'once'), { id: 'once' });
  });

  it('refuses what the status has no action for, naming what is possible', async () => {
    const client = testClient(makeStore().store);
    const { id } = await client.create({ title: 'A ticket' });
    await assert.rejects(
      client.act(id, 'merge', {}),
      (error) =>
        error instanceof BeadsmithError &&
        error.code === 'ACTION_NOT_ALLOWED' &&
        error.nextStep.includes('start'),
    );
  });

  it('refuses bodies of the wrong shape and control characters in any text, and files nothing', async () => {
    const { store } = makeStore();
    const client = testClient(store);
    const { id } = await client.create({ title: 'A ticket' });
    await moveTicket(store, id, 'WAITING_PRD_APPROVAL');
    const invalid = (error: unknown): boolean =>
      error instanceof BeadsmithError && error.code === 'INVALID_INPUT';
    await assert.rejects(client.act(id, 'approve', { sha256: 'short', reason: '' }), invalid);
    await assert.rejects(client.act(id, 'regenerate', { note: 'a\u001B[2Jb' }), invalid);
    await assert.rejects(client.act(id, 'context', { text: 'x'.repeat(1_000_000), scope: 'once' }), invalid);
    assert.deepEqual(await store.inbox(id), []);
  });

  it('completes the settings of a start and asks whether the repository suits it', async () => {
    const { store } = makeStore();
    const asked: unknown[] = [];
    const client = new StoreClient({
      store,
      repository: { root: '/x', name: 'x', mode: 'driver', reason: '' },
      ...parts,
      checkStart: (body) => {
        asked.push(body.baseBranch);
        return Promise.resolve('chosen');
      },
    });
    const { id } = await client.create({ title: 'A ticket' });
    assert.equal(id, 'TST-7');
    await client.act(id, 'start', {
      settings: { ...settings, depth: 'solo', councilMembers: ['a/b'] },
      limits,
      baseBranch: 'next',
    });
    assert.deepEqual(asked, ['next']);
    const [entry] = await store.inbox(id);
    const body = entry?.body as { settings: Settings; baseBranch: string };
    assert.deepEqual([body.settings.councilMembers, body.settings.minCouncilQuorum], [[], 1]);
    assert.equal(body.baseBranch, 'chosen', 'the driver may have another checkout');
  });

  it('offers to create a pull request only where a remote is on a forge, as it is right now', async () => {
    const { store } = makeStore();
    let isThere = false;
    const client = new StoreClient({
      store,
      repository: { root: '/x', name: 'x', mode: 'driver', reason: '' },
      ...parts,
      forges: { ...noForge, isThere: () => Promise.resolve(isThere) },
      checkStart: () => Promise.resolve('main'),
    });
    const { id } = await client.create({ title: 'A ticket' });
    await moveTicket(store, id, 'WAITING_PR_REVIEW');
    const offers = async (): Promise<readonly boolean[]> =>
      [...(await client.tickets()), (await client.ticket(id)).view].map(({ actions }) =>
        actions.includes('create_pull_request'),
      );
    assert.deepEqual(await offers(), [false, false]);
    isThere = true;
    assert.deepEqual(await offers(), [true, true]);
  });

  it('files nothing where tickets can only be read, and says why', async () => {
    const { store } = makeStore();
    const { id } = await testClient(store).create({ title: 'A ticket' });
    const reader = new StoreClient({
      store,
      repository: { root: '/x', name: 'x', mode: 'readOnly', reason: 'Somebody else made them.' },
      ...parts,
      checkStart: () => Promise.resolve('main'),
    });
    const refused = { code: 'DATABASE_READ_ONLY', message: /Somebody else made them/ };
    await assert.rejects(reader.create({ title: 'Another' }), refused);
    await assert.rejects(reader.act(id, 'cancel', { reason: '', deleteWorktree: false }), refused);
    assert.deepEqual([(await reader.tickets()).length, await store.inbox(id)], [1, []]);
  });

  it('refuses an edit of a draft that is no ticket', async () => {
    const client = testClient(makeStore().store);
    const { id } = await client.create({ title: 'A ticket' });
    const edit = (content: string) =>
      client.act(id, 'edit', { artifact: 'ticket', baseSha256: null, content, surface: 'structured' });
    await assert.rejects(edit('not json'), { code: 'INVALID_INPUT' });
    await assert.rejects(edit(JSON.stringify({ title: '' })), { code: 'INVALID_INPUT' });
    await edit(JSON.stringify({ title: 'Better', description: 'More' }));
  });

  it('shows at a gate what is to be approved, with the hash an approval must carry', async () => {
    const { store } = makeStore();
    const client = testClient(store);
    const { id } = await client.create({ title: 'A ticket' });
    await store.commit({
      ticket: id,
      journal: [],
      changes: [{ type: 'artifact', artifact: 'prd', content: 'first', status: 'DRAFTING_PRD', attempt: 1 }],
    });
    await store.commit({
      ticket: id,
      journal: [],
      changes: [{ type: 'artifact', artifact: 'prd', content: 'second', status: 'DRAFTING_PRD', attempt: 1 }],
    });
    await moveTicket(store, id, 'WAITING_PRD_APPROVAL');
    const { gate } = await client.ticket(id);
    const present = await client.artifact(id, 'prd');
    assert.equal(present?.content, 'second');
    assert.deepEqual(gate, { artifact: 'prd', sha256: present.info.sha256 });
    assert.equal((await client.artifact(id, 'prd', 1))?.content, 'first');
    await moveTicket(store, id, 'WAITING_BEADS_APPROVAL');
    assert.deepEqual((await client.ticket(id)).gate, { artifact: 'beads', sha256: planHash([]) });
    await moveTicket(store, id, 'CODING');
    assert.equal((await client.ticket(id)).gate, null);
  });

  it('says whether nothing works on a ticket', async () => {
    const { store } = makeStore();
    const client = testClient(store);
    const { id } = await client.create({ title: 'A ticket' });
    const ready = async (): Promise<boolean> => (await client.ticket(id)).idle;
    assert.equal(await ready(), true, 'a draft waits for its start');
    await client.act(id, 'start', { settings, limits }, 's');
    assert.equal(await ready(), false, 'a start lies in the inbox');
    await moveTicket(store, id, 'CODING');
    assert.equal(await ready(), false, 'an automatic status works');
    await moveTicket(store, id, 'WAITING_PRD_APPROVAL');
    assert.equal(await ready(), false, 'nobody has entered the gate yet');
    const snapshot = { ...(await client.ticket(id)).ticket, attempt: 1, artifacts: {} };
    const run = {
      id: 'r1',
      ticket: id,
      status: 'WAITING_PRD_APPROVAL',
      attempt: 1,
      parent: null,
      handlerVersion: 1,
      snapshot,
      limits,
    } as const;
    await store.commit({
      ticket: id,
      journal: [
        { kind: 'run.opened', run },
        { kind: 'step.intent', run: 'r1', key: 'fix' },
      ],
    });
    assert.equal(await ready(), false, 'the gate works on gaps');
    await store.commit({ ticket: id, journal: [{ kind: 'step.done', run: 'r1', key: 'fix', result: null }] });
    assert.equal(await ready(), true, 'the gate waits');
    await client.act(id, 'context', { text: 'By the way', scope: 'once' });
    assert.equal(await ready(), true, 'context is for whoever comes next');
    await client.act(id, 'regenerate', { note: '' }, 'f');
    assert.equal(await ready(), false, 'regenerate is pending');
  });
});
