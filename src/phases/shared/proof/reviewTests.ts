import * as z from 'zod';
import { sha256 } from '../../../base/sha256.ts';
import type { Bead } from '../../../domain/beads/bead.ts';
import { type Evidence, passed } from '../../../domain/core/evidence.ts';
import type { ChangedText } from '../../../domain/proof/changedText.ts';
import { Baseline } from '../../../domain/proof/baseline.ts';
import { scriptsOfManifest } from '../../../domain/proof/checkChanges.ts';
import { isProving, programsOf } from '../../../domain/proof/provingFiles.ts';
import { isSource } from '../../../domain/proof/testDetection.ts';
import { type WeakenedTests, Weakening, weakeningLabels } from '../../../domain/proof/weakening.ts';
import { testResultsOf, wholeOutput } from '../../../domain/proof/testResults.ts';
import { BeadExecution } from '../../../domain/beads/reports.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { namesText } from '../../../base/listed.ts';
import { readApart } from '../structured/readApart.ts';
import { artifactChange, isoNow, storedJson } from '../ticket/artifacts.ts';
import { askChoice } from '../ticket/askChoice.ts';
import { projectChecks } from './baseline.ts';
import { changedTexts, comparedTexts, type ComparedText, fileText } from './changedTexts.ts';
import { earlierFiles } from '../../../domain/proof/earlierTests.ts';
import { describeFailures, failuresOf } from '../worktree/commands.ts';
import { type Check, proveCommit } from './cleanRoom.ts';

interface Work {
  readonly name: string;
  readonly title: string;
  readonly start: string;
  readonly commit: string | null;
  readonly evidence: readonly Evidence[];
  readonly planned: readonly string[];
  readonly limits: Run['limits'];
  readonly others: readonly Weakening[];
}

type CommittedWork = Work & { readonly commit: string };

export const Reviewed = z.object({
  accepted: z.boolean(),
  reason: z.string(),
  weakenings: z.array(Weakening),
});
type Reviewed = z.infer<typeof Reviewed>;

const nothingFound: Reviewed = { accepted: true, reason: '', weakenings: [] };

/** Asks a person about changes that make tests prove less (docs/decisions/050-test-integrity.md). */
export async function reviewTests(io: StepIo, ticket: TicketSnapshot, work: Work): Promise<Reviewed> {
  const { name, title, start, commit, evidence, others } = work;
  if (commit === null && others.length === 0) return nothingFound;
  const { found: seen, output } =
    commit === null ? { found: [], output: '' } : await weaknessesOf(io, ticket, { ...work, commit });
  const found = [...others, ...(await fewerTests(io, name, evidence)), ...seen];
  if (found.length === 0) return nothingFound;
  const shown = found.slice(0, 20).map(describe);
  if (found.length > shown.length) shown.push(`and ${found.length - shown.length} more`);
  const { choice, words } = await askChoice(io, {
    asked: `weakened:${commit ?? start}`,
    topic: 'weaker_tests',
    header: 'Weaker tests',
    text: `${title} passes its checks, but they prove less than they should:\n${shown.join('\n')}${output === '' ? '' : `\n\n${output}`}`,
    options: [
      {
        id: 'accept',
        label: 'Accept',
        description: 'The changes are right. They are listed in the pull request.',
      },
      { id: 'send_back', label: 'Send back', description: 'The agent has to reach the goal without them.' },
    ],
  });
  if (choice === 'accept') {
    const receipt: WeakenedTests = {
      schema_version: 1,
      bead_id: name,
      commit,
      content_sha256: sha256(JSON.stringify(found)),
      weakenings: found,
      accepted_by: 'user',
      accepted_at: isoNow(io),
    };
    io.save(artifactChange(ticket, `weakened_tests_receipt:${name}`, receipt));
  }
  return { accepted: choice === 'accept', reason: words, weakenings: found };
}

/**
 * If the tests of before pass, other assertions are no more than that; in a planned file they were agreed to.
 */
async function weaknessesOf(
  io: StepIo,
  ticket: TicketSnapshot,
  work: CommittedWork,
): Promise<{ readonly found: readonly Weakening[]; readonly output: string }> {
  const { name, start, commit, evidence, planned } = work;
  const programs = await checkPrograms(io, start);
  const changes = await comparedTexts(io, start, commit);
  const earlier = await judgeByEarlierTests(io, ticket, { ...work, changes, programs });
  const isJudged = earlier.judged.length > 0 && earlier.findings.length === 0;
  const isSettled = ({ kind, path }: Weakening): boolean =>
    planned.includes(path) ? kind === 'changed' : isJudged && explained.includes(kind);
  const found = (
    await weakeningsIn(io, changedTexts(changes), { programs, named: wordsOf(evidence) })
  ).filter((one) => !isSettled(one));
  const repaired = await repairs(io, name, evidence, changedTexts(changes));
  return {
    found: [...earlier.findings, ...repaired, ...(await fewerTests(io, name, earlier.judged)), ...found],
    output: earlier.output.slice(0, mostOutput),
  };
}

/** The kinds that earlier tests that pass have settled. */
const explained: readonly Weakening['kind'][] = ['changed', 'returns', 'swallowed', 'replaced', 'looser'];

/**
 * Tests that passed on sources that their own command had changed
 * (docs/decisions/167-each-check-on-its-own-tree.md).
 */
