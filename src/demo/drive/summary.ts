import type { DemoCheck } from './checkDemo.ts';
import type { DemoFacts } from './facts.ts';

/** The demo's result as one JSON object. */
export function summary(
  facts: DemoFacts,
  checks: readonly DemoCheck[],
  { seconds, ok }: { readonly seconds: number; readonly ok: boolean },
) {
  const { report, commits, folder, repository, requests } = facts;
  return {
    ok,
    ticket: report?.ticket ?? null,
    status: report?.status ?? null,
    folder,
    repository,
    worktree: report?.worktree ?? null,
    branch: report?.branch ?? null,
    commits,
    evidence: report?.evidence ?? [],
    pullRequest: report?.pullRequest?.location ?? null,
    requests: requests.length,
    seconds,
    checks,
  };
}

/** The demo's result for people. */
export function summaryLines(
  facts: DemoFacts,
  checks: readonly DemoCheck[],
  seconds: number,
): readonly string[] {
  const { report, commits } = facts;
  return [
    '\n── the demo ────────────────────────────────────────────',
    `Ticket        ${report?.ticket ?? '?'}  ${report?.status ?? 'unknown'}`,
    `Worktree      ${report?.worktree ?? 'none'}`,
    `Branch        ${report?.branch ?? 'none'}`,
    'Commits',
    ...commits.map(
      ({ sha, subject, iteration }) =>
        `  ${sha.slice(0, 10)}  ${subject}${['', '1'].includes(iteration) ? '' : `  (iteration ${iteration})`}`,
    ),
    'Evidence (what the engine ran itself)',
    ...(report?.evidence ?? []).map(
      ({ of, command, exitCode }) => `  ${of}: ${command} → exit ${String(exitCode)}`,
    ),
    `Pull request  ${report?.pullRequest?.location ?? 'none'}`,
    `Model calls   ${String(facts.requests.length)} requests, in ${facts.log}`,
    `Time          ${String(seconds)} s`,
    'Checks',
    ...checks.map(
      ({ ok, name, detail }) => `  ${ok ? '✔' : '✘'} ${name}${detail === '' ? '' : `: ${detail}`}`,
    ),
    `\nEverything is in ${facts.folder}`,
  ];
}
