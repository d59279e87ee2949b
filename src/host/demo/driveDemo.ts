import type { AppOptions } from '../../app/createApp.ts';
import { providerConfig, scriptedMembers } from '../../demo/providerConfig.ts';
import { driveRepository, type DriveSettings } from '../repositories/driveRepository.ts';
import type { Log } from '../logging/log.ts';
import type { OpenedRepository } from '../repositories/driveRepository.ts';
import type { DemoEntry } from './demos.ts';
import { ScriptedModel } from './scriptedModel.ts';

/** What the person set, as far as a demo heeds it. */
export interface DemoSettings extends Pick<DriveSettings, 'repository'> {
  /** The setting for OpenCode's binary. */
  binary(): string | undefined;
}

/**
 * Drives a demo like any repository, with a scripted model that runs as long as it is open, and with the configuration that leads to it where a
 * person's own would be. Throws what `driveRepository` throws, and DEMO_MODEL_FAILED.
 */
export async function driveDemo(
  root: string,
  demo: DemoEntry,
  settings: DemoSettings,
  env: AppOptions['env'],
  log: Log,
): Promise<OpenedRepository> {
  const model = await ScriptedModel.start(portOf(demo), log);
  log.info(`${root}: a demo, its models are played by a script at ${model.url} (process ${String(model.pid)})`);
  try {
    const repository = await driveRepository(root, scripted(settings, model.url), env, log);
    const close = async (): Promise<void> => {
      try {
        await repository.close();
      } finally {
        await model.end();
      }
    };
    const wantsReopening = async (): Promise<boolean> => !(await model.keepUp()) || repository.wantsReopening();
    return { ...repository, isDemo: true, wantsReopening, close };
  } catch (error) {
    await model.end();
    throw error;
  }
}

/** The recording fits the defaults. Which models and limits a person chose for their own tickets is neither used nor changed. */
function scripted(settings: DemoSettings, url: string): DriveSettings {
  const [mainImplementer, ...councilMembers] = scriptedMembers;
  return {
    repository: (root) => settings.repository(root),
    opencode: () => {
      const binary = settings.binary();
      return Promise.resolve({ ...(binary === undefined ? {} : { binary }), config: providerConfig(url) });
    },
    start: () => ({ ...(mainImplementer === undefined ? {} : { mainImplementer }), councilMembers, settings: {}, limits: {} }),
    rememberModels: () => Promise.resolve(),
  };
}

/**
 * The same for a demo each time, so that its OpenCode server outlives a reload of the window. Below the ports that systems hand out, and nothing
 * that others could guess.
 */
export function portOf({ id }: Pick<DemoEntry, 'id'>): number {
  return 20_000 + (Number.parseInt(id.slice(0, 8), 16) % 12_000);
}