async function repairs(
  io: StepIo,
  name: string,
  evidence: readonly Evidence[],
  changes: readonly ChangedText[],
): Promise<readonly Weakening[]> {
  const checks = (await projectChecks(io)).filter(({ kind }) => kind !== 'test');
  const others = new Set(checks.map(({ command }) => command));
  const isOwnSource = ({ path, after }: ChangedText): boolean =>
    after !== null && isSource(path) && !isProving(path);
  const sources = new Set(changes.filter(isOwnSource).map(({ path }) => path));
  return evidence.flatMap(({ command, changed = [] }) => {
    const own = others.has(command) ? [] : changed.filter((path) => sources.has(path));
    return own.length === 0
      ? []
      : [{ kind: 'repaired', path: name, line: null, text: `\`${command}\`: ${own.join(', ')}` } as const];
  });
}

const mostOutput = 4_000;

export function weakerProblem({ accepted, reason, weakenings }: Reviewed): string {
  if (accepted) return '';
  const list = weakenings.map((weakening) => `- ${describe(weakening)}`).join('\n');
  return `This makes checks prove less, and a person did not accept it:\n\n${list}${reason === '' ? '' : `\n\nThey said: ${reason}`}`;
}

function describe({ kind, path, line, text }: Weakening): string {
  const place = line === null ? path : `${path}:${line}`;
  return `${place}: ${weakeningLabels[kind]}${text === '' ? '' : ` (${text})`}`;
}

async function weakeningsIn(
  io: StepIo,
  changes: readonly ChangedText[],
  files: { readonly programs: readonly string[]; readonly named: readonly string[] },
): Promise<readonly Weakening[]> {
  const length = changes.reduce(
    (sum, { before, after }) => sum + (before?.length ?? 0) + (after?.length ?? 0),
    0,
  );
  const answer = await readApart(io.ports.texts, 'weakenings', { changes, ...files }, length, io.signal);
  if (answer !== 'late') return answer.read;
  return changes.map(({ path }) => ({ kind: 'changed', path, line: null, text: 'too long to be read' }));
}

function wordsOf(evidence: readonly Evidence[]): readonly string[] {
  const words = evidence.flatMap(({ command }) => command.split(/[\s'"`;|&()]+/));
  return [...new Set(words.map((word) => word.replace(/^(?:\.\/)+/, '')))];
}

async function checkPrograms(io: StepIo, start: string): Promise<readonly string[]> {
  const manifest = await fileText(io, start, 'package.json');
  const scripts = Object.values(scriptsOfManifest(manifest, /test|lint|check|spec|verify|build|ci/i));
  return programsOf([...(await projectChecks(io)).map(({ command }) => command), ...scripts]);
}

/** A person has to say if the output shows no tests any more: it may be another reporter. */
async function fewerTests(
  io: StepIo,
  name: string,
  evidence: readonly Evidence[],
): Promise<readonly Weakening[]> {
  const { store } = io.ports;
  const { checks = [] } = (await storedJson(io, 'baseline', Baseline)) ?? {};
  const counted = evidence.flatMap((item) => {
    const base = checks.find(({ command }) => command === item.command)?.ran ?? null;
    const results = testResultsOf(item);
    const ran = results ? results.ran : wholeOutput(item) === undefined ? null : 0;
    return base === null || ran === null || item.exitCode !== 0 ? [] : [{ command: item.command, base, ran }];
  });
  if (counted.length === 0) return [];
  const done = (await store.beads(io.ticket)).filter(({ id, status }) => id !== name && status === 'done');
  const last = done.reduce<Bead | undefined>(
    (latest, one) => (latest && latest.updatedAt >= one.updatedAt ? latest : one),
    undefined,
  );
  const execution = last && (await storedJson(io, `bead_execution:${last.id}`, BeadExecution));
  return counted.flatMap(({ command, base, ran }) => {
    const earlier = execution?.evidence.find((item) => item.command === command);
    const before = (earlier && testResultsOf(earlier)?.ran) ?? base;
    const text = `${before} tests ran before this work, and ${ran} with it: \`${command}\``;
    return ran < before ? [{ kind: 'narrowed', path: name, line: null, text } as const] : [];
  });
}

interface ChangingWork extends CommittedWork {
  readonly changes: readonly ComparedText[];
  readonly programs: readonly string[];
}

interface EarlierVerdict {
  readonly judged: readonly Evidence[];
  readonly findings: readonly Weakening[];
  readonly output: string;
}

const nothing: EarlierVerdict = { judged: [], findings: [], output: '' };
const mostNames = 10;

/**
 * Judges work by the tests and configuration of before, unless planned
 * (docs/decisions/169-earlier-tests-judge.md).
 */
async function judgeByEarlierTests(
  io: StepIo,
  ticket: TicketSnapshot,
  work: ChangingWork,
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
  const findings = failuresOf(judged).map((item): Weakening => {
    return { kind: 'earlier', path: name, line: null, text: textOf(item) };
  });
  return { judged, findings, output: describeFailures(judged) };
}

async function checksFor(
  io: StepIo,
  evidence: readonly Evidence[],
  isConfigured: boolean,
): Promise<readonly Check[]> {
  const isCheck = (item: Evidence): boolean => item.bootstrap !== true && item.service === undefined;
  const seen = new Set(
    evidence.filter((item) => passed(item) && isCheck(item)).map(({ command }) => command),
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

/** A known failure excuses nothing if the work's own tests don't have it: then the test was changed. */
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
  const which = names.length === 0 ? '' : `: ${namesText(names, mostNames)}`;
  return `\`${evidence.command}\` fails with ${namesText(files, mostNames)} as before${which}`;
}
