import { stringify } from 'yaml';
import type { Client } from '../protocol/api.ts';

/** A document as it is shown. `sha256` is what an approval of exactly this carries. */
export interface ArtifactText {
  readonly type: string;
  readonly file: string;
  /** Beads are rows and have no version. */
  readonly version: number | undefined;
  readonly sha256: string;
  readonly content: string;
}

/** The present version of an artifact, or the one with a number; undefined when there is none. */
export async function artifactText(client: Client, ticket: string, type: string, version?: number): Promise<ArtifactText | undefined> {
  if (type === 'beads') {
    const { beads, sha256 } = await client.beads(ticket);
    return beads.length === 0 ? undefined : { type, file: 'beads.yaml', version: undefined, sha256, content: stringify(beads) };
  }
  const artifact = await client.artifact(ticket, type, version);
  if (!artifact) return undefined;
  const { info, content } = artifact;
  return { type, version: info.version, sha256: info.sha256, ...fileOf(type, content) };
}

/** JSON is spread over lines, because it is stored on one; everything else is shown as it is. */
function fileOf(type: string, content: string): { readonly file: string; readonly content: string } {
  const name = type.replaceAll(/[^A-Za-z0-9-]+/g, '-');
  if (!/^\s*[[{]/.test(content)) return { file: `${name}.yaml`, content };
  try {
    return { file: `${name}.json`, content: `${JSON.stringify(JSON.parse(content), null, 2)}\n` };
  } catch {
    return { file: `${name}.txt`, content };
  }
}
