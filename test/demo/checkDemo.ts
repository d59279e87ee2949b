import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { checkoutState, type DemoCheck, type DemoFacts, git, ledgerCheck } from './facts.ts';

export function checkDemo({
  repository,
  requests,
  commits,
  report,
  interview,
  matrix,
  booked,
  before,
}: DemoFacts): readonly DemoCheck[] {
  const checks: DemoCheck[] = [];
  const check = (name: string, ok: boolean, detail: string | number = ''): void => {
    checks.push({ name, ok, detail: String(detail) });
  };

  check('the ticket is COMPLETED', report?.status === 'COMPLETED', report?.status);

  const ofBeads = commits.filter(
    ({ ticket, bead, iteration }) => ticket === report?.ticket && bead !== '' && iteration !== '',
  );
  check(
    'at least 3 bead commits with trailers',
    ofBeads.length >= 3,
    `${String(ofBeads.length)} of ${String(commits.length)}`,
  );

  const after = checkoutState(repository);
  const changed = (['head', 'branch', 'index', 'status'] as const).filter(
    (key) => before[key] !== after[key],
  );
  check(
    "HEAD, index and status of the sample's own checkout are unchanged",
    changed.length === 0,
    changed.join(', '),
  );

  const journal = report?.journal;
  check(
    'the journal chain is valid',
    journal?.ok === true,
    journal?.ok === true ? `${String(journal.length)} entries` : JSON.stringify(journal),
  );

  checks.push(ledgerCheck(report?.ticket ?? 'the ticket', booked, requests));

  const real = requests.filter(({ userAgent }) => userAgent.startsWith('opencode/'));
  check('at least 30 requests came from OpenCode', real.length >= 30, real.length);

  const again = ofBeads.filter(({ iteration }) => iteration === '2');
  check('one bead took two iterations', again.length === 1, again.map(({ bead }) => bead).join(', '));
  const kept = again.map(({ ticket, bead }) => `refs/beadsmith/${ticket}/${bead}/1`);
  check(
    'its first iteration is kept',
    kept.length === 1 && kept.every((ref) => isCommit(repository, ref)),
    kept.join(', '),
  );

  const repaired = new Set(
    requests.filter(({ repair }) => repair).map(({ thread, session }) => session ?? thread),
  );
  check('one malformed answer was repaired in its session', repaired.size === 1, repaired.size);

  const audits = requests.filter(({ task }) => task === 'prd-coverage').length;
  const revisions = requests.filter(({ task }) => task === 'prd-revise').length;
  check(
    'the first audit of the PRD found a gap, the second one none',
    audits === 2 && revisions === 1,
    `${String(audits)} audits, ${String(revisions)} revision`,
  );

  const skipped = interview?.match(/\bskipped"?: *true/g)?.length ?? 0;
  check('one question of the interview was skipped', skipped === 1, skipped);

  const holes = matrix?.holes.map(({ text }) => text) ?? ['no matrix'];
  const isLinked = holes.length === 0 && (matrix?.criteria.length ?? 0) > 0;
  check(
    'every question, criterion and bead is linked',
    isLinked,
    isLinked ? `${String(matrix?.criteria.length)} criteria` : holes.join(' '),
  );

  const evidence = report?.evidence ?? [];
  const proved = ofBeads.every(({ bead }) =>
    evidence.some((one) => one.of === `bead ${bead}` && one.exitCode === 0),
  );
  check(
    'every bead has evidence of passing tests',
    ofBeads.length > 0 && proved,
    `${String(evidence.length)} commands`,
  );

  const location = report?.pullRequest?.location ?? '';
  check(
    'the pull request is a document',
    location !== '' && existsSync(location) && statSync(location).size > 100,
    location,
  );

  const worktree = report?.worktree ?? undefined;
  const tests = worktree === undefined ? { ok: false, detail: 'no worktree' } : runTests(worktree);
  check("the branch's tests pass when run by hand", tests.ok, tests.detail);
  check('the worktree is clean', worktree !== undefined && git(worktree, 'status', '--porcelain') === '');
  return checks;
}

function runTests(worktree: string): { readonly ok: boolean; readonly detail: string } {
  // Inside another test runner, Node's would report to that one.
  const env = { ...process.env };
  delete env['NODE_TEST_CONTEXT'];
  const { status, stdout } = spawnSync('npm', ['test', '--silent'], {
    cwd: worktree,
    env,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const passed = /(?:^|\n)(?:#|ℹ) pass (\d+)/.exec(stdout)?.[1];
  return {
    ok: status === 0 && Number(passed) > 0,
    detail: `${passed ?? 'no'} tests passed, exit ${String(status)}`,
  };
}

function isCommit(repository: string, ref: string): boolean {
  return (
    spawnSync('git', ['-C', repository, 'rev-parse', '--verify', '--quiet', `${ref}^{commit}`], {
      stdio: 'ignore',
    }).status === 0
  );
}

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
    ...checkLines(checks, facts.folder, seconds),
  ];
}

/** The last lines of every demo. */
export function checkLines(checks: readonly DemoCheck[], folder: string, seconds: number): readonly string[] {
  return [
    `Time          ${String(seconds)} s`,
    'Checks',
    ...checks.map(
      ({ ok, name, detail }) => `  ${ok ? '✔' : '✘'} ${name}${detail === '' ? '' : `: ${detail}`}`,
    ),
    `\nEverything is in ${folder}`,
  ];
}
