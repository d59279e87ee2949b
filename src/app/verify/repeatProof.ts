import { lastLines } from '../../base/lastLines.ts';
import type { Evidence } from '../../domain/core/evidence.ts';
import { type CommitEvidence, type ProvedCommand, proofName } from '../../domain/proof/commitEvidence.ts';
import { testResultsOf } from '../../domain/proof/testResults.ts';
import type { CommandSandbox, CommandSecrets, Ports } from '../../engine/ports/ports.ts';
import { ProofTree } from '../../phases/shared/worktree/proofTree.ts';
import { placeWrapper } from '../../phases/shared/worktree/runtime.ts';
import { startServices } from '../../phases/shared/worktree/services.ts';
import type { Difference, Outcome, Verification } from '../../protocol/verification/verification.ts';

export type VerifyPorts = Pick<Ports, 'git' | 'process' | 'files' | 'clock'> & {
  readonly workplace: Pick<Ports['workplace'], 'reserve' | 'emptyProof' | 'release'>;
};

/** Slow commands get more. */
const leastTimeoutMs = 600_000;

export interface BranchCommit {
  readonly sha: string;
  readonly subject: string;
  readonly tree: string;
}

/** The proof of this commit, or the nearest one. */
export interface Pending {
  readonly commit: BranchCommit;
  readonly proof: CommitEvidence;
}

interface Repeated {
  readonly commands: Verification['commits'][number]['commands'];
  readonly differences: readonly Difference[];
}

/** Repeats a proof in a scratch worktree. Aborting throws its reason. */
export async function repeatProof(
  ports: VerifyPorts,
  { commit, proof }: Pending,
  signal: AbortSignal,
  onCommand: (command: string) => void,
): Promise<Repeated> {
  const at = { commit: commit.sha, about: proofName(proof) };
  const place = await prepare(ports, commit.sha, proof, signal);
  const { failed } = place;
  if (failed) {
    for (const { command } of proof.commands) onCommand(command);
    const seen = { ...at, command: failed.command, found: outcomeOf(failed), output: outputOf(failed) };
    const { service } = failed;
    return {
      commands: [],
      differences: [
        service === undefined ? { kind: 'bootstrap', ...seen } : { kind: 'service', ...seen, service },
      ],
    };
  }
  const commands: Repeated['commands'] = [];
  const differences: Difference[] = [];
  try {
    for (const recorded of proof.commands) {
      onCommand(recorded.command);
      let seen = await runIn(ports, place, recorded, signal);
      await place.tree.putBack();
      // A flaky command may fail once again.
      if (recorded.flaky === true && !isSame(recorded, seen)) {
        seen = await runIn(ports, place, recorded, signal);
        await place.tree.putBack();
      }
      const same = isSame(recorded, seen);
      commands.push({
        command: recorded.command,
        found: outcomeOf(seen),
        isSame: same,
        durationMs: seen.durationMs,
      });
      if (same) continue;
      const results = {
        recorded: outcomeOf(recorded),
        found: outcomeOf(seen),
        tests: newFailures(recorded, seen),
      };
      differences.push({
        kind: 'result',
        ...at,
        command: recorded.command,
        ...results,
        output: outputOf(seen),
      });
    }
  } finally {
    await place.end();
  }
  return { commands, differences };
}

interface Place {
  readonly path: string;
  readonly wrapper: string;
  readonly allowed: CommandSecrets;
  readonly sandbox: CommandSandbox;
  readonly tree: ProofTree;
  readonly failed: Evidence | undefined;
  readonly end: () => Promise<void>;
}

async function prepare(
  ports: VerifyPorts,
  commit: string,
  { ticket, environment }: CommitEvidence,
  signal: AbortSignal,
): Promise<Place> {
  signal.throwIfAborted();
  const { git, files, process, workplace } = ports;
  const scratch = verifyScratch(ticket);
  const { path } = await git.checkOutScratch(scratch, commit, []);
  await workplace.emptyProof(scratch, { home: true });
  const reservation = await workplace.reserve(scratch);
  const own = reservation && { ...reservation, ...reservation.proof };
  const wrapper = await placeWrapper(files, { folder: path, worktree: path }, environment, own);
  const allowed = { variables: environment.passed, files: [] };
  const services = environment.services ?? [];
  const sandbox: CommandSandbox = {
    ticket: scratch,
    worktree: path,
    network: services.length > 0 ? 'services' : 'none',
    isProof: true,
  };
  for (const command of environment.bootstrap) {
    const place = { cwd: path, wrapper, allowed, sandbox: { ...sandbox, network: 'install' } as const };
    const seen = await process.run(command, { ...place, timeoutMs: leastTimeoutMs, signal });
    signal.throwIfAborted();
    if (seen.exitCode !== 0 || seen.timedOut)
      return {
        path,
        wrapper,
        allowed,
        sandbox,
        tree: new ProofTree(git, scratch, commit, []),
        failed: seen,
        end: () => Promise.resolve(),
      };
  }
  const kept: string[] = [];
  if (environment.bootstrap.length > 0) {
    const { changes, ignored } = await git.scratchChanges(scratch);
    const made = changes.filter(({ state }) => state === 'untracked').map((change) => change.path);
    // An installer may rewrite tracked files, which weren't proved so.
    kept.push(...ignored, ...made);
    await git.checkOutScratch(scratch, commit, kept);
  }
  const running = await startServices(ports, services, { cwd: path, wrapper, allowed, sandbox, signal });
  return { path, wrapper, allowed, sandbox, tree: new ProofTree(git, scratch, commit, kept), ...running };
}

/** Apart from a running proof. */
export function verifyScratch(ticket: string): string {
  return `${ticket}.verify`;
}

async function runIn(
  { process }: VerifyPorts,
  { path: cwd, wrapper, allowed, sandbox }: Place,
  { command, durationMs }: ProvedCommand,
  signal: AbortSignal,
): Promise<Evidence> {
  const timeoutMs = Math.max(leastTimeoutMs, 10 * durationMs);
  const seen = await process.run(command, { cwd, wrapper, timeoutMs, signal, allowed, sandbox });
  signal.throwIfAborted();
  return seen;
}

/** True if nothing new fails. */
function isSame(recorded: ProvedCommand, seen: Evidence): boolean {
  if (seen.timedOut || recorded.timedOut) return seen.timedOut === recorded.timedOut;
  if (seen.exitCode === 0) return recorded.exitCode === 0 || recorded.knownFailures !== undefined;
  return seen.exitCode === recorded.exitCode && newFailures(recorded, seen).length === 0;
}

function newFailures(recorded: ProvedCommand, seen: Evidence): string[] {
  const known = new Set(recorded.knownFailures);
  return (testResultsOf(seen)?.failed ?? []).filter((name) => !known.has(name));
}

function outcomeOf({ exitCode, signal, timedOut }: Outcome): Outcome {
  return { exitCode, signal, timedOut };
}

function outputOf({ head, tail }: Evidence): string {
  return lastLines(tail === '' ? head : tail);
}
