import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { isRecord, jsonObject } from '../../../base/json.ts';
import { type Environment, homeOf } from '../../system/commandEnvironment.ts';

type Json = Readonly<Record<string, unknown>>;

export const Upstream = z.object({ base: z.url(), keys: z.record(z.string(), z.string()) });
export type Upstream = z.infer<typeof Upstream>;

export interface SealedProviders {
  readonly provider: Json;
  readonly upstreams: Readonly<Record<string, Upstream>>;
  /** Logins that are renewed or sign where they are used: no placeholder can replace them. */
  readonly logins: Json;
  readonly hosts: readonly string[];
  /** Providers without a known address, unreachable from a sandbox. */
  readonly unknown: readonly string[];
}

interface Known {
  readonly base: string;
  readonly variables: readonly string[];
  readonly loginHosts?: readonly string[];
}

const known: Readonly<Record<string, Known>> = {
  anthropic: {
    base: 'https://api.anthropic.com/v1',
    variables: ['ANTHROPIC_API_KEY'],
    loginHosts: ['api.anthropic.com', 'console.anthropic.com'],
  },
  openai: {
    base: 'https://api.openai.com/v1',
    variables: ['OPENAI_API_KEY'],
    loginHosts: ['api.openai.com', 'auth.openai.com', 'chatgpt.com'],
  },
  openrouter: { base: 'https://openrouter.ai/api/v1', variables: ['OPENROUTER_API_KEY'] },
  google: {
    base: 'https://generativelanguage.googleapis.com/v1beta',
    variables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
  },
  opencode: { base: 'https://opencode.ai/zen/v1', variables: ['OPENCODE_API_KEY'] },
  mistral: { base: 'https://api.mistral.ai/v1', variables: ['MISTRAL_API_KEY'] },
  groq: { base: 'https://api.groq.com/openai/v1', variables: ['GROQ_API_KEY'] },
  xai: { base: 'https://api.x.ai/v1', variables: ['XAI_API_KEY'] },
  deepseek: { base: 'https://api.deepseek.com/v1', variables: ['DEEPSEEK_API_KEY'] },
  'github-copilot': {
    base: 'https://api.githubcopilot.com',
    variables: [],
    loginHosts: ['api.githubcopilot.com', 'api.github.com', 'github.com'],
  },
};

const Login = z.object({ type: z.string(), key: z.string().optional() });

export function providersByKey(env: Environment): string[] {
  return Object.entries(known).flatMap(([id, { variables }]) =>
    variables.some((name) => env[name]) ? [id] : [],
  );
}

export function sealProviders(options: {
  readonly config: Json;
  readonly login: string;
  readonly env: Environment;
  readonly relay: string;
}): SealedProviders {
  const { config, env, relay } = options;
  const configured = isRecord(config['provider']) ? config['provider'] : {};
  const stored = jsonObject(options.login);
  const catalogue = readCatalogue(env);
  const ids = new Set([...Object.keys(configured), ...Object.keys(stored), ...providersByKey(env)]);
  const provider: Record<string, unknown> = {};
  const upstreams: Record<string, Upstream> = {};
  const logins: Record<string, unknown> = {};
  const [hosts, unknown]: [string[], string[]] = [[], []];
  for (const id of ids) {
    const entry = isRecord(configured[id]) ? configured[id] : {};
    const own = isRecord(entry['options']) ? entry['options'] : {};
    const text = (value: unknown): string | undefined =>
      typeof value === 'string' ? expanded(value, env) || undefined : undefined;
    const login = Login.safeParse(stored[id]).data;
    const key =
      text(own['apiKey']) ?? login?.key ?? known[id]?.variables.map((name) => env[name]).find(Boolean);
    const base = text(own['baseURL']) ?? text(entry['api']) ?? known[id]?.base ?? catalogue[id];
    if (key === undefined && login !== undefined) {
      logins[id] = stored[id];
      hosts.push(
        ...(known[id]?.loginHosts ?? (base !== undefined && URL.canParse(base) ? [new URL(base).host] : [])),
      );
      provider[id] = entry;
    } else if (base === undefined || !URL.canParse(base)) unknown.push(id);
    else {
      const keys: Record<string, string> = {};
      const hide = (secret: string): string => {
        const placeholder = `beadsmith-relay-${Object.keys(keys).length}-adds-the-key`;
        keys[placeholder] = secret;
        return placeholder;
      };
      const headers = isRecord(own['headers']) ? own['headers'] : undefined;
      const sealed =
        headers &&
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, hide(text(value) ?? '')]));
      const apiKey = key === undefined ? {} : { apiKey: hide(key) };
      provider[id] = {
        ...entry,
        options: {
          ...own,
          baseURL: `${relay}/${encodeURIComponent(id)}`,
          ...apiKey,
          ...(sealed ? { headers: sealed } : {}),
        },
      };
      upstreams[id] = { base, keys };
    }
  }
  return { provider, upstreams, logins, hosts, unknown };
}

function expanded(text: string, env: Environment): string {
  return text.replace(/\{(env|file):([^}]+)\}/g, (_, kind: string, name: string) => {
    if (kind === 'env') return env[name] ?? '';
    const path = name.startsWith('~/') ? join(homeOf(env), name.slice(2)) : name;
    return path.startsWith('/') ? readText(path).trim() : '';
  });
}

function readCatalogue(env: Environment): Readonly<Record<string, string>> {
  const entries = Object.entries(jsonObject(readText(catalogueOf(env))));
  return Object.fromEntries(
    entries.flatMap(([id, entry]) =>
      isRecord(entry) && typeof entry['api'] === 'string' ? [[id, entry['api']]] : [],
    ),
  );
}

/** The catalogue of the person's own OpenCode. */
export function catalogueOf(env: Environment): string {
  return join(env['XDG_CACHE_HOME'] ?? join(homeOf(env), '.cache'), 'opencode', 'models.json');
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
