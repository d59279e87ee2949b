import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { ConfigurationTarget, Uri, workspace, type WorkspaceConfiguration } from 'vscode';
import { z } from 'zod';
import { isRecord } from '../base/json.ts';
import type { OpencodeOptions, RepositorySettingsInput } from '../app/createApp.ts';
import { BeadsmithError } from '../domain/errors.ts';
import { Limits, RepositorySettings, Settings } from '../domain/settings.ts';
import type { StartSettings } from '../views/repositories.ts';

const section = 'beadsmith';

/** What a person set, checked: a setting that makes no sense is an error with its name, never silently a default. */
export class HostSettings {
  /** Where OpenCode is and which providers it knows. Both are settings of the machine, so that no repository can change them. */
  async opencode(): Promise<OpencodeOptions> {
    const configuration = workspace.getConfiguration(section);
    const binary = absolutePath(configuration, 'opencode.path');
    const file = absolutePath(configuration, 'opencode.configFile');
    return {
      ...(binary === undefined ? {} : { binary }),
      ...(file === undefined ? {} : { config: await readConfig(file) }),
    };
  }

  repository(root: string): RepositorySettingsInput {
    const configuration = of(root);
    const prefix = configuration.get<unknown>('ticketPrefix');
    return {
      worktreeFolder: checked(configuration, 'worktreeFolder', RepositorySettings.shape.worktreeFolder),
      ...(prefix === '' || prefix === undefined
        ? {}
        : { ticketPrefix: checked(configuration, 'ticketPrefix', RepositorySettings.shape.ticketPrefix.unwrap()) }),
    };
  }

  start(root: string): StartSettings {
    const configuration = of(root);
    const main = configuration.get<unknown>('mainImplementer');
    return {
      ...(main === '' || main === undefined
        ? {}
        : { mainImplementer: checked(configuration, 'mainImplementer', Settings.shape.mainImplementer) }),
      ...(isSet(configuration, 'councilMembers')
        ? { councilMembers: checked(configuration, 'councilMembers', Settings.shape.councilMembers) }
        : {}),
      settings: {
        integration: checked(configuration, 'integration', Settings.shape.integration),
        manualQaEnabled: checked(configuration, 'manualQa', Settings.shape.manualQaEnabled),
        interviewQuestions: checked(configuration, 'interviewQuestions', Settings.shape.interviewQuestions),
      },
      limits: {
        maxIterations: checked(configuration, 'limits.maxIterations', Limits.shape.maxIterations),
        perIterationTimeout: 1_000 * checked(configuration, 'limits.iterationTimeout', z.number().int().min(0).max(3_600)),
        tokenCap: checked(configuration, 'limits.tokenCap', Limits.shape.tokenCap),
      },
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
    if (councilMembers) await configuration.update('councilMembers', councilMembers, ConfigurationTarget.Global);
  }
}

function of(root: string): WorkspaceConfiguration {
  return workspace.getConfiguration(section, Uri.file(root));
}

function checked<T>(configuration: WorkspaceConfiguration, name: string, schema: z.ZodType<T>): T {
  const result = schema.safeParse(configuration.get<unknown>(name));
  if (result.success) return result.data;
  throw new BeadsmithError('INVALID_INPUT', { what: `The setting ${section}.${name}`, reason: result.error.issues[0]?.message ?? '' });
}

function isSet(configuration: WorkspaceConfiguration, name: string): boolean {
  const found = configuration.inspect(name);
  return [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue].some((value) => value !== undefined);
}

function absolutePath(configuration: WorkspaceConfiguration, name: string): string | undefined {
  const value = configuration.get<unknown>(name);
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && isAbsolute(value)) return value;
  throw new BeadsmithError('INVALID_INPUT', { what: `The setting ${section}.${name}`, reason: 'it must be an absolute path' });
}

async function readConfig(file: string): Promise<Readonly<Record<string, unknown>>> {
  const what = `The OpenCode configuration ${file}`;
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (isRecord(value)) return value;
  } catch (error) {
    throw new BeadsmithError('INVALID_INPUT', { what, reason: error instanceof Error ? error.message : String(error) });
  }
  throw new BeadsmithError('INVALID_INPUT', { what, reason: 'it is not a JSON object' });
}
