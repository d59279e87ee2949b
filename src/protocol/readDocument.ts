import type * as z from 'zod';
import { keepNewest } from '../base/keepNewest.ts';
import type { Client } from './api.ts';

/** YAML takes long to read, and a page that is open reads a ticket's documents again with every change. So many are kept. */
const mostKept = 12;
const newest = new Map<string, { readonly value: unknown }>();

/**
 * A text that is JSON or YAML as a value, which nobody may change; undefined when it is neither. JSON first, which is much faster where it fits: the
 * reader of YAML is large, and loaded when there is some.
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
  const { parse } = await import('./yaml.ts');
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    value = undefined;
  }
  newest.set(text, { value });
  keepNewest(newest, mostKept);
  return value;
}

/** The present version of an artifact, read by its schema; undefined when there is none or it can't be read. */
export async function readArtifact<T>(client: Client, ticket: string, type: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const artifact = await client.artifact(ticket, type);
  if (!artifact) return undefined;
  const result = schema.safeParse(await readDocument(artifact.content));
  return result.success ? result.data : undefined;
}
