import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkStored } from '../../../src/app/checkStored.ts';
import type { App } from '../../../src/app/app.ts';
import { checkForge, checkMachine, checkRepository } from '../../../src/app/checkup.ts';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import type { ForgePlace } from '../../../src/domain/forge/forgePlace.ts';
import type { ForgeCapabilities, Forges } from '../../../src/engine/ports/ports.ts';
import { noForge } from '../../support/fakes/noForge.ts';
import { schemaVersion } from '../../../src/adapters/store/sql/migrations.ts';
import type { Check } from '../../../src/protocol/checks.ts';
import { tempStores } from '../../support/engine/tempStore.ts';
import { createTicket } from '../../support/storeContract/samples.ts';
import { tamper } from '../../support/engine/tempStore.ts';

async function found(checks: AsyncIterable<Check>): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const { result, code } of checks) all.push(`${result} ${code}`);
  return all;
}

describe('a check-up of a repository', () => {
  it('says who works on its tickets', async () => {
    const of = async (mode: App['mode'], driverIsGone: boolean): Promise<string | undefined> => {
      const app = {
        mode,
        driverIsGone: () => Promise.resolve(driverIsGone),
        repository: { commonDir: '/sample/.git' },
        ports: { git: { repository: () => Promise.reject(new Error('not asked here')) } },
      } as unknown as App;
      for await (const { subject, code } of checkRepository(app, { opencode: {} }))
        if (subject === 'driver') return code;
      return undefined;
    };
    assert.equal(await of('driver', false), 'DRIVEN_HERE');
    assert.equal(await of('follower', false), 'DRIVEN_BY_ANOTHER');
    assert.equal(await of('follower', true), 'DRIVEN_BY_NOBODY');
  });
});

describe('a check-up of what is stored', () => {
  const newStore = tempStores();

  it('says which schema the database has, that it is whole, and that every journal is', async () => {
    const temp = newStore();
    await createTicket(temp.store);
    assert.deepEqual(await found(checkStored(temp.store, temp.folder)), [
      'pass DATABASE_INTACT',
      'pass JOURNALS_VALID',
    ]);
    const { schema, sqlite, problem } = await temp.store.check();
    assert.deepEqual([schema, problem], [schemaVersion, null]);
    assert.match(sqlite, /^3\.\d+\.\d+$/);
  });

  it('names a journal that is damaged', async () => {
    const temp = newStore();
    await createTicket(temp.store);
    tamper(temp.folder, 'UPDATE journal SET at = at + 1');
    assert.deepEqual(await found(checkStored(temp.store, temp.folder)), [
      'pass DATABASE_INTACT',
      'fail JOURNAL_DAMAGED',
    ]);
  });

  it('names a row that something else changed', async () => {
    const temp = newStore();
    await createTicket(temp.store);
    tamper(temp.folder, `UPDATE tickets SET status = 'COMPLETED'`);
    const checks: Check[] = [];
    for await (const check of checkStored(temp.store, temp.folder)) checks.push(check);
    const [, rows] = checks;
    assert.deepEqual(
      [rows?.result, rows?.code, rows?.args],
      ['fail', 'ROWS_DIFFER', { ticket: 'ABC-1', rows: 'ticket: status' }],
    );
    assert.equal(checks.length, 2);
  });

  it('finds damaged pages that reading a ticket would not have met', async () => {
    const temp = newStore();
    for (let number = 0; number < 50; number++) await createTicket(temp.store);
    temp.store.sync.close();
    const file = join(temp.folder, 'state.db');
    const bytes = readFileSync(file);
    bytes.fill(0xff, bytes.length - 4_096, bytes.length - 2_048);
    writeFileSync(file, bytes);
    const results = await found(checkStored(temp.reopen(), temp.folder));
    assert.match(results[0] ?? '', /^fail DATABASE_(?:DAMAGED|CORRUPT)$/);
  });
});

describe('a check-up of the way to GitHub', () => {
  const base = { remote: 'upstream', host: 'github.com', api: '', owner: 'octo', name: 'sample' };
  const fork = { ...base, remote: 'origin', owner: 'ada' };
  const rights = {
    isArchived: false,
    baseTip: undefined,
    isBaseProtected: false,
    requiredChecks: [],
    merges: [],
  };
  const asked: unknown[] = [];

  /** `pushes`: whether the person may push; an error is what the forge says. */
  function forgesOf(head: ForgePlace['head'], pushes: boolean | BeadsmithError): Forges {
    const never = (): Promise<never> => Promise.reject(new Error('Nothing is published.'));
    const capabilities = (of: unknown): Promise<ForgeCapabilities> => {
      asked.push(of);
      return typeof pushes === 'boolean'
        ? Promise.resolve({ ...rights, mayPush: pushes })
        : Promise.reject(pushes);
    };
    const place = { base, head };
    const account = () => Promise.resolve({ login: 'ada', source: 'GH_TOKEN' });
    const forge = {
      name: 'github',
      place,
      account,
      capabilities,
      find: never,
      create: never,
      update: never,
      assign: never,
      evidence: never,
      look: never,
      failedChecks: never,
      rerun: never,
      threads: never,
      reply: never,
      resolve: never,
      merge: never,
      unplanMerge: never,
      lastReopening: never,
      close: never,
      issueState: never,
      commentIssue: never,
    };
    return {
      isThere: () => Promise.resolve(true),
      places: () => Promise.resolve([place]),
      at: () => Promise.resolve(forge),
      issue: never,
    };
  }

  it('says where pull requests go, or what to do, and asks nobody to sign in', async () => {
    const stranger = new BeadsmithError('FORGE_SIGN_IN', {
      host: 'github.com',
      reason: 'there is no token.',
    });
    const checks = [noForge, forgesOf(base, true), forgesOf(fork, true), forgesOf(fork, false)];
    const found = await Promise.all([...checks, forgesOf(base, stranger)].map(checkForge));
    assert.deepEqual(
      found.map(({ subject, result, code, args }) => [
        `${subject} ${result} ${code}`,
        args['remote'] &&
          `${args['remote']} ${args['repository'] ?? ''} ${args['pushTo'] ?? ''} ${args['account'] ?? ''} ${args['source'] ?? ''}`,
      ]),
      [
        ['github pass FORGE_NONE', undefined],
        ['github pass FORGE_READY', 'upstream octo/sample octo/sample ada GH_TOKEN'],
        ['github pass FORGE_FORK', 'upstream octo/sample ada/sample ada GH_TOKEN'],
        ['github warn FORGE_NO_PUSH', 'upstream octo/sample ada/sample ada GH_TOKEN'],
        ['github warn FORGE_SIGN_IN', undefined],
      ],
    );
    assert.deepEqual(asked[0], { isQuiet: true });
  });
});

describe('a check-up of the machine', () => {
  const nowhere = { PATH: '', HOME: '/nowhere', BEADSMITH_CACHE: '/nowhere' };

  it('misses what is not there, each with a code of its own', async () => {
    assert.deepEqual(await found(checkMachine({ env: nowhere, sandbox: 'off', opencode: {} })), [
      'fail GIT_MISSING',
      'warn SANDBOX_OFF',
      'fail OPENCODE_MISSING',
    ]);
  });

  it('asks for no OpenCode on this machine where a server is given', async () => {
    assert.deepEqual(
      await found(checkMachine({ env: nowhere, sandbox: 'off', opencode: { url: 'http://127.0.0.1:1' } })),
      ['fail GIT_MISSING', 'warn SANDBOX_OFF'],
    );
  });
});
