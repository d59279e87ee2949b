import { BeadsmithError, invalidInput } from '../../domain/core/errors.ts';
import { readFile } from 'node:fs/promises';
import { isAbsolute, delimiter } from 'node:path';
import { ConfigurationTarget, type SecretStorage, Uri, workspace, type WorkspaceConfiguration } from 'vscode';
import type { Decisions } from '../../app/admission.ts';
import type { OpencodeOptions, RepositorySettingsInput } from '../../app/createApp.ts';
import { isRecord } from '../../base/json.ts';
import { secretsOf } from '../../base/redact.ts';
import { KeepRule } from '../../domain/core/cleaning.ts';
import {
  sandboxHosts,
  SandboxHosts,
  sandboxSetting,
  SandboxSetting,
} from '../../domain/environment/sandbox.ts';
import { editorValue, type EditorValue, editorValues, fieldsOf } from '../../domain/settings/editorValues.ts';
import { GithubSettings } from '../../domain/settings/rows/planning.ts';
import { Limits, RepositorySettings, Settings } from '../../domain/settings/settings.ts';
import type { StartSettings } from '../../views/shared/repositories.ts';
import type { NotificationSettings } from '../../views/shared/workbench.ts';
import type { StarredModels } from '../../views/shared/starredModels.ts';
import { StoredPassword } from './storedPassword.ts';
import { readTeamPassword, teamUrl, withPassword, serverUrl } from './serverUrls.ts';
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { userConfig } from '../../adapters/opencode/server/userConfig.ts';
import { reasonOf } from '../../adapters/system/files.ts';
import { gitVariable } from '../../adapters/system/programs.ts';

const section = 'beadsmith';

/** Models and depth are asked for if unset. */
const OfferedSettings = Settings.omit({ depth: true, mainImplementer: true, councilMembers: true });
const offered = fieldsOf('settings').filter((field) => field in OfferedSettings.shape);

/** Checked settings: a wrong one is an error, never a default. */
export class HostSettings {
  readonly starred: StarredModels;
  readonly #password: StoredPassword;
  readonly #keepSecret: (secrets: readonly string[]) => void;
  readonly #secrets: SecretStorage;
  readonly #teamPassword: StoredPassword;

  /** `keepSecret` gets secrets before their use. */
  constructor(
    password: StoredPassword,
    keepSecret: (secrets: readonly string[]) => void,
    secrets: SecretStorage,
    starred: StarredModels,
  ) {
    this.#password = password;
    this.#keepSecret = keepSecret;
    this.#secrets = secrets;
    this.#teamPassword = new StoredPassword(secrets, 'team.password');
    this.starred = starred;
  }

