import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BeadsmithError } from '../../domain/errors.ts';
import type { PromptSource } from '../../engine/ports/ports.ts';

/** Prompts as files of a folder, `<name>.md`. Each is read once: what ships doesn't change while a process runs. */
export class PromptFiles implements PromptSource {
  readonly #folder: string;
  readonly #texts = new Map<string, Promise<string>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  read(name: string): Promise<string> {
    const present = this.#texts.get(name);
    if (present) return present;
    const text = this.#load(name);
    this.#texts.set(name, text);
    // A failure isn't kept: the file may be there the next time.
    text.catch(() => this.#texts.delete(name));
    return text;
  }

  async #load(name: string): Promise<string> {
    if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name)) throw new BeadsmithError('UNEXPECTED', { reason: `"${name}" is no prompt's name.` });
    try {
      return await readFile(join(this.#folder, `${name}.md`), 'utf8');
    } catch (error) {
      throw new BeadsmithError('UNEXPECTED', { reason: `the prompt ${name} is missing.` }, { cause: error });
    }
  }
}
