import type * as z from 'zod';
import type { Client } from './api.ts';

/**
 * A text that is JSON or YAML as a value; undefined when it is neither. JSON first, which is much faster where it fits: the reader of YAML is large, and
 * loaded when there is some.
 */
export async function readDocument(text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    const { parse } = await import('./yaml.ts');
    try {
      return parse(text);
    } catch {
      return undefined;
    }
  }
}

/** The present version of an artifact, read by its schema; undefined when there is none or it can't be read. */
export async function readArtifact<T>(client: Client, ticket: string, type: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const artifact = await client.artifact(ticket, type);
  if (!artifact) return undefined;
  const result = schema.safeParse(await readDocument(artifact.content));
  return result.success ? result.data : undefined;
}
