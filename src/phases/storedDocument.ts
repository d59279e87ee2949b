import { parse } from 'yaml';
import type * as z from 'zod';
import type { ArtifactType } from '../domain/artifacts.ts';
import { BeadsmithError } from '../domain/errors.ts';
import type { Status } from '../domain/workflow.ts';
import type { RecordIo } from '../engine/run.ts';
import { problemText } from './structured/problemText.ts';

/** The present version of an artifact, read. */
export interface Stored<T> {
  readonly document: T;
  readonly content: string;
  readonly sha256: string;
  /** The status and attempt it belongs to: what replaces it belongs there too, so that both are archived together. */
  readonly status: Status;
  readonly attempt: number;
}

/** Reads a YAML or JSON artifact that an earlier status left. Throws UNEXPECTED when it is missing or can't be read. */
export async function storedDocument<T>(io: RecordIo, type: ArtifactType, schema: z.ZodType<T>): Promise<Stored<T>> {
  const stored = await io.ports.store.artifact(io.ticket, type);
  if (!stored) throw new BeadsmithError('UNEXPECTED', { reason: `the document "${type}" is missing` });
  const parsed = schema.safeParse(parse(stored.content, { schema: 'core', maxAliasCount: 0, logLevel: 'error' }));
  if (!parsed.success)
    throw new BeadsmithError('UNEXPECTED', { reason: `the document "${type}" can't be read:\n${problemText(parsed.error)}` });
  const { sha256, status, attempt } = stored.info;
  return { document: parsed.data, content: stored.content, sha256, status, attempt };
}
