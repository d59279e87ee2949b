import { join } from 'node:path';
import {
  window,
  workspace,
  type ExtensionContext,
  type LanguageModelTool,
  type Memento,
  type TreeView,
  type WebviewPanel,
} from 'vscode';
import { opencodeFolder, opencodeVersion } from '../adapters/opencode/server/findOpencode.ts';
import { installOpencode } from '../adapters/opencode/server/installOpencode.ts';
import { DisposableStore } from '../base/disposable.ts';
import {
  blobScheme,
  documentScheme,
  draftScheme,
  promptScheme,
  supportScheme,
  type Scheme,
} from '../protocol/schemes.ts';
import { sourceControls } from '../views/changes/sourceControls.ts';
import { chatTools } from '../views/chat/chatTools.ts';
import type { ToolName } from '../views/chat/toolNames.ts';
import type { CommandName } from '../views/commands/commands.ts';
import { commandRunner } from '../views/commands/runCommand.ts';
import { notifications } from '../views/notifications/notifications.ts';
import { offerTakeOver } from '../views/notifications/offerTakeOver.ts';
import { offerTeamPassword } from '../views/notifications/offerTeamPassword.ts';
import { PagePanels } from '../views/pages/pagePanel.ts';
import { definePage } from '../views/pages/pageKind.ts';
import { ticketPage } from '../views/pages/ticketPage.ts';
import { SetupPanel } from '../views/pages/setup/setupPanel.ts';
import { ForgeComments } from '../views/review/forgeComments.ts';
import { FindingThreads } from '../views/review/findingThreads.ts';
import { ReviewComments } from '../views/review/reviewComments.ts';
import { ViewedFiles } from '../views/review/viewedFiles.ts';
import type { Memory } from '../views/shared/memory.ts';
import { StarredModels } from '../views/shared/starredModels.ts';
import type { Workbench } from '../views/shared/workbench.ts';
import { ticketTests } from '../views/tests/ticketTests.ts';
import { Board } from '../views/tickets/board.ts';
import { DraftCodeLenses } from '../views/tickets/draft/draftCodeLenses.ts';
import { KeptDrafts } from '../views/tickets/draft/keptDrafts.ts';
import { TicketDrafts } from '../views/tickets/draft/ticketDrafts.ts';
import { ImportPreviews } from '../views/tickets/import/importPreviews.ts';
import { ticketCodeActions } from '../views/tickets/seedFromEditor.ts';
import { statusBar } from '../views/tickets/statusBar.ts';
import { ticketsView } from '../views/tickets/ticketsView.ts';
import type { Node } from '../views/tickets/tree/nodes.ts';
import { TicketDrag } from '../views/tickets/tree/ticketDrag.ts';
import { TicketList } from '../views/tickets/tree/ticketList.ts';
import { checkPullRequestsOnFocus } from '../views/tickets/checkPullRequests.ts';
import { TicketsTree } from '../views/tickets/tree/ticketsTree.ts';
import { worktreeDecorations } from '../views/tickets/worktreeDecorations.ts';
import { DemoService, goOnWithExpectedDemo, rehearseBy } from './demo/demoService.ts';
import { Demos } from './demo/demos.ts';
import { BlobFiles, PromptTexts, type OwnFiles } from './files/ownFiles.ts';
import { DocumentFiles } from './files/documentFiles.ts';
import { DraftFiles } from './files/draftFiles.ts';
import { SupportFiles } from './files/supportFiles.ts';
import { TicketDraftFiles } from './files/ticketDraftFiles.ts';
import { languageFeatures } from './language/languageFeatures.ts';
import { Log, redactedChannel } from './logging/log.ts';
import { backupKeeper, WorkspaceRepositories } from './repositories/workspaceRepositories.ts';
import type { OpenedRepository } from './repositories/openedRepository.ts';
import { environment, HostSettings, notificationSettings } from './settings/hostSettings.ts';
import { moveSettings } from './settings/moveSettings.ts';
import { StoredPassword } from './settings/storedPassword.ts';
import { supportOf } from './support.ts';

export interface Host {
  readonly tree: TicketsTree;
  readonly drag: TicketDrag;
  readonly files: Readonly<Record<Scheme, OwnFiles>>;
  readonly tools: Readonly<Record<ToolName, LanguageModelTool<object>>>;
  run(name: CommandName, argument: unknown): Promise<void>;
  /** Left by the previous window. */
  restorePage(panel: WebviewPanel, state: unknown): void;
  end(): Promise<void>;
}

