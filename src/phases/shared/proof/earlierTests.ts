import { earlierFiles } from '../../../domain/proof/earlierTests.ts';
import { type Evidence, passed } from '../../../domain/core/evidence.ts';
import type { Weakening } from '../../../domain/proof/testIntegrity.ts';
import { testResultsOf } from '../../../domain/proof/testResults.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { describeFailures, failuresOf } from '../worktree/commands.ts';
import { projectChecks } from './baseline.ts';
import type { ComparedText } from './changedTexts.ts';
import { type Check, proveCommit } from './cleanRoom.ts';

/**
 * Proved work, and what it changed. `planned`: files that the approved plan names. `programs`: files that the
 * checks of the project start.
 */
interface Work {
  readonly name: string;
  readonly start: string;
  readonly commit: string;
  readonly changes: readonly ComparedText[];
  readonly planned: readonly string[];
  readonly programs: readonly string[];
  readonly evidence: readonly Evidence[];
  readonly limits: Run['limits'];
}

/**
 * The verdict of the tests of before on a work. `judged`: the checks that ran; none if the work changed
 * nothing that judges it.
 */
export interface EarlierVerdict {
  readonly judged: readonly Evidence[];
  readonly findings: readonly Weakening[];
  /** The output of what failed. */
  readonly output: string;
}

const nothing: EarlierVerdict = { judged: [], findings: [], output: '' };
const mostNames = 10;

/**
 * Judges work by the tests, fixtures and configuration of checks as they were before it, where it changed any
 * that the plan doesn't name (docs/decisions/169-earlier-tests-judge.md). Where the project has tests of its
 * own, those run; else the commands that proved the work.
 */
export async function judgeByEarlierTests(
  io: StepIo,
  ticket: TicketSnapshot,
  work: Work,
): Promise<EarlierVerdict> {
  const { name, start, commit, changes, planned, programs, evidence, limits } = work;
  const { restored, texts, isConfigured } = earlierFiles(changes, planned, programs);
  if (restored.length === 0 && Object.keys(texts).length === 0) return nothing;
  const { git } = io.ports;
  const grafted = await git.graft({ start: commit, from: start, paths: restored, texts });
  if (grafted.tree === (await git.treeOf(commit))) return nothing;
  const checks = await checksFor(io, evidence, isConfigured);
  if (checks.length === 0) return nothing;
  const { evidence: ran } = await proveCommit(io, ticket, { commit: grafted.commit, limits }, checks);
  const own = new Map(evidence.map((item) => [item.command, item]));
  const judged = ran.map((item) => withoutExcuse(item, own.get(item.command)));
  const files = [...new Set([...restored, ...Object.keys(texts)])];
  const textOf = (item: Evidence): string => failureText(item, files, own.get(item.command));
  const findings = failuresOf(judged).map((item): Weakening => ({
    kind: 'earlier',
    path: name,
    line: null,
    text: textOf(item),
  }));
  return { judged, findings, output: describeFailures(judged) };
}

/**
 * The commands of the proof that can tell: the project's tests, with its other checks where those are
 * configured otherwise.
 */
async function checksFor(
  io: StepIo,
  evidence: readonly Evidence[],
  isConfigured: boolean,
): Promise<readonly Check[]> {
  const seen = new Set(
    evidence
      .filter((item) => passed(item) && item.bootstrap !== true && item.service === undefined)
      .map((item) => item.command),
  );
  const project = (await projectChecks(io)).filter(({ command }) => seen.has(command));
  const hasTests = project.some(({ kind }) => kind === 'test');
  const own = hasTests
    ? []
    : [...seen].filter((command) => !project.some((check) => check.command === command));
  return [
    ...own.map((command) => ({ kind: 'test', command, strict: false }) as const),
    ...project
      .filter(({ kind }) => kind === 'test' || isConfigured)
      .map((check) => ({ ...check, strict: false })),
  ];
}

/**
 * A failure that the base has as well excuses nothing if the work's own version of the tests doesn't have it:
 * then the test was changed, and the work doesn't reach what it asked for.
 */
function withoutExcuse(judged: Evidence, own: Evidence | undefined): Evidence {
  if (!judged.knownFailures || !own) return judged;
  const { knownFailures: _excused, ...bare } = judged;
  const failsWithBoth = new Set(testResultsOf(own)?.failed);
  const isNew =
    own.exitCode === 0 || (testResultsOf(judged)?.failed ?? []).some((name) => !failsWithBoth.has(name));
  return isNew ? bare : judged;
}

function failureText(evidence: Evidence, files: readonly string[], own: Evidence | undefined): string {
  const known = new Set(evidence.knownFailures ?? (own && testResultsOf(own)?.failed) ?? []);
  const names = (testResultsOf(evidence)?.failed ?? []).filter((name) => !known.has(name));
  const which = names.length === 0 ? '' : `: ${listed(names)}`;
  return `\`${evidence.command}\` fails with ${listed(files)} as before${which}`;
}

function listed(names: readonly string[]): string {
  const more = names.length > mostNames ? ` and ${String(names.length - mostNames)} more` : '';
  return `${names.slice(0, mostNames).join(', ')}${more}`;
}
