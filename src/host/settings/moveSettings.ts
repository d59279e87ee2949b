import {
  commands,
  ConfigurationTarget,
  l10n,
  Uri,
  window,
  workspace,
  type WorkspaceConfiguration,
} from 'vscode';
import { type RenamedSetting, renamedSettings, underNewNames } from '../../domain/settings/renamed.ts';

const section = 'beadsmith';
const oldNames = Object.keys(renamedSettings) as readonly RenamedSetting[];

interface Place {
  readonly configuration: WorkspaceConfiguration;
  readonly target: ConfigurationTarget;
  readonly key: 'globalValue' | 'workspaceValue' | 'workspaceFolderValue';
}

/** Moves renamed settings in each file, and tells the person once. Old values go last. */
export async function moveSettings(): Promise<void> {
  const moved: RenamedSetting[] = [];
  for (const place of places()) moved.push(...(await moveIn(place)));
  if (moved.length === 0) return;
  const show = l10n.t('Open Settings');
  const names = [...new Set(moved)].map((name) => `${section}.${name}`).join(', ');
  const answer = await window.showInformationMessage(
    l10n.t('These settings have new names. Their values were moved: {0}', names),
    show,
  );
  if (answer === show)
    await commands.executeCommand('workbench.action.openSettings', '@ext:beadsmith.beadsmith @modified');
}

function places(): readonly Place[] {
  const window = workspace.getConfiguration(section);
  const own: Place = { configuration: window, target: ConfigurationTarget.Global, key: 'globalValue' };
  // Not before the person trusts the workspace.
  if (!workspace.isTrusted) return [own];
  const folders = workspace.workspaceFile === undefined ? [] : (workspace.workspaceFolders ?? []);
  return [
    own,
    { configuration: window, target: ConfigurationTarget.Workspace, key: 'workspaceValue' },
    ...folders.map(({ uri }): Place => ({
      configuration: workspace.getConfiguration(section, Uri.from(uri)),
      target: ConfigurationTarget.WorkspaceFolder,
      key: 'workspaceFolderValue',
    })),
  ];
}

async function moveIn({ configuration, target, key }: Place): Promise<readonly RenamedSetting[]> {
  const valueOf = (name: string): unknown => configuration.inspect(name)?.[key];
  const found = oldNames.flatMap((name) => {
    const value = valueOf(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const settings = underNewNames(Object.fromEntries(found), valueOf);
  for (const [name, value] of Object.entries(settings)) await configuration.update(name, value, target);
  for (const [name] of found) await configuration.update(name, undefined, target);
  return found.map(([name]) => name);
}
