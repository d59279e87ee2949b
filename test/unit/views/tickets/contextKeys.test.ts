import assert from 'node:assert/strict';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import type { DrivingMode } from '../../../../src/protocol/api.ts';
import type { Readiness, Repositories } from '../../../../src/views/shared/repositories.ts';
import { Board } from '../../../../src/views/tickets/board.ts';
import { setContextKeys, setDocumentsAtGate } from '../../../../src/views/tickets/contextKeys.ts';
import { everything } from '../../../../src/views/tickets/tree/ticketFilter.ts';
import { TicketList } from '../../../../src/views/tickets/tree/ticketList.ts';
import { FakeClient, ticketView } from '../../../support/fakes/fakeClient.ts';
import { editor } from '../../../support/fakes/fakeEditor.ts';
import { FakeRepositories, openRepository } from '../../../support/fakes/fakeRepositories.ts';

describe('what menus and welcome texts depend on', () => {
  let repositories: FakeRepositories;
  let board: Board;
  let list: TicketList;
  const found: Readiness = { hasCommits: true, opencode: 'found' };

  beforeEach(() => {
    repositories = new FakeRepositories();
    board = new Board(repositories);
    list = new TicketList({ get: () => undefined, set: () => Promise.resolve() });
  });
  afterEach(() => board.dispose());

  async function keys(
    view: { readonly isEmpty?: boolean; readonly readiness?: Readiness } = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    editor.ran.length = 0;
    await setContextKeys(
      { repositories, board, list },
      { isEmpty: view.isEmpty ?? false, readiness: view.readiness },
    );
    return Object.fromEntries(editor.ran.map(([, key, value]) => [String(key), value] as const));
  }

  async function open(tickets: FakeClient['views'], mode: DrivingMode = 'driver'): Promise<FakeClient> {
    const client = new FakeClient({ mode });
    client.views = tickets;
    repositories.show(client);
    await board.refresh();
    return client;
  }

  for (const state of [
    'idle',
    'opening',
    'noFolder',
    'noRepository',
  ] as const satisfies readonly Repositories['state'][])
    it(`are ${state} as long as no repository is open`, async () => {
      repositories.state = state;
      assert.equal((await keys())['beadsmith.state'], state);
    });

  for (const [readiness, state] of [
    [undefined, 'empty'],
    [found, 'empty'],
    [{ hasCommits: false, opencode: 'missing' }, 'noCommits'],
    [{ ...found, opencode: 'missing' }, 'noOpencode'],
    [{ ...found, opencode: 'otherVersion' }, 'otherOpencode'],
  ] as const)
    it(`say ${state} of a repository without tickets that is ${JSON.stringify(readiness ?? 'not checked')}`, async () => {
      await open([]);
      assert.equal(
        (await keys({ isEmpty: true, ...(readiness && { readiness }) }))['beadsmith.state'],
        state,
      );
    });

  it('are ready where there are tickets, and where a repository can’t be read: its row says why', async () => {
    await open([ticketView()]);
    assert.equal(
      (await keys({ readiness: { hasCommits: false, opencode: 'missing' } }))['beadsmith.state'],
      'ready',
    );
    repositories.fail('/sample', new BeadsmithError('DISK_FULL'));
    await board.refresh();
    assert.equal((await keys())['beadsmith.state'], 'ready');
  });

  it('name each command that makes sense for some ticket, and none that makes sense for none', async () => {
    await open([
      ticketView({ status: 'WAITING_PRD_APPROVAL' }),
      ticketView({ id: 'TST-2', status: 'COMPLETED' }),
    ]);
    const { 'beadsmith.offered': offered } = await keys();
    assert.match(String(offered), /^;(?:\w+;)*approve;(?:\w+;)*$/);
    assert.doesNotMatch(String(offered), /;(?:start|merge|retry|fixGaps|acceptBead);/);
    await open([]);
    assert.equal((await keys())['beadsmith.offered'], ';;', 'known, and none');
  });

  it('tell a filter that hides everything from a repository that has nothing', async () => {
    await open([ticketView()]);
    await list.show({ ...everything, text: 'nothing has this' });
    const filtered = await keys({ isEmpty: true });
    assert.deepEqual([filtered['beadsmith.isFiltered'], filtered['beadsmith.nothingMatches']], [true, true]);
    await open([]);
    assert.equal((await keys({ isEmpty: true }))['beadsmith.nothingMatches'], false);
  });

  it('say that another window drives, and that no model is set anywhere', async () => {
    await open([ticketView()], 'follower');
    const following = await keys();
    assert.deepEqual([following['beadsmith.isFollower'], following['beadsmith.noModel']], [true, true]);
    const client = new FakeClient();
    const startSettings = () => ({ mainImplementer: 'demo/main', settings: {}, limits: {} });
    repositories.entries = [
      {
        kind: 'open',
        root: '/sample',
        name: 'sample',
        repository: openRepository(client, { startSettings }),
      },
    ];
    assert.equal((await keys())['beadsmith.noModel'], false);
    repositories.entries = [];
    assert.equal((await keys())['beadsmith.noModel'], false, 'nothing is open');
  });

  it('list the documents that a gate asks to be approved', async () => {
    await setDocumentsAtGate(['beadsmith://sample/TST-1/prd.yaml']);
    assert.deepEqual(editor.ran, [
      ['setContext', 'beadsmith.documentsAtGate', ['beadsmith://sample/TST-1/prd.yaml']],
    ]);
  });
});
