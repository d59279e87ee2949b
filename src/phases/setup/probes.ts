import type { SetupPlan } from '../../domain/documents/setupPlan.ts';
import { launcherProbe, launchersOf } from '../../domain/environment/launchers.ts';
import { serviceCommands } from '../../domain/environment/services.ts';
import { type Evidence, passed } from '../../domain/evidence.ts';
import { isSafeRelativePath } from '../../domain/ids.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { describeEvidence } from '../shared/commands.ts';

/**
 * What has to succeed in a prepared environment: the agent's own probes, and one for every program that the project's commands, the bootstrap, the
 * services and the beads' commands start with. A program of the repository is probed only if it is there: a bead may be about to write it.
 */
export async function readinessProbes(
  io: StepIo,
  worktree: string,
  { plan, bootstrap, probes }: { readonly plan: SetupPlan; readonly bootstrap: readonly string[]; readonly probes: readonly string[] },
): Promise<readonly string[]> {
  const beads = await io.ports.store.beads(io.ticket);
  const commands = [
    ...Object.values(plan.project_commands).flat(),
    ...bootstrap,
    ...serviceCommands(plan.services),
    ...beads.flatMap((bead) => bead.testCommands),
  ];
  const found: string[] = [];
  for (const launcher of launchersOf(commands)) if (await isExpected(io, worktree, launcher)) found.push(launcherProbe(launcher));
  return [...new Set([...probes, ...found])];
}

async function isExpected(io: StepIo, worktree: string, launcher: string): Promise<boolean> {
  if (!launcher.includes('/')) return true;
  const path = launcher.replace(/^(?:\.\/)+/, '');
  // Outside of the worktree it is the machine's, as `/usr/bin/env` is.
  return !isSafeRelativePath(path) || (await io.ports.files.exists(worktree, path).catch(() => false));
}

/** A failed probe in words for the agent and for people. */
export function describeProbe(evidence: Evidence): string {
  const missing = missingTool(evidence);
  if (missing === undefined) return describeEvidence(evidence);
  return `${missing}, and commands of the project or of beads start with it. (\`${evidence.command}\` failed.)`;
}

const ownProbe = /^(?:command -v|test -x) (\S+)$/;

/** Whether a probe is one of ours, for a program that commands start with. */
export function isReadinessProbe(command: string): boolean {
  return ownProbe.test(command);
}

/** The program that a failed probe of ours looked for, in words; undefined of every other command. */
export function missingTool(evidence: Evidence): string | undefined {
  const [, launcher] = ownProbe.exec(evidence.command) ?? [];
  if (launcher === undefined || passed(evidence) || evidence.timedOut) return undefined;
  const where = launcher.includes('/') ? 'is not executable in the worktree' : 'is not on the search path of the prepared environment';
  return `\`${launcher}\` ${where}`;
}
