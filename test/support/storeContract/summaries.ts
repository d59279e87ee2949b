import assert from 'node:assert/strict';
import { Settings, StoredSettings } from '../../../src/domain/settings/settings.ts';
import type { Store } from '../../../src/engine/ports/storePort.ts';
import { yamlText } from '../../../src/phases/shared/ticket/artifacts.ts';
import type { ForgeState } from '../../../src/domain/forge/forgeLook.ts';
import { forgeState } from '../forge/forgeState.ts';
import { moveTicket } from '../engine/moveTicket.ts';
import type { NewStore } from './anyStore.ts';
import { testClient } from '../engine/testClient.ts';
import { bead, createTicket, runOpened } from './samples.ts';

export function report(store: Store, ticket: string, content: string): Promise<unknown> {
  return store.commit({
    ticket,
    journal: [],
    changes: [
      { type: 'artifact', artifact: 'prd_coverage', content, status: 'VERIFYING_PRD_COVERAGE', attempt: 1 },
    ],
  });
}

export function summariesContract(newStore: NewStore): void {
  describe('the summaries of tickets', () => {
    it('tell of each ticket what a list shows, in the order of numbers', async () => {
      const { store } = newStore();
      for (let i = 0; i < 11; i++) await createTicket(store);
      await moveTicket(store, 'ABC-2', 'CODING', { hold: { kind: 'paused', since: 1, detail: '' } });
      const beads = [{ ...bead('one'), status: 'done' as const }, bead('two')];
      await store.commit({ ticket: 'ABC-2', journal: [], changes: [{ type: 'beads', beads }] });
      const all = await store.summaries();
      assert.deepEqual(
        all.map(({ id }) => id),
        Array.from({ length: 11 }, (_, index) => `ABC-${String(index + 1)}`),
      );
      const { id, status, title, priority, hold, beadsDone, beadsTotal, updatedAt } = all[1]!;
      assert.deepEqual(
        [id, status, title, priority, hold, beadsDone, beadsTotal],
        ['ABC-2', 'CODING', 'Greet', 3, 'paused', 1, 2],
      );
      assert.ok(updatedAt > 0);
      assert.equal(all[0]?.hold, null);
    });

    it('are read for some tickets alone, without those that do not exist', async () => {
      const { store } = newStore();
      for (let i = 0; i < 3; i++) await createTicket(store);
      const some = await store.summaries(['ABC-3', 'ABC-9', "x') OR 1=1 --"]);
      assert.deepEqual(
        some.map(({ id }) => id),
        ['ABC-3'],
      );
    });

    it('tell of a ticket whether its gates may be passed by policy', async () => {
      const { store } = newStore();
      const { id } = await createTicket(store);
      const passes = async (set?: Partial<Settings>): Promise<boolean | undefined> => {
        const settings = set && Settings.parse({ mainImplementer: 'a/b', ...set });
        if (settings) await moveTicket(store, id, 'DRAFTING_PRD', { settings });
        return (await store.summaries())[0]?.passesGates;
      };
      assert.equal(await passes(), undefined, 'a draft');
      assert.deepEqual(
        [await passes({ depth: 'quick' }), await passes({ depth: 'full' })],
        [true, undefined],
      );
      assert.equal(await passes({ depth: 'full', passGates: 'always' }), true);
      assert.equal(await passes({ depth: 'quick', passGates: 'off' }), undefined);
      const { passGates: _new, ...before } = Settings.parse({ mainImplementer: 'a/b', depth: 'quick' });
      assert.equal(
        StoredSettings.parse(before).passGates,
        'off',
        'one that started before there was a policy',
      );
    });

    it('tell of a gate whether it is still prepared, and call for nobody until it is ready', async () => {
      const { store } = newStore();
      const { id } = await createTicket(store);
      await moveTicket(store, id, 'WAITING_INTERVIEW_ANSWERS');
      const ticket = await store.ticket(id);
      assert.ok(ticket);
      const seen = async (): Promise<unknown> => {
        const [view] = await testClient(store).tickets([id]);
        return [view?.preparing, view?.needsPerson];
      };
      await store.commit({
        ticket: id,
        journal: [runOpened(ticket), { kind: 'step.intent', run: 'run-1', key: 'turn-1' }],
      });
      assert.deepEqual(await seen(), [true, false]);
      await store.commit({
        ticket: id,
        journal: [{ kind: 'step.done', run: 'run-1', key: 'turn-1', result: null }],
      });
      assert.deepEqual(await seen(), [false, true]);
    });

    it('tell what the actions of a ticket depend on', async () => {
      const { store } = newStore();
      const { id } = await createTicket(store);
      const can = async (): Promise<readonly boolean[]> => {
        const [view] = await testClient(store).tickets([id]);
        return (['fix_gaps', 'continue'] as const).map((action) => view?.actions.includes(action) ?? false);
      };
      const check = (open_gaps: readonly string[]) => report(store, id, yamlText({ passes: [], open_gaps }));
      await moveTicket(store, id, 'WAITING_PRD_APPROVAL');
      assert.deepEqual(await can(), [false, false], 'there was no check');
      await check(['No word on open_gaps: []']);
      assert.deepEqual(await can(), [true, false]);
      await check([]);
      assert.deepEqual(await can(), [false, false], 'the newest check found none');
      const error = { code: 'LIMIT_EXPIRED', args: {}, continuable: true, diagnostics: {} } as const;
      await moveTicket(store, id, 'BLOCKED_ERROR', { error });
      assert.deepEqual(await can(), [false, true]);
    });

    it('tell of a pull request whether its merge is planned, and whether its checks failed', async () => {
      const { store } = newStore();
      const { id } = await createTicket(store);
      const merging = {
        kinds: ['merge' as const],
        usual: null,
        mayAuto: true,
        auto: null,
        hasQueue: true,
        isQueued: false,
      };
      const seen = async (forge: Partial<ForgeState>): Promise<readonly unknown[]> => {
        await moveTicket(store, id, 'WAITING_PR_REVIEW', {
          forge: { ...forgeState(), failures: [], ...forge },
        });
        const [summary] = await store.summaries();
        return [summary?.mergePlanned, summary?.checksFailed];
      };
      assert.deepEqual(await seen({ merging: null }), [false, false]);
      assert.deepEqual(await seen({ merging }), [false, false]);
      assert.deepEqual(await seen({ merging: { ...merging, isQueued: true } }), [true, false]);
      assert.deepEqual(await seen({ merging: { ...merging, auto: 'merge' } }), [true, false]);
    });

    describe('at a gate whose document was checked', () => {
      let store: Store;
      beforeEach(async () => {
        ({ store } = newStore());
        await createTicket(store);
        await moveTicket(store, 'ABC-1', 'WAITING_PRD_APPROVAL');
      });
      const canFix = async (): Promise<boolean | undefined> =>
        (await store.summaries(['ABC-1']))[0]?.openGaps;
      // Above 64 KiB a text is a file, and the database only has its hash.
      const gaps = Array.from(
        { length: 2_000 },
        (_, index) => `The PRD says nothing about requirement ${String(index)}.`,
      );
      const passes = [{ pass: 1, status: 'gaps', gaps }];

      for (const [what, text, expected] of [
        ['a long report that left gaps', yamlText({ passes, open_gaps: gaps }), true],
        ['a long report that left none', yamlText({ passes, open_gaps: [] }), false],
        [
          'a long report whose gaps quote an empty list',
          yamlText({ passes, open_gaps: ['\nopen_gaps: []\n', ...gaps] }),
          true,
        ],
        ['an empty list on a line of its own', 'passes: []\nopen_gaps:\n  []\n', false],
        ['an empty list at the end without a line end', 'passes: []\nopen_gaps: []', false],
        ['an empty list with a comment', 'passes: []\nopen_gaps: [] # none\n', false],
        ['a report as JSON', JSON.stringify({ passes, open_gaps: ['one'] }), true],
      ] as const)
        it(`offer to fix gaps by what the report says: ${what}`, async () => {
          await report(store, 'ABC-1', text);
          assert.equal(await canFix(), expected);
        });

      it('go by the newest report that is not archived', async () => {
        await report(store, 'ABC-1', yamlText({ passes, open_gaps: [] }));
        await report(store, 'ABC-1', yamlText({ passes, open_gaps: gaps }));
        assert.equal(await canFix(), true);
        await store.commit({
          ticket: 'ABC-1',
          journal: [],
          changes: [{ type: 'artifacts.archive', statuses: ['VERIFYING_PRD_COVERAGE'] }],
        });
        assert.equal(await canFix(), false);
      });
    });

    it('show the same as a ticket that is read whole', async () => {
      const { store } = newStore();
      const { id } = await createTicket(store);
      await store.commit({ ticket: id, journal: [], changes: [{ type: 'beads', beads: [bead('one')] }] });
      await moveTicket(store, id, 'CODING', { hold: { kind: 'quota', since: 1, detail: '' } });
      const client = testClient(store);
      assert.deepEqual(await client.tickets([id]), [(await client.ticket(id)).view]);
    });
  });
}
