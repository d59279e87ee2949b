import * as z from 'zod';
import type { Bead } from '../../domain/beads/bead.ts';
import { SetupProfile } from '../../domain/documents/setupPlan.ts';
import { type Evidence, passed } from '../../domain/core/evidence.ts';
import { classifyChange } from '../../domain/core/noise.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run } from '../../engine/run/run.ts';
import { readJson } from '../shared/ticket/artifacts.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { failuresOf, runCommands } from '../shared/worktree/commands.ts';
import { nothingAllowed, writeRuntime } from '../shared/worktree/runtime.ts';
import { servicesFor } from '../shared/worktree/services.ts';
import { takingBack } from '../shared/worktree/worktree.ts';
import type { Proved } from './bead/candidate.ts';
import { madeMeanwhile } from './ignoredFiles.ts';

const mostPaths = 30;

/**
 * Returns what the coder has to know of a command of the bead that fails in the proof and passes in the
 * worktree: the paths that only the worktree has (docs/decisions/048-clean-room-proof.md). Empty where it
 * fails in both, or where the worktree has nothing more.
 */
export async function explainByWorktree(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  { evidence, absent }: Proved,
): Promise<string> {
  const [failure] = failuresOf(evidence);
  if (!failure || absent.length === 0 || !bead.testCommands.includes(failure.command)) return '';
  const isGreenHere = await run.step('worktree-check', z.boolean(), async (io) => {
    const wrapper = await writeRuntime(io, ticket);
    const profile = readJson(
      SetupProfile,
      (await io.ports.store.artifact(ticket.id, 'execution_setup_profile'))?.content,
    );
    const place = { cwd: ticketParts(ticket).worktree, wrapper, allowed: profile ?? nothingAllowed };
    const work = { commands: [failure.command], wrapper, limits: run.limits };
    const [seen] = await takingBack<readonly Evidence[]>(io, ticket, async () => {
      const { failed, end } = await servicesFor(io, ticket, profile?.services ?? [], place);
      if (failed) return [failed];
      try {
        return await runCommands(io, ticket, work);
      } finally {
        await end();
      }
    });
    return seen !== undefined && passed(seen);
  });
  if (!isGreenHere) return '';
  const more = absent.length > mostPaths ? ` and ${String(absent.length - mostPaths)} more` : '';
  return `It passes in your worktree, which has what the commit doesn't, because git ignores it or because it looks generated: ${absent.slice(0, mostPaths).join(', ')}${more}. What the work needs has to be committed, or made by the command.`;
}

/**
 * Says what is wrong if the worktree has files that the plan names and git ignores, in words for the coder;
 * empty if it has none. What the commands make again, and environments, aren't meant to be committed.
 */
export async function ignoredTargets(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  { absent, ignored }: Proved,
): Promise<string> {
  const places = ignored.filter((path) => absent.includes(path)).map((path) => path.replace(/\/+$/, ''));
  const wanted = bead.targetFiles.filter((path) => classifyChange({ path, state: 'untracked' }) !== 'noise');
  const candidates = wanted.filter((path) =>
    places.some((place) => path === place || path.startsWith(`${place}/`)),
  );
  if (candidates.length === 0) return '';
  const found = await run.step('ignored-targets', z.array(z.string()), async (io) => {
    const made = (await madeMeanwhile(io, ticket, bead.id)).map((path) => path.replace(/\/+$/, ''));
    return candidates.filter((path) => made.some((place) => path === place || path.startsWith(`${place}/`)));
  });
  if (found.length === 0) return '';
  return `The plan names these files, and git ignores them, so they wouldn't be committed: ${found.join(', ')}. Change what .gitignore says of them.`;
}
