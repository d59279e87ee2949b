import { invalidInput } from '../domain/core/errors.ts';
import { constants } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PromptFiles } from '../adapters/files/promptFiles.ts';
import { isOverridable } from '../context/promptOverride.ts';
import { parsePromptFile } from '../context/promptFile.ts';
import { promptNames } from '../context/promptInventory.ts';
import type { PromptOverride, PromptSource } from '../engine/ports/ports.ts';
import { locations } from './localPorts.ts';

/** A prompt that can be overridden: what it is for, and the person's own file if there is one. */
interface PromptEntry {
  readonly name: string;
  readonly about: string;
  readonly override: PromptOverride | undefined;
}

/** Every prompt that can be overridden, and every other file of the person's folder. */
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

/** Copies a prompt into a person's folder, unless one is there. Answers the path. Throws INVALID_INPUT. */
export async function copyPrompt(name: string, folder: string): Promise<string> {
  if (!promptNames.some((one) => one === name) || !isOverridable(name))
    throw invalidInput(`The prompt "${name}"`, 'there is no prompt of this name that can be overridden');
  const path = join(folder, `${name}.md`);
  await mkdir(folder, { recursive: true });
  try {
    await copyFile(join(fileURLToPath(locations.prompts), `${name}.md`), path, constants.COPYFILE_EXCL);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return path;
}