  /** Each is confirmed: agents have no way into the editor. */
  async decisions(): Promise<Decisions> {
    const key = await sealKey(this.#secrets);
    this.#keepSecret([key]);
    return { key, decide: () => Promise.resolve() };
  }

  /** Settings of the machine, which no repository can change. */
  async opencode(): Promise<OpencodeOptions> {
    const configuration = workspace.getConfiguration(section);
    const binary = this.binary();
    const file = absolutePath(configuration, 'opencode.configFile');
    const url = serverUrl(configuration.get<unknown>('opencode.url'));
    const password = url === undefined ? undefined : await this.#password.get();
    const config = file === undefined ? await ownConfig(url) : await readConfig(file);
    this.#keepSecret([...secretsOf(config), ...(password === undefined ? [] : [password])]);
    return {
      ...(binary === undefined ? {} : { binary }),
      config,
      ...(url === undefined ? {} : { url }),
      ...(password === undefined ? {} : { password }),
    };
  }

  /**
   * The team's database with its login; undefined without a team. Of the machine, so that no repository names
   * a server. Throws TEAM_LOGIN without a stored password, even an empty one.
   */
  async team(): Promise<string | undefined> {
    const url = teamUrl(workspace.getConfiguration(section).get<unknown>('team'));
    if (url === undefined) return undefined;
    const stored = readTeamPassword(await this.#teamPassword.get());
    // A password is for the server that it was entered for, and no other.
    if (stored?.url !== url) throw new BeadsmithError('TEAM_LOGIN', { reason: 'no password is stored' });
    this.#keepSecret([stored.password].filter((text) => text !== ''));
    return withPassword(url, stored.password);
  }

  /** For the team's database as it is set now; empty where the server asks for none. */
  async setTeamPassword(password: string): Promise<void> {
    const url = teamUrl(workspace.getConfiguration(section).get<unknown>('team'));
    this.#keepSecret([password].filter((text) => text !== ''));
    await this.#teamPassword.set(JSON.stringify({ url, password }));
  }

  binary(): string | undefined {
    const configuration = workspace.getConfiguration(section);
    return absolutePath(configuration, 'opencode.path');
  }

  /** Of the machine: no repository changes agents' prompts. */
  promptFolder(): string | undefined {
    const configuration = workspace.getConfiguration(section);
    return absolutePath(configuration, 'promptFolder');
  }

  /** Of the machine, as the sandbox is. */
  sandboxHosts(env: Readonly<Record<string, string | undefined>>): readonly string[] {
    const configuration = workspace.getConfiguration(section);
    return sandboxHosts(
      isSet(configuration, 'sandboxHosts')
        ? editorValue('sandboxHosts', SandboxHosts, reader(configuration))
        : undefined,
      env,
    );
  }

  /** Of the machine: no repository may let its code out. */
  sandbox(env: Readonly<Record<string, string | undefined>>): SandboxSetting {
    const configuration = workspace.getConfiguration(section);
    return sandboxSetting(
      isSet(configuration, 'sandbox')
        ? editorValue('sandbox', SandboxSetting, reader(configuration))
        : undefined,
      env,
    );
  }

  /** Of the machine: no repository may have things removed. */
  cleanUp(): KeepRule {
    const get = reader(workspace.getConfiguration(section));
    const { days, megabytes } = KeepRule.shape;
    return {
      days: editorValue('cleanUp.keepDays', days, get),
      megabytes: editorValue('cleanUp.keepMegabytes', megabytes, get),
    };
  }

  /** Of the person: it completes tickets, pushes to pull requests, and comments on issues. */
  github(): GithubSettings {
    const get = reader(workspace.getConfiguration(section));
    const { watch, failedChecks, issueComments } = GithubSettings.shape;
    return {
      watch: editorValue('github.watch', watch, get),
      failedChecks: editorValue('github.failedChecks', failedChecks, get),
      issueComments: editorValue('github.issueComments', issueComments, get),
    };
  }

  repository(root: string): RepositorySettingsInput {
    const get = reader(of(root));
    const { worktreeFolder, codingTickets, ticketPrefix } = RepositorySettings.shape;
    const prefix = editorValue('ticketPrefix', ticketPrefix, withoutEmpty(get));
    return {
      worktreeFolder: editorValue('worktreeFolder', worktreeFolder, get),
      worktreeIncludeFiles: editorPatterns(root, 'worktreeIncludeFiles'),
      worktreeSymlinkFolders: editorPatterns(root, 'worktreeSymlinkFolders'),
      codingTickets: editorValue('codingTickets', codingTickets, get),
      ...(prefix === undefined ? {} : { ticketPrefix: prefix }),
    };
  }

  start(root: string): StartSettings {
    const configuration = of(root);
    const get = reader(configuration);
    const { mainImplementer, councilMembers } = Settings.shape;
    const main = editorValue('mainImplementer', mainImplementer.optional(), withoutEmpty(get));
    const members = isSet(configuration, 'councilMembers')
      ? editorValue('councilMembers', councilMembers, get)
      : undefined;
    return {
      ...(main === undefined ? {} : { mainImplementer: main }),
      ...(members === undefined ? {} : { councilMembers: members }),
      settings: OfferedSettings.parse(editorValues(offered, get)),
      limits: Limits.parse(editorValues(fieldsOf('limits'), get)),
    };
  }

  async rememberModels({
    mainImplementer,
    councilMembers,
  }: {
    readonly mainImplementer: string;
    readonly councilMembers?: readonly string[];
  }): Promise<void> {
    const configuration = workspace.getConfiguration(section);
    await configuration.update('mainImplementer', mainImplementer, ConfigurationTarget.Global);
    if (councilMembers)
      await configuration.update('councilMembers', councilMembers, ConfigurationTarget.Global);
  }
}

function of(root: string): WorkspaceConfiguration {
  return workspace.getConfiguration(section, Uri.file(root));
}

/** Older git extensions lack them. */
function editorPatterns(root: string, name: 'worktreeIncludeFiles' | 'worktreeSymlinkFolders'): string[] {
  return RepositorySettings.shape[name]
    .catch([])
    .parse(workspace.getConfiguration('git', Uri.file(root)).get<unknown>(name) ?? []);
}

function reader(configuration: WorkspaceConfiguration): EditorValue {
  return (name) => configuration.get<unknown>(name);
}

function withoutEmpty(get: EditorValue): EditorValue {
  return (name) => get(name) || undefined;
}

function isSet(configuration: WorkspaceConfiguration, name: string): boolean {
  const found = configuration.inspect(name);
  return [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue].some(
    (value) => value !== undefined,
  );
}

function absolutePath(configuration: WorkspaceConfiguration, name: string): string | undefined {
  const value = configuration.get<unknown>(name);
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && isAbsolute(value)) return value;
  throw invalidInput(`The setting ${section}.${name}`, 'it must be an absolute path');
}

/** A server that the person runs has its own. */
async function ownConfig(url: string | undefined): Promise<Readonly<Record<string, unknown>>> {
  return url === undefined ? userConfig(environment()) : {};
}

async function readConfig(file: string): Promise<Readonly<Record<string, unknown>>> {
  const what = `The OpenCode configuration ${file}`;
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (isRecord(value)) return value;
  } catch (error) {
    throw invalidInput(what, reasonOf(error));
  }
  throw invalidInput(what, 'it is not a JSON object');
}

/** Muted for all windows. */
export const notificationSettings: NotificationSettings = {
  wants: (kind) => {
    const value = workspace.getConfiguration(section).get<unknown>('notifications');
    return !isRecord(value) || value[kind] !== false;
  },
  mute: async (kind) => {
    const configuration = workspace.getConfiguration(section);
    const own = configuration.inspect<unknown>('notifications')?.globalValue;
    const muted = { ...(isRecord(own) ? own : {}), [kind]: false };
    await configuration.update('notifications', muted, ConfigurationTarget.Global);
  },
};

const name = 'decisions.key';

/** The key of decisions' seals, made once in the secret storage. */
export async function sealKey(secrets: SecretStorage): Promise<string> {
  const known = await secrets.get(name);
  if (known !== undefined) return known;
  await secrets.store(name, randomBytes(32).toString('base64url'));
  // Another window may have been faster.
  return (await secrets.get(name)) ?? sealKey(secrets);
}

const GitPath = z.union([z.string().transform((path) => [path]), z.array(z.string())]).catch([]);

/** With the editor's git (`git.path`). */
export function environment(): Readonly<Record<string, string | undefined>> {
  const paths = GitPath.parse(workspace.getConfiguration('git').get<unknown>('path')).filter(
    (path) => path !== '',
  );
  return paths.length === 0 ? process.env : { ...process.env, [gitVariable]: paths.join(delimiter) };
}
