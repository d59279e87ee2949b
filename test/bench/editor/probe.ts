import { existsSync, readFileSync, rmSync } from 'node:fs';
import { until } from '../../support/until.ts';
import {
  type ProbeAnswer,
  type ProbeInput,
  ProbePlace,
  type ProbeQuestion,
  probeQuestions,
} from './probe/probeWords.ts';

/** The benchmark's own extension in one window's extension host, asked from outside. */
export class Probe {
  readonly #place: ProbePlace;

  private constructor(place: ProbePlace) {
    this.#place = place;
  }

  /**
   * Waits for the probe of a window that was just opened. `place`: the file in which it says where it
   * listens, which is gone then.
   */
  static async of(place: string): Promise<Probe> {
    await until(() => readPlace(place) !== undefined, 'the window has started');
    const found = readPlace(place);
    if (!found) throw new Error('The probe said nothing.');
    rmSync(place);
    return new Probe(found);
  }

  /** Whether the extension host is still there. */
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

  /** Runs a command of the editor and waits until it has ended; answers when it began. */
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
