import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { pushedBranchRef, TicketId } from '../../src/domain/core/ids.ts';
import { ticketEvidence } from '../../src/phases/shared/proof/ticketEvidence.ts';
import type { TeamBench } from '../support/team/teamBench.ts';

type Bench = Pick<TeamBench, 'query' | 'remote' | 'tickets'>;

/** Decisions that were acknowledged and aren't carried out. Answers one sentence each. */
export async function lostDecisions(bench: Bench, acknowledged: readonly string[]): Promise<string[]> {
  const rows = await bench.query<{ id: string; state: string }>('SELECT id, state FROM beadsmith_1.inbox');
  const states = new Map(rows.map(({ id, state }) => [id, state]));
  const waiting = rows.filter(({ state }) => state === 'pending');
  return [
    ...waiting.map(({ id }) => `the decision ${id} was never carried out`),
    ...acknowledged.filter((id) => !states.has(id)).map((id) => `the decision ${id} was lost`),
  ];
}

/** Commits of the ticket's pushed branch on whose tree no check passed. Answers one sentence each. */
export async function untestedTrees(bench: Bench, id: string): Promise<string[]> {
  const { store } = bench.tickets.ports;
  const ticket = await store.ticket(id);
  if (!ticket) return [`${id} is gone`];
  const { evidence } = await ticketEvidence(store, ticket);
  const tested = evidence.filter(
    ({ commands }) =>
      commands.length > 0 && commands.every(({ exitCode, contradicted }) => exitCode === 0 && !contradicted),
  );
  const trees = new Set<string>(tested.map(({ tree }) => tree));
  const lines = gitAt(bench.remote, 'log', '--format=%H %T', `${ticket.baseCommit ?? ''}..${tipOf(id)}`);
  const commits = lines.split('\n').filter((line) => line !== '');
  if (commits.length === 0) return [`${id} has no commit`];
  return commits
    .map((line) => line.split(' '))
    .flatMap(([commit = '', tree = '']) =>
      trees.has(tree) ? [] : [`${id}: no check passed on the tree of ${commit.slice(0, 12)}`],
    );
}

/** Short hash of the files of the ticket's pushed branch. The scripted final test has the ticket's number. */
export function treeOf({ remote }: Pick<Bench, 'remote'>, id: string): string {
  const tip = tipOf(id);
  const files = gitAt(remote, 'ls-tree', '-r', '--name-only', tip).split('\n');
  const text = files.map((file) => `${file}\n${gitAt(remote, 'show', `${tip}:${file}`)}`).join('\n');
  return hash('sha256', text.replaceAll(/\b[0-9a-f]{8}\b/g, 'NUMBER')).slice(0, 12);
}

function tipOf(id: string): string {
  return pushedBranchRef(TicketId.parse(id));
}

function gitAt(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim();
}
