import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpencodeAgent } from '../../../src/adapters/opencode/opencodeAgent.ts';
import type { OpencodeAgentOptions } from '../../../src/adapters/opencode/opencodeAgent.ts';
import { isAlive } from '../../../src/adapters/system/processes.ts';
import { serverDomains, ServerFiles } from '../../../src/adapters/opencode/server/serverFiles.ts';
import type { ServerRecord } from '../../../src/adapters/opencode/server/serverFiles.ts';
import type { AgentCallOptions } from '../../../src/engine/ports/ports.ts';
import { tempFolder } from '../tempFolder.ts';
import { TinyModel } from './tinyModel.ts';

const prompts = {
  disabled: 'You answer.',
  read_only: 'You read.',
  default: 'You code.',
  execution_setup_online: 'You prepare.',
};

/** A small repository, a state folder, a model and agents. */
export class OpencodeBench {
  readonly #temp = tempFolder('opencode');
  readonly folder = this.#temp.path;
  readonly stateDir = join(this.folder, 'state');
  readonly repository = join(this.folder, 'repository');
  readonly model = new TinyModel();
  readonly #agents: OpencodeAgent[] = [];

  async start(): Promise<this> {
    await this.model.start();
    const git = (...args: string[]) => execFileSync('git', args, { cwd: this.folder, stdio: 'ignore' });
    git('init', '--quiet', this.repository);
    git(
      '-C',
      this.repository,
      '-c',
      'user.name=T',
      '-c',
      'user.email=t@example.com',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'First',
    );
    return this;
  }

  options(changes: Partial<OpencodeAgentOptions> = {}): OpencodeAgentOptions {
    return {
      stateDir: this.stateDir,
      agentPrompts: prompts,
      config: this.model.config(),
      // For what a slow machine does between two uses.
      graceMs: 20_000,
      startLimitMs: 45_000,
      env: environment(),
      ...changes,
    };
  }

  agent(changes: Partial<OpencodeAgentOptions> = {}): OpencodeAgent {
    const agent = new OpencodeAgent(this.options(changes));
    this.#agents.push(agent);
    return agent;
  }

  /** For a process of its own on the same server. `ahead`: started before there is a session. */
  orders(
    title: string,
    changes: {
      readonly directory?: string;
      readonly opencodePath?: string;
      readonly sandbox?: boolean;
      readonly ahead?: boolean;
      readonly graceMs?: number;
    } = {},
  ): string {
    const { stateDir, config, graceMs, startLimitMs, env, agentPrompts } = this.options();
    const defined = Object.fromEntries(Object.entries(env ?? {}).filter(([, value]) => value !== undefined));
    const place = { stateDir, directory: this.repository, commonDir: join(this.repository, '.git') };
    return JSON.stringify({
      ...place,
      config,
      graceMs,
      startLimitMs,
      title,
      env: defined,
      prompts: agentPrompts,
      ...changes,
    });
  }

  /** What the guard wrote down about the running server. */
  async record(domain = /^/): Promise<ServerRecord | undefined> {
    const name = (await serverDomains(this.stateDir)).find((one) => domain.test(one));
    return name === undefined ? undefined : new ServerFiles(this.stateDir, name).read();
  }

  async log(): Promise<string> {
    return readFile(join(this.stateDir, 'logs', 'opencode-main.log'), 'utf8');
  }

  /** Fails if a process of a server is left. */
  async stop(): Promise<void> {
    const record = await this.record();
    for (const agent of this.#agents) await agent.stop();
    await this.model.stop();
    const left = await processesIn(this.folder, record);
    this.#temp.remove();
    if (left.length > 0) throw new Error(`Left running: ${left.join(', ')}`);
  }
}

/** Nobody interrupts. */
export function callOptions(changes: Partial<AgentCallOptions> = {}): AgentCallOptions {
  return { signal: new AbortController().signal, retryLimit: 10, retryGraceMs: 60_000, ...changes };
}

/** Without a login. `BEADSMITH_OPENCODE` is the binary that set-up installed. */
function environment(): Readonly<Record<string, string | undefined>> {
  const { PATH, HOME, XDG_CACHE_HOME, BEADSMITH_CACHE, LANG } = process.env;
  return {
    PATH,
    HOME,
    XDG_CACHE_HOME,
    BEADSMITH_CACHE,
    LANG,
    XDG_DATA_HOME: join(tmpdir(), 'beadsmith-no-login'),
    SHELL: '/bin/bash',
  };
}

async function processesIn(folder: string, record: ServerRecord | undefined): Promise<string[]> {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8', maxBuffer: 16_000_000 });
  const inFolder = listed
    .split('\n')
    .filter((line) => line.includes(folder) && !line.includes(String(process.pid)));
  const server = record && (await isAlive(record.server)) ? [`server ${record.server.pid}`] : [];
  const guard = record && (await isAlive(record.guard)) ? [`guard ${record.guard.pid}`] : [];
  return [...inFolder, ...server, ...guard];
}
