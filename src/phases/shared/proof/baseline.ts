import * as z from 'zod';
import { type Evidence, passed } from '../../../domain/core/evidence.ts';
import {
  Baseline,
  baselineCheck,
  type BaselineCheck,
  type CheckKind,
  compareWithBaseline,
} from '../../../domain/proof/baseline.ts';
import { contradictionOf } from '../../../domain/proof/contradiction.ts';
import { testResultsOf } from '../../../domain/proof/testResults.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { artifactChange, storedJson } from '../ticket/artifacts.ts';
import { ticketParts } from '../ticket/ticketParts.ts';
import { runCommands } from '../worktree/commands.ts';
import { profileOf } from '../worktree/runtime.ts';
import { openScratch, type Scratch } from './scratch.ts';

/** A check of the project: what it is about, and the command. */
export interface ProjectCheck {
  readonly kind: CheckKind;
  readonly command: string;
}

/**
 * Runs the project's checks on the untouched base before the first bead (docs/decisions/049-baseline.md), to
 * know what is red or flaky there. Of the same base they aren't run again.
 */
export async function takeBaseline(run: Run, ticket: TicketSnapshot): Promise<void> {
  await run.step('baseline', z.null(), async (io) => {
    const taker = await BaselineTaker.open(io, ticket, run.limits);
    for (const check of await projectChecks(io)) await taker.take(check);
    return null;
  });
}

/** The project's checks as the prepared environment names them, cheap ones first. */
export async function projectChecks(io: StepIo): Promise<readonly ProjectCheck[]> {
  const profile = await profileOf(io);
  if (!profile) return [];
  const { lint_full, typecheck_full, build_full, test_full } = profile.project_commands;
  const lists = { lint: lint_full, typecheck: typecheck_full, build: build_full, test: test_full } as const;
  return (Object.keys(lists) as CheckKind[]).flatMap((kind) =>
    lists[kind].map((command) => ({ kind, command })),
  );
}

/** The baseline of a ticket's base within one step. What it takes is saved with the step. */
export class BaselineTaker {
  readonly #io: StepIo;
  readonly #ticket: TicketSnapshot;
  readonly #limits: Run['limits'];
  readonly #commit: string;
  readonly #checks: BaselineCheck[];

  private constructor(io: StepIo, ticket: TicketSnapshot, limits: Run['limits'], baseline: Baseline) {
    this.#io = io;
    this.#ticket = ticket;
    this.#limits = limits;
    this.#commit = baseline.commit;
    this.#checks = [...baseline.checks];
  }

  static async open(io: StepIo, ticket: TicketSnapshot, limits: Run['limits']): Promise<BaselineTaker> {
    const { baseBranch } = ticketParts(ticket);
    const commit = ticket.baseCommit ?? (await io.ports.git.resolve(baseBranch)) ?? '';
    const stored = await storedJson(io, 'baseline', Baseline);
    const baseline: Baseline = stored?.commit === commit ? stored : { schema_version: 1, commit, checks: [] };
    return new BaselineTaker(io, ticket, limits, baseline);
  }

  /**
   * The evidence beside the baseline: a failure that the base has too is known, which counts as passed; if
   * `strict`, only where the output names the failed tests. May check out the base.
   */
  async judge(
    kind: CheckKind,
    evidence: Evidence,
    { strict }: { readonly strict: boolean },
  ): Promise<Evidence> {
    const failed = testResultsOf(evidence)?.failed ?? [];
    if (passed(evidence) || (strict && failed.length === 0)) return evidence;
    const compared = compareWithBaseline(evidence, await this.take({ kind, command: evidence.command }));
    if (compared.verdict === 'known') return { ...evidence, knownFailures: [...failed] };
    return compared.verdict === 'unclear' && !strict ? { ...evidence, knownFailures: [] } : evidence;
  }

  /** Returns true if a check ran on the base already. */
  knows(check: ProjectCheck): boolean {
    return this.#find(check) !== undefined;
  }

  /** The evidence of a success, marked where its output says otherwise. This may check out the base. */
  async doubt(check: ProjectCheck, evidence: Evidence): Promise<Evidence> {
    const known = this.#find(check);
    const contradicted = contradictionOf(evidence, known);
    if (!contradicted || known) return contradicted ? { ...evidence, contradicted } : evidence;
    const still = contradictionOf(evidence, await this.take(check));
    return still ? { ...evidence, contradicted: still } : evidence;
  }

  #find({ kind, command }: ProjectCheck): BaselineCheck | undefined {
    return this.#checks.find((check) => check.kind === kind && check.command === command);
  }

  /** The milliseconds that a command took on the base; 0 if it never ran there, or didn't come to its end. */
  durationOf(command: string): number {
    const ran = this.#checks.filter((check) => check.command === command && !check.timedOut);
    return Math.max(0, ...ran.map(({ durationMs }) => durationMs));
  }

  /** The result of a check on the base; undefined if its environment can't be made there. */
  async take({ kind, command }: ProjectCheck): Promise<BaselineCheck | undefined> {
    const present = this.#find({ kind, command });
    if (present) return present;
    const scratch = await openScratch(this.#io, this.#ticket, this.#commit, { limits: this.#limits });
    // Every result would be about the environment.
    if (scratch.failed.length > 0) return undefined;
    let check: BaselineCheck;
    try {
      check = baselineCheck(kind, await this.#runs(command, scratch));
    } finally {
      await scratch.end();
    }
    this.#checks.push(check);
    const baseline = Baseline.parse({ schema_version: 1, commit: this.#commit, checks: this.#checks });
    this.#io.save(artifactChange(this.#ticket, 'baseline', baseline));
    return check;
  }

  /** A second run tells what is flaky. Of a command that takes too long it would tell nothing. */
  async #runs(command: string, scratch: Scratch): Promise<readonly [Evidence, ...Evidence[]]> {
    const first = await this.#run(command, scratch);
    return passed(first) || first.timedOut ? [first] : [first, await this.#run(command, scratch)];
  }

  async #run(command: string, { path: cwd, wrapper }: Scratch): Promise<Evidence> {
    const work = { commands: [command], wrapper, limits: this.#limits, cwd };
    const [evidence] = await runCommands(this.#io, this.#ticket, work);
    return evidence as Evidence;
  }
}
