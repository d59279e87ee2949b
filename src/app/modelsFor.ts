import type { OfferedModel } from '../domain/usage/offeredModel.ts';
import type { Ports } from '../engine/ports/ports.ts';

/** All tickets are planned on one server. */
const any = 'NEW-1';

/** From the server that plans tickets, because a sandbox allows no second one. */
export async function modelsFor({ agent, git }: Pick<Ports, 'agent' | 'git'>): Promise<readonly string[]> {
  return agent.models(await git.worktreePath(any));
}

/** The same models, with what people choose by. */
export async function offersFor({
  agent,
  git,
}: Pick<Ports, 'agent' | 'git'>): Promise<readonly OfferedModel[]> {
  return agent.offers(await git.worktreePath(any));
}
