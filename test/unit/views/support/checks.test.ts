import assert from 'node:assert/strict';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { type Check, checked, checkTexts, failedCheck } from '../../../../src/protocol/checks.ts';
import { runChecks } from '../../../../src/views/support/runChecks.ts';
import { setupText, setupView } from '../../../../src/views/support/setupState.ts';
import type { Workbench } from '../../../../src/views/shared/workbench.ts';
import { FakeClient } from '../../../support/fakes/fakeClient.ts';
import { FakeRepositories } from '../../../support/fakes/fakeRepositories.ts';

const titles = { machine: 'This machine', repository: (name: string) => `Repository ${name}`.trim() };
const gitReady = checked('git', 'pass', 'GIT_READY', { version: '2.50' });
const never = new AbortController().signal;

describe('a check-up', () => {
  const machine = async function* (...checks: readonly Check[]): AsyncGenerator<Check, void, undefined> {
    await Promise.resolve();
    yield* checks;
  };
  const scene = (repositories: FakeRepositories, checkMachine: () => AsyncIterable<Check>) =>
    ({ repositories, support: { checkMachine } }) as unknown as Workbench;

  it('checks the machine and every repository, also at one that could not be opened', async () => {
    const repositories = new FakeRepositories();
    const [one, other] = [
      new FakeClient({ root: '/one', name: 'one' }),
      new FakeClient({ root: '/other', name: 'other' }),
    ];
    one.checks = [checked('database', 'pass', 'DATABASE_NONE')];
    repositories.show(one, other);
    const failed = new FakeRepositories();
    failed.fail('/broken', new BeadsmithError('DISK_FULL'));
    repositories.entries = [...repositories.entries, ...failed.entries];
    const counts: number[] = [];
    const groups = await runChecks(
      scene(repositories, () => machine(gitReady)),
      titles,
      never,
      (count) => counts.push(count),
    );
    assert.deepEqual(
      groups?.map(({ title, checks }) => [title, checks.map(({ code }) => code)]),
      [
        ['This machine', ['GIT_READY']],
        ['Repository one', ['DATABASE_NONE']],
        ['Repository other', []],
        ['Repository /broken', ['DISK_FULL']],
      ],
    );
    assert.deepEqual(counts, [1, 2]);
  });

  it('says what is not checked where no folder is open', async () => {
    const repositories = new FakeRepositories();
    repositories.state = 'noFolder';
    const groups = await runChecks(
      scene(repositories, () => machine(gitReady)),
      titles,
      never,
      () => undefined,
    );
    assert.deepEqual(
      groups?.flatMap(({ checks }) => checks.map(({ result, code }) => [result, code])),
      [
        ['pass', 'GIT_READY'],
        ['skip', 'NO_FOLDER'],
      ],
    );
  });

  it('shows what was found before a look itself failed', async () => {
    const broken = async function* (): AsyncGenerator<Check, void, undefined> {
      yield* machine(gitReady);
      throw new BeadsmithError('INVALID_INPUT', {
        what: 'The setting beadsmith.opencode.path',
        reason: 'it must be an absolute path',
      });
    };
    const groups = await runChecks(scene(new FakeRepositories(), broken), titles, never, () => undefined);
    assert.deepEqual(
      groups?.[0]?.checks.map(({ code }) => code),
      ['GIT_READY', 'INVALID_INPUT'],
    );
  });

  it('ends at once when it is canceled, whatever is under way', async () => {
    const stop = new AbortController();
    const endless = async function* (): AsyncGenerator<Check, void, undefined> {
      yield gitReady;
      await new Promise(() => undefined);
    };
    const running = runChecks(scene(new FakeRepositories(), endless), titles, stop.signal, () =>
      stop.abort(),
    );
    assert.equal(await running, undefined);
  });
});

describe('the result of a check-up as text', () => {
  const text = (check: Check): string =>
    setupText(
      setupView([{ title: 'This machine', checks: [gitReady, check] }], { run: 1, progress: 'done' }).state,
    );

  it('says each result as a word, and what to do', () => {
    const missing = text(
      failedCheck('opencode', new BeadsmithError('OPENCODE_MISSING', { version: '1.2.3' })),
    );
    assert.deepEqual(missing.split('\n').slice(0, 6), [
      'Beadsmith: Setup',
      '================',
      '',
      'Failed: 1. Warnings: 0. OK: 1. Not checked: 0.',
      '',
      'This machine',
    ]);
    assert.match(missing, /^OK {11}git: git 2\.50$/m);
    assert.match(
      missing,
      /^FAILED {7}OpenCode: OpenCode was not found\.\n {13}What to do: Run "npm install --global opencode-ai@1\.2\.3"/m,
    );
  });

  it('shows what a program said before it failed, and lets no argument make a line of its own', () => {
    const error = new BeadsmithError(
      'OPENCODE_START_FAILED',
      { reason: 'x\nOK   git: fine' },
      { diagnostics: { log: 'first\nsecond\n' } },
    );
    assert.match(
      text(failedCheck('models', error)),
      /did not start: x OK git: fine\n {13}\| first\n {13}\| second\n/,
    );
  });

  it('has a next step for whatever fails or is not checked', () => {
    for (const [code, [, nextStep]] of Object.entries(checkTexts))
      if (/_MISSING|_OLD|_DAMAGED|_UNKNOWN|_EMPTY|^READ_ONLY|^UNTRUSTED|^NO_|MODELS_NONE/.test(code))
        assert.notEqual(nextStep, '', code);
  });
});
