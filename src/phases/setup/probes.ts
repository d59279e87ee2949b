import type { SetupPlan, ToolRequirement } from '../../domain/documents/setupPlan.ts';
import { launcherProbe, launchersOf } from '../../domain/environment/launchers.ts';
import { serviceCommands } from '../../domain/environment/services.ts';
import { type Evidence, passed } from '../../domain/core/evidence.ts';
import { isSafeRelativePath } from '../../domain/core/ids.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { describeEvidence } from '../shared/worktree/commands.ts';
import type { StoreIo } from '../shared/ticket/artifacts.ts';

/**
 * The agent's own probes, and one for every program that a command starts with. A program of the repository
 * is probed only if it is there: a bead may be about to write it.
 */
export async function readinessProbes(
  io: StepIo,
  worktree: string,
  {
    plan,
    bootstrap,
    probes,
  }: { readonly plan: SetupPlan; readonly bootstrap: readonly string[]; readonly probes: readonly string[] },
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const launcher of launchersOf(await commandsOf(io, plan, bootstrap)))
    if (await isExpected(io, worktree, launcher)) found.push(launcherProbe(launcher));
  return [...new Set([...probes, ...found])];
}

async function commandsOf(
  io: StoreIo,
  plan: SetupPlan,
  bootstrap: readonly string[],
): Promise<readonly string[]> {
  const beads = await io.ports.store.beads(io.ticket);
  const own = [
    ...Object.values(plan.project_commands).flat(),
    ...bootstrap,
    ...serviceCommands(plan.services),
  ];
  return [...own, ...beads.flatMap((bead) => bead.testCommands)];
}

/** The programs that a prepared environment was seen to have. `earlier`: probes of the attempts before. */
export async function toolRequirements(
  io: StoreIo,
  worktree: string,
  {
    plan,
    bootstrap,
    probes,
    earlier,
  }: {
    readonly plan: SetupPlan;
    readonly bootstrap: readonly string[];
    readonly probes: readonly Evidence[];
    readonly earlier: readonly Evidence[];
  },
): Promise<readonly ToolRequirement[]> {
  const lacked = new Set(
    earlier.filter((probe) => missingTool(probe) !== undefined).map(({ command }) => command),
  );
  const commands = [...new Set(await commandsOf(io, plan, bootstrap))];
  return probes.flatMap(({ command, head }) => {
    const [, launcher] = ownProbe.exec(command) ?? [];
    if (launcher === undefined) return [];
    const found = head.trim().split('\n')[0] ?? '';
    const isProvisioned = lacked.has(command) || found.startsWith(`${worktree}/`);
    const required_by = commands.filter((one) => launchersOf([one]).includes(launcher));
    return [{ launcher, required_by, status: isProvisioned ? 'provisioned' : 'available', found }];
  });
}

async function isExpected(io: StepIo, worktree: string, launcher: string): Promise<boolean> {
  if (!launcher.includes('/')) return true;
  const path = launcher.replace(/^(?:\.\/)+/, '');
  // Outside of the worktree it is the machine's, as `/usr/bin/env` is.
  return !isSafeRelativePath(path) || (await io.ports.files.exists(worktree, path).catch(() => false));
}

export function describeProbe(evidence: Evidence): string {
  const missing = missingTool(evidence);
  if (missing === undefined) return describeEvidence(evidence);
  return `${missing}, and commands of the project or of beads start with it. (\`${evidence.command}\` failed.)`;
}

const ownProbe = /^(?:command -v|test -x) (\S+)$/;

export function isReadinessProbe(command: string): boolean {
  return ownProbe.test(command);
}

/** The program that a failed probe of ours looked for; undefined of every other command. */
export function missingTool(evidence: Evidence): string | undefined {
  const [, launcher] = ownProbe.exec(evidence.command) ?? [];
  if (launcher === undefined || passed(evidence) || evidence.timedOut) return undefined;
  const where = launcher.includes('/')
    ? 'is not executable in the worktree'
    : 'is not on the search path of the prepared environment';
  return `\`${launcher}\` ${where}`;
}
