import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import type { HandlerDefinition, StepIo } from '../../../../src/engine/run/run.ts';
import { behaviourOf, EngineWorld, scanning, stay, word } from '../../../support/engine/engineWorld.ts';
import { tempStores } from '../../../support/engine/tempStore.ts';
import { until } from '../../../support/until.ts';
import { newTicket } from '../../../support/samples.ts';

describe('The engine', () => {
  let world: EngineWorld;
  let id: string;
  const stores = tempStores();
  beforeEach(async () => {
    world = new EngineWorld(stores());
    id = (await world.ticket()).id;
  });

  it('moves a ticket along the table until it is over, in one transaction a status', async () => {
    assert.deepEqual(await world.driveUntilIdle(behaviourOf({}), id), { state: 'terminal' });
    const journal = await world.store.journal(id);
    const statuses = journal.filter((row) => row.entry.kind === 'status');
    assert.equal(statuses.length, 30);
    for (const row of statuses) assert.equal(journal[row.seq - 2]?.entry.kind, 'run.closed');
    assert.equal((await world.store.verify(id)).ok, true);
  });

  it('does a step once, and answers it from the journal when the handler is replayed', async () => {
    let effects = 0;
    const first = scanning(async (run) => {
      await word(run, 'one', () => Promise.resolve(`done ${String(++effects)}`));
      await run.wait('gate', ['merge']);
    });
    await world.driveUntilIdle(first, id);
    const seen: string[] = [];
    await world.post(id, 'merge', {});
    await world.driveUntilIdle(
      scanning(async (run) => {
        seen.push(await word(run, 'one', () => Promise.resolve(`done ${String(++effects)}`)));
        await run.wait('gate', ['merge']);
      }),
      id,
    );
    assert.deepEqual([effects, seen], [1, ['done 1']]);
    assert.equal((await world.read(id)).status, 'COUNCIL_DELIBERATING');
  });

  it('tells an effect that was cut off what it had noted', async () => {
    const never = new Promise<string>(() => undefined);
    world.start(
      scanning(async (run) => {
        await word(run, 'prompt', async (io) => {
          await io.note({ session: 's1' });
          return never;
        });
      }),
    );
    await until(async () => (await world.kinds(id)).includes('step.note'), 'the note');
    world.crash();
    const seen: unknown[] = [];
    await world.driveUntilIdle(
      scanning(async (run) => {
        await word(run, 'prompt', (io) => {
          seen.push(io.resume, ...io.earlier);
          return Promise.resolve('ok');
        });
      }),
      id,
    );
    assert.deepEqual(seen, ['recover', { session: 's1' }]);
  });

  it('records a failure as a receipt and blocks; retry begins a new attempt', async () => {
    let attempts = 0;
    const flaky = scanning(async (run) => {
      await word(run, 'scan', () => {
        if (++attempts === 1)
          throw new BeadsmithError('RESPONSE_INVALID', { model: 'm', what: 'scan', reason: 'no' });
        return Promise.resolve('ok');
      });
    });
    assert.deepEqual(await world.driveUntilIdle(flaky, id), { state: 'blocked' });
    const blocked = await world.read(id);
    assert.equal(blocked.error?.code, 'RESPONSE_INVALID');
    assert.equal(blocked.previousStatus, 'SCANNING_RELEVANT_FILES');
    await world.post(id, 'retry', { note: '' });
    await world.driveUntilIdle(flaky, id);
    const after = await world.read(id);
    assert.equal(after.status, 'COUNCIL_DELIBERATING');
    assert.equal(after.attempts['SCANNING_RELEVANT_FILES'], 2);
    const runs = await world.store.runs(id);
    assert.deepEqual(
      runs
        .filter((run) => run.status === 'SCANNING_RELEVANT_FILES')
        .map((run) => run.state)
        .sort(),
      ['archived', 'closed'],
    );
  });

  it('continues an interrupted step in the same run', async () => {
    const resumes: string[] = [];
    const busy = scanning(async (run) => {
      await word(run, 'before', () => Promise.resolve(String(resumes.length)));
      await word(run, 'ask', (io) => {
        resumes.push(io.resume);
        if (resumes.length === 1)
          throw new BeadsmithError('PROVIDER_QUOTA', { model: 'm', reason: '429' }, { continuable: true });
        return Promise.resolve('ok');
      });
    });
    await world.driveUntilIdle(busy, id);
    assert.equal((await world.read(id)).error?.continuable, true);
    await world.post(id, 'continue', {});
    await world.driveUntilIdle(busy, id);
    assert.deepEqual(resumes, ['first', 'continue']);
    const after = await world.read(id);
    assert.deepEqual(
      [after.status, after.attempts['SCANNING_RELEVANT_FILES']],
      ['COUNCIL_DELIBERATING', undefined],
    );
  });

  it('refuses to continue what is no interruption', async () => {
    const broken = scanning((run) =>
      word(run, 'x', () => Promise.reject(new Error('bug'))).then(() => undefined),
    );
    await world.driveUntilIdle(broken, id);
    const post = await world.post(id, 'continue', {});
    await world.driveUntilIdle(broken, id);
    const entry = (await world.store.inbox(id)).find((found) => found.id === post);
    assert.deepEqual([entry?.state, entry?.outcome?.code], ['refused', 'NOTHING_TO_CONTINUE']);
  });

  it('names branches, waits for all of them, and settles their failures', async () => {
    let seen: unknown;
    await world.driveUntilIdle(
      scanning(async (run) => {
        const settled = await run.all({
          a: (branch) => word(branch, 'draft', () => Promise.resolve('A')),
          b: (branch) =>
            word(branch, 'draft', () =>
              Promise.reject(new BeadsmithError('RESPONSE_INVALID', { model: 'b', what: 'x', reason: 'y' })),
            ),
          c: (branch) => word(branch, 'draft', () => Promise.resolve('C')),
        });
        seen = Object.fromEntries(
          Object.entries(settled).map(([name, result]) => [name, result.ok ? result.value : 'failed']),
        );
      }),
      id,
    );
    assert.deepEqual(seen, { a: 'A', b: 'failed', c: 'C' });
    const [run] = (await world.store.runs(id)).filter((row) => row.status === 'SCANNING_RELEVANT_FILES');
    const keys = (await world.store.steps(run?.id ?? '')).map((step) => step.key);
    assert.deepEqual([...keys].sort(), ['a/draft', 'b/draft', 'c/draft']);
  });

  it('refuses a key that is used twice', async () => {
    await world.driveUntilIdle(
      scanning(async (run) => {
        await word(run, 'same', () => Promise.resolve('1'));
        await word(run, 'same', () => Promise.resolve('2'));
      }),
      id,
    );
    assert.equal((await world.read(id)).error?.code, 'STEP_KEY_REUSED');
  });

  it('supersedes a run of another handler version instead of replaying it', async () => {
    let effects = 0;
    const versioned = (version: number) =>
      scanning(async (run) => {
        await word(run, 'x', () => Promise.resolve(String(++effects)));
        if (version === 1) await run.wait('gate', ['merge']);
      }, version);
    await world.driveUntilIdle(versioned(1), id);
    await world.driveUntilIdle(versioned(2), id);
    assert.equal(effects, 2);
    assert.ok((await world.store.runs(id)).some((run) => run.state === 'superseded'));
  });

  it('takes a stored result that no longer parses, or a key nobody asks for, as a mismatch', async () => {
    const first = scanning(async (run) => {
      await word(run, 'x', () => Promise.resolve('text'));
      await run.wait('gate', ['merge']);
    });
    await world.driveUntilIdle(first, id);
    await world.driveUntilIdle(
      scanning(async (run) => {
        await run.step('x', z.number(), () => Promise.resolve(1));
      }),
      id,
    );
    assert.equal((await world.read(id)).error?.code, 'REPLAY_MISMATCH');

    const other = (await world.store.createTicket({ ...newTicket, title: 'Other' })).id;
    await world.driveUntilIdle(first, other);
    await world.driveUntilIdle(
      scanning(() => Promise.resolve()),
      other,
    );
    assert.equal((await world.read(other)).error?.code, 'REPLAY_MISMATCH');
  });

  it('hands every entry to one wait, in the order of posting', async () => {
    const answers: string[] = [];
    const asking = scanning(async (run) => {
      for (let n = 1; n <= 2; n++) {
        const entry = await run.wait(`answer:${String(n)}`, ['context']);
        if (entry !== 'expired') answers[n - 1] = entry.body.text;
      }
    });
    assert.equal((await world.driveUntilIdle(asking, id)).state, 'waiting');
    await world.post(id, 'context', { text: 'first', scope: 'once' });
    await world.post(id, 'context', { text: 'second', scope: 'once' });
    await world.driveUntilIdle(asking, id);
    assert.deepEqual(answers, ['first', 'second']);
    assert.ok((await world.store.inbox(id)).every((entry) => entry.state === 'consumed'));
  });

  it('lets a wait expire at its time, counted from the first time it was asked', async () => {
    const results: unknown[] = [];
    const behaviour = scanning(async (run) => {
      results.push(await run.wait('answer', ['context'], { afterMs: 60_000 }));
    });
    assert.equal((await world.driveUntilIdle(behaviour, id)).state, 'waiting');
    await world.clock.advance(61_000);
    await world.driveUntilIdle(behaviour, id);
    assert.deepEqual(results, ['expired']);
  });

  it('ends a step when its active time is used up, and not while it waits for a person', async () => {
    const hang = (io: StepIo) =>
      new Promise<never>((_, reject) =>
        io.signal.addEventListener('abort', () => {
          reject(new Error('aborted'));
        }),
      );
    const behaviour = scanning(async (run) => {
      await run.step(
        'call',
        z.string(),
        async (io) => {
          const content = { kind: 'permission' as const, permission: 'bash', patterns: ['*'], command: 'ls' };
          const withdrawn = new AbortController().signal;
          await io.ask({ asked: 'per_1', content }, { source: 'demo/main', windowMs: 120_000, withdrawn });
          return hang(io);
        },
        { activeMs: 10_000 },
      );
    });
    world.start(behaviour);
    await until(async () => (await world.read(id)).hold !== null, 'the question');
    await world.clock.advance(60_000);
    const { status, hold } = await world.read(id);
    assert.equal(status, 'SCANNING_RELEVANT_FILES');
    await world.post(id, 'permission_reply', { request: hold?.request?.id ?? '', allow: true });
    await until(async () => (await world.read(id)).hold === null, 'the end of the hold');
    await world.clock.advance(1_000);
    await world.clock.advance(12_000);
    await until(async () => (await world.read(id)).status === 'BLOCKED_ERROR', 'the block');
    assert.equal((await world.read(id)).error?.code, 'LIMIT_EXPIRED');
  });

  it('carries a cancel of several steps out to its end, although its request stays unread meanwhile', async () => {
    const done: string[] = [];
    const cancel: HandlerDefinition<'canceled'> = {
      version: 1,
      run: async (run) => {
        for (const key of ['one', 'two', 'three']) {
          await run.step(key, z.null(), async () => {
            // All listeners have the last commit.
            await new Promise((resolve) => setTimeout(resolve, 5));
            done.push(key);
            return null;
          });
        }
        return { exit: 'canceled' };
      },
    };
    await world.post(id, 'cancel', { reason: '', deleteWorktree: false });
    await world.driveUntilIdle(behaviourOf({ draft: stay }, { prepared: { cancel } }), id);
    assert.deepEqual(done, ['one', 'two', 'three']);
    assert.equal((await world.read(id)).status, 'CANCELED');
  });

  it('cancels a ticket whose step is at work, and aborts that step', async () => {
    let aborted = false;
    const behaviour = scanning(async (run) => {
      await word(
        run,
        'long',
        (io) =>
          new Promise((_, reject) =>
            io.signal.addEventListener('abort', () => {
              aborted = true;
              reject(new Error('stop'));
            }),
          ),
      );
    });
    world.start(behaviour);
    await until(async () => (await world.kinds(id)).includes('step.intent'), 'the step');
    await world.post(id, 'cancel', { reason: 'no longer needed', deleteWorktree: false });
    await until(async () => (await world.read(id)).status === 'CANCELED', 'the cancel');
    assert.equal(aborted, true);
  });

  it('says why a cancel could not be carried out, and carries out the next one', async () => {
    let tries = 0;
    const cancel: HandlerDefinition<'canceled'> = {
      version: 1,
      run: async (run) => {
        await run.step('stop', z.null(), () =>
          ++tries === 1 ? Promise.reject(new BeadsmithError('OPENCODE_GONE')) : Promise.resolve(null),
        );
        return { exit: 'canceled' };
      },
    };
    const behaviour = behaviourOf({ draft: stay }, { prepared: { cancel } });
    const first = await world.post(id, 'cancel', { reason: '', deleteWorktree: false });
    await world.driveUntilIdle(behaviour, id);
    assert.equal(
      (await world.store.inbox(id)).find((entry) => entry.id === first)?.outcome?.code,
      'OPENCODE_GONE',
    );
    assert.equal((await world.read(id)).status, 'DRAFT');
    await world.post(id, 'cancel', { reason: '', deleteWorktree: false });
    await world.driveUntilIdle(behaviour, id);
    assert.equal((await world.read(id)).status, 'CANCELED');
  });

  it('does not drive on a journal that was changed behind its back', async () => {
    await world.driveUntilIdle(behaviourOf({ draftInterview: stay }), id);
    const database = new DatabaseSync(world.database);
    database
      .prepare(
        "UPDATE journal SET entry = replace(entry, 'start', 'stahl') WHERE ticket = ? AND entry LIKE '%start%'",
      )
      .run(id);
    database.close();
    await assert.rejects(world.driveUntilIdle(behaviourOf({}), id), { code: 'JOURNAL_BROKEN' });
    assert.equal((await world.read(id)).status, 'COUNCIL_DELIBERATING');
  });

  it('drives the other tickets although one can’t be read', async () => {
    const other = (await world.ticket()).id;
    const database = new DatabaseSync(world.database);
    database.prepare(`UPDATE tickets SET status = 'CODING', body = 'x' WHERE id = ?`).run(id);
    database.close();
    await world.driveUntilIdle(behaviourOf({ draftInterview: stay }), other);
    assert.equal((await world.read(other)).status, 'COUNCIL_DELIBERATING');
    await assert.rejects(world.driveUntilIdle(behaviourOf({ draftInterview: stay }), id), {
      code: 'TICKET_DAMAGED',
    });
  });

  it('pauses and resumes without losing what was done', async () => {
    let effects = 0;
    const behaviour = scanning(async (run) => {
      await word(run, 'x', () => Promise.resolve(String(++effects)));
      await run.wait('gate', ['merge']);
    });
    await world.driveUntilIdle(behaviour, id);
    await world.post(id, 'pause', {});
    await world.post(id, 'merge', {});
    assert.equal((await world.driveUntilIdle(behaviour, id)).state, 'held');
    await world.post(id, 'resume', {});
    await world.driveUntilIdle(behaviour, id);
    assert.deepEqual([(await world.read(id)).status, effects], ['COUNCIL_DELIBERATING', 1]);
  });

  it('rewinds planning when an approved interview is edited later, but not before the edit was checked', async () => {
    const behaviour = behaviourOf(
      {
        approve: {
          version: 1,
          run: (run, ticket) =>
            ticket.status === 'WAITING_PRD_APPROVAL'
              ? stay.run(run, ticket)
              : Promise.resolve({ exit: 'approve' }),
        },
      },
      {
        rewind: (_ports, _ticket, body) => {
          if (body.content === 'bad')
            throw new BeadsmithError('INVALID_ARTIFACT', { artifact: 'interview', reason: 'line 1' });
          return [];
        },
      },
    );
    await world.driveUntilIdle(behaviour, id);
    assert.equal((await world.read(id)).status, 'WAITING_PRD_APPROVAL');
    const edit = { artifact: 'interview', baseSha256: null, surface: 'raw' } as const;
    const bad = await world.post(id, 'edit', { ...edit, content: 'bad' });
    await world.driveUntilIdle(behaviour, id);
    assert.equal(
      (await world.store.inbox(id)).find((entry) => entry.id === bad)?.outcome?.code,
      'INVALID_ARTIFACT',
    );
    assert.deepEqual((await world.read(id)).attempts, {});
    await world.post(id, 'edit', { ...edit, content: 'good' });
    await world.driveUntilIdle(behaviour, id);
    const after = await world.read(id);
    assert.deepEqual(
      [after.status, after.attempts['DRAFTING_PRD'], after.attempts['CODING']],
      ['WAITING_PRD_APPROVAL', 2, undefined],
    );
  });
});
