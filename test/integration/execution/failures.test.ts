import assert from 'node:assert/strict';
import { join } from 'node:path';
import { failureBehind } from '../../../src/domain/beads/failure.ts';
import type { Bead } from '../../../src/domain/beads/bead.ts';
import { fromRecord } from '../../../src/domain/core/errors.ts';
import type { Limits } from '../../../src/domain/settings/settings.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { type ExecutionWorld, executionWorlds, report } from '../../support/engine/executionWorld.ts';

describe('why a bead failed', () => {
  const newWorld = executionWorlds();

  /** The only iteration; answers the error that blocked the ticket. */
  async function failed(
    answer: string | ((write: (path: string, content: string) => void) => string),
    bead: Partial<Bead> = {},
    limits: Partial<Limits> = {},
    profile: Readonly<Record<string, unknown>> = {},
    before: (world: ExecutionWorld) => Promise<unknown> = () => Promise.resolve(),
  ) {
    const world = await newWorld.in('CODING', {
      beads: [bead],
      limits: { maxIterations: 0, maxContinuations: 0, ...limits },
    });
    await world.prepared(profile);
    world.answers({
      coding: async () => {
        await before(world);
        return typeof answer === 'string' ? answer : answer((path, content) => world.write(path, content));
      },
    });
    await world.drive({ coding });
    const { error } = await world.read();
    assert.ok(error);
    return { world, error: fromRecord(error), failure: failureBehind(error.diagnostics) };
  }

  const greets = (write: (path: string, content: string) => void) => {
    write('greet.txt', 'hello\n');
    return report('greet');
  };

  it('names the command, its exit code, and the last lines of its output without secrets', async () => {
    const command = 'seq 1 100; echo "password=hunter2secret"; echo "Error: 1 !== 2"; exit 3';
    const { error, failure } = await failed(greets, { testCommands: [command] });
    assert.match(error.message, /^Bead greet failed \(iterations: 1\)\. `seq .*` failed with exit code 3\.$/);
    assert.match(error.nextStep, /Retry with a note/);
    assert.equal(failure?.cause, 'checks_failed');
    assert.match(failure.output, /^8\d\n[^]*password=<secret>\nError: 1 !== 2$/);
    assert.doesNotMatch(JSON.stringify(error), /hunter2secret/);
  });

  it('names the tests that failed', async () => {
    const test =
      "const test = require('node:test'); test('adds', () => { throw new Error('no'); }); test('prints', () => {});\n";
    const writes = (write: (path: string, content: string) => void) => {
      write('a.test.js', test);
      return report('greet');
    };
    const { failure } = await failed(writes, {
      testCommands: ['node --test --test-isolation=none --test-reporter=tap a.test.js'],
    });
    assert.deepEqual(failure?.tests, ['adds']);
  });

  it('names the limit that ended a command, and offers to raise that one', async () => {
    const { error, failure } = await failed(
      greets,
      { testCommands: ['sleep 30'] },
      { commandTimeout: 1_000 },
    );
    assert.match(error.message, /`sleep 30` timed out after 1 s, the time limit of commands\.$/);
    assert.equal(failure?.limit, 'commandTimeout');
  });

  it('says that the session left no marker', async () => {
    const { error, failure } = await failed('I am done.');
    assert.match(error.message, /The session ended without a valid status marker\.$/);
    assert.equal(failure?.cause, 'marker');
  });

  it('says that the agent itself reports no success, with its reason', async () => {
    const { failure } = await failed(
      report('greet', { status: 'error' }).replace(
        'status: error',
        'status: error\nreason: The API is gone.',
      ),
    );
    assert.equal(failure?.cause, 'not_done');
    assert.match(failure.output, /The API is gone\./);
  });

  it('runs the commands all the same where the agent reports no success, and tells next session, note and analysis what it saw', async () => {
    const world = await newWorld();
    const settings = {
      depth: 'full',
      councilMembers: ['other/second'],
      failureAnalysis: 'inform',
      partyMode: 'solo',
    } as const;
    const limits = { maxIterations: 1, maxContinuations: 1 };
    world.agent.known = ['demo/main', 'other/second'];
    await world.begin('CODING', { limits, settings: { ...settings, councilMembers: ['other/second'] } });
    const gone = report('greet', { status: 'error' }).replace(
      'status: error',
      'status: error\nreason: The API is gone.',
    );
    const writes = (text: string) => () => {
      world.write('greet.txt', text);
      return gone;
    };
    world.answers({ coding: writes('HELLO\n'), 'coding-continue': writes('hello\n') });
    await world.drive({ coding });
    const told = (task: string): string => world.agent.calls.find((call) => call.task === task)?.whole ?? '';
    assert.match(
      told('coding-continue'),
      /On the files as the session left them:\n\n`grep -q hello greet\.txt` exited with 1 [^]*by itself: [^]*The API is gone/,
    );
    for (const task of ['coding-note', 'failure-analysis'])
      assert.match(
        told(task),
        /On the files as the session left them:\n\n`grep -q hello greet\.txt` passed\.\n\n[^]*by itself: [^]*The API is gone/,
        task,
      );
    assert.equal(failureBehind((await world.read()).error?.diagnostics ?? {})?.cause, 'not_done');
  });

  it('says that nothing was changed', async () => {
    const { error } = await failed(report('greet'));
    assert.match(error.message, /No file was changed/);
  });

  it('names the paths that cannot be committed', async () => {
    const nests = (write: (path: string, content: string) => void) => {
      write('greet.txt', 'hello\n');
      write('inner/lost.txt', 'lost\n');
      return report('greet');
    };
    const { error, failure } = await failed(nests, {}, {}, {}, (world) =>
      world.repository.git('init', '--quiet', join(world.worktree, 'inner')),
    );
    assert.equal(failure?.cause, 'not_acceptable');
    assert.match(
      error.message,
      /cannot be accepted as it is: These paths can't be committed: - inner: a git repository of its own/,
    );
  });

  it('tells a failed bootstrap from a failed check', async () => {
    const { error, failure } = await failed(
      greets,
      {},
      {},
      { bootstrap_commands: ['echo no network >&2; exit 7'] },
    );
    assert.match(
      error.message,
      /In a clean checkout the setup command `echo no network >&2; exit 7` failed with exit code 7\.$/,
    );
    assert.equal(failure?.output, 'no network');
  });

  it('keeps every iteration’s failure with the note for the next one', async () => {
    const { world } = await failed(greets, { testCommands: ['false'] }, { maxIterations: 2 });
    const kept = (await world.json('bead_failures:greet')) as {
      failures: { iteration: number; failure: { cause: string }; note: string }[];
    };
    assert.deepEqual(
      kept.failures.map(({ iteration, failure }) => [iteration, failure.cause]),
      [
        [1, 'checks_failed'],
        [2, 'checks_failed'],
      ],
    );
    assert.ok(kept.failures.every(({ note }) => note !== ''));
  });
});
