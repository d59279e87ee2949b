import { homedir, release, userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { env, type ExtensionContext, UIKind, version, workspace } from 'vscode';
import * as z from 'zod';
import { opencodeVersion } from '../adapters/opencode/server/findOpencode.ts';
import { PromptFiles } from '../adapters/files/promptFiles.ts';
import { ownPromptFolder } from '../adapters/system/configRoot.ts';
import { locations } from '../app/locations.ts';
import { copyPrompt, promptEntries } from '../app/ownPrompts.ts';
import { redact } from '../base/redact.ts';
import { type Check, checked, failedCheck } from '../protocol/checks.ts';
import type { ReportFacts } from '../views/support/reportText.ts';
import type { Support } from '../views/shared/workbench.ts';
import { settingNames } from '../domain/settings/rows.ts';
import { environment, type HostSettings } from './settings/hostSettings.ts';
import type { Log } from './logging/log.ts';
import type { SupportFiles } from './files/supportFiles.ts';
import type { WorkspaceRepositories } from './repositories/workspaceRepositories.ts';

const Manifest = z.object({ version: z.string(), bugs: z.object({ url: z.url() }).optional() });
/** Its value names a private server. */
const unshown = ['beadsmith.opencode.url'];

export function supportOf(
  { extension }: Pick<ExtensionContext, 'extension'>,
  parts: {
    readonly log: Log;
    readonly files: SupportFiles;
    readonly settings: HostSettings;
    readonly repositories: WorkspaceRepositories;
  },
): Support {
  const { log, files, settings, repositories } = parts;
  const manifest = Manifest.parse(extension.packageJSON);
  return {
    checkMachine: () => machine(settings),
    facts: () => ({
      versions: versions(manifest.version),
      settings: setOnes(settingNames.map((name) => `beadsmith.${name}`)),
    }),
    log: () => log.lines,
    redactor: async () => {
      const secrets = [...log.secrets, ...(await repositories.passwords())];
      const places = {
        home: homedir(),
        user: userName(),
        repositories: repositories.entries.map(({ root }) => root),
      };
      return (text) => redact(text, { secrets, places });
    },
    show: (name, text) => files.show(name, text),
    shown: (name) => files.shown(name),
    prompts: ownPrompts(settings, repositories),
    issues: manifest.bugs?.url,
  };
}

function ownPrompts(settings: HostSettings, repositories: WorkspaceRepositories): Support['prompts'] {
  const folder = (): string => settings.promptFolder() ?? ownPromptFolder(process.env);
  return {
    list: async () => {
      const apart = repositories.entries.flatMap(({ root }) => [root, `${root}.worktrees`]);
      const entries = await promptEntries(
        new PromptFiles(fileURLToPath(locations.prompts), { folder: folder(), apart }),
      );
      return entries.map(({ name, about, override }) => {
        const problem = override?.problem ?? '';
        return {
          name,
          about,
          state: override === undefined ? 'built-in' : problem === '' ? 'own' : 'refused',
          problem,
        };
      });
    },
    override: (name) => copyPrompt(name, folder()),
  };
}

/** Containers' accounts may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

async function* machine(settings: HostSettings): AsyncGenerator<Check, void, undefined> {
  if (!workspace.isTrusted) {
    yield checked('git', 'skip', 'UNTRUSTED');
    yield checked('sandbox', 'skip', 'UNTRUSTED');
    yield checked('opencode', 'skip', 'UNTRUSTED');
    return;
  }
  try {
    // Part of what drives tickets, which a window that only looks never loads.
    const { checkMachine } = await import('./repositories/driveRepository.ts');
    yield* checkMachine({
      env: environment(),
      sandbox: settings.sandbox(process.env),
      opencode: await settings.opencode(),
    });
  } catch (error) {
    yield failedCheck('settings', error);
  }
}

function versions(own: string): ReportFacts['versions'] {
  return {
    Beadsmith: own,
    'VS Code': `${version} (${env.appName}, ${env.appHost}, ${env.uiKind === UIKind.Web ? 'web' : 'desktop'})`,
    // A kind such as `wsl`; another server's name is private.
    Remote:
      env.remoteName === undefined
        ? 'none'
        : /^[a-z-]+$/.test(env.remoteName)
          ? env.remoteName
          : 'another server',
    System: `${process.platform} ${release()} ${process.arch}`,
    Node: process.versions.node,
    'OpenCode wanted': opencodeVersion,
    Language: env.language,
    Workspace: `${String(workspace.workspaceFolders?.length ?? 0)} folders, ${workspace.isTrusted ? 'trusted' : 'not trusted'}`,
  };
}

function setOnes(names: readonly string[]): ReportFacts['settings'] {
  const rows = names.flatMap((name) => {
    const found = workspace.getConfiguration().inspect(name);
    const value = found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue;
    return value === undefined
      ? []
      : [[name, unshown.includes(name) ? '(set)' : JSON.stringify(value)] as const];
  });
  return Object.fromEntries(rows);
}
