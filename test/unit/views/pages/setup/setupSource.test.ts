import assert from 'node:assert/strict';
import { BeadsmithError, type ErrorCode } from '../../../../../src/domain/core/errors.ts';
import { type Check, checked, checkTexts, failedCheck } from '../../../../../src/protocol/checks.ts';
import { SetupState } from '../../../../../src/protocol/pages/setup.ts';
import { commandNames, commandId } from '../../../../../src/views/commands/commands.ts';
import type { Workbench } from '../../../../../src/views/shared/workbench.ts';
import { SetupSource } from '../../../../../src/views/pages/setup/setupSource.ts';
import { editor } from '../../../../support/fakes/fakeEditor.ts';
import { FakeRepositories } from '../../../../support/fakes/fakeRepositories.ts';
import { until } from '../../../../support/until.ts';

const git = checked('git', 'pass', 'GIT_READY', { version: '2.50' });
const missing = failedCheck('opencode', new BeadsmithError('OPENCODE_MISSING', { version: '1.2.3' }));

describe('the page of Check Setup', () => {
  beforeEach(() => {
    editor.reset();
  });

  function pageOf(checkMachine: () => AsyncIterable<Check>): SetupSource {
    const repositories = new FakeRepositories();
    repositories.state = 'idle';
    return new SetupSource({
      repositories,
      support: { checkMachine },
      logError: (_what: string, error: unknown) => assert.fail(error as Error),
    } as unknown as Workbench);
  }
  const shown = async (source: SetupSource): Promise<SetupState> =>
    SetupState.parse((await source.read()).content);
  const pageWith = (...found: readonly Check[]): SetupSource =>
    pageOf(async function* () {
      await Promise.resolve();
      yield* found;
    });

  it('shows one line after the other while it checks, and then how many have which result', async () => {
    const rest = Promise.withResolvers<undefined>();
    const source = pageOf(async function* () {
      yield git;
      await rest.promise;
      yield missing;
    });
    let changes = 0;
    source.listen({ changed: () => changes++, hint: () => undefined });
    const checking = source.check();
    await until(async () => (await shown(source)).groups[0]?.lines.length === 1, 'the first line is there');
    assert.equal(changes, 2, 'the page is told that it began, and of the line');
    const { isRunning, summary } = await shown(source);
    assert.deepEqual([isRunning, summary], [true, '']);
    rest.resolve(undefined);
    await checking;
    const state = await shown(source);
    assert.deepEqual(
      [state.isRunning, state.summary],
      [false, 'Failed: 1. Warnings: 0. OK: 1. Not checked: 0.'],
    );
    assert.deepEqual(
      state.groups[0]?.lines.map(({ result, subject, sentence, fix }) => [result, subject, sentence, fix]),
      [
        ['pass', 'git', 'git 2.50', ''],
        ['fail', 'OpenCode', 'OpenCode was not found.', 'Install OpenCode…'],
      ],
    );
    assert.deepEqual(editor.shown, [], 'what the page says isn’t said again');
  });

  it('checks again when asked, and only once at a time', async () => {
    let checks = 0;
    const source = pageOf(async function* () {
      checks++;
      await Promise.resolve();
      yield git;
    });
    await Promise.all([source.check(), source.check()]);
    assert.equal(checks, 1);
    const before = (await shown(source)).groups[0]?.lines[0]?.id;
    await source.serve('check', null);
    await until(() => checks === 2, 'it checks again');
    await until(async () => !(await shown(source)).isRunning, 'it is done');
    assert.notEqual((await shown(source)).groups[0]?.lines[0]?.id, before);
  });

  it('keeps what it found when it is canceled', async () => {
    const source = pageOf(async function* () {
      yield git;
      await new Promise(() => undefined);
    });
    const checking = source.check();
    await until(async () => (await shown(source)).groups[0]?.lines.length === 1, 'the first line is there');
    await source.serve('cancel', null);
    await checking;
    const { isRunning, summary, groups } = await shown(source);
    assert.deepEqual([isRunning, summary, groups[0]?.lines.length], [false, 'The check was canceled.', 1]);
  });

  it('is copied as text', async () => {
    const source = pageWith(git, missing);
    await source.check();
    await source.serve('copy', null);
    assert.match(editor.clipboard, /^OK {11}git: git 2\.50\nFAILED {7}OpenCode: OpenCode was not found\.$/m);
  });

  it('refuses the button of a line that is gone, and what it doesn’t know', async () => {
    const source = pageWith(missing);
    await source.check();
    const code = (expected: string) => (error: unknown) =>
      error instanceof BeadsmithError && error.code === expected;
    await assert.rejects(source.serve('fix', { id: '0.0.0' }), code('STATUS_CONFLICT'));
    await assert.rejects(source.serve('fix', { id: 7 }), code('INVALID_INPUT'));
    await assert.rejects(source.serve('constructor', null), code('INVALID_INPUT'));
    assert.deepEqual(editor.ran, []);
  });

  /** The button beside a check, and what it runs. */
  const buttonOf = async (one: Check): Promise<readonly unknown[]> => {
    const source = pageWith(one);
    await source.check();
    const [line] = (await shown(source)).groups[0]?.lines ?? [];
    if (!line || line.fix === '') return [];
    await source.serve('fix', { id: line.id });
    return [line.fix, ...(editor.ran.at(-1) ?? [])];
  };

  it('has no button beside a check that asks for nothing, nor one that only checks again', async () => {
    for (const [code, [, nextStep]] of Object.entries(checkTexts) as [
      keyof typeof checkTexts,
      readonly string[],
    ][]) {
      const [title, command] = await buttonOf(
        checked('repository', 'warn', code, { folder: '/w', paths: '/w' }),
      );
      if (nextStep === '') assert.equal(title, undefined, code);
      assert.notEqual(command, commandId('checkSetup'));
      const ours = commandNames.map((name): unknown => commandId(name));
      if (String(command).startsWith('beadsmith.')) assert.ok(ours.includes(command), code);
    }
  });

  const expected: readonly (readonly [ErrorCode | keyof typeof checkTexts, ...unknown[]])[] = [
    ['MODELS_NONE', 'Choose Models…', 'beadsmith.chooseModels'],
    ['MODELS_UNKNOWN', 'Choose Models…', 'beadsmith.chooseModels'],
    ['DATABASE_DAMAGED', 'Restore Backup…', 'beadsmith.restoreBackup'],
    ['JOURNAL_DAMAGED', 'Restore Backup…', 'beadsmith.restoreBackup'],
    ['DATABASE_CORRUPT', 'Restore Backup…', 'beadsmith.restoreBackup'],
    ['PROMPT_REFUSED', 'Override Prompt…', 'beadsmith.overridePrompt'],
    ['OPENCODE_MISSING', 'Install OpenCode…', 'beadsmith.installOpencode'],
    ['OPENCODE_INSIDE', 'Open Settings', 'workbench.action.openSettings', 'beadsmith.opencode.path'],
    ['SANDBOX_OFF', 'Open Settings', 'workbench.action.openSettings', 'beadsmith.sandbox'],
    ['SANDBOX_OWN_SERVER', 'Open Settings', 'workbench.action.openSettings', 'beadsmith.opencode.url'],
    ['SANDBOX_MISSING', 'Open Terminal', 'workbench.action.terminal.new'],
    ['GIT_MISSING', 'Open Settings', 'workbench.action.openSettings', 'git.path'],
    ['NO_FOLDER', 'Open Folder…', 'vscode.openFolder'],
    ['NO_REPOSITORY', 'Initialize Repository', 'git.init'],
    ['SERVERS_LEFT'],
    ['GIT_LOCKED'],
    ['UNEXPECTED', 'Report Issue…', 'beadsmith.reportIssue'],
  ];
  for (const [code, ...button] of expected)
    it(`${button.length === 0 ? 'has no button' : `has ${String(button[0])}`} beside ${code}`, async () => {
      const found = Object.hasOwn(checkTexts, code)
        ? checked('repository', 'fail', code as keyof typeof checkTexts)
        : failedCheck('repository', new BeadsmithError(code as ErrorCode, {}));
      assert.deepEqual(await buttonOf(found), button);
    });
});
