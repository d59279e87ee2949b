import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoScript } from '../../src/demo/sample/sample.ts';
import { providerConfig } from '../../src/demo/providerConfig.ts';
import { sampleTicket } from '../../src/demo/sample/ticket.ts';
import type { RequestRecord } from '../../src/demo/scriptedServer.ts';
import { writeSampleRepository } from '../../src/demo/writeSampleRepository.ts';
import { ScriptedModel } from '../support/models/scriptedModel.ts';
import { tempFolder } from '../support/tempFolder.ts';
import { sampleAnswers } from '../support/samples.ts';

/** A sample repository of its own and a scripted model of its own, in a temporary folder. */
export class Scene {
  readonly folder: string;
  readonly repository: string;
  readonly #model: ScriptedModel;

  private constructor(folder: string, model: ScriptedModel) {
    this.folder = folder;
    this.repository = join(folder, 'stockroom');
    this.#model = model;
  }

  static async open(): Promise<Scene> {
    const { path } = tempFolder('soak');
    await writeSampleRepository(join(path, 'stockroom'));
    const model = await ScriptedModel.start(path, demoScript);
    writeFileSync(join(path, 'ticket.md'), sampleTicket.description);
    writeFileSync(join(path, 'answers.json'), JSON.stringify(sampleAnswers));
    writeFileSync(join(path, 'opencode.json'), JSON.stringify(providerConfig(model.url)));
    return new Scene(path, model);
  }

  /** The arguments that drive the sample ticket to its end, the same for every start. */
  get runArguments(): string[] {
    const at = (name: string): string => join(this.folder, name);
    const ticket = ['--title', sampleTicket.title, '--description-file', at('ticket.md'), '--key', 'soak'];
    const council = [
      '--depth',
      'full',
      '--model',
      'scripted/alpha',
      '--council',
      'scripted/beta',
      '--review',
      'off',
    ];
    const gates = ['--answers', at('answers.json'), '--approve', 'all', '--end', 'close'];
    return [
      'run',
      '--repo',
      this.repository,
      ...ticket,
      ...council,
      ...gates,
      '--opencode-config',
      at('opencode.json'),
    ];
  }

  get database(): string {
    return join(this.repository, '.git', 'beadsmith', 'state.db');
  }

  requests(): readonly RequestRecord[] {
    return this.#model.requests();
  }

  /** The tree at the end of the ticket's branch: what was delivered. */
  tree(ticket: string): string {
    return execFileSync('git', ['-C', this.repository, 'rev-parse', `refs/heads/ticket/${ticket}^{tree}`], {
      encoding: 'utf8',
    }).trim();
  }

  async close(options: { readonly keep: boolean }): Promise<void> {
    await this.#model.end();
    if (!options.keep) rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
