import type { ArtifactInfo } from '../../domain/artifacts.ts';

/** A version of a document as a list of them shows it. */
export interface VersionRow {
  readonly version: number;
  /** The one that counts now, of those that aren't archived. */
  readonly present: boolean;
  readonly archived: boolean;
  readonly status: ArtifactInfo['status'];
  readonly attempt: number;
  readonly createdAt: number;
}

/** The versions of a type of document, newest first. */
export function versionsOf(artifacts: readonly ArtifactInfo[], type: string): readonly VersionRow[] {
  const versions = artifacts.filter((info) => info.type === type).toSorted((a, b) => b.version - a.version);
  const present = versions.find(({ archived }) => !archived)?.version;
  return versions.map(({ version, archived, status, attempt, createdAt }) => ({
    ...{ version, archived, status, attempt, createdAt },
    present: version === present,
  }));
}

/** What a version is compared with: the one before it; undefined for the first. */
export function previousOf(versions: readonly VersionRow[], version: number): VersionRow | undefined {
  return versions.find((row) => row.version < version);
}
