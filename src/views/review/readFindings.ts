import type { OpenRepository } from '../shared/repositories.ts';
import { type ListedFinding, listedFindings } from './findingState.ts';

/** All findings of a ticket with their states, oldest first. */
export async function readFindings({
  repository: { client },
  ticket,
}: {
  readonly repository: OpenRepository;
  readonly ticket: string;
}): Promise<readonly ListedFinding[]> {
  const [all, { beads }] = await Promise.all([client.findings.list(ticket), client.beads(ticket)]);
  return listedFindings(all, beads);
}
