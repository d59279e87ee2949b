import assert from 'node:assert/strict';
import { Limits, Settings } from '../../../src/domain/settings/settings.ts';
import type { Change, Store } from '../../../src/engine/ports/storePort.ts';
import type { AnyStore, NewStore } from './anyStore.ts';
import { insertUncovered } from '../engine/uncoveredTicket.ts';
import { bead, createTicket, runOpened } from './samples.ts';
import { sampleTicket } from '../samples.ts';

const id = 'ABC-1';
const setupPlan = (content: string): Change => ({
  type: 'artifact',
  artifact: 'execution_setup_plan',
  content,
  status: 'DRAFT',
  attempt: 1,
});

export function coveredContract(newStore: NewStore): void {
  describe('what the chain covers', () => {
    let temp: AnyStore;
    beforeEach(async () => {
      temp = newStore();
      const ticket = await createTicket(temp.store);
      await commit({
        type: 'ticket',
        set: { settings: Settings.parse({ mainImplementer: 'a/b' }), limits: Limits.parse({}) },
      });
      await commit({ type: 'beads', beads: [bead('one'), bead('two')] }, setupPlan('plan'));
      await temp.store.commit({
        ticket: id,
        journal: [runOpened(ticket)],
        changes: [{ type: 'bead', id: 'one', set: { status: 'done' } }],
      });
      assert.deepEqual(await altered(), []);
    });

    const commit = (...changes: readonly Change[]) => temp.store.commit({ ticket: id, journal: [], changes });
    const altered = async (store: Pick<Store, 'altered'> = temp.store): Promise<readonly string[]> =>
      (await store.altered(id)).map((one) => ('row' in one ? one.row : `entry ${String(one.brokenAt)}`));
    const setBead = (name: string, field: string, value: string): string =>
      `UPDATE beads SET body = json_set(body, '$.${field}', json('${value}')) WHERE id = '${name}'`;
    const evil = setBead('two', 'testCommands', '["evil"]');

    const cases: readonly (readonly [what: string, sql: string, found: readonly string[]])[] = [
      ['a command of a bead', evil, ['bead two: testCommands']],
      ['a bead that is said to be done', setBead('two', 'status', '"done"'), ['bead two: status']],
      [
        'a bead that is no JSON any more',
        `UPDATE beads SET body = 'x' WHERE id = 'two'`,
        ['bead two: unreadable', 'bead two: testCommands'],
      ],
      [
        'a field of a bead that is gone',
        `UPDATE beads SET body = json_remove(body, '$.testCommands') WHERE id = 'one'`,
        ['bead one: testCommands'],
      ],
      ['the order of the beads', 'UPDATE beads SET position = 2 - position', ['plan: order']],
      [
        'a bead that is gone',
        `DELETE FROM beads WHERE id = 'two'`,
        ['plan: order', 'bead two: testCommands'],
      ],
      [
        'another bead',
        `INSERT INTO beads SELECT ticket, 'three', 3, json_set(body, '$.id', 'three') FROM beads WHERE id = 'one'`,
        ['plan: order', 'bead three: testCommands'],
      ],
      [
        'a limit',
        `UPDATE tickets SET body = json_set(body, '$.limits.maxIterations', 7)`,
        ['ticket: limits'],
      ],
      [
        'a setting',
        `UPDATE tickets SET body = json_set(body, '$.settings.mainImplementer', 'evil/model')`,
        ['ticket: settings'],
      ],
      [
        'the folder where commands run',
        `UPDATE tickets SET body = json_set(body, '$.worktree', '/home')`,
        ['ticket: worktree'],
      ],
      ['the status', `UPDATE tickets SET status = 'CODING'`, ['ticket: status']],
      [
        'a document with its hash',
        `UPDATE artifacts SET content = 'evil', sha256 = '${'e'.repeat(64)}'`,
        ['document execution_setup_plan'],
      ],
      [
        'a document that isn’t current any more',
        'UPDATE artifacts SET archived = 1',
        ['document execution_setup_plan'],
      ],
      [
        'a newer document',
        `INSERT INTO artifacts (ticket, type, status, attempt, version, sha256, bytes, created_at, content)
       SELECT ticket, type, status, attempt, 2, sha256, bytes, created_at, content FROM artifacts`,
        ['document execution_setup_plan'],
      ],
    ];
    for (const [what, sql, found] of cases)
      it(`notices ${what}, in this process and in the next`, async () => {
        // So that this process knows it as sound.
        assert.deepEqual(await altered(), []);
        temp.tamper(sql);
        const names = await altered();
        for (const name of found) assert.ok(names.includes(name), `${name} is among ${names.join(', ')}`);
        if (found.length === 1) assert.deepEqual(names, found);
        assert.deepEqual(await altered(temp.reopen()), names);
      });

    it('notices in the next process that what an entry covers was changed', async () => {
      temp.tamper('UPDATE journal SET covers = NULL WHERE seq = 3');
      assert.deepEqual(await altered(temp.reopen()), ['entry 3']);
      assert.deepEqual(await temp.store.verify(id), { ok: false, seq: 3 });
    });

    it('still notices it after commits that read the row and write it again', async () => {
      temp.tamper(evil);
      await commit({ type: 'bead', id: 'two', set: { status: 'in_progress' } });
      const plan = await temp.store.beads(id);
      await commit({ type: 'beads', beads: [...plan, bead('three')] });
      assert.deepEqual(await altered(), ['bead two: testCommands']);
      temp.tamper(`UPDATE tickets SET body = json_set(body, '$.limits.maxIterations', 7)`);
      await commit({ type: 'ticket', set: { hold: null, branch: 'ticket/ABC-1' } });
      assert.deepEqual((await altered()).toSorted(), ['bead two: testCommands', 'ticket: limits']);
    });

    it('takes what a person decides as it is then', async () => {
      temp.tamper(evil);
      temp.tamper(`UPDATE tickets SET body = json_set(body, '$.limits.maxIterations', 7)`);
      temp.tamper(`UPDATE artifacts SET content = 'evil', sha256 = '${'e'.repeat(64)}'`);
      await commit({ type: 'beads', beads: await temp.store.beads(id), byPerson: true });
      await commit(
        { type: 'ticket', set: { limits: Limits.parse({ maxIterations: 3 }) } },
        setupPlan('another plan'),
      );
      assert.deepEqual(await altered(), []);
    });

    it('follows a plan that is amended, emptied and made again, and documents that are archived', async () => {
      const changes: readonly (readonly Change[])[] = [
        [{ type: 'beads', beads: [...(await temp.store.beads(id)), bead('fix')] }],
        [{ type: 'bead', id: 'fix', set: { status: 'done', notes: 'Fixed.', updatedAt: 'now' } }],
        [
          { type: 'beads', beads: [] },
          { type: 'artifacts.archive', statuses: ['DRAFT'] },
        ],
        [{ type: 'beads', beads: [bead('one')] }, setupPlan('again')],
      ];
      for (const some of changes) {
        await commit(...some);
        assert.deepEqual(await altered(), []);
      }
      assert.deepEqual(await altered(temp.reopen()), []);
      assert.deepEqual(await temp.store.verify(id), { ok: true, length: 8 });
    });

    it('covers a ticket of an earlier version from its first commit on', async () => {
      const old = sampleTicket({ id: 'ABC-7', title: 'Greet' });
      temp.store.sync.close();
      temp.tamper('SELECT 1', (database) => {
        insertUncovered(database, old);
      });
      const store = temp.reopen();
      temp.tamper(`UPDATE tickets SET body = json_set(body, '$.title', 'Other') WHERE id = 'ABC-7'`);
      assert.deepEqual(await store.altered('ABC-7'), []);
      await store.commit({
        ticket: 'ABC-7',
        journal: [],
        changes: [{ type: 'ticket', set: { branch: 'b' } }],
      });
      assert.deepEqual(await store.altered('ABC-7'), []);
      temp.tamper(`UPDATE tickets SET body = json_set(body, '$.title', 'Evil') WHERE id = 'ABC-7'`);
      assert.deepEqual(await store.altered('ABC-7'), [{ row: 'ticket: title' }]);
    });

    describe('of what people dismissed', () => {
      const claim = {
        category: 'style',
        file: 'a.ts',
        claim: 'No capital.',
        reason: 'Not here.',
        at: '2026-01-01T00:00:00.000Z',
      };
      const dismiss = (finding: string, text = claim.claim) =>
        commit({ type: 'dismissal', finding, claim: { ...claim, claim: text } });
      const forged = (ticket: string, finding: string): string =>
        `INSERT INTO dismissals (ticket, finding, revision, body) VALUES ('${ticket}', '${finding}', 1, '${JSON.stringify(claim)}')`;

      it('notices a claim that something else made, changed or gave to another ticket', async () => {
        await dismiss('a.1.1.1');
        await dismiss('a.1.1.2');
        temp.tamper(`UPDATE dismissals SET body = json_set(body, '$.claim', 'Evil.') WHERE number = 1`);
        temp.tamper(forged(id, 'a.1.1.3'));
        temp.tamper(forged('ABC-404', 'a.1.1.4'));
        assert.deepEqual((await altered()).toSorted(), ['dismissal 1', 'dismissal 3']);
        assert.deepEqual(await temp.store.altered('ABC-404'), [{ row: 'dismissal 4' }]);
        await dismiss('a.1.1.2', 'Again.');
        assert.deepEqual((await altered(temp.reopen())).toSorted(), ['dismissal 1', 'dismissal 3']);
      });

      it('knows those that a person made, made again, gave another reason and removed', async () => {
        await dismiss('a.1.1.1');
        await dismiss('a.1.1.2');
        await dismiss('a.1.1.1', 'Another claim.');
        await temp.store.changeDismissal({ number: 2, revision: 1, reason: 'Never.' });
        assert.deepEqual(await altered(), []);
        await temp.store.removeDismissal(2);
        await commit({ type: 'dismissal', finding: 'a.1.1.1', claim: null });
        assert.deepEqual(await altered(), []);
        assert.deepEqual(await altered(temp.reopen()), []);
      });
    });

    it('keeps what a commit covers only if the commit was made', async () => {
      const set = { status: 'CODING' } as const;
      await assert.rejects(
        temp.store.commit({ ticket: id, journal: [], changes: [setupPlan('lost'), { type: 'ticket', set }] }),
        {
          code: 'UNEXPECTED',
        },
      );
      assert.deepEqual(await altered(), []);
      assert.deepEqual(await temp.store.verify(id), { ok: true, length: 4 });
    });
  });
}
