import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PromptFiles } from '../../../src/adapters/files/promptFiles.ts';
import { OpencodeAgent } from '../../../src/adapters/opencode/opencodeAgent.ts';
import { ServerFiles } from '../../../src/adapters/opencode/server/serverFiles.ts';
import { agentPrompts } from '../../../src/app/createApp.ts';
import { locations } from '../../../src/app/locations.ts';
import { type ScriptedServer, startScriptedServer } from '../../../src/demo/scriptedServer.ts';
import { tempFolder } from '../tempFolder.ts';

/** One OpenCode server for many tickets, each with a scripted model of its own. */
export class CrashBench {
  readonly #folder: ReturnType<typeof tempFolder>;
  readonly #agent: OpencodeAgent;
  readonly #models: ReadonlyMap<string, ScriptedServer>;
  readonly #end = new AbortController();
  readonly server: { readonly url: string; readonly password: string };

  private constructor(
    folder: ReturnType<typeof tempFolder>,
    agent: OpencodeAgent,
    models: ReadonlyMap<string, ScriptedServer>,
    server: { readonly url: string; readonly password: string },
  ) {
    this.#folder = folder;
    this.#agent = agent;
    this.#models = models;
    this.server = server;
  }

  /** `latency`: milliseconds to the first token of a task, by provider. */
  static async start(latency: ReadonlyMap<string, (task: string) => number>): Promise<CrashBench> {
    const folder = tempFolder('crash');
    const providers = [...latency.keys()];
    const models = new Map<string, ScriptedServer>();
    for (const [provider, latencyMs] of latency)
      models.set(provider, await startScriptedServer({ latencyMs }));
    const config = {
      provider: Object.fromEntries(
        [...models].map(([provider, { url }]) => [
          provider,
          {
            npm: '@ai-sdk/openai-compatible',
            name: provider,
            options: { baseURL: url, apiKey: 'scripted' },
            models: { alpha: {}, beta: {} },
          },
        ]),
      ),
      enabled_providers: providers,
    };
    const stateDir = join(folder.path, 'state');
    const prompts = await agentPrompts(new PromptFiles(fileURLToPath(locations.prompts)));
    // Nobody asks through this agent again, and the drivers that are killed own no server.
    const [startLimitMs, graceMs] = [120_000, 3_600_000];
    const agent = new OpencodeAgent({
      stateDir,
      agentPrompts: prompts,
      config,
      env: environment(folder.path),
      startLimitMs,
      graceMs,
    });
    const { url } = await agent.health();
    const password = (await new ServerFiles(stateDir, 'main').read())?.password ?? '';
    return new CrashBench(folder, agent, models, { url, password });
  }

  get environment(): Readonly<Record<string, string>> {
    return environment(this.#folder.path);
  }

  get configFolder(): string {
    return join(this.environment['XDG_CONFIG_HOME'] ?? '', 'beadsmith');
  }

  requests(provider: string): ScriptedServer['requests'] {
    return this.#models.get(provider)?.requests ?? [];
  }

  /** Aborted when the bench is over. */
  get over(): AbortSignal {
    return this.#end.signal;
  }

  end(): void {
    this.#end.abort();
  }

  async stop(): Promise<void> {
    await this.#agent.stop();
    for (const model of this.#models.values()) await model.close();
    this.#folder.remove();
  }
}

function environment(folder: string): Record<string, string> {
  const passed = ['PATH', 'HOME', 'XDG_CACHE_HOME', 'BEADSMITH_CACHE', 'LANG'];
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  return {
    ...Object.fromEntries(
      passed.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    ),
    // The person's own settings of git and their login have no part in it.
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    SHELL: '/bin/sh',
  };
}
