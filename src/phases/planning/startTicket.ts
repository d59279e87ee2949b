import { BeadsmithError } from '../../domain/errors.ts';
import { ticketBranch } from '../../domain/ids.ts';
import type { InboxBody } from '../../domain/inbox.ts';
import { parseMember } from '../../domain/member.ts';
import { completeSettings, councilOf, type Settings } from '../../domain/settings.ts';
import type { Ticket, TicketSnapshot } from '../../domain/ticket.ts';
import type { StepIo } from '../../engine/run.ts';

/** What a start fills in. */
export type Started = Pick<Ticket, 'settings' | 'limits' | 'baseBranch' | 'baseCommit' | 'branch' | 'worktree' | 'startedAt'>;

/**
 * Freezes settings, finds the base and makes the ticket's branch and worktree. Doing it again takes over what stands already. Throws NO_COMMITS,
 * MODEL_UNKNOWN, BASE_BRANCH_MISSING, BRANCH_EXISTS, WORKTREE_EXISTS, WORKTREE_FAILED; nothing was changed in the user's checkout then.
 */
export async function startTicket(io: StepIo, ticket: TicketSnapshot, start: InboxBody<'start'>): Promise<Started> {
  const { git, clock } = io.ports;
  const settings = completeSettings(start.settings);
  const repository = await git.repository();
  if (!repository.hasCommits) throw new BeadsmithError('NO_COMMITS', { path: repository.root });
  const base = await baseOf(io, start.baseBranch);
  // The tokenizer takes a moment to load, and this waits for OpenCode to start.
  await Promise.all([checkModels(io, settings), io.ports.tokens.count(ticket.title)]);
  await io.fence();
  const branch = ticketBranch(ticket.id);
  const { path } = await git.addWorktree({ ticket: ticket.id, branch, commit: base.commit });
  return {
    settings,
    limits: start.limits,
    baseBranch: base.branch,
    baseCommit: base.commit,
    branch,
    worktree: path,
    startedAt: clock.now(),
  };
}

/** The branch asked for, or the default one; the local branch counts before the remote's, because it is what the user sees. */
async function baseOf(io: StepIo, wanted: string | undefined): Promise<{ readonly branch: string; readonly commit: string }> {
  const { git } = io.ports;
  const branch = wanted ?? (await git.defaultBranch());
  const commit = (await git.resolve(`refs/heads/${branch}`)) ?? (await git.resolve(`refs/remotes/origin/${branch}`));
  if (commit !== undefined) return { branch, commit };
  const branches = (await git.branches()).slice(0, 20).join(', ');
  throw new BeadsmithError('BASE_BRANCH_MISSING', { branch, branches: branches === '' ? '(none)' : branches });
}

/** Every member has to be a model of a connected provider. A variant isn't listed anywhere and is taken as given. */
async function checkModels(io: StepIo, settings: Settings): Promise<void> {
  const known = await io.ports.agent.models();
  for (const text of councilOf(settings)) {
    const { provider, model } = parseMember(text);
    if (known.includes(`${provider}/${model}`)) continue;
    throw new BeadsmithError('MODEL_UNKNOWN', { model: text, models: known.slice(0, 20).join(', ') || '(none)' });
  }
}
