import assert from 'node:assert/strict';
import { sha256 } from '../../../src/base/sha256.ts';
import type { Change } from '../../../src/engine/ports/storePort.ts';
import type { AnyStore, NewStore } from './anyStore.ts';
import { bead, call, createTicket, runOpened, session, usage } from './samples.ts';

const id = 'ABC-1';
const large = 'ä'.repeat(40_000); // 80 kB of UTF-8 in 40,000 characters

export function changesContract(newStore: NewStore): void {
  describe('changes of a transaction', () => {
    let temp: AnyStore;
    beforeEach(async () => {
      temp = newStore({ now: () => 5_000 });
      await createTicket(temp.store);
    });
    const apply = (...changes: readonly Change[]) => temp.store.commit({ ticket: id, journal: [], changes });

    describe('artifacts', () => {
      const prd = (content: string): Change => ({
        type: 'artifact',
        artifact: 'prd',
        content,
        status: 'DRAFTING_PRD',
        attempt: 1,
      });

      it('have dense versions per type and a hash of their bytes', async () => {
        await apply(prd('one'), {
          type: 'artifact',
          artifact: 'interview',
          content: 'é',
          status: 'DRAFT',
          attempt: 1,
        });
        await apply(prd('two'));
        const present = await temp.store.artifact(id, 'prd');
        assert.deepEqual(
          [present?.content, present?.info.version, present?.info.sha256],
          ['two', 2, sha256('two')],
        );
        const [first] = await temp.store.artifacts(id, { type: 'prd' });
        assert.equal(await temp.store.artifactContent(first!.id), 'one');
        const interview = await temp.store.artifact(id, 'interview');
        assert.deepEqual(
          [interview?.info.version, interview?.info.bytes, interview?.info.createdAt],
          [1, 2, 5_000],
        );
        assert.deepEqual(await temp.store.snapshotParts(id), {
          interview: { sha256: sha256('é'), version: 1 },
          prd: { sha256: sha256('two'), version: 2 },
        });
      });

      it('stop being present when they are archived, and stay readable', async () => {
        await apply(prd('one'), {
          type: 'artifact',
          artifact: 'approval_receipt',
          content: '{}',
          status: 'DRAFTING_PRD',
          attempt: 1,
        });
        await apply({
          type: 'artifacts.archive',
          statuses: ['DRAFTING_PRD', 'CODING'],
          keep: ['approval_receipt'],
        });
        assert.equal(await temp.store.artifact(id, 'prd'), undefined);
        assert.deepEqual(Object.keys(await temp.store.snapshotParts(id)), ['approval_receipt']);
        const [archived] = await temp.store.artifacts(id, { archived: true });
        assert.equal(await temp.store.artifactContent(archived!.id), 'one');
        await apply(prd('new'));
        assert.equal((await temp.store.artifact(id, 'prd'))?.info.version, 2);
        assert.deepEqual(
          (await temp.store.artifacts(id, { archived: false })).map(({ type }) => type),
          ['approval_receipt', 'prd'],
        );
      });

      it('can be asked for by kind', async () => {
        await apply(
          { type: 'artifact', artifact: 'bead_diff:a', content: 'a', status: 'CODING', attempt: 1 },
          { type: 'artifact', artifact: 'bead_diff:b', content: 'b', status: 'CODING', attempt: 1 },
          { type: 'artifact', artifact: 'bead_commit:a', content: 'c', status: 'CODING', attempt: 1 },
        );
        const types = (await temp.store.artifacts(id, { type: 'bead_diff:' })).map(({ type }) => type);
        assert.deepEqual(types, ['bead_diff:a', 'bead_diff:b']);
      });
    });

    describe('texts over 64 kB', () => {
      it('come back whole from wherever they were', async () => {
        const ticket = (await temp.store.ticket(id))!;
        await temp.store.commit({
          ticket: id,
          journal: [runOpened(ticket), { kind: 'step.done', run: 'run-1', key: 'a', result: { large } }],
          changes: [
            { type: 'artifact', artifact: 'prd', content: large, status: 'DRAFT', attempt: 1 },
            { type: 'call', call: call(id, 'c', { input: large, output: `${large}!` }) },
          ],
        });
        await temp.store.post({
          id: 'e',
          ticket: id,
          kind: 'edit',
          body: { artifact: 'prd', baseSha256: null, content: large, surface: 'raw' },
        });
        assert.deepEqual((await temp.store.steps('run-1'))[0]?.result, { large });
        assert.equal((await temp.store.artifact(id, 'prd'))?.content, large);
        assert.deepEqual(
          [(await temp.store.calls(id))[0]?.input, (await temp.store.calls(id))[0]?.output],
          [large, `${large}!`],
        );
        const [edit] = await temp.store.inbox(id);
        assert.ok(edit?.kind === 'edit' && 'content' in edit.body && edit.body.content === large);
      });

      it('that look like a reference are still only text', async () => {
        for (const text of [sha256(large), `\u0001#${sha256(large)}`, '\u0001', '\u0001=a']) {
          await apply({ type: 'artifact', artifact: 'prd', content: text, status: 'DRAFT', attempt: 1 });
          assert.equal((await temp.store.artifact(id, 'prd'))?.content, text);
        }
      });
    });

    it('keep every character, also those that other databases refuse', async () => {
      const text = 'a\0b \u001b[0m "\\u0000" 👩‍💻 é';
      const ticket = (await temp.store.ticket(id))!;
      await temp.store.commit({
        ticket: id,
        journal: [
          runOpened(ticket),
          { kind: 'step.done', run: 'run-1', key: 'a', result: { text, half: '\ud800' } },
        ],
        changes: [
          { type: 'artifact', artifact: 'prd', content: text, status: 'DRAFT', attempt: 1 },
          { type: 'call', call: call(id, 'c', { input: text, output: text }) },
          { type: 'ticket', set: { title: text } },
        ],
      });
      await temp.store.post({
        id: 'p',
        ticket: id,
        kind: 'cancel',
        body: { reason: text, deleteWorktree: false },
      });
      assert.equal((await temp.store.artifact(id, 'prd'))?.content, text);
      assert.deepEqual((await temp.store.steps('run-1'))[0]?.result, { text, half: '\ud800' });
      const [made] = await temp.store.calls(id);
      assert.deepEqual([made?.input, made?.output], [text, text]);
      assert.equal((await temp.store.ticket(id))?.title, text);
      assert.equal((await temp.store.pastCalls(id))[0]?.prompt, 'prd-draft');
      assert.deepEqual(await temp.store.milestones(id), []);
      assert.equal(await temp.store.consumed(id, 'p'), false);
      assert.deepEqual((await temp.store.inbox(id))[0]?.body, { reason: text, deleteWorktree: false });
      assert.match((await temp.store.summaries())[0]?.title ?? '', /^a.b .*👩‍💻 é$/u);
      assert.deepEqual(await temp.store.verify(id), { ok: true, length: 3 });
    });

    describe('beads', () => {
      it('keep their order and change one by one', async () => {
        await apply({ type: 'beads', beads: [bead('z'), bead('a'), bead('m')] });
        await apply({ type: 'bead', id: 'a', set: { status: 'done', iteration: 2 } });
        const beads = await temp.store.beads(id);
        assert.deepEqual(
          beads.map(({ id: name, status, iteration }) => [name, status, iteration]),
          [
            ['z', 'pending', 1],
            ['a', 'done', 2],
            ['m', 'pending', 1],
          ],
        );
        await apply({ type: 'beads', beads: [bead('only')] });
        assert.deepEqual(await temp.store.beads(id), [bead('only')]);
        await assert.rejects(apply({ type: 'bead', id: 'only', set: { iteration: 0 } }));
        assert.deepEqual(await temp.store.beads(id), [bead('only')]);
        await assert.rejects(apply({ type: 'bead', id: 'gone', set: { status: 'done' } }), {
          code: 'UNEXPECTED',
        });
      });
    });

    describe('sessions, calls and usage', () => {
      it('keep a session once and follow its state', async () => {
        await apply(
          { type: 'session', session: session(id, 's1') },
          { type: 'session', session: session(id, 's2') },
        );
        await apply(
          { type: 'session', session: { ...session(id, 's1'), step: 'other' } },
          { type: 'session.state', id: 's1', state: 'completed' },
        );
        assert.deepEqual(await temp.store.sessions(id), [
          { ...session(id, 's1'), step: 'other', state: 'completed' },
          session(id, 's2'),
        ]);
        await assert.rejects(apply({ type: 'session.state', id: 'none', state: 'completed' }), {
          code: 'UNEXPECTED',
        });
      });

      it('book a message once', async () => {
        await apply({ type: 'usage', run: 'run-1', call: 'c1', usage: usage('m1') });
        const second = { ...usage('m2'), first: { prompt: 700, cacheRead: 512 } };
        await apply(
          { type: 'usage', run: 'run-2', call: 'c2', usage: { ...usage('m1'), input: 9 } },
          { type: 'usage', run: 'run-2', call: 'c2', usage: second },
        );
        assert.deepEqual(await temp.store.usage(id), [
          { run: 'run-1', call: 'c1', ...usage('m1') },
          { run: 'run-2', call: 'c2', ...second },
        ]);
      });

      it('are added up by run, and over all tickets since a time', async () => {
        const ticket = await temp.store.ticket(id);
        const other = await createTicket(temp.store, 'other');
        assert.ok(ticket);
        const opened = [runOpened(ticket), runOpened(ticket, 'run-1:bead:a:1', 'run-1')];
        await temp.store.commit({ ticket: id, journal: opened, changes: [] });
        const used = (run: string, name: string, endedAt: number): readonly Change[] => [
          { type: 'call', call: call(id, name, { run, endedAt }) },
          { type: 'usage', run, call: name, usage: usage(`m-${name}`) },
        ];
        await apply(
          ...used('run-1', 'c1', 1_000),
          ...used('run-1:bead:a:1', 'c2', 2_000),
          ...used('run-1:bead:a:1', 'c3', 3_000),
        );
        const changes: readonly Change[] = [
          { type: 'call', call: call(other.id, 'c4', { endedAt: 4_000 }) },
          { type: 'usage', run: 'elsewhere', call: 'c4', usage: usage('m-c4') },
        ];
        await temp.store.commit({ ticket: other.id, journal: [], changes });
        assert.deepEqual(await temp.store.spending(id), [
          { run: 'run-1', parent: null, status: 'DRAFT', tokens: 1_110, cents: 50, minutes: 0 },
          { run: 'run-1:bead:a:1', parent: 'run-1', status: 'DRAFT', tokens: 2_220, cents: 100, minutes: 0 },
        ]);
        assert.deepEqual(await temp.store.spendingSince(3_000), { tokens: 2_220, cents: 100, minutes: 0 });
        assert.deepEqual(await temp.store.spendingSince(5_000), { tokens: 0, cents: 0, minutes: 0 });
      });

      it('compare estimates with what was reported, for first prompts only, newest first', async () => {
        const first = call(id, 'c1', { session: 's1' });
        await apply(
          { type: 'call', call: first },
          { type: 'usage', run: 'run-1', call: 'c1', usage: usage('m1', 700) },
        );
        await apply(
          { type: 'call', call: call(id, 'c2', { session: 's1' }) },
          { type: 'usage', run: 'run-1', call: 'c2', usage: usage('m2', 9_000) },
        );
        await apply(
          { type: 'call', call: call(id, 'c3', { session: 's2' }) },
          { type: 'usage', run: 'run-1', call: 'c3', usage: usage('m3', 800) },
        );
        await apply({ type: 'call', call: call(id, 'c4', { session: 's3', outcome: 'failed' }) });
        assert.deepEqual(await temp.store.calibration('demo/model'), [
          { estimated: 900, reported: 900 },
          { estimated: 900, reported: 800 },
        ]);
        assert.deepEqual(await temp.store.calibration('other/model'), []);
        assert.deepEqual((await temp.store.calls(id))[0], first);
      });
    });

    describe('the inbox', () => {
      it('files an entry once, in order, and reports its result', async () => {
        const filed = await temp.store.post({ id: 'x', ticket: id, kind: 'retry', body: { note: 'again' } });
        assert.deepEqual(await temp.store.post({ id: 'x', ticket: id, kind: 'pause', body: {} }), filed);
        await temp.store.post({ id: 'a', ticket: id, kind: 'pause', body: {} });
        await apply({
          type: 'inbox',
          id: 'x',
          state: 'refused',
          outcome: { code: 'ACTION_NOT_ALLOWED', message: 'no' },
        });
        assert.deepEqual(
          (await temp.store.inbox(id)).map((entry) => [entry.id, entry.state, entry.outcome?.code]),
          [
            ['x', 'refused', 'ACTION_NOT_ALLOWED'],
            ['a', 'pending', undefined],
          ],
        );
        assert.deepEqual(
          (await temp.store.inbox(id, { pending: true })).map((entry) => entry.id),
          ['a'],
        );
      });

      it('lets an entry be consumed once', async () => {
        await temp.store.post({ id: 'x', ticket: id, kind: 'pause', body: {} });
        await apply({ type: 'inbox', id: 'x', state: 'consumed', outcome: null });
        await assert.rejects(apply({ type: 'inbox', id: 'x', state: 'consumed', outcome: null }), {
          code: 'STATUS_CONFLICT',
        });
        await assert.rejects(apply({ type: 'inbox', id: 'none', state: 'consumed', outcome: null }), {
          code: 'STATUS_CONFLICT',
        });
      });

      it('lets a gate refuse what it has read, and nothing be read again', async () => {
        await temp.store.post({ id: 'x', ticket: id, kind: 'pause', body: {} });
        await apply({ type: 'inbox', id: 'x', state: 'consumed', outcome: null });
        const refused = {
          type: 'inbox',
          id: 'x',
          state: 'refused',
          outcome: { code: 'STALE_APPROVAL', message: 'no' },
        } as const;
        await apply(refused);
        assert.equal((await temp.store.inbox(id))[0]?.outcome?.code, 'STALE_APPROVAL');
        await assert.rejects(apply(refused), { code: 'STATUS_CONFLICT' });
        await assert.rejects(apply({ type: 'inbox', id: 'x', state: 'consumed', outcome: null }), {
          code: 'STATUS_CONFLICT',
        });
      });

      it('refuses what no ticket or schema knows', async () => {
        await assert.rejects(temp.store.post({ id: 'x', ticket: 'ABC-99', kind: 'pause', body: {} }), {
          code: 'TICKET_UNKNOWN',
        });
        await assert.rejects(
          temp.store.post({ id: 'x', ticket: id, kind: 'approve', body: { sha256: 'short', reason: '' } }),
          {
            code: 'INVALID_INPUT',
          },
        );
        assert.deepEqual(await temp.store.inbox(id), []);
      });
    });

    it('are all or nothing', async () => {
      await assert.rejects(
        apply(
          { type: 'beads', beads: [bead('a')] },
          { type: 'ticket', set: { title: 'New' } },
          { type: 'bead', id: 'none', set: {} },
        ),
      );
      assert.deepEqual(await temp.store.beads(id), []);
      assert.equal((await temp.store.ticket(id))?.title, 'Greet');
    });
  });
}
