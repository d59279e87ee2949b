import { BeadsmithError } from '../../domain/core/errors.ts';
import { because } from '../../domain/forge/forgeReasons.ts';
import { fullName } from '../../domain/forge/forgePlace.ts';
import type { Forges, RemoteForge } from '../../engine/ports/ports.ts';

/** The forge of a repository. Throws FORGE_UNKNOWN where no remote leads there any more. */
export async function forgeOf(forges: Forges, repository: string): Promise<RemoteForge> {
  const forge = await forges.at({ repository });
  if (fullName(forge.place.base) === repository) return forge;
  throw new BeadsmithError('FORGE_UNKNOWN', because('noRemoteAnyMore', { repository }));
}
