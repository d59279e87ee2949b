import { readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { parsePersona } from '../../context/personaFile.ts';
import { parsePromptFile } from '../../context/promptFile.ts';
import { isOverridable, overrideProblem } from '../../context/promptOverride.ts';
import { sha256 } from '../../base/sha256.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { PersonaEntry, PromptOverride, PromptSource, PromptText } from '../../engine/ports/ports.ts';
import { codeOf, namesAt } from '../system/files.ts';

const personaFolder = 'personas';
const mostPersonaBytes = 100_000;

interface OwnPrompts {
  readonly folder: string;
  /** Folders in which nothing is taken as a prompt: agents work there. */
  readonly apart: readonly string[];
}

/**
 * Prompt files `<name>.md`, and a person's own in place of them (docs/decisions/100-own-prompts.md). An own
 * one that can't be used is an error, never silently what ships.
 */
export class PromptFiles implements PromptSource {
  readonly #folder: string;
  readonly #own: OwnPrompts | undefined;
  readonly #texts = new Map<string, Promise<string>>();

  constructor(folder: string, own?: OwnPrompts) {
    this.#folder = folder;
    this.#own = own;
  }

  async read(name: string): Promise<PromptText> {
    const builtIn = await this.#builtIn(name);
    const own = await this.#override(name, builtIn);
    if (!own) return { text: builtIn };
    const { path, problem, sha256: override, text } = own;
    if (problem !== '') throw new BeadsmithError('PROMPT_REFUSED', { path, reason: problem });
    return { text, override };
  }

  async overrides(): Promise<readonly PromptOverride[]> {
    const files = this.#own ? await promptsIn(this.#own.folder) : [];
    const names = files.map((file) => file.slice(0, -'.md'.length)).sort();
    const found = await Promise.all(
      names.map(async (name) => this.#override(name, await this.#builtIn(name).catch(() => undefined))),
    );
    return found.flatMap((own) =>
      own ? [{ name: own.name, path: own.path, sha256: own.sha256, problem: own.problem }] : [],
    );
  }

  async personas(): Promise<readonly PersonaEntry[]> {
    const shipped = await this.#personasIn(join(this.#folder, personaFolder), false);
    const own = this.#own ? await this.#personasIn(join(this.#own.folder, personaFolder), true) : [];
    const doubled = own.map((entry) =>
      shipped.some(({ id }) => id === entry.id)
        ? { ...entry, persona: undefined, problem: 'a built-in persona has this id' }
        : entry,
    );
    return [...shipped, ...doubled];
  }

  async #personasIn(folder: string, isOwn: boolean): Promise<readonly PersonaEntry[]> {
    return Promise.all(
      (await promptsIn(folder)).sort().map(async (file): Promise<PersonaEntry> => {
        const id = file.slice(0, -'.md'.length);
        const path = join(folder, file);
        const refused = (problem: string): PersonaEntry => ({ id, path, isOwn, persona: undefined, problem });
        try {
          const misplaced = isOwn ? await this.#placeProblem(path) : undefined;
          if (misplaced !== undefined) return refused(misplaced);
          if ((await stat(path)).size > mostPersonaBytes)
            return refused(`it is larger than ${mostPersonaBytes} bytes`);
          const read = parsePersona(id, await readFile(path, 'utf8'));
          return read.ok ? { id, path, isOwn, persona: read.persona, problem: '' } : refused(read.problem);
        } catch (error) {
          return refused(unreadable(error));
        }
      }),
    );
  }

  async #override(
    name: string,
    builtIn: string | undefined,
  ): Promise<(PromptOverride & { readonly text: string }) | undefined> {
    if (!this.#own) return undefined;
    const path = join(this.#own.folder, `${name}.md`);
    try {
      const text = await readFile(path, 'utf8');
      return {
        name,
        path,
        text,
        sha256: sha256(text),
        problem: (await this.#placeProblem(path)) ?? ownProblem(name, builtIn, text) ?? '',
      };
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
      return { name, path, text: '', sha256: sha256(''), problem: unreadable(error) };
    }
  }

  /** The reason why a file's place is refused: agents and a repository's authors write what is in it. */
  async #placeProblem(path: string): Promise<string | undefined> {
    const real = await realpath(path);
    for (const folder of this.#own?.apart ?? []) {
      const inside = relative(await realpath(folder).catch(() => folder), real);
      if (inside !== '..' && !inside.startsWith(`..${sep}`))
        return `it is inside of ${folder}, where a repository or an agent could change it`;
    }
    return undefined;
  }

  #builtIn(name: string): Promise<string> {
    const present = this.#texts.get(name);
    if (present) return present;
    const text = this.#load(name);
    this.#texts.set(name, text);
    // A failure isn't kept: the file may be there next time.
    text.catch(() => this.#texts.delete(name));
    return text;
  }

  async #load(name: string): Promise<string> {
    if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name))
      throw new BeadsmithError('UNEXPECTED', { reason: `"${name}" is no prompt's name.` });
    try {
      return await readFile(join(this.#folder, `${name}.md`), 'utf8');
    } catch (error) {
      throw new BeadsmithError('UNEXPECTED', { reason: `the prompt ${name} is missing.` }, { cause: error });
    }
  }
}

async function promptsIn(folder: string): Promise<string[]> {
  const files = await namesAt(folder);
  return files.filter((file) => file.endsWith('.md') && file !== 'README.md');
}

function unreadable(error: unknown): string {
  return `it can't be read (${codeOf(error) || String(error)})`;
}

function ownProblem(name: string, builtIn: string | undefined, text: string): string | undefined {
  if (builtIn === undefined) return 'no prompt has this name';
  if (!isOverridable(name)) return 'this prompt is always sent as it ships';
  return overrideProblem(parsePromptFile(name, builtIn), text);
}
