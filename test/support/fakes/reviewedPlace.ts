import type { ArtifactInfo } from '../../../src/domain/ticket/artifacts.ts';
import type { BeadReview } from '../../../src/domain/workflow/receipts.ts';
import { FakePlace } from './ticketPlace.ts';
import { sampleArtifact, sampleBead } from '../samples.ts';

const commits = ['a', 'b'].map((letter) => letter.repeat(40)) as [string, string];
const present = 'd'.repeat(64);

/** `changed`: accepted before its diff changed. `empty`: it is finished, and changed nothing. */
export type Review = 'accepted' | 'rejected' | 'changed' | 'none' | 'empty' | 'pending';

/** A ticket at the review of its pull request, with beads in their order, and a diff of each that has one. */
export function reviewedPlace(beads: Readonly<Record<string, Review>>): FakePlace {
  const place = new FakePlace({ ticket: { status: 'WAITING_PR_REVIEW' } });
  const names = Object.entries(beads);
  const done = names.filter(([, review]) => review !== 'pending');
  place.client.beads = () =>
    Promise.resolve({
      beads: names.map(([id, review]) =>
        sampleBead({ id, status: review === 'pending' ? 'pending' : 'done' }),
      ),
      sha256: present,
    });
  place.client.artifacts = () => Promise.resolve(names.flatMap(artifactsOf));
  const [from, to] = commits;
  place.client.diffs.set({ scope: { kind: 'ticket' }, from, to, sha256: present, files: files('all') });
  for (const [bead, review] of done) {
    place.client.diffs.set({ scope: { kind: 'bead', bead }, from, to, sha256: present, files: files(bead) });
    const receipt = receiptOf(bead, review);
    if (receipt) place.client.documents.set(`bead_review:${bead}`, JSON.stringify(receipt));
  }
  return place;
}

function files(name: string) {
  return [`${name}.ts`, `${name}.test.ts`].map(
    (path) => ({ path, oldPath: null, change: 'modified', binary: false }) as const,
  );
}

function artifactsOf([bead, review]: readonly [string, Review]): ArtifactInfo[] {
  const info = (type: string, bytes: number) => sampleArtifact({ type, sha256: present, bytes });
  if (review === 'pending') return [];
  return [
    info(`bead_diff:${bead}`, review === 'empty' ? 0 : 100),
    ...(receiptOf(bead, review) ? [info(`bead_review:${bead}`, 100)] : []),
  ];
}

function receiptOf(bead: string, review: Review): BeadReview | undefined {
  if (review === 'none' || review === 'empty' || review === 'pending') return undefined;
  return {
    schema_version: 1,
    bead_id: bead,
    verdict: review === 'rejected' ? 'rejected' : 'accepted',
    diff_sha256: review === 'changed' ? 'e'.repeat(64) : present,
    reason: '',
    reviewed_by: 'user',
    reviewed_at: 'now',
  };
}
