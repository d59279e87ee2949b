import assert from 'node:assert/strict';
import { DataTransfer, DataTransferItem } from 'vscode';
import { ticketTextHash } from '../../../../../src/domain/ticket/ticket.ts';
import type { Workbench } from '../../../../../src/views/shared/workbench.ts';
import { draggedType } from '../../../../../src/views/tickets/ticketsViewId.ts';
import { type Node, Nodes } from '../../../../../src/views/tickets/tree/nodes.ts';
import { TicketDrag } from '../../../../../src/views/tickets/tree/ticketDrag.ts';
import { TicketList } from '../../../../../src/views/tickets/tree/ticketList.ts';
import { Board } from '../../../../../src/views/tickets/board.ts';
import { editor } from '../../../../support/fakes/fakeEditor.ts';
import { ticketView } from '../../../../support/fakes/fakeClient.ts';
import { FakeRepositories } from '../../../../support/fakes/fakeRepositories.ts';
import { FakePlace } from '../../../../support/fakes/ticketPlace.ts';

describe('dragging tickets', () => {
  const nodes = new Nodes();
  const ticket = (id: string): Node => nodes.ticket('/sample', id);
  let place: FakePlace;
  let repositories: FakeRepositories;
  let board: Board;
  let list: TicketList;
  let drag: TicketDrag;

  beforeEach(async () => {
    place = new FakePlace({ ticket: { status: 'DRAFT' } });
    place.client.views = [
      ticketView({ id: 'TST-1', priority: 3 }),
      ticketView({ id: 'TST-2', priority: 1 }),
      ticketView({ id: 'TST-3', priority: 1, status: 'CODING', column: 'In Progress' }),
      ticketView({ id: 'TST-4', priority: 3 }),
    ];
    repositories = new FakeRepositories();
    board = new Board(repositories);
    repositories.show(place.client);
    await board.refresh();
    list = new TicketList({ get: () => undefined, set: () => Promise.resolve() });
    const logError = (_what: string, error: unknown): void => assert.fail(String(error));
    drag = new TicketDrag({ board, list, repositories, logError } as unknown as Workbench);
  });
  afterEach(() => board.dispose());

  const drop = async (dragged: readonly Node[], onto: Node | undefined): Promise<void> => {
    const data = new DataTransfer();
    drag.handleDrag(dragged, data);
    await drag.handleDrop(onto, data);
  };

  it('onto another gives a draft its priority, and changes no word of it', async () => {
    await drop([ticket('TST-1')], ticket('TST-2'));
    const { title, description } = place.detail.ticket;
    assert.deepEqual(place.client.sent, [
      {
        ticket: 'TST-1',
        kind: 'edit',
        body: {
          artifact: 'ticket',
          baseSha256: ticketTextHash({ title, description }),
          content: JSON.stringify({ title, description, priority: 1 }),
          surface: 'structured',
        },
      },
    ]);
  });

  it('says why nothing changes: another order, a started ticket, another column, the same priority', async () => {
    await drop([ticket('TST-3')], ticket('TST-2'));
    await drop([ticket('TST-1')], ticket('TST-3'));
    await drop([ticket('TST-1')], nodes.column('/sample', 'To Do'));
    await drop([ticket('TST-1')], ticket('TST-4'));
    await list.sort('updated');
    await drop([ticket('TST-1')], ticket('TST-2'));
    assert.deepEqual(place.client.sent, []);
    const drafts = 'Drafts can be dragged onto other drafts, and take their priority.';
    assert.deepEqual(
      editor.shown.map(({ text }) => text),
      [
        drafts,
        drafts,
        drafts,
        'TST-1 already has priority 3.',
        'Sort tickets by priority to change their order.',
      ],
    );
  });

  it('takes nothing that another extension put there, and does nothing in an untrusted folder', async () => {
    const data = new DataTransfer();
    data.set(draggedType, new DataTransferItem([{ root: '/sample', ticket: 'TST-1', kind: 'ticket' }]));
    await drag.handleDrop(ticket('TST-2'), data);
    repositories.trusted = false;
    await drop([ticket('TST-1')], ticket('TST-2'));
    assert.deepEqual(place.client.sent, []);
  });
});
