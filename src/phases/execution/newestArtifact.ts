import type { ArtifactInfo, ArtifactType } from '../../domain/artifacts.ts';
import type { RecordIo } from '../../engine/run.ts';

/**
 * The last version of an artifact that was ever written, archived or not. For what one status hands to the next over an action that
 * archives (a request for changes, a note for a new draft), and for checkpoints, which prove themselves.
 */
export async function newestArtifact(
  io: RecordIo,
  type: ArtifactType,
): Promise<{ readonly info: ArtifactInfo; readonly content: string } | undefined> {
  const { store } = io.ports;
  let newest: ArtifactInfo | undefined;
  for (const info of await store.artifacts(io.ticket, { type })) if (!newest || info.version > newest.version) newest = info;
  const content = newest && (await store.artifactContent(newest.id));
  return newest && content !== undefined ? { info: newest, content } : undefined;
}
