import type { Ports } from '../engine/ports/ports.ts';

/** Any ticket: all are planned on one server. */
const any = 'NEW-1';

/** The models for a new ticket, from the server that plans it: in a sandbox another one would end then. */
export async function modelsFor({ agent, git }: Pick<Ports, 'agent' | 'git'>): Promise<readonly string[]> {
  return agent.models(await git.worktreePath(any));
}