/** All wiring. Nothing starts before the view is visible or a command runs. */
export function compose(context: ExtensionContext, view: TreeView<Node>): Host {
  const parts = new DisposableStore();
  const channel = parts.add(window.createOutputChannel('Beadsmith', { log: true }));
  const log = new Log(channel, () => Date.now());
  const password = new StoredPassword(context.secrets, 'opencode.serverPassword');
  const teamPassword = new StoredPassword(context.secrets, 'team.password');
  const settings = new HostSettings(
    password,
    (secrets) => log.keepSecret(secrets),
    context.secrets,
    new StarredModels(memoryOf(context.globalState)),
  );
  const storage = context.globalStorageUri.fsPath;
  const demos = new Demos(join(storage, 'demos'));
  // Loaded on demand: it is more than half of the code.
  const drive = async (root: string, takeOver: boolean): Promise<OpenedRepository> => {
    const demo = await demos.of(root);
    const { driveRepository } = await import('./repositories/driveRepository.ts');
    if (!demo) return driveRepository(root, settings, environment(), log, takeOver);
    const { driveDemo } = await import('./demo/driveDemo.ts');
    return driveDemo(root, demo, settings, environment(), log, driveRepository);
  };
  const repositories = new WorkspaceRepositories({
    folders: () =>
      (workspace.workspaceFolders ?? [])
        .filter(({ uri }) => uri.scheme === 'file')
        .map(({ uri }) => uri.fsPath),
    trusted: () => workspace.isTrusted,
    open: async (root, trusted, takeOver) =>
      trusted
        ? drive(root, takeOver)
        : (await import('./repositories/browseRepository.ts')).browseRepository(root, settings),
    openTeam: async (local) => {
      const url = await settings.team();
      if (url === undefined) return undefined;
      return (await import('./repositories/driveRepository.ts')).openTeamTickets(local, url, {
        env: environment(),
        decisions: await settings.decisions(),
      });
    },
    log,
  });
  const reopen = (): void => void repositories.reopen();
  parts.add(workspace.onDidGrantWorkspaceTrust(reopen));
  parts.add(workspace.onDidChangeWorkspaceFolders(reopen));
  parts.add(password.onDidChange(reopen));
  parts.add(teamPassword.onDidChange(() => repositories.reopenTeams()));
  parts.add(
    workspace.onDidChangeConfiguration((change) => {
      const names = ['opencode', 'ticketPrefix', 'worktreeFolder', 'promptFolder', 'sandbox', 'sandboxHosts'];
      const editors = ['git.path', 'git.worktreeIncludeFiles', 'git.worktreeSymlinkFolders'];
      const wanted = [...names.map((name) => `beadsmith.${name}`), ...editors];
      if (wanted.some((name) => change.affectsConfiguration(name))) reopen();
      else if (change.affectsConfiguration('beadsmith.team')) repositories.reopenTeams();
    }),
  );
  parts.add(checkPullRequestsOnFocus(repositories));
  const board = parts.add(new Board(repositories));
  const memory = memoryOf(context.workspaceState);
  const draftStore = new DraftFiles(join(storage, 'drafts'));
  const kept = new KeptDrafts(draftStore);
  const openPage: Workbench['openPage'] = (place, part) => panels.open(place, part);
  const drafts = parts.add(new TicketDrafts(repositories, kept, openPage));
  parts.add(new DraftCodeLenses(repositories, drafts));
  const supportFiles = parts.add(new SupportFiles());
  const review = parts.add(new ReviewComments(repositories, (what, error) => log.failure(what, error)));
  const findings = parts.add(new FindingThreads(repositories, (what, error) => log.failure(what, error)));
  const forgeComments = parts.add(new ForgeComments(repositories, (what, error) => log.failure(what, error)));
  const support = supportOf(context, { log, files: supportFiles, settings, repositories });
  const workbench: Workbench = {
    repositories,
    board,
    list: parts.add(new TicketList(memory)),
    viewed: parts.add(new ViewedFiles(memory)),
    drafts,
    imports: parts.add(new ImportPreviews(repositories, support, openPage)),
    opencode: {
      version: opencodeVersion,
      folder: opencodeFolder(process.env),
      install: async (signal) => {
        await installOpencode({ env: process.env, signal });
      },
    },
    demo: new DemoService({
      demos,
      usualFolder: storage,
      binary: () => settings.binary(),
      env: environment(),
      repositories,
    }),
    rehearse: rehearseBy(() => settings.binary(), process.env),
    backups: backupKeeper(repositories),
    openPage,
    showsPage: (place) => panels.shows(place),
    setServerPassword: (text) => {
      if (text !== undefined) log.keepSecret([text]);
      return password.set(text);
    },
    team: {
      setPassword: (text) => settings.setTeamPassword(text),
      join: async (code) => {
        const url = (await settings.team()) ?? '';
        return (await import('./repositories/driveRepository.ts')).joinTeam(url, environment(), code);
      },
    },
    notifications: notificationSettings,
    review,
    findings,
    forgeComments,
    support,
    checkSetup: () => setup.check(),
    showLog: () => log.show(),
    logError: (what, error) => log.failure(what, error),
  };
  const files = {
    [documentScheme]: parts.add(
      new DocumentFiles(repositories, (what, error) => workbench.logError(what, error)),
    ),
    [blobScheme]: parts.add(new BlobFiles(repositories)),
    [promptScheme]: parts.add(new PromptTexts(repositories)),
    [supportScheme]: supportFiles,
    [draftScheme]: parts.add(
      new TicketDraftFiles(repositories, kept, (what, error) => workbench.logError(what, error)),
    ),
  };
  const tree = parts.add(new TicketsTree(board, workbench.list, workbench.viewed));
  const language = languageFeatures(
    redactedChannel(channel, (text) => log.clean(text)),
    repositories,
  );
  const panels = parts.add(
    new PagePanels(context.extensionUri, workbench, definePage(ticketPage), {
      memory,
      drafts: draftStore,
    }),
  );
  const setup = parts.add(new SetupPanel(context.extensionUri, workbench));
  parts.add(ticketsView(workbench, view, tree));
  for (const part of [
    statusBar,
    notifications,
    offerTakeOver,
    offerTeamPassword,
    ticketCodeActions,
    worktreeDecorations,
    sourceControls,
    ticketTests,
  ])
    parts.add(part(workbench));
  moveSettings().catch((error: unknown) => workbench.logError('settings', error));
  goOnWithExpectedDemo(demos).catch((error: unknown) => workbench.logError('demo', error));
  const end = async (): Promise<void> => {
    await Promise.all([repositories.end(), language.end()]);
    parts.dispose();
  };
  return {
    tree,
    drag: new TicketDrag(workbench),
    files,
    tools: chatTools(workbench),
    run: commandRunner(workbench),
    restorePage: (panel, state) => panels.restore(panel, state),
    end,
  };
}

function memoryOf(stored: Memento): Memory {
  return {
    get: (key) => stored.get<unknown>(key),
    set: async (key, value) => stored.update(key, value),
  };
}
