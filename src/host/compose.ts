import { join } from 'node:path';
import { type ExtensionContext, window, workspace } from 'vscode';
import { opencodeFolder, opencodeVersion } from '../adapters/opencode/findOpencode.ts';
import { installOpencode } from '../adapters/opencode/installOpencode.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Board } from '../views/board.ts';
import { chatTools } from '../views/chat/chatTools.ts';
import { notices } from '../views/notices.ts';
import { PagePanels } from '../views/pages/pagePanel.ts';
import { pages } from '../views/pages/pages.ts';
import { registerCommands } from '../views/registerCommands.ts';
import { ReviewComments } from '../views/review/reviewComments.ts';
import { statusBar } from '../views/statusBar.ts';
import { ticketsView } from '../views/ticketsView.ts';
import { ticketCodeActions } from '../views/seedFromEditor.ts';
import { TicketList } from '../views/tree/ticketList.ts';
import type { Memory } from '../views/memory.ts';
import type { Workbench } from '../views/workbench.ts';
import { worktreeDecorations } from '../views/worktreeDecorations.ts';
import { BlobFiles } from './blobFiles.ts';
import { DemoDesk } from './demo/demoDesk.ts';
import { Demos } from './demo/demos.ts';
import { goOnWithExpectedDemo } from './demo/expectedDemo.ts';
import { DocumentFiles } from './documentFiles.ts';
import { languageFeatures } from './languageFeatures.ts';
import { HostSettings } from './hostSettings.ts';
import { Log } from './log.ts';
import { noticeSettings } from './noticeSettings.ts';
import type { OpenedRepository } from './openedRepository.ts';
import { redactedChannel } from './redactedChannel.ts';
import { ServerPassword } from './serverPassword.ts';
import { support } from './support.ts';
import { SupportFiles } from './supportFiles.ts';
import { WorkspaceRepositories } from './workspaceRepositories.ts';

export interface Host extends Disposable {
  /** Ends everything in an orderly way. The editor may not wait for it, and nothing is lost if it doesn't. */
  end(): Promise<void>;
}

/** Puts the extension together: the one place with wiring. Nothing is read or started here; that begins when the view is seen or a command runs. */
export function compose(context: ExtensionContext): Host {
  const parts = new DisposableStore();
  const channel = parts.add(window.createOutputChannel('Beadsmith', { log: true }));
  const log = new Log(channel, () => Date.now());
  const password = new ServerPassword(context.secrets);
  const settings = new HostSettings(password, (secrets) => log.keepSecret(secrets));
  const storage = context.globalStorageUri.fsPath;
  const demos = new Demos(join(storage, 'demos'));
  // What works on repositories is loaded with the first of them: it is more than half of the code, and waking is quick without it.
  const drive = async (root: string): Promise<OpenedRepository> => {
    const demo = await demos.of(root);
    if (!demo) return (await import('./driveRepository.ts')).driveRepository(root, settings, process.env, log);
    const { driveDemo } = await import('./demo/driveDemo.ts');
    return driveDemo(root, demo, settings, process.env, log);
  };
  const repositories = new WorkspaceRepositories({
    folders: () => (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath),
    trusted: () => workspace.isTrusted,
    open: async (root, trusted) => (trusted ? drive(root) : (await import('./browseRepository.ts')).browseRepository(root, settings)),
    log,
  });
  const reopen = (): void => void repositories.reopen();
  parts.add(workspace.onDidGrantWorkspaceTrust(reopen));
  parts.add(workspace.onDidChangeWorkspaceFolders(reopen));
  parts.add(password.onDidChange(reopen));
  parts.add(
    workspace.onDidChangeConfiguration((change) => {
      const names = ['opencode', 'ticketPrefix', 'worktreeFolder'];
      if (names.some((name) => change.affectsConfiguration(`beadsmith.${name}`))) reopen();
    }),
  );
  const board = parts.add(new Board(repositories));
  const memory: Memory = {
    get: (key) => context.workspaceState.get<unknown>(key),
    set: async (key, value) => context.workspaceState.update(key, value),
  };
  parts.add(new BlobFiles(repositories));
  const review = parts.add(new ReviewComments(repositories, (what, error) => log.failure(what, error)));
  const workbench: Workbench = {
    repositories,
    board,
    list: parts.add(new TicketList(memory)),
    opencode: {
      version: opencodeVersion,
      folder: opencodeFolder(process.env),
      install: async (signal) => {
        await installOpencode({ env: process.env, signal });
      },
    },
    demo: new DemoDesk({ demos, usualFolder: storage, binary: () => settings.binary(), env: process.env, repositories }),
    openPage: (name, place) => panels.open(name, place),
    setServerPassword: (text) => {
      if (text !== undefined) log.keepSecret([text]);
      return password.set(text);
    },
    notices: noticeSettings,
    review,
    support: support(context, { log, files: parts.add(new SupportFiles()), settings, repositories }),
    showLog: () => log.show(),
    logError: (what, error) => log.failure(what, error),
  };
  parts.add(new DocumentFiles(repositories, (what, error) => workbench.logError(what, error)));
  const language = languageFeatures(redactedChannel(channel, (text) => log.clean(text)));
  const panels = parts.add(new PagePanels(context.extensionUri, workbench, pages(), memory));
  for (const part of [ticketsView, statusBar, notices, registerCommands, ticketCodeActions, worktreeDecorations, chatTools])
    parts.add(part(workbench));
  goOnWithExpectedDemo(demos).catch((error: unknown) => workbench.logError('demo', error));
  const end = async (): Promise<void> => {
    await Promise.all([repositories.end(), language.end()]);
    parts.dispose();
  };
  return { end, dispose: () => void end() };
}
