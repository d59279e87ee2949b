import * as z from 'zod';
import { type Json, jsonOf } from '../../../base/json.ts';
import { keepNewest } from '../../../base/keepNewest.ts';
import type { Settled } from '../../../base/result.ts';
import type { ArtifactType, ArtifactInfo } from '../../../domain/ticket/artifacts.ts';
import { iterationOfStep } from '../../../domain/beads/iteration.ts';
import type { TicketEvent } from '../../../domain/core/events.ts';
import { checked } from '../../../domain/documents/base/check.ts';
import { readText, writeText } from '../../../domain/documents/base/text.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Ports } from '../../../engine/ports/ports.ts';
import type { Change } from '../../../engine/ports/storePort.ts';
import type { RecordIo } from '../../../engine/run/run.ts';

export interface StoreIo {
  readonly ticket: string;
  readonly ports: Pick<Ports, 'store'>;
}

/** The place of an artifact. What replaces it is filed there too, so that both are archived together. */
export type Place = Pick<TicketSnapshot, 'status' | 'attempt'>;

export interface Stored<T> extends Place {
  readonly document: T;
  readonly content: string;
  readonly sha256: string;
}

/** Throws UNEXPECTED if it is missing or doesn't parse. */
export async function storedDocument<T>(
  io: StoreIo,
  type: ArtifactType,
  schema: z.ZodType<T>,
): Promise<Stored<T>> {
  const stored = await io.ports.store.artifact(io.ticket, type);
  if (!stored) throw new BeadsmithError('UNEXPECTED', { reason: `the document "${type}" is missing` });
  const read = readStored(stored.content, stored.info.sha256);
  const document = read.ok ? checked(schema, read.value) : read;
  if (!document.ok)
    throw new BeadsmithError('UNEXPECTED', {
      reason: `the document "${type}" can't be read:\n${document.error}`,
    });
  const { sha256, status, attempt } = stored.info;
  return { document: document.value, content: stored.content, sha256, status, attempt };
}

/** The newest documents read from YAML, by hash. Nothing changes them. */
const readBefore = new Map<string, Settled<unknown, string>>();
const mostReadBefore = 8;

/** JSON is read as such: as YAML it takes fifty times as long. */
function readStored(content: string, sha256: string): Settled<unknown, string> {
  if (content.startsWith('{')) {
    try {
      return { ok: true, value: JSON.parse(content) };
    } catch {
      // It is YAML then.
    }
  }
  const read = readBefore.get(sha256) ?? readText('yaml', content);
  readBefore.delete(sha256);
  readBefore.set(sha256, read);
  keepNewest(readBefore, mostReadBefore);
  return read;
}

/** For what one status passes to the next across an action that archives, and for checkpoints. */
export async function newestArtifact(
  io: StoreIo,
  type: ArtifactType,
): Promise<{ readonly info: ArtifactInfo; readonly content: string } | undefined> {
  const { store } = io.ports;
  let newest: ArtifactInfo | undefined;
  for (const info of await store.artifacts(io.ticket, { type }))
    if (!newest || info.version > newest.version) newest = info;
  const content = newest && (await store.artifactContent(newest.id));
  return newest && content !== undefined ? { info: newest, content } : undefined;
}

/** A new version of an artifact; values become JSON. */
export function artifactChange(place: Place, artifact: ArtifactType, content: unknown): Change {
  const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
  return { type: 'artifact', artifact, content: text, status: place.status, attempt: place.attempt };
}

/** Filed here, an artifact stays when a gate's round is archived: coding has no attempts. */
export const inCoding: Place = { status: 'CODING', attempt: 1 };

export function readJson<T>(schema: z.ZodType<T>, text: string | undefined): T | undefined {
  return text === undefined ? undefined : schema.safeParse(jsonOf(text)).data;
}

export async function storedJson<T>(
  io: StoreIo,
  type: ArtifactType,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  return readJson(schema, (await io.ports.store.artifact(io.ticket, type))?.content);
}

export async function newestJson<T>(
  io: StoreIo,
  type: ArtifactType,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  return readJson(schema, (await newestArtifact(io, type))?.content);
}

export function readNotes(content: string | undefined): string[] {
  return readJson(z.array(z.string()), content) ?? (content ? [content] : []);
}

/** Without keys whose value is undefined. */
export function toJson(value: unknown): Json {
  return z.json().parse(JSON.parse(JSON.stringify(value)));
}

export function yamlText(value: unknown): string {
  return writeText('yaml', value);
}

export function isoNow({ ports }: { readonly ports: Pick<Ports, 'clock'> }): string {
  return new Date(ports.clock.now()).toISOString();
}

type Activity = Extract<TicketEvent, { readonly type: 'activity' }>;

export function say(
  { ticket, key, ports: { events, clock } }: Pick<RecordIo, 'ticket' | 'key' | 'ports'>,
  text: string,
  kind: 'info' | 'command' = 'info',
  more: Pick<Activity, 'part' | 'call'> = {},
): void {
  const place = iterationOfStep(key);
  events.emit({
    type: 'activity',
    ticket,
    at: clock.now(),
    source: 'engine',
    kind,
    text,
    ...place,
    ...more,
  });
}
