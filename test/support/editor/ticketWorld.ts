import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { opencodeBinary, root } from '../../../.build/paths.mjs';
import { isAlive } from '../../../src/adapters/system/processes.ts';
import { ServerFiles } from '../../../src/adapters/opencode/server/serverFiles.ts';
import { exitCodes } from '../../../src/cli/base/exitCodes.ts';
import { providerConfig } from '../../../src/demo/providerConfig.ts';
import type { RequestRecord } from '../../../src/demo/scriptedServer.ts';
import { ScriptedModel } from '../models/scriptedModel.ts';
import { repositoryAt, type TempRepository, tempRepository } from '../git/tempRepository.ts';
import { approvalsUpTo, type Played, type PreparedTicket } from '../scenes/preparedTicket.ts';
import { until } from '../until.ts';

const sample = {
  'README.md': '# Sample\n',
  'package.json': '{ "name": "sample", "type": "module", "scripts": { "test": "node --test" } }\n',
  'sum.js': 'export const sum = (a, b) => a + b;\n',
  'sum.test.js':
    "import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { sum } from './sum.js';\ntest('sum', () => assert.equal(sum(1, 2), 3));\n",
};

/** A real repository, the real OpenCode, and the scripted model as provider. */
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

  /** `folder`: an empty one for all of it. */
  static async start(played: Played = {}, folder?: string): Promise<TicketWorld> {
    const repository = await tempRepository({
      files: sample,
      name: 'sample',
      ...(folder === undefined ? {} : { parent: folder }),
    });
    return TicketWorld.#on(repository, played);
  }

  /** In a folder that holds it already, with a model that was asked nothing yet. */
  static reopen(folder: string, played: Played): Promise<TicketWorld> {
    return TicketWorld.#on(repositoryAt(join(folder, 'sample')), played);
  }

  static async #on(repository: TempRepository, played: Played): Promise<TicketWorld> {
    try {
      const script = { version: 1, name: 'test', tasks: {}, ...played } as const;
      return new TicketWorld(repository, await ScriptedModel.start(join(repository.root, '..'), script));
    } catch (error) {
      await repository.remove();
      throw error;
    }
  }

  get stateFolder(): string {
    return join(this.repository.root, '.git', 'beadsmith');
  }

  get settings(): Readonly<Record<string, unknown>> {
    return {
      'beadsmith.mainImplementer': 'scripted/alpha',
      'beadsmith.opencode.path': binary(),
      'beadsmith.opencode.configFile': this.#config,
    };
  }

  /** Files a ticket by command line, and runs it to where it is to wait. */
  async prepare(
    { title, at, options = [] }: PreparedTicket,
    env: Readonly<Record<string, string>>,
  ): Promise<void> {
    const approve = approvalsUpTo(at);
    if (!approve) return this.cli(['create', '--title', title], env);
    const ticket = ['--title', title, '--model', 'scripted/alpha', '--depth', 'solo', ...options];
    await this.#run([...ticket], approve, env);
  }

  async goOn({ at }: PreparedTicket, id: string, env: Readonly<Record<string, string>>): Promise<void> {
    await this.#run([id], approvalsUpTo(at) ?? [], env);
  }

  #run(
    words: readonly string[],
    approve: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<void> {
    const opencode = ['--opencode', binary(), '--opencode-config', this.#config];
    return this.cli(['run', ...words, '--approve', approve.join(',') || 'none', ...opencode], env);
  }

  requests(): readonly RequestRecord[] {
    return this.#model.requests();
  }

  bodies(): readonly string[] {
    return this.#model.bodies();
  }

  /** Also ends what works on the repository besides editors; those have to be gone. */
  async end(): Promise<void> {
    try {
      await this.stop();
    } finally {
      await this.repository.remove();
    }
  }

  async stop(): Promise<void> {
    try {
      await this.#endOpencode();
    } finally {
      await this.#model.end();
    }
  }

  /** A person at the terminal confirms. A ticket that waits for a person isn't a failure. */
  async cli(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
    const program = ['create', 'run'].includes(args[0] ?? '') ? 'dist/cli.js' : '.build/personCli.mjs';
    const all = [join(root, program), ...args, '--repo', this.repository.root];
    await promisify(execFile)(process.execPath, all, { env }).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === exitCodes.gate)) throw error;
    });
  }

  /** The server outlives the window for a minute; a test doesn't wait. */
  async #endOpencode(): Promise<void> {
    const record = await new ServerFiles(this.stateFolder, 'main').read();
    if (!record) return;
    if (await isAlive(record.guard)) process.kill(record.guard.pid, 'SIGTERM');
    await until(
      async () => !(await isAlive(record.guard)) && !(await isAlive(record.server)),
      'OpenCode ends',
    );
  }
}

function binary(): string {
  return process.env['BEADSMITH_OPENCODE'] ?? opencodeBinary();
}
