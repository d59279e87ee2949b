import type * as z from 'zod';
import { keepNewest } from '../base/keepNewest.ts';
import type { Client } from './api.ts';

/** Number of parsed YAML texts that are kept: they are slow to parse, and pages read them again. */
const mostKept = 12;
const newest = new Map<string, { readonly value: unknown }>();

/**
 * The value of a text that is JSON or YAML; undefined if it is neither. The value is shared and must not be
 * changed. JSON is tried first because it is much faster; the YAML parser is large, and loaded only when it
 * is needed.
 */
export async function readDocument(text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return readYaml(text);
  }
}

async function readYaml(text: string): Promise<unknown> {
  const known = newest.get(text);
  if (known) return known.value;
  const { readText } = await import('../domain/documents/base/text.ts');
  const read = readText('yaml', text);
  const value = read.ok ? read.value : undefined;
  newest.set(text, { value });
  keepNewest(newest, mostKept);
  return value;
}

/** The current version of an artifact, parsed; undefined if there is none or it doesn't parse. */
export async function readArtifact<T>(
  client: Client,
  ticket: string,
  type: string,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  const artifact = await client.artifact(ticket, type);
  if (!artifact) return undefined;
  const result = schema.safeParse(await readDocument(artifact.content));
  return result.success ? result.data : undefined;
}
