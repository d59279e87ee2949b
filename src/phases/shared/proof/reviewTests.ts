import * as z from 'zod';
import { sha256 } from '../../../base/sha256.ts';
import type { Bead } from '../../../domain/beads/bead.ts';
import type { Evidence } from '../../../domain/core/evidence.ts';
import type { ChangedText } from '../../../domain/proof/changedText.ts';
import { Baseline } from '../../../domain/proof/baseline.ts';
import { scriptsOfManifest } from '../../../domain/proof/checkChanges.ts';
import { isProving, programsOf } from '../../../domain/proof/provingFiles.ts';
import { isSource } from '../../../domain/proof/testDetection.ts';
import { type WeakenedTests, Weakening, weakeningLabels } from '../../../domain/proof/testIntegrity.ts';
import { testResultsOf, wholeOutput } from '../../../domain/proof/testResults.ts';
import { BeadExecution } from '../../../domain/beads/reports.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { readApart } from '../structured/readApart.ts';
import { artifactChange, isoNow, readJson } from '../ticket/artifacts.ts';
import { askChoice } from '../ticket/askChoice.ts';
import { projectChecks } from './baseline.ts';
import { changedTexts, comparedTexts } from './changedTexts.ts';
import { judgeByEarlierTests } from './earlierTests.ts';

/** Work that was proved. */
interface Work {
  /** The subject of the receipt: a bead, or `final-test`. */
  readonly name: string;
  /** The work in words, at the start of a sentence. */
  readonly title: string;
  readonly start: string;
  /** The commit that would be made; null if nothing changed. */
  readonly commit: string | null;
  readonly evidence: readonly Evidence[];
  /** Files that the approved plan names. */
  readonly planned: readonly string[];
  readonly limits: Run['limits'];
  /** Other weakenings that were found. */
  readonly others: readonly Weakening[];
}

/** A person's verdict on what was found; accepted if nothing was. */
export const Reviewed = z.object({
  accepted: z.boolean(),
  reason: z.string(),
  weakenings: z.array(Weakening),
});
type Reviewed = z.infer<typeof Reviewed>;

/**
 * Looks in proved work for changes that make tests prove less, and asks a person about them
 * (docs/decisions/050-test-integrity.md), and about what else was found. A yes leaves a receipt.
 */
