import assert from 'node:assert/strict';
import { BeadsmithError, filled } from '../../../../src/domain/core/errors.ts';
import { type Check, checked, checkTexts, failedCheck } from '../../../../src/protocol/checks.ts';
import { checkText, type CheckWords } from '../../../../src/views/support/checkText.ts';
import { runChecks } from '../../../../src/views/support/runChecks.ts';
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

describe('checkText', () => {
  const words: CheckWords = {
    title: 'Setup',
    summary: 'Failed: 1.',
    nextStep: 'What to do:',
    results: { pass: 'OK', warn: 'WARNING', fail: 'FAILED', skip: 'NOT CHECKED' },
    subjects: {
      git: 'git',
      sandbox: 'Sandbox',
      opencode: 'OpenCode',
      settings: 'Settings',
      repository: 'Repository',
      driver: 'Driver',
      prompts: 'Prompts',
      database: 'Database',
      journals: 'Journals',
      worktrees: 'Worktrees',
      github: 'GitHub',
      servers: 'Servers',
      server: 'Server',
      models: 'Models',
    },
    translate: filled,
    fixOf: ({ code }) =>
      code === 'OPENCODE_MISSING' ? { title: 'Install OpenCode…', command: 'install', args: [] } : undefined,
  };

  it('says each result as a word, what to do, and links what the editor can do', () => {
    const missing = failedCheck('opencode', new BeadsmithError('OPENCODE_MISSING', { version: '1.2.3' }));
    const { text, links } = checkText([{ title: 'This machine', checks: [gitReady, missing] }], words);
    const lines = text.split('\n');
    assert.deepEqual(lines.slice(0, 6), ['Setup', '=====', '', 'Failed: 1.', '', 'This machine']);
    assert.match(text, /^OK {11}git: git 2\.50$/m);
    assert.match(
      text,
      /^FAILED {7}OpenCode: OpenCode was not found\.\n {13}What to do: Run "npm install --global opencode-ai@1\.2\.3"/m,
    );
    const [link] = links;
    assert.equal(lines[link?.line ?? 0]?.slice(link?.start, link?.end), 'Install OpenCode…');
    assert.equal(link?.command, 'install');
  });

  it('shows what a program said before it failed, and lets no argument make a line of its own', () => {
    const error = new BeadsmithError(
      'OPENCODE_START_FAILED',
      { reason: 'x\nOK   git: fine' },
      { diagnostics: { log: 'first\nsecond\n' } },
    );
    const { text } = checkText([{ title: 'T', checks: [failedCheck('models', error)] }], words);
    assert.match(text, /did not start: x OK git: fine\n {13}\| first\n {13}\| second\n/);
  });

  it('has a next step for whatever fails or is not checked', () => {
    for (const [code, [, nextStep]] of Object.entries(checkTexts))
      if (/_MISSING|_OLD|_DAMAGED|_UNKNOWN|_EMPTY|^READ_ONLY|^UNTRUSTED|^NO_|MODELS_NONE/.test(code))
        assert.notEqual(nextStep, '', code);
  });
});
