import { spawn, execFileSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { demoScript } from '../../src/demo/demoScript.ts';
import { sampleAnswers } from '../../src/demo/sample/answers.ts';
import { sampleTicket } from '../../src/demo/sample/ticket.ts';
import { RequestRecord } from '../../src/demo/scriptedServer.ts';
import { writeSampleRepository } from '../../src/demo/writeSampleRepository.ts';

/** A sample repository of its own and a scripted model of its own, in a temporary folder. */
export class Scene {
  readonly folder: string;
  readonly repository: string;
  readonly #log: string;
  #model: ChildProcess | undefined;

  private constructor(folder: string) {
    this.folder = folder;
    this.repository = join(folder, 'stockroom');
    this.#log = join(folder, 'requests.ndjson');
  }

  static async open(): Promise<Scene> {
    const scene = new Scene(realpathSync(mkdtempSync(join(tmpdir(), 'beadsmith-soak-'))));
    await writeSampleRepository(scene.repository);
    await scene.#startModel();
    return scene;
  }

  /** The arguments that drive the sample ticket to its end, the same for every start. */
  get runArguments(): string[] {
    const at = (name: string): string => join(this.folder, name);
    const ticket = ['--title', sampleTicket.title, '--description-file', at('ticket.md'), '--key', 'soak'];
    const council = ['--depth', 'full', '--model', 'scripted/alpha', '--council', 'scripted/beta'];
    const gates = ['--answers', at('answers.json'), '--approve', 'all', '--end', 'close'];
    return ['run', '--repo', this.repository, ...ticket, ...council, ...gates, '--opencode-config', at('opencode.json')];
  }

  get database(): string {
    return join(this.repository, '.git', 'beadsmith', 'state.db');
  }

  requests(): RequestRecord[] {
    return readFileSync(this.#log, 'utf8')
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => RequestRecord.parse(JSON.parse(line)));
  }

  /** The tree at the end of the ticket's branch: what was delivered. */
  tree(ticket: string): string {
    return execFileSync('git', ['-C', this.repository, 'rev-parse', `refs/heads/ticket/${ticket}^{tree}`], { encoding: 'utf8' }).trim();
  }

  close(options: { readonly keep: boolean }): void {
    this.#model?.kill('SIGTERM');
    if (!options.keep) rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #startModel(): Promise<void> {
    const write = (name: string, content: unknown): string => {
      const path = join(this.folder, name);
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
      return path;
    };
    const main = fileURLToPath(new URL('../../dist/scriptedModel.js', import.meta.url));
    const model = spawn(process.execPath, [main, '--script', write('script.json', demoScript), '--log', this.#log], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#model = model;
    const url = await new Promise<string>((resolve, reject) => {
      let out = '';
      model.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        out += chunk;
        const [line, more] = out.split('\n');
        if (line !== undefined && more !== undefined) resolve((JSON.parse(line) as { url: string }).url);
      });
      model.once('exit', () => {
        reject(new Error('The scripted model did not start.'));
      });
    });
    write('ticket.md', sampleTicket.description);
    write('answers.json', sampleAnswers);
    const provider = {
      npm: '@ai-sdk/openai-compatible',
      name: 'Scripted',
      options: { baseURL: url, apiKey: 'scripted' },
      models: { alpha: {}, beta: {} },
    };
    write('opencode.json', { provider: { scripted: provider }, enabled_providers: ['scripted'] });
  }
}
