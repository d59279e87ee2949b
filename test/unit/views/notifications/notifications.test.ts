import assert from 'node:assert/strict';
import { ticketView as viewOf } from '../../../../src/app/tickets/ticketView.ts';
import type { Disposable } from '../../../../src/base/disposable.ts';
import { approvedKinds } from '../../../../src/domain/documents/workDocuments.ts';
import { rowOf, type Status, statuses } from '../../../../src/domain/workflow/workflow.ts';
import { documentAddress } from '../../../../src/protocol/documents.ts';
import type { NotificationKind } from '../../../../src/protocol/attention.ts';
import { notifications } from '../../../../src/views/notifications/notifications.ts';
import type { TicketPlace, Workbench } from '../../../../src/views/shared/workbench.ts';
import { Board } from '../../../../src/views/tickets/board.ts';
import { editor, Uri, window } from '../../../support/fakes/fakeEditor.ts';
import { FakeRepositories } from '../../../support/fakes/fakeRepositories.ts';
import { FakePlace, ticketDetail } from '../../../support/fakes/ticketPlace.ts';
import { until } from '../../../support/until.ts';
import { sampleSummary } from '../../../support/samples.ts';

const gates = statuses.filter((status) => rowOf(status).kind === 'gate' && rowOf(status).role !== 'draft');

describe('a notification of a ticket that needs a person', () => {
  let repositories: FakeRepositories;
  let board: Board;
  let shown: Disposable;
  /** The ticket whose page is in front. */
  let front: string | undefined;
  let reads: number;
  const muted = new Set<NotificationKind>();
  const failures: unknown[] = [];

  beforeEach(() => {
    repositories = new FakeRepositories();
    board = new Board(repositories);
    front = undefined;
    reads = 0;
    muted.clear();
    failures.length = 0;
    shown = notifications({
      board,
      repositories,
      notifications: {
        wants: (kind: NotificationKind) => !muted.has(kind),
        mute: (kind: NotificationKind) => Promise.resolve(void muted.add(kind)),
      },
      showsPage: ({ ticket }: TicketPlace) => front === ticket,
      logError: (_what: string, error: unknown) => failures.push(error),
    } as unknown as Workbench);
  });
  afterEach(() => {
    shown.dispose();
    board.dispose();
    assert.deepEqual(failures, []);
    assert.equal(editor.left, 0, 'every answer was asked for');
  });

  async function reach(status: Status, artifact = 'prd'): Promise<FakePlace> {
    const view = viewOf(
      sampleSummary({ status, previousStatus: 'CODING', beadsDone: 1, beadsTotal: 1, updatedAt: Date.now() }),
    );
    const place = new FakePlace();
    place.detail = {
      ...ticketDetail({ ticket: { status }, gate: { artifact, sha256: 'a'.repeat(64) } }),
      view,
    };
    place.client.views = [view];
    place.client.ticket = () => {
      reads += 1;
      return Promise.resolve(place.detail);
    };
    repositories.show(place.client);
    return place;
  }

  async function settled(): Promise<void> {
    await until(() => reads === 2, 'the ticket was read twice');
    await new Promise((resolve) => setImmediate(resolve));
  }

  for (const status of gates)
    it(`names ${status} and what can be done about it, and does that`, async () => {
      editor.will({ press: 0 });
      await reach(status);
      await until(() => editor.ran.length > 0, 'the first button did something');
      const [{ kind, text, buttons } = assert.fail('nothing was shown')] = editor.shown;
      const isBlocked = rowOf(status).role === 'blocked';
      assert.equal(kind, isBlocked ? 'warning' : 'information');
      assert.ok(text.startsWith('TST-1 “Greet people” '), text);
      if (!isBlocked) assert.ok(text.includes(rowOf(status).label), text);
      assert.equal(new Set(buttons).size, buttons.length, 'each button says something else');
      assert.equal(buttons.at(-1), "Don't Show Again");
      assert.ok(buttons.includes('Open Ticket'));
      const { actions } = rowOf(status);
      const expected =
        'approve' in actions
          ? 'approve'
          : 'answer' in actions
            ? 'openInterview'
            : 'qa' in actions
              ? 'qa'
              : 'merge' in actions
                ? 'reviewChanges'
                : 'whatNext';
      assert.deepEqual(editor.ran, [[`beadsmith.${expected}`, { root: '/sample', ticket: 'TST-1' }]]);
    });

  for (const status of gates)
    it(`isn’t shown of ${status} while the page of its ticket is in front`, async () => {
      front = 'TST-1';
      await reach(status);
      await settled();
      assert.deepEqual(editor.shown, []);
    });

  it('is shown while the page of another ticket is in front', async () => {
    editor.will('leave');
    front = 'TST-2';
    await reach('WAITING_PRD_APPROVAL');
    await until(() => editor.shown.length === 1, 'it is shown');
  });

  for (const artifact of approvedKinds)
    it(`isn’t shown while the document itself is in front: ${artifact}`, async () => {
      const show = (ticket: string, type: string): void => {
        const address = documentAddress('/sample', ticket, type);
        assert.ok(address);
        window.activeTextEditor = { document: { uri: Uri.from(address) } };
      };
      show('TST-1', artifact);
      await reach('WAITING_PRD_APPROVAL', artifact);
      await settled();
      assert.deepEqual(editor.shown, []);
      show('TST-2', artifact);
      editor.will('leave');
      await reach('WAITING_BEADS_APPROVAL', artifact);
      await until(() => editor.shown.length === 1, 'the same document of another ticket is none of it');
    });

  it('isn’t shown again after it was turned off, and is as long as only another kind was', async () => {
    editor.will({ press: 2 });
    await reach('WAITING_PRD_APPROVAL');
    await until(() => muted.has('needsYou'), 'it was turned off');
    editor.will('leave');
    await reach('WAITING_BEADS_APPROVAL');
    await reach('BLOCKED_ERROR');
    await until(() => editor.shown.length === 2, 'a block is told');
    assert.equal(editor.shown[1]?.kind, 'warning');
  });
});
