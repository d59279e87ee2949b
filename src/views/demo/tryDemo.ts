import { commands as editor, l10n, ProgressLocation, Uri, window, workspace } from 'vscode';
import { installOpencode } from '../support/setUpOpencode.ts';
import { isConfirmed, pickOne, valueOf } from '../shared/quickInput.ts';
import type { OpenRepository } from '../shared/repositories.ts';
import { startTicket } from '../tickets/startTicket.ts';
import type { Workbench } from '../shared/workbench.ts';
import { scriptedText } from '../shared/statusTexts.ts';
import type { DemoPlace } from './demo.ts';

/** Here if this window shows a demo, else in one that is opened. */
export async function tryDemo(workbench: Workbench): Promise<void> {
  const { demo, repositories } = workbench;
  const places = await demo.all();
  const here = repositories.entries.find(({ root }) => places.some(({ repository }) => repository === root));
  if (here?.kind === 'failed') throw here.error;
  if (here) {
    await play(workbench, here.repository);
    return;
  }
  const { hasOpencode } = await demo.check();
  const choice = await choosePlace(workbench, places, hasOpencode);
  if (!choice) return;
  const reuse = await chooseWindow();
  if (reuse === undefined || !(await hasOrInstalls(workbench, hasOpencode))) return;
  const place = typeof choice === 'string' ? await make(workbench, choice) : choice;
  await demo.expect(place);
  const how = reuse ? { forceReuseWindow: true } : { forceNewWindow: true };
  await editor.executeCommand('vscode.openFolder', Uri.file(place.repository), how);
}

async function play(workbench: Workbench, repository: OpenRepository): Promise<void> {
  const [first] = await repository.client.tickets();
  if (first) {
    workbench.openPage({ repository, ticket: first.id });
    return;
  }
  const ticket = await workbench.demo.ticket();
  const description = [ticket.description ?? '', scriptedText()].join('\n');
  const { id } = await repository.client.create({ ...ticket, description, key: 'demo' });
  await startTicket(repository, id, 'full');
  const open = l10n.t('Open Ticket');
  const answer = await window.showInformationMessage(
    l10n.t(
      '{0} is running. {1}. It will ask you a few questions. Your answers don’t change the recorded model answers; OpenCode, git and the tests are real.',
      id,
      scriptedText(),
    ),
    open,
  );
  if (answer === open) workbench.openPage({ repository, ticket: id });
}

async function choosePlace(
  { demo }: Workbench,
  places: readonly DemoPlace[],
  hasOpencode: boolean,
): Promise<DemoPlace | string | undefined> {
  if (places.length > 0) {
    const choices = places.map((value) => ({
      label: `$(repo) ${l10n.t('Open existing demo')}`,
      detail: value.repository,
      value,
    }));
    const another = { label: `$(add) ${l10n.t('Create Another…')}`, value: undefined };
    const reply = await pickOne<DemoPlace | undefined>({
      title: l10n.t('Demo ticket'),
      choices: [...choices, another],
    });
    if (reply.kind !== 'given') return undefined;
    if (reply.value) return reply.value;
  }
  const [usual, other] = [l10n.t('Create and Open'), l10n.t('Choose Another Folder…')];
  const detail = [
    l10n.t(
      'Beadsmith creates a small sample repository in a new folder in {0}, opens it, and creates a ticket there. You answer the interview, approve the plans, and watch the beads being coded.',
      demo.usualFolder,
    ),
    l10n.t(
      'The demo needs no API key and costs nothing: the models are scripted, with recorded answers and no AI. OpenCode, git and the tests of the sample are real, and run only in that folder.',
    ),
    ...(hasOpencode ? [] : [l10n.t('OpenCode isn’t installed. You’re asked before it’s downloaded.')]),
    l10n.t(
      'The editor may ask whether you trust the new folder. Nothing runs before you do. “Remove Demo” deletes everything.',
    ),
  ].join('\n\n');
  const answer = await window.showInformationMessage(
    l10n.t('Try the demo ticket?'),
    { modal: true, detail },
    usual,
    other,
  );
  if (answer === usual) return demo.usualFolder;
  return answer === other ? pickFolder() : undefined;
}

async function pickFolder(): Promise<string | undefined> {
  const picked = await window.showOpenDialog({
    title: l10n.t('Select the parent folder for the demo'),
    openLabel: l10n.t('Create Here'),
    canSelectFiles: false,
    canSelectFolders: true,
  });
  return picked?.find(({ scheme }) => scheme === 'file')?.fsPath;
}

/** Undefined when the person left. */
async function chooseWindow(): Promise<boolean | undefined> {
  if (!workspace.workspaceFolders?.length) return true;
  const reply = await pickOne({
    title: l10n.t('Demo ticket'),
    placeholder: l10n.t('Where do you want to open the demo?'),
    choices: [
      { label: `$(empty-window) ${l10n.t('In a new window')}`, value: false },
      {
        label: `$(window) ${l10n.t('In this window')}`,
        detail: l10n.t('Replaces the folder in this window.'),
        value: true,
      },
    ],
  });
  return valueOf(reply);
}

async function hasOrInstalls(workbench: Workbench, hasOpencode: boolean): Promise<boolean> {
  if (hasOpencode) return true;
  await installOpencode(workbench);
  return (await workbench.demo.check()).hasOpencode;
}

function make({ demo }: Workbench, parent: string): Promise<DemoPlace> {
  const progress = { location: ProgressLocation.Window, title: l10n.t('Creating the sample repository…') };
  return Promise.resolve(window.withProgress(progress, () => demo.make(parent)));
}

export async function removeDemo({ demo }: Workbench): Promise<void> {
  const place = await choose(await demo.all());
  if (!place) return;
  const detail = l10n.t(
    'This permanently deletes the sample repository, its tickets and worktrees, and everything else in {0}.',
    place.folder,
  );
  if (!(await isConfirmed(l10n.t('Remove the demo?'), detail, l10n.t('Delete')))) return;
  await demo.remove(place);
  await closeFolders(place);
  window.setStatusBarMessage(l10n.t('Demo removed.'), 5_000);
}

async function choose(places: readonly DemoPlace[]): Promise<DemoPlace | undefined> {
  const [only] = places;
  if (!only) void window.showInformationMessage(l10n.t('No demo found on this machine.'));
  if (places.length <= 1) return only;
  const choices = places.map((value) => ({ label: `$(repo) ${value.repository}`, value }));
  return valueOf(await pickOne({ title: l10n.t('Select a demo'), choices }));
}

async function closeFolders({ folder }: DemoPlace): Promise<void> {
  const inside = `${Uri.file(folder).path}/`;
  const all = workspace.workspaceFolders ?? [];
  const gone = all.filter(({ uri }) => uri.scheme === 'file' && uri.path.startsWith(inside));
  if (gone.length > 0 && gone.length === all.length)
    await editor.executeCommand('workbench.action.closeFolder');
  else
    for (const { uri } of gone)
      workspace.updateWorkspaceFolders(
        all.findIndex((one) => one.uri === uri),
        1,
      );
}
