import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { root } from '../../../.build/paths.mjs';
import type { ScriptInput } from '../../../src/demo/script/modelScript.ts';
import { RequestRecord } from '../../../src/demo/scriptedServer.ts';
import { until } from '../until.ts';

const Listening = z.object({ url: z.string() });

/** The built scripted model as a process of its own. Its caller ends it. */
export class ScriptedModel {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #log: string;
  readonly #bodies: string;

  private constructor(
    url: string,
    child: ChildProcess,
    { log, bodies }: { readonly log: string; readonly bodies: string },
  ) {
    this.url = url;
    this.#child = child;
    this.#log = log;
    this.#bodies = bodies;
  }

  /**
   * Writes script, log and requests into `folder`. `latencyMs` to the first token, then `rate` a second; 0:
   * all at once. `checkout`: whose build.
   */
  static async start(
    folder: string,
    script: ScriptInput,
    { latencyMs = 0, rate = 0, checkout = root } = {},
  ): Promise<ScriptedModel> {
    const [file, log, bodies] = [
      join(folder, 'script.json'),
      join(folder, 'requests.ndjson'),
      join(folder, 'requests'),
    ];
    writeFileSync(file, JSON.stringify(script));
    writeFileSync(log, '');
    const args = [
      '--script',
      file,
      '--log',
      log,
      '--bodies',
      bodies,
      '--latency',
      String(latencyMs),
      '--rate',
      String(rate),
    ];
    const child = spawn(process.execPath, [join(checkout, 'dist', 'scriptedModel.js'), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { url } = Listening.parse(JSON.parse(await firstLine(child)));
    return new ScriptedModel(url, child, { log, bodies });
  }

  /** Oldest first. */
  requests(): readonly RequestRecord[] {
    const lines = readFileSync(this.#log, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => RequestRecord.parse(JSON.parse(line)));
  }

  bodies(): readonly string[] {
    return this.requests().map(({ n }) => readFileSync(join(this.#bodies, `${String(n)}.json`), 'utf8'));
  }

  async end(): Promise<void> {
    this.#child.kill('SIGTERM');
    await until(
      () => this.#child.exitCode !== null || this.#child.signalCode !== null,
      'the scripted model ends',
    );
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('The scripted model has no output.');
  const lines = createInterface(child.stdout);
  try {
    for await (const line of lines) return line;
    throw new Error('The scripted model ended before it listened.');
  } finally {
    lines.close();
  }
}
