import type * as z from 'zod';
import { keepNewest } from '../base/keepNewest.ts';
import { sha256 } from '../base/sha256.ts';
import { documents, type UngatedKind } from '../domain/documents/documents.ts';
import type { Client } from './api.ts';

/** Kept YAML values, which are slow to parse. */
const mostKept = 12;
const newest = new Map<string, { readonly value: unknown }>();

/**
 * The value of JSON or YAML text, shared: don't change it. JSON first, because YAML's parser is large and
 * slow.
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

/** The current version of an artifact, if it parses. */
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

/** A document that people change outside of gates; `sha256`: what an edit of exactly this carries. */
export async function ungatedText(client: Client, ticket: string, kind: UngatedKind, version?: number) {
  const { ungated } = documents[kind];
  const stored = await client.artifact(ticket, ungated.artifact, version);
  if (version !== undefined && !stored) return undefined;
  const present = version === undefined ? (await client.ticket(ticket)).ticket : undefined;
  const content = ungated.text(stored?.content, present);
  return content === undefined ? undefined : { content, sha256: sha256(content), info: stored?.info };
}
