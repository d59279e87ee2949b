import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { demoScript } from '../../../src/demo/demoScript.ts';
import { RequestRecord } from '../../../src/demo/scriptedServer.ts';

/** The user's OpenCode configuration: the scripted model at `url` is the only provider there is. */
export function scriptedProvider(url: string): Readonly<Record<string, unknown>> {
  const options = { baseURL: url, apiKey: 'scripted' };
  const provider = { npm: '@ai-sdk/openai-compatible', name: 'Scripted', options, models: { alpha: {}, beta: {} } };
  return { provider: { scripted: provider }, enabled_providers: ['scripted'] };
}

/** The scripted model that plays the sample ticket, as a process of its own. `latencyMs` to the first token, then `rate` tokens a second (0 = at once). */
export class ScriptedModel {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #log: string;

  private constructor(url: string, child: ChildProcess, log: string) {
    this.url = url;
    this.#child = child;
    this.#log = log;
  }

  static async start(folder: string, speed: { readonly latencyMs: number; readonly rate: number }): Promise<ScriptedModel> {
    const [script, log] = [join(folder, 'script.json'), join(folder, 'requests.ndjson')];
    writeFileSync(script, JSON.stringify(demoScript));
    writeFileSync(log, '');
    const program = fileURLToPath(new URL('../../../src/demo/main.ts', import.meta.url));
    const pace = ['--latency', String(speed.latencyMs), '--rate', String(speed.rate)];
    const child = spawn(process.execPath, [program, '--script', script, '--log', log, ...pace], { stdio: ['ignore', 'pipe', 'inherit'] });
    const first = new Promise<string>((resolve, reject) => {
      let out = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        out += chunk;
        const end = out.indexOf('\n');
        if (end >= 0) resolve(out.slice(0, end));
      });
      child.once('exit', () => {
        reject(new Error('The scripted model did not start.'));
      });
    });
    return new ScriptedModel(z.object({ url: z.string() }).parse(JSON.parse(await first)).url, child, log);
  }

  /** Every request so far, oldest first. */
  requests(): readonly RequestRecord[] {
    const lines = readFileSync(this.#log, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => RequestRecord.parse(JSON.parse(line)));
  }

  stop(): void {
    this.#child.kill('SIGTERM');
  }
}
