import { invalidInput } from '../domain/core/errors.ts';
import { constants } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PromptFiles } from '../adapters/files/promptFiles.ts';
import { codeOf } from '../adapters/system/files.ts';
import { isOverridable } from '../context/promptOverride.ts';
import { parsePromptFile } from '../context/promptFile.ts';
import { promptNames } from '../context/promptInventory.ts';
import type { PromptOverride, PromptSource } from '../engine/ports/ports.ts';
import { locations } from './locations.ts';

interface PromptEntry {
  readonly name: string;
  readonly about: string;
  readonly override: PromptOverride | undefined;
}

export async function promptEntries(
  prompts: Pick<PromptSource, 'overrides'>,
): Promise<readonly PromptEntry[]> {
  const overrides = await prompts.overrides();
  const builtIn = new PromptFiles(fileURLToPath(locations.prompts));
  const names = promptNames.filter(isOverridable);
  const known = names.map(async (name): Promise<PromptEntry> => {
    const { about } = parsePromptFile(name, (await builtIn.read(name)).text);
    return { name, about, override: overrides.find((one) => one.name === name) };
  });
  const others = overrides.filter(({ name }) => !names.some((one) => one === name));
  return [
    ...(await Promise.all(known)),
    ...others.map((override) => ({ name: override.name, about: '', override })),
  ];
}

/** Copies a prompt, unless the file exists. Returns the path. Throws INVALID_INPUT. */
export async function copyPrompt(name: string, folder: string): Promise<string> {
  if (!promptNames.some((one) => one === name) || !isOverridable(name))
    throw invalidInput(`The prompt "${name}"`, 'there is no prompt of this name that can be overridden');
  const path = join(folder, `${name}.md`);
  await mkdir(folder, { recursive: true });
  try {
    await copyFile(join(fileURLToPath(locations.prompts), `${name}.md`), path, constants.COPYFILE_EXCL);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return path;
}
