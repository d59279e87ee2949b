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
import { runCommand } from '../worktree/commands.ts';
import { profileOf } from '../worktree/runtime.ts';
import { openScratch, type Scratch } from './scratch.ts';

interface ProjectCheck {
  readonly kind: CheckKind;
  readonly command: string;
}

/** Runs the project's checks on the untouched base, once (docs/decisions/049-baseline.md). */
export async function takeBaseline(run: Run, ticket: TicketSnapshot): Promise<void> {
  await run.step('baseline', z.null(), async (io) => {
    const taker = await BaselineTaker.open(io, ticket, run.limits);
    for (const check of await projectChecks(io)) await taker.take(check);
    return null;
  });
}

export async function projectChecks(io: StepIo): Promise<readonly ProjectCheck[]> {
  const profile = await profileOf(io);
  if (!profile) return [];
  const { lint_full, typecheck_full, build_full, test_full } = profile.project_commands;
  const lists = { lint: lint_full, typecheck: typecheck_full, build: build_full, test: test_full } as const;
  return (Object.keys(lists) as CheckKind[]).flatMap((kind) =>
    lists[kind].map((command) => ({ kind, command })),
  );
}

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
   * A failure that the base has too counts as passed; if `strict`, only where the output names the failed
   * tests. May check out the base.
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

  knows(check: ProjectCheck): boolean {
    return this.#find(check) !== undefined;
  }

  /** A success, marked where its output says otherwise. May check out the base. */
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

  /** 0 if it never ran there, or didn't come to its end. */
  durationOf(command: string): number {
    const ran = this.#checks.filter((check) => check.command === command && !check.timedOut);
    return Math.max(0, ...ran.map(({ durationMs }) => durationMs));
  }

  /** Undefined if the environment can't be made on the base. */
  async take({ kind, command }: ProjectCheck): Promise<BaselineCheck | undefined> {
    const present = this.#find({ kind, command });
    if (present) return present;
    const scratch = await openScratch(this.#io, this.#ticket, this.#commit, { limits: this.#limits });
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

  /** A second run tells what is flaky; of a command that takes too long it would tell nothing. */
  async #runs(command: string, scratch: Scratch): Promise<readonly [Evidence, ...Evidence[]]> {
    const first = await this.#run(command, scratch);
    return passed(first) || first.timedOut ? [first] : [first, await this.#run(command, scratch)];
  }

  async #run(command: string, { path: cwd, wrapper }: Scratch): Promise<Evidence> {
    return runCommand(this.#io, this.#ticket, command, {
      wrapper,
      limits: this.#limits,
      cwd,
      isOnBase: true,
    });
  }
}
