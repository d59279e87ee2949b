import { forgeText } from '../../base/forgeText.ts';
import { passed, type TestCounts } from '../../domain/core/evidence.ts';
import { CommitEvidence, type ProvedCommand, proofName } from '../../domain/proof/commitEvidence.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { readJson } from '../shared/ticket/artifacts.ts';

export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

export const ShownProof = CommitEvidence.pick({
  of: true,
  bead: true,
  commit: true,
  tree: true,
  made: true,
  commands: true,
});
type ShownProof = ReturnType<(typeof ShownProof)['parse']>;

/** Forges limit the text, and a reviewer reads less. */
const mostRows = 60;
const mostProofs = 100;
const longestCommand = 120;

/** The newest proof of each bead, of the final test and of the integration, oldest first. */
export async function newestProofs(io: StepIo): Promise<ShownProof[]> {
  const newest = (await newestIds(io, 'commit_evidence:')).sort((a, b) => a - b);
  const contents = await Promise.all(newest.map((id) => io.ports.store.artifactContent(id)));
  return contents.flatMap((content) => {
    const proof = readJson(CommitEvidence, content);
    return proof ? [ShownProof.parse(proof)] : [];
  });
}

/** The newest artifact of each type that begins with `prefix`. */
export async function newestIds({ ports, ticket }: StepIo, prefix: string): Promise<number[]> {
  const infos = await ports.store.artifacts(ticket, { type: prefix, archived: false });
  return [...new Map(infos.toSorted((a, b) => a.id - b.id).map(({ type, id }) => [type, id])).values()];
}

/** A row for each command, or commit. Commits that aren't in `commits` were rewritten by the integration. */
export function evidenceTable(proofs: readonly ShownProof[], commits: readonly string[]): string {
  if (proofs.length === 0) return '';
  const isShort = proofs.reduce((sum, { commands }) => sum + Math.max(1, commands.length), 0) <= mostRows;
  const shown = proofs.slice(0, mostProofs);
  const rows = shown.flatMap((proof) => {
    const place = `${forgeText.cell(proofName(proof))} | ${commitText(proof, commits)} | \`${proof.tree.slice(0, 12)}\``;
    return isShort ? rowsOf(proof, place) : [sumOf(proof, place)];
  });
  const more = proofs.length - shown.length;
  return [
    '| For | Commit | Tree | Command | Result | Time |',
    '| --- | --- | --- | --- | --- | ---: |',
    ...rows,
    ...(more === 0 ? [] : ['', `${count(more, 'more commit')}: see \`.ticket/evidence.json\`.`]),
  ].join('\n');
}

function rowsOf({ commands }: ShownProof, place: string): string[] {
  if (commands.length === 0) return [`| ${place} | none | | |`];
  return commands.map(
    (command, index) =>
      `| ${index === 0 ? place : ' |  | '} | ${commandText(command)} | ${forgeText.cell(resultText(command))} | ${seconds(command.durationMs)} |`,
  );
}

function sumOf({ commands }: ShownProof, place: string): string {
  const good = commands.filter(passed).length;
  const known = commands.filter(({ knownFailures }) => knownFailures !== undefined).length;
  const flaky = commands.filter((command) => command.flaky === true).length;
  const notes = [
    known === 0 ? '' : `${String(known)} only as on the base`,
    flaky === 0 ? '' : `${String(flaky)} flaky`,
  ].filter(Boolean);
  const time = seconds(commands.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const result = [`${String(good)} of ${String(commands.length)} passed`, ...notes].join(', ');
  return `| ${place} | ${count(commands.length, 'command')} | ${result} | ${time} |`;
}

function commitText({ commit, made }: ShownProof, commits: readonly string[]): string {
  const sha = `\`${commit.slice(0, 12)}\``;
  if (!made) return `no change, on ${sha}`;
  return commits.includes(commit) ? sha : `${sha}, rewritten since`;
}

function commandText({ command }: ProvedCommand): string {
  return forgeText.codeCell(
    command.length <= longestCommand ? command : `${command.slice(0, longestCommand - 1)}…`,
  );
}

function resultText(ran: ProvedCommand): string {
  const {
    exitCode,
    signal,
    timedOut,
    knownFailures,
    flaky,
    flakyTests = [],
    without,
    changed = [],
    remade = [],
    counts,
  } = ran;
  const ended = timedOut
    ? 'timed out'
    : exitCode === null
      ? (signal ?? 'not started')
      : `exit ${String(exitCode)}`;
  const known =
    knownFailures &&
    `no new failures${knownFailures.length === 0 ? ', fails on the base' : `, ${String(knownFailures.length)} known on the base`}`;
  const again =
    flaky === true
      ? `flaky${flakyTests.length === 0 ? '' : ` (${count(flakyTests.length, 'test')})`}`
      : undefined;
  const red = without && `without the work: exit ${String(without.exitCode ?? 'none')}`;
  const wrote = changed.length === 0 ? undefined : `changed ${count(changed.length, 'file')}, put back`;
  const after =
    remade.length === 0 ? undefined : `tools installed again (${count(remade.length, 'file')} differed)`;
  return [ended, counts && countsText(counts), known, again, red, wrote, after]
    .filter((part) => part !== undefined)
    .join('; ');
}

function countsText({ ran, failed, skipped }: TestCounts): string {
  const parts = [
    failed === 0 ? '' : `${String(failed)} failed`,
    (skipped ?? 0) === 0 ? '' : `${String(skipped)} skipped`,
  ].filter(Boolean);
  return `${count(ran, 'test')} ran${parts.map((part) => `, ${part}`).join('')}`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
