import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { until } from '../../support/until.ts';
import {
  type ProbeAnswer,
  type ProbeInput,
  type ProbeOrders,
  ProbePlace,
  type ProbeQuestion,
  probeQuestions,
  probeViews,
} from './probe/probeWords.ts';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The benchmark's extension in a window, asked from outside. */
export class Probe {
  readonly #place: ProbePlace;

  private constructor(place: ProbePlace) {
    this.#place = place;
  }

  /** `place`: the file in which it says where it listens, which is gone then. */
  static async of(place: string): Promise<Probe> {
    await until(() => readPlace(place) !== undefined, 'the window has started');
    const found = readPlace(place);
    if (!found) throw new Error('The probe said nothing.');
    rmSync(place);
    return new Probe(found);
  }

  /** Of the extension host. */
  get pid(): number {
    return this.#place.pid;
  }

  get isAlive(): boolean {
    try {
      return process.kill(this.#place.pid, 0);
    } catch {
      return false;
    }
  }

  async ask<Q extends ProbeQuestion>(question: Q, input: ProbeInput<Q>): Promise<ProbeAnswer<Q>> {
    const response = await fetch(`http://127.0.0.1:${String(this.#place.port)}/${question}`, {
      method: 'POST',
      body: JSON.stringify(input),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The probe could not answer ${question}: ${text}`);
    return probeQuestions[question].answer.parse(JSON.parse(text)) as ProbeAnswer<Q>;
  }

  /** Waits until it has ended; answers when it began. */
  async run(command: string, ...args: readonly unknown[]): Promise<ProbeAnswer<'run'>> {
    return this.ask('run', { command, args: [...args] });
  }
}

function readPlace(file: string): ProbePlace | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  // It may be just being written.
  return text.endsWith('}') ? ProbePlace.parse(JSON.parse(text)) : undefined;
}

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24"><path d="M4 4h16v16H4z"/></svg>\n';

export async function writeProbe(folder: string, orders: ProbeOrders): Promise<void> {
  mkdirSync(folder);
  writeFileSync(join(folder, 'icon.svg'), icon);
  writeFileSync(join(folder, 'orders.json'), JSON.stringify(orders));
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest()));
  await build({
    entryPoints: ['main', 'workerTimers'].map((name) =>
      fileURLToPath(new URL(`probe/${name}.ts`, import.meta.url)),
    ),
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
    logLevel: 'warning',
  });
}

function manifest(): unknown {
  const views = Object.entries(probeViews);
  return {
    name: 'bench',
    publisher: 'beadsmith-bench',
    version: '0.0.1',
    engines: { vscode: '^1.105.0' },
    extensionKind: ['workspace'],
    main: './main.cjs',
    // Everything is slow while the window starts.
    activationEvents: ['onStartupFinished'],
    contributes: {
      viewsContainers: {
        activitybar: views.map(([view, title]) => ({ id: `bench-${view}`, title, icon: 'icon.svg' })),
      },
      views: Object.fromEntries(
        views.map(([view, name]) => [`bench-${view}`, [{ id: `bench.${view}`, name }]]),
      ),
    },
  };
}
