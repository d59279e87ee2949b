import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isRecord, jsonObject } from '../../../base/json.ts';
import { providersByKey } from '../sandbox/providers.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Json = Readonly<Record<string, unknown>>;

export interface CatalogueOptions {
  /** OpenCode's configuration: `provider`, `enabled_providers` and `disabled_providers` count. */
  readonly config: Json;
  /** OpenCode's `auth.json`. */
  readonly login: string;
  readonly env: Environment;
  /** The folder in which the server keeps what it fetched. */
  readonly cache: string;
  readonly file: string;
}

/** Offered by OpenCode without any login. */
const free = 'opencode';

/**
 * Milliseconds. The person's OpenCode refreshes its catalogue whenever it runs; an older one lacks models
 * that ours carries with it.
 */
const longestUnused = 7 * 24 * 3_600_000;

/** Bytes. OpenCode's whole catalogue has about three million. */
const maxBytes = 32 * 1024 * 1024;

/**
 * Writes the part of the model catalogue that a server can use, and returns its path; undefined where
 * OpenCode's own has to do. OpenCode builds every provider's models for each folder that it works in
 * (docs/decisions/171-servers-get-the-models-they-can-use.md).
 */
export async function writeServerCatalogue({
  config,
  login,
  env,
  cache,
  file,
}: CatalogueOptions): Promise<string | undefined> {
  const providers = isRecord(config['provider']) ? config['provider'] : {};
  const enabled = names(config['enabled_providers']);
  const disabled = names(config['disabled_providers']) ?? [];
  const possible = enabled ?? [
    ...Object.keys(providers),
    ...Object.keys(jsonObject(login)),
    ...providersByKey(env),
    free,
  ];
  const usable = [...new Set(possible)].filter((id) => !disabled.includes(id));
  const known = await newestCatalogue(cache, env);
  if (!known && !usable.every((id) => isDescribed(providers[id]))) return undefined;
  const part = Object.fromEntries(
    usable.flatMap((id) => (known?.[id] === undefined ? [] : [[id, known[id]]])),
  );
  await writeFile(file, JSON.stringify(part), { mode: 0o600 });
  return file;
}

/**
 * True where the configuration says all that OpenCode must know of a provider, as for a model server of one's
 * own.
 */
function isDescribed(provider: unknown): boolean {
  if (!isRecord(provider) || typeof provider['npm'] !== 'string') return false;
  const { options, models } = provider;
  const address = isRecord(options) ? options['baseURL'] : undefined;
  return typeof address === 'string' && isRecord(models) && Object.keys(models).length > 0;
}

function names(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined;
}

/**
 * The newest catalogue: what a server of this folder fetched last, as OpenCode itself would read it, or a
 * fresh one of the person's own OpenCode.
 */
async function newestCatalogue(cache: string, env: Environment): Promise<Json | undefined> {
  const own = join(cache, 'opencode');
  const fetched = (await readdir(own).catch(() => [])).filter((name) => /^models(-\w+)?\.json$/.test(name));
  const person = join(
    env['XDG_CACHE_HOME'] ?? join(env['HOME'] ?? homedir(), '.cache'),
    'opencode',
    'models.json',
  );
  const found: { readonly path: string; readonly at: number }[] = [];
  for (const path of [...fetched.map((name) => join(own, name)), person]) {
    const file = await stat(path).catch(() => undefined);
    const isStale = path === person && file !== undefined && Date.now() - file.mtimeMs > longestUnused;
    if (file?.isFile() && file.size <= maxBytes && !isStale) found.push({ path, at: file.mtimeMs });
  }
  for (const { path } of found.toSorted((one, other) => other.at - one.at)) {
    const catalogue = jsonObject(await readFile(path, 'utf8').catch(() => ''));
    if (Object.keys(catalogue).length > 0) return catalogue;
  }
  return undefined;
}
