import assert from 'node:assert/strict';
import { BeadsmithError, type ErrorCode } from '../../../../src/domain/core/errors.ts';
import { type Check, checked, checkTexts, failedCheck } from '../../../../src/protocol/checks.ts';
import { commandNames, commandId } from '../../../../src/views/commands/commands.ts';
import type { Workbench } from '../../../../src/views/shared/workbench.ts';
import { checkSetup } from '../../../../src/views/support/checkSetup.ts';
import type { SupportDocument } from '../../../../src/views/support/supportDocument.ts';
import { editor } from '../../../support/fakes/fakeEditor.ts';
import { FakeRepositories } from '../../../support/fakes/fakeRepositories.ts';

describe('the result of Check Setup', () => {
  let shown: SupportDocument | undefined;

  beforeEach(() => {
    editor.reset();
    shown = undefined;
  });

  async function check(...found: readonly Check[]): Promise<SupportDocument> {
    const checkMachine = async function* (): AsyncGenerator<Check, void, undefined> {
      await Promise.resolve();
      yield* found;
    };
    const show = (_name: string, document: SupportDocument) => Promise.resolve(void (shown = document));
    const repositories = new FakeRepositories();
    repositories.state = 'idle';
    await checkSetup({ repositories, support: { checkMachine, show } } as unknown as Workbench);
    return shown ?? assert.fail('nothing was shown');
  }
  /** What stands below the line of a check, as a link. */
  const linkOf = async (one: Check): Promise<readonly [title: string | undefined, ...unknown[]]> => {
    if (one.result === 'fail') editor.will('leave');
    const { text, links } = await check(one);
    assert.ok(links.length <= 1);
    const [link] = links;
    if (!link) return [undefined];
    return [text.split('\n')[link.line]?.slice(link.start, link.end), link.command, ...link.args];
  };

  for (const [code, [, nextStep]] of Object.entries(checkTexts) as [
    keyof typeof checkTexts,
    readonly string[],
  ][])
    it(`${nextStep === '' ? 'needs no link beside' : 'has a link beside'} ${code}`, async () => {
      const [title, command] = await linkOf(
        checked('repository', 'warn', code, { folder: '/w', paths: '/w' }),
      );
      assert.equal(title === undefined, nextStep === '');
      const ours = commandNames.map((name): unknown => commandId(name));
      if (String(command).startsWith('beadsmith.')) assert.ok(ours.includes(command));
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
    ['SERVERS_LEFT', 'Check Again', 'beadsmith.checkSetup'],
    ['GIT_LOCKED', 'Check Again', 'beadsmith.checkSetup'],
    ['UNEXPECTED', 'Report Issue…', 'beadsmith.reportIssue'],
  ];
  for (const [code, ...link] of expected)
    it(`fixes ${code} with ${String(link[0])}`, async () => {
      const found = Object.hasOwn(checkTexts, code)
        ? checked('repository', 'fail', code as keyof typeof checkTexts)
        : failedCheck('repository', new BeadsmithError(code as ErrorCode, {}));
      assert.deepEqual(await linkOf(found), link);
    });
});