export async function reviewTests(io: StepIo, ticket: TicketSnapshot, work: Work): Promise<Reviewed> {
  const { name, title, start, commit, evidence, others } = work;
  if (commit === null && others.length === 0) return { accepted: true, reason: '', weakenings: [] };
  const { found: seen, output } =
    commit === null ? { found: [], output: '' } : await weaknessesOf(io, ticket, { ...work, commit });
  const found = [...others, ...(await fewerTests(io, name, evidence)), ...seen];
  if (found.length === 0) return { accepted: true, reason: '', weakenings: [] };
  const shown = found.slice(0, 20).map(describe);
  if (found.length > shown.length) shown.push(`and ${String(found.length - shown.length)} more`);
  const { choice, words } = await askChoice(io, {
    asked: `weakened:${commit ?? start}`,
    header: 'Weaker tests',
    text: `${title} passes its checks, but they prove less than they should:\n${shown.join('\n')}${output === '' ? '' : `\n\n${output}`}`,
    options: [
      { label: 'Accept', description: 'The changes are right. They are listed in the pull request.' },
      { label: 'Send back', description: 'The agent has to reach the goal without them.' },
    ],
  });
  if (choice === 'Accept') {
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
  return { accepted: choice === 'Accept', reason: words, weakenings: found };
}

/**
 * Finds what the changes of a work say against it. Where the tests of before were run and pass, other
 * assertions are no more than that. In a file that the plan names, which isn't put back, a changed assertion
 * was agreed to.
 */
async function weaknessesOf(
  io: StepIo,
  ticket: TicketSnapshot,
  { name, start, commit, evidence, planned, limits }: Omit<Work, 'commit'> & { readonly commit: string },
): Promise<{ readonly found: readonly Weakening[]; readonly output: string }> {
  const programs = await checkPrograms(io, start);
  const changes = await comparedTexts(io, start, commit);
  const earlier = await judgeByEarlierTests(io, ticket, {
    name,
    start,
    commit,
    changes,
    planned,
    programs,
    evidence,
    limits,
  });
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

/** The kinds that earlier tests that ran and pass have settled, where they were put back. */
const explained: readonly Weakening['kind'][] = ['changed', 'returns', 'swallowed', 'replaced', 'looser'];

/**
 * Tests that passed on sources of the work that their own command had changed by then: within one command
 * nothing can be put back (docs/decisions/167-each-check-on-its-own-tree.md).
 */
async function repairs(
  io: StepIo,
  name: string,
  evidence: readonly Evidence[],
  changes: readonly ChangedText[],
): Promise<readonly Weakening[]> {
  const others = new Set(
    (await projectChecks(io)).filter(({ kind }) => kind !== 'test').map(({ command }) => command),
  );
  const sources = new Set(
    changes
      .filter(({ path, after }) => after !== null && isSource(path) && !isProving(path))
      .map(({ path }) => path),
  );
  return evidence.flatMap(({ command, changed = [] }) => {
    const own = others.has(command) ? [] : changed.filter((path) => sources.has(path));
    return own.length === 0
      ? []
      : [{ kind: 'repaired', path: name, line: null, text: `\`${command}\`: ${own.join(', ')}` } as const];
  });
}

/** So many characters of the output of earlier tests are shown. */
const mostOutput = 4_000;

/** Returns what is wrong, in words for the agent; empty if nothing is, or if a person accepted it. */
export function weakerProblem({ accepted, reason, weakenings }: Reviewed): string {
  if (accepted) return '';
  const list = weakenings.map((weakening) => `- ${describe(weakening)}`).join('\n');
  return `This makes checks prove less, and a person did not accept it:\n\n${list}${reason === '' ? '' : `\n\nThey said: ${reason}`}`;
}

function describe({ kind, path, line, text }: Weakening): string {
  const place = line === null ? path : `${path}:${String(line)}`;
  return `${place}: ${weakeningLabels[kind]}${text === '' ? '' : ` (${text})`}`;
}

/** Changes that take too long to be read are shown to a person as what they are. */
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

/** The words of commands, among which are the files that they name. */
function wordsOf(evidence: readonly Evidence[]): readonly string[] {
  const words = evidence.flatMap(({ command }) => command.split(/[\s'"`;|&()]+/));
  return [...new Set(words.map((word) => word.replace(/^(?:\.\/)+/, '')))];
}

/** Files of the repository that its checks start, as they were before the work. */
async function checkPrograms(io: StepIo, start: string): Promise<readonly string[]> {
  const manifest = new TextDecoder().decode(
    (await io.ports.git.blob(start, 'package.json')) ?? new Uint8Array(),
  );
  const scripts = Object.values(scriptsOfManifest(manifest, /test|lint|check|spec|verify|build|ci/i));
  return programsOf([...(await projectChecks(io)).map(({ command }) => command), ...scripts]);
}

/**
 * Commands of the project that ran fewer tests than with the bead before, or else on the base: something
 * leaves them out, whatever it is. Where the output shows no tests any more, another reporter may have
 * written it, so that a person has to say.
 */
async function fewerTests(
  io: StepIo,
  name: string,
  evidence: readonly Evidence[],
): Promise<readonly Weakening[]> {
  const { store } = io.ports;
  const { checks = [] } = readJson(Baseline, (await store.artifact(io.ticket, 'baseline'))?.content) ?? {};
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
  const execution =
    last && readJson(BeadExecution, (await store.artifact(io.ticket, `bead_execution:${last.id}`))?.content);
  return counted.flatMap(({ command, base, ran }) => {
    const earlier = execution?.evidence.find((item) => item.command === command);
    const before = (earlier && testResultsOf(earlier)?.ran) ?? base;
    const text = `${String(before)} tests ran before this work, and ${String(ran)} with it: \`${command}\``;
    return ran < before ? [{ kind: 'narrowed', path: name, line: null, text } as const] : [];
  });
}
