import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { opencodeBinary, root } from '../../../.build/paths.mjs';
import { isAlive } from '../../../src/adapters/system/processes.ts';
import { ServerFiles } from '../../../src/adapters/opencode/serverFiles.ts';
import { exitCodes } from '../../../src/cli/exitCodes.ts';
import type { ScriptInput } from '../../../src/demo/modelScript.ts';
import { providerConfig } from '../../../src/demo/providerConfig.ts';
import type { RequestRecord } from '../../../src/demo/scriptedServer.ts';
import { ScriptedModel } from '../models/scriptedModel.ts';
import { type TempRepository, tempRepository } from '../git/tempRepository.ts';
import { until } from '../until.ts';

/** A real repository, the real OpenCode, and the scripted model in the place of a provider: all that an editor needs to work on tickets. */
export class TicketWorld {
  readonly repository: TempRepository;
  readonly #model: ScriptedModel;
  readonly #config: string;

  private constructor(repository: TempRepository, model: ScriptedModel) {
    this.repository = repository;
    this.#model = model;
    this.#config = join(repository.root, '..', 'opencode.json');
    writeFileSync(this.#config, JSON.stringify(providerConfig(model.url)));
  }

  /** `script`: what the scripted model plays otherwise than the plain way: how it asks questions, by their ids, or what it does about tasks. */
  static async start(script: Partial<Pick<ScriptInput, 'questions' | 'tasks'>> = {}): Promise<TicketWorld> {
    const files = {
      'README.md': '# Sample\n',
      'package.json': '{ "name": "sample", "type": "module", "scripts": { "test": "node --test" } }\n',
      'sum.js': 'export const sum = (a, b) => a + b;\n',
      'sum.test.js':
        "import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { sum } from './sum.js';\ntest('sum', () => assert.equal(sum(1, 2), 3));\n",
    };
    const repository = await tempRepository({ files, name: 'sample' });
    try {
      const played = { version: 1, name: 'test', tasks: {}, ...script } as const;
      return new TicketWorld(repository, await ScriptedModel.start(join(repository.root, '..'), played));
    } catch (error) {
      await repository.remove();
      throw error;
    }
  }

  /** Where the product keeps what it knows of the repository. */
  get stateFolder(): string {
    return join(this.repository.root, '.git', 'beadsmith');
  }

  /** The editor's settings that lead to OpenCode and the scripted model. */
  get settings(): Readonly<Record<string, unknown>> {
    return {
      'beadsmith.mainImplementer': 'scripted/alpha',
      'beadsmith.opencode.path': binary(),
      'beadsmith.opencode.configFile': this.#config,
    };
  }

  /** Files a draft on the command line. */
  async file(title: string, env: Readonly<Record<string, string>>): Promise<void> {
    await this.cli(['create', '--title', title], env);
  }

  /** Files a ticket and runs it on the command line, until its interview waits for answers. */
  async runToInterview(title: string, env: Readonly<Record<string, string>>): Promise<void> {
    await this.runToGate(title, env, []);
  }

  /** The same, until it waits at a gate that isn't in the list. `settings`: further options of its start. */
  async runToGate(
    title: string,
    env: Readonly<Record<string, string>>,
    approve: readonly string[],
    settings: readonly string[] = [],
  ): Promise<void> {
    const ticket = ['--title', title, '--model', 'scripted/alpha', '--depth', 'solo', ...settings];
    const opencode = ['--opencode', binary(), '--opencode-config', this.#config];
    await this.cli(['run', ...ticket, '--approve', approve.join(',') || 'none', ...opencode], env);
  }

  /** The same, until its setup plan waits for an approval. */
  async runToSetup(title: string, env: Readonly<Record<string, string>>, settings: readonly string[] = []): Promise<void> {
    await this.runToGate(title, env, ['interview-answers', 'interview', 'prd', 'beads'], settings);
  }

  /** What the scripted model was asked so far. */
  requests(): readonly RequestRecord[] {
    return this.#model.requests();
  }

  /** What it was sent with each of them, whole. */
  bodies(): readonly string[] {
    return this.#model.bodies();
  }

  /** Ends everything it started, and what works on the repository besides editors; those have to be gone. */
  async end(): Promise<void> {
    try {
      await this.#endOpencode();
    } finally {
      await this.#model.end();
      await this.repository.remove();
    }
  }

  /** Runs a command of ours, with a person at its terminal where it decides something. A ticket that waits for a person isn't a failure. */
  async cli(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
    const program = ['create', 'run'].includes(args[0] ?? '') ? 'dist/cli.js' : '.build/personCli.mjs';
    const all = [join(root, program), ...args, '--repo', this.repository.root];
    await promisify(execFile)(process.execPath, all, { env }).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === exitCodes.gate)) throw error;
    });
  }

  /** The server outlives the window for a minute, so that a reload costs nothing. A test doesn't wait for that. */
  async #endOpencode(): Promise<void> {
    const record = await new ServerFiles(this.stateFolder, 'main').read();
    if (!record) return;
    if (await isAlive(record.guard)) process.kill(record.guard.pid, 'SIGTERM');
    await until(async () => !(await isAlive(record.guard)) && !(await isAlive(record.server)), 'OpenCode ends');
  }
}

function binary(): string {
  return process.env['BEADSMITH_OPENCODE'] ?? opencodeBinary();
}
