import assert from 'node:assert/strict';
import { sha256 } from '../../../src/base/sha256.ts';
import { canonicalJson } from '../../../src/base/json.ts';
import { BeadsmithError, errorRecord } from '../../../src/domain/core/errors.ts';
import { moveTicket } from '../engine/moveTicket.ts';
import type { NewStore } from './anyStore.ts';
import { until } from '../until.ts';
import { createTicket, runOpened } from './samples.ts';

const failure = errorRecord(
  new BeadsmithError('PROVIDER_ERROR', { model: 'demo/model', reason: 'it said no' }),
);

export function journalContract(newStore: NewStore): void {
  describe('tickets, steps and runs', () => {
    describe('tickets', () => {
      it('are numbered from the number asked for on, per prefix', async () => {
        const { store } = newStore();
        const create = (prefix: string, atLeast: number) =>
          store
            .createTicket({ prefix, atLeast, title: 'T', description: '', priority: 3 })
            .then(({ id }) => id);
        assert.deepEqual(
          [await create('ABC', 7), await create('ABC', 1), await create('XYZ', 1), await create('ABC', 20)],
          ['ABC-7', 'ABC-8', 'XYZ-1', 'ABC-20'],
        );
      });

      it('are named when they are completed, those that changed last first', async () => {
        const { store } = newStore();
        const [{ id: one }, { id: two }] = [await createTicket(store), await createTicket(store)];
        await createTicket(store);
        await moveTicket(store, one, 'COMPLETED');
        const { updatedAt } = (await store.ticket(one)) ?? assert.fail();
        await until(() => Date.now() > updatedAt, 'the clock moves');
        await moveTicket(store, two, 'COMPLETED');
        assert.deepEqual(await store.completed(), [two, one]);
        assert.deepEqual(await store.completed(1), [two]);
      });

      it('are not made with an id that could not name a folder and a branch', async () => {
        const { store } = newStore();
        for (const prefix of ['../x', 'abc', 'A', '--upload-pack=x'])
          await assert.rejects(
            store.createTicket({ prefix, atLeast: 1, title: 'T', description: '', priority: 3 }),
            {
              code: 'INVALID_INPUT',
            },
          );
        assert.deepEqual(await store.tickets(), []);
      });

      it('are made once per key', async () => {
        const { store } = newStore();
        const first = await createTicket(store, 'same');
        assert.deepEqual(await createTicket(store, 'same'), first);
        assert.equal((await store.tickets()).length, 1);
      });

      it('keep what is set, and their revision rises with their status alone', async () => {
        let now = 1_000;
        const { store } = newStore({ now: () => now });
        const { id } = await createTicket(store);
        now = 2_000;
        await store.commit({
          ticket: id,
          journal: [],
          changes: [{ type: 'ticket', set: { branch: 'ticket/ABC-1' } }],
        });
        const answer = await store.commit({
          ticket: id,
          expect: { status: 'DRAFT', revision: 0 },
          journal: [{ kind: 'status', from: 'DRAFT', to: 'SCANNING_RELEVANT_FILES', by: 'start' }],
          changes: [{ type: 'ticket', set: { status: 'SCANNING_RELEVANT_FILES', previousStatus: 'DRAFT' } }],
        });
        assert.deepEqual(answer, { seq: 3, revision: 1 });
        const ticket = await store.ticket(id);
        assert.deepEqual(
          [ticket?.branch, ticket?.status, ticket?.previousStatus, ticket?.revision, ticket?.updatedAt],
          ['ticket/ABC-1', 'SCANNING_RELEVANT_FILES', 'DRAFT', 1, 2_000],
        );
      });

      it('are active unless they are over, and as drafts only when something lies unread for them', async () => {
        const { store } = newStore();
        await createTicket(store);
        const [asked, over] = [await createTicket(store), await createTicket(store)];
        await store.post({
          id: 'p-1',
          ticket: asked.id,
          kind: 'cancel',
          body: { reason: '', deleteWorktree: false },
        });
        await store.commit({
          ticket: over.id,
          journal: [{ kind: 'status', from: 'DRAFT', to: 'CANCELED', by: 'cancel' }],
          changes: [{ type: 'ticket', set: { status: 'CANCELED', previousStatus: 'DRAFT' } }],
        });
        assert.deepEqual(await store.active(), [asked.id]);
      });

      it('move only from where they are, and only by a journal entry', async () => {
        const { store } = newStore();
        const { id } = await createTicket(store);
        const entry = { kind: 'status', from: 'CODING', to: 'RUNNING_FINAL_TEST', by: 'x' } as const;
        await assert.rejects(store.commit({ ticket: id, journal: [entry] }), { code: 'STATUS_CONFLICT' });
        await assert.rejects(
          store.commit({ ticket: id, expect: { status: 'DRAFT', revision: 1 }, journal: [] }),
          {
            code: 'STATUS_CONFLICT',
          },
        );
        await assert.rejects(
          store.commit({ ticket: id, expect: { status: 'CODING', revision: 0 }, journal: [] }),
          {
            code: 'STATUS_CONFLICT',
          },
        );
        await assert.rejects(
          store.commit({ ticket: id, journal: [], changes: [{ type: 'ticket', set: { status: 'CODING' } }] }),
          {
            code: 'UNEXPECTED',
          },
        );
        assert.equal((await store.ticket(id))?.status, 'DRAFT');
        await assert.rejects(store.commit({ ticket: 'ABC-99', journal: [] }), { code: 'TICKET_UNKNOWN' });
      });
    });

    describe('steps', () => {
      it('go from intent over notes to a result', async () => {
        const { store } = newStore();
        const ticket = await createTicket(store);
        await store.commit({
          ticket: ticket.id,
          journal: [runOpened(ticket), { kind: 'step.intent', run: 'run-1', key: 'a' }],
        });
        await store.commit({
          ticket: ticket.id,
          journal: [{ kind: 'step.note', run: 'run-1', key: 'a', note: { session: 's' } }],
        });
        await store.commit({
          ticket: ticket.id,
          journal: [{ kind: 'step.note', run: 'run-1', key: 'a', note: 2 }],
        });
        await store.addActive('run-1', 'a', 40);
        await store.addActive('run-1', 'a', 2);
        const [open] = await store.steps('run-1');
        assert.deepEqual(open, {
          run: 'run-1',
          key: 'a',
          state: 'intent',
          intentSeq: 3,
          notes: [{ session: 's' }, 2],
          result: undefined,
          error: undefined,
          activeMs: 42,
        });
        await store.commit({
          ticket: ticket.id,
          journal: [{ kind: 'step.done', run: 'run-1', key: 'a', result: { n: 1 } }],
        });
        const [done] = await store.steps('run-1');
        assert.deepEqual({ ...done }, { ...open, state: 'done', result: { n: 1 } });
      });

      it('and runs are refused where something else made them point at what isn’t theirs', async () => {
        const { store, tamper } = newStore();
        const ticket = await createTicket(store);
        const ended = { kind: 'step.done', run: 'run-1', key: 'proved', result: 'passed' } as const;
        const note = { kind: 'step.note', run: 'run-1', key: 'proved', note: 'mine' } as const;
        const open = { kind: 'step.intent', run: 'run-1', key: 'open' } as const;
        await store.commit({
          ticket: ticket.id,
          journal: [runOpened(ticket), { ...open, key: 'proved' }, note, ended, open],
        });
        await store.commit({ ticket: ticket.id, journal: [runOpened(ticket, 'run-2')] });
        assert.equal((await store.steps('run-1')).length, 2);
        for (const [altered, undo] of [
          [
            `SET state = 'done', end_seq = 5 WHERE key = 'open'`,
            `SET state = 'intent', end_seq = NULL WHERE key = 'open'`,
          ],
          [`SET notes = '[4]' WHERE key = 'open'`, `SET notes = '[]' WHERE key = 'open'`],
          [`SET state = 'failed' WHERE key = 'proved'`, `SET state = 'done' WHERE key = 'proved'`],
          [`SET end_seq = NULL WHERE key = 'proved'`, `SET end_seq = 5 WHERE key = 'proved'`],
        ]) {
          tamper(`UPDATE steps ${altered ?? ''}`);
          await assert.rejects(store.steps('run-1'), { code: 'ROWS_ALTERED' }, altered);
          tamper(`UPDATE steps ${undo ?? ''}`);
        }
        assert.equal((await store.steps('run-1'))[0]?.result, 'passed');
        tamper(`UPDATE runs SET status = 'CODING' WHERE id = 'run-1'`);
        await assert.rejects(store.openRun(ticket.id, 'CODING'), { code: 'ROWS_ALTERED' });
        tamper(`UPDATE runs SET opened_seq = 2 WHERE id = 'run-2'`);
        await assert.rejects(store.run('run-2'), { code: 'ROWS_ALTERED' });
      });

      it('that are tried again after a crash keep their intent and notes', async () => {
        const { store } = newStore();
        const ticket = await createTicket(store);
        const intent = { kind: 'step.intent', run: 'run-1', key: 'a' } as const;
        await store.commit({
          ticket: ticket.id,
          journal: [runOpened(ticket), intent, { kind: 'step.note', run: 'run-1', key: 'a', note: 1 }],
        });
        await store.commit({ ticket: ticket.id, journal: [intent] });
        const [step] = await store.steps('run-1');
        assert.deepEqual([step?.state, step?.intentSeq, step?.notes], ['intent', 3, [1]]);
      });

      it('have one outcome: a second receipt is refused and leaves no trace', async () => {
        const { store } = newStore();
        const ticket = await createTicket(store);
        const done = { kind: 'step.done', run: 'run-1', key: 'a', result: 1 } as const;
        await store.commit({ ticket: ticket.id, journal: [runOpened(ticket), done] });
        for (const entry of [done, { kind: 'step.intent', run: 'run-1', key: 'a' } as const])
          await assert.rejects(
            store.commit({
              ticket: ticket.id,
              journal: [entry],
              changes: [{ type: 'ticket', set: { title: 'Changed' } }],
            }),
            { code: 'STEP_KEY_REUSED' },
          );
        assert.equal((await store.ticket(ticket.id))?.title, 'Greet');
        assert.equal((await store.journal(ticket.id)).length, 3);
      });

      it('that failed are entered again by a new intent after a continue', async () => {
        const { store } = newStore();
        const ticket = await createTicket(store);
        const step = { run: 'run-1', key: 'a' };
        await store.commit({
          ticket: ticket.id,
          journal: [
            runOpened(ticket),
            { kind: 'step.note', ...step, note: 'n' },
            { kind: 'step.failed', ...step, error: failure },
          ],
        });
        assert.deepEqual((await store.steps('run-1'))[0]?.error, failure);
        await store.commit({
          ticket: ticket.id,
          journal: [
            { kind: 'run.continued', run: 'run-1' },
            { kind: 'step.intent', ...step },
          ],
        });
        const [again] = await store.steps('run-1');
        assert.deepEqual(
          [again?.state, again?.intentSeq, again?.notes, again?.error],
          ['intent', 6, ['n'], undefined],
        );
        assert.equal((await store.run('run-1'))?.continuedSeq, 5);
      });

      it('can not give undefined, which no journal holds', async () => {
        const { store } = newStore();
        const ticket = await createTicket(store);
        const nothing = JSON.parse('{"kind":"step.done","run":"run-1","key":"a"}') as {
          kind: 'step.done';
          run: string;
          key: string;
          result: null;
        };
        await assert.rejects(
          store.commit({ ticket: ticket.id, journal: [runOpened(ticket), nothing] }),
          /let it give null/,
        );
      });

      it('belong to an open run of the ticket', async () => {
        const { store } = newStore();
        const ticket = await createTicket(store);
        const intent = { kind: 'step.intent', run: 'run-1', key: 'a' } as const;
        await assert.rejects(store.commit({ ticket: ticket.id, journal: [intent] }), { code: 'UNEXPECTED' });
        const closed = { kind: 'run.closed', run: 'run-1', state: 'closed', exit: 'ready' } as const;
        await store.commit({ ticket: ticket.id, journal: [runOpened(ticket), closed] });
        await assert.rejects(store.commit({ ticket: ticket.id, journal: [intent] }), { code: 'UNEXPECTED' });
      });
    });

    describe('runs', () => {
      it('are open until they are closed, and a child is not the run of its status', async () => {
        const { store } = newStore();
        const ticket = await createTicket(store);
        await store.commit({
          ticket: ticket.id,
          journal: [runOpened(ticket), runOpened(ticket, 'run-1:bead', 'run-1')],
        });
        assert.equal((await store.openRun(ticket.id, 'DRAFT'))?.id, 'run-1');
        assert.equal((await store.run('run-1:bead'))?.parent, 'run-1');
        await store.commit({
          ticket: ticket.id,
          journal: [{ kind: 'run.closed', run: 'run-1', state: 'closed', exit: 'start' }],
        });
        assert.equal(await store.openRun(ticket.id, 'DRAFT'), undefined);
        await store.commit({
          ticket: ticket.id,
          journal: [{ kind: 'run.closed', run: 'run-1', state: 'archived', exit: 'start' }],
        });
        const [run] = await store.runs(ticket.id);
        assert.deepEqual([run?.state, run?.exit, run?.snapshot.title], ['archived', 'start', 'Greet']);
        const again = { kind: 'run.closed', run: 'run-1', state: 'closed', exit: null } as const;
        await assert.rejects(store.commit({ ticket: ticket.id, journal: [again] }), { code: 'UNEXPECTED' });
        await assert.rejects(
          store.commit({ ticket: ticket.id, journal: [{ kind: 'run.continued', run: 'run-1' }] }),
          { code: 'UNEXPECTED' },
        );
      });
    });

    describe('the journal', () => {
      it('is dense and chained by hashes that anyone can recompute', async () => {
        const { store } = newStore({ now: () => 1_234.5 });
        const ticket = await createTicket(store);
        await store.commit({
          ticket: ticket.id,
          journal: [runOpened(ticket), { kind: 'step.done', run: 'run-1', key: 'a', result: 'é' }],
        });
        let previous = '';
        for (const [index, { seq, prevHash, hash, at, epoch, entry, covers }] of (
          await store.journal(ticket.id)
        ).entries()) {
          assert.equal(seq, index + 1);
          assert.equal(prevHash, previous);
          assert.equal(hash, sha256(prevHash + canonicalJson({ seq, at, epoch, entry, covers })));
          previous = hash;
        }
        assert.deepEqual(await store.verify(ticket.id), { ok: true, length: 3 });
        assert.equal((await store.journal(ticket.id, 2)).length, 1);
      });
    });

    describe('the epoch', () => {
      it('stops a previous driver at its next write, but not from filing and reading', async () => {
        const temp = newStore();
        const old = temp.store;
        const { id } = await createTicket(old);
        const driver = temp.reopen();
        await assert.rejects(old.commit({ ticket: id, journal: [] }), { code: 'EPOCH_LOST' });
        await assert.rejects(
          old.commit({ ticket: id, journal: [{ kind: 'status', from: 'DRAFT', to: 'CODING', by: 'x' }] }),
          {
            code: 'EPOCH_LOST',
          },
        );
        await assert.rejects(old.addActive('run-1', 'a', 1), { code: 'EPOCH_LOST' });
        assert.deepEqual(await driver.commit({ ticket: id, journal: [] }), { seq: 1, revision: 0 });
        await old.post({ id: 'p', ticket: id, kind: 'pause', body: {} });
        assert.equal((await driver.inbox(id)).length, 1);
      });
    });

    it('tells listeners which ticket changed, and what a commit changed of it', async () => {
      const { store } = newStore();
      const told: unknown[] = [];
      store.onDidChange((...change) => told.push(change));
      const { id } = await createTicket(store);
      await store.commit({
        ticket: id,
        journal: [],
        changes: [{ type: 'ticket', set: { branch: 'ticket/ABC-1' } }],
      });
      await store.commit({
        ticket: id,
        journal: [{ kind: 'attempts', archivedFrom: 'DRAFT', statuses: [] }],
      });
      await store.post({ id: 'p', ticket: id, kind: 'pause', body: {} });
      await store.tickets();
      assert.deepEqual(told, [[id], [id, 'commit', ['ticket']], [id, 'commit', []], [id]]);
    });
  });
}
