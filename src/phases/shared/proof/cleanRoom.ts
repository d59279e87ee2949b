import * as z from 'zod';
import { Evidence, passed } from '../../../domain/core/evidence.ts';
import type { CheckKind } from '../../../domain/proof/baseline.ts';
import { testResultsOf } from '../../../domain/proof/testResults.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { runCommand } from '../worktree/commands.ts';
import { BaselineTaker } from './baseline.ts';
import { openScratch, type Scratch } from './scratch.ts';
import { ProofTree } from '../worktree/proofTree.ts';

/** `made`: paths that the commands wrote and the commit doesn't have. */
export const Proof = z.object({ evidence: z.array(Evidence), made: z.array(z.string()) });
export type Proof = z.infer<typeof Proof>;

/** `cold`: nothing of earlier proofs is used, not even what the bootstrap made. */
interface Work {
  readonly commit: string;
  readonly limits: Run['limits'];
  readonly cold?: boolean;
}

/** `strict`: a failure is known only if the output names tests that fail on the base. */
export interface Check {
  readonly kind: CheckKind;
  readonly command: string;
  readonly strict: boolean;
}

/** Runs commands on a commit in the scratch worktree; ends at the first new failure. */
export async function proveCommit(
  io: StepIo,
  ticket: TicketSnapshot,
  work: Work,
  checks: readonly Check[],
): Promise<Proof> {
  const room = new CleanRoom(io, ticket, work);
  try {
    for (const check of checks) if (!(await room.check(check))) break;
    await room.close();
    return room.proof();
  } finally {
    await room.end();
  }
}

class CleanRoom {
  readonly #io: StepIo;
  readonly #ticket: TicketSnapshot;
  readonly #work: Work;
  readonly #evidence: Evidence[] = [];
  readonly #made = new Set<string>();
  #baseline: BaselineTaker | undefined;
  #isCold: boolean;
  #place: Scratch | undefined;
  #tree: ProofTree | undefined;
  #remade: Pick<Evidence, 'remade'> = {};

  constructor(io: StepIo, ticket: TicketSnapshot, work: Work) {
    this.#io = io;
    this.#ticket = ticket;
    this.#work = work;
    this.#isCold = work.cold ?? false;
  }

  async check({ kind, command, strict }: Check): Promise<boolean> {
    const place = await this.#open();
    if (!place) return false;
    const baseline = (this.#baseline ??= await BaselineTaker.open(this.#io, this.#ticket, this.#work.limits));
    const baseMs = baseline.durationOf(command);
    const first = await this.#run(command, place, baseMs);
    if (passed(first)) return this.#keep(await this.#doubted(baseline, { kind, command }, first));
    // Judging may check out the base, unless it knows the command already.
    const judge = async (evidence: Evidence): Promise<Evidence> => {
      if (!baseline.knows({ kind, command })) await this.close();
      return baseline.judge(kind, evidence, { strict });
    };
    const known = first.timedOut || baseline.knows({ kind, command }) ? await judge(first) : first;
    if (passed(known) || first.timedOut) return this.#keep(known);
    // Once more, on the same files. Of a command that takes too long it would tell nothing.
    const second = await judge(await this.#run(command, place, baseMs));
    const flakyTests = newFailures(first, second);
    return this.#keep(
      passed(second) && (second.exitCode === 0 || flakyTests.length > 0)
        ? { ...second, flaky: true, flakyTests }
        : second,
    );
  }

  async #doubted(
    baseline: BaselineTaker,
    check: Pick<Check, 'kind' | 'command'>,
    evidence: Evidence,
  ): Promise<Evidence> {
    const names = testResultsOf(evidence)?.failed ?? [];
    if (names.length > 0 && !baseline.knows(check)) await this.close();
    return baseline.doubt(check, evidence);
  }

  proof(): Proof {
    return { evidence: this.#evidence, made: [...this.#made] };
  }

  async close(): Promise<void> {
    await this.end();
    for (const path of this.#tree?.made ?? []) this.#made.add(path);
    this.#tree = undefined;
  }

  /** Nothing else is done, so that what stopped the proof is what is reported. */
  async end(): Promise<void> {
    const place = this.#place;
    this.#place = undefined;
    await place?.end();
  }

  #keep(evidence: Evidence): boolean {
    this.#evidence.push(evidence);
    return passed(evidence);
  }

  async #open(): Promise<Scratch | undefined> {
    if (this.#place) return this.#place;
    const { commit, limits } = this.#work;
    const place = await openScratch(this.#io, this.#ticket, commit, { limits, cold: this.#isCold });
    this.#isCold = false;
    const { remade = [] } = place;
    this.#remade = remade.length > 0 ? { remade: [...remade] } : {};
    this.#evidence.push(...place.failed.map((item) => ({ ...item, ...this.#remade })));
    if (place.failed.length > 0) return undefined;
    this.#tree = new ProofTree(this.#io.ports.git, this.#ticket.id, commit, place.kept);
    this.#place = place;
    return place;
  }

  async #run(command: string, { path: cwd, wrapper }: Scratch, baseMs: number): Promise<Evidence> {
    const work = { wrapper, limits: this.#work.limits, baseMs, cwd };
    const evidence = await runCommand(this.#io, this.#ticket, command, work);
    await this.#io.fence();
    const changed = (await this.#tree?.putBack()) ?? [];
    const remade = this.#remade;
    this.#remade = {};
    return { ...evidence, ...(changed.length > 0 && { changed: changed.slice(0, mostChanged) }), ...remade };
  }
}

const mostChanged = 100;

function newFailures(first: Evidence, { knownFailures = [] }: Evidence): string[] {
  return (testResultsOf(first)?.failed ?? []).filter((name) => !knownFailures.includes(name));
}
