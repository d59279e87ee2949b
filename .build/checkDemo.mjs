// What must be true after the demo. demo.mjs runs it; each check says what it saw.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

export const cli = join(root, 'dist', 'cli.js');

/** What belongs to the user: where HEAD is, what the index holds, what status says. */
export function checkoutState(repository) {
  return {
    head: git(repository, 'rev-parse', 'HEAD'),
    branch: git(repository, 'symbolic-ref', 'HEAD'),
    index: git(repository, 'ls-files', '--stage'),
    status: git(repository, 'status', '--porcelain', '--untracked-files=all'),
  };
}

/** Everything the checks and the summary need, read through the command line tool, git and the request log. */
export async function gatherFacts({ folder, repository, log, base, before }) {
  const tickets = cliEvents(repository, 'list').filter((event) => event.type === 'ticket');
  const ticket = tickets[0]?.id;
  const report = ticket ? cliEvents(repository, 'show', ticket).find((event) => event.type === 'report') : undefined;
  const interview = ticket ? cliEvents(repository, 'show', ticket, 'interview').find((event) => event.type === 'document') : undefined;
  const requests = existsSync(log)
    ? readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
  return { folder, repository, log, base, before, report, interview, requests, commits: commitsOf(repository, base, report?.branch) };
}

/** @returns {Promise<{ name: string, ok: boolean, detail: string }[]>} */
export async function checkDemo(facts) {
  const { repository, requests, commits, report, before } = facts;
  const checks = [];
  const check = (name, ok, detail = '') => checks.push({ name, ok: Boolean(ok), detail: String(detail) });

  check('the ticket is COMPLETED', report?.status === 'COMPLETED', report?.status);

  const ofBeads = commits.filter(({ ticket, bead, iteration }) => ticket === report?.ticket && bead && iteration);
  check('at least 3 bead commits with trailers', ofBeads.length >= 3, `${ofBeads.length} of ${commits.length}`);

  const after = checkoutState(repository);
  const changed = Object.keys(before).filter((key) => before[key] !== after[key]);
  check("HEAD, index and status of the sample's own checkout are unchanged", changed.length === 0, changed.join(', '));

  check(
    'the journal chain is valid',
    report?.journal?.ok === true,
    report?.journal?.ok ? `${report.journal.length} entries` : JSON.stringify(report?.journal),
  );

  const real = requests.filter(({ userAgent }) => userAgent.startsWith('opencode/'));
  check('at least 30 requests came from OpenCode', real.length >= 30, real.length);

  const again = ofBeads.filter(({ iteration }) => iteration === '2');
  check('one bead took two iterations', again.length === 1, again.map(({ bead }) => bead).join(', '));
  const kept = again.map(({ bead }) => `refs/beadsmith/${report.ticket}/${bead}/1`);
  check(
    'its first iteration is kept',
    kept.length === 1 && tryGit(repository, 'rev-parse', '--verify', '--quiet', `${kept[0]}^{commit}`) !== undefined,
    kept.join(', '),
  );

  const repaired = new Set(requests.filter(({ repair }) => repair).map(({ thread, session }) => session ?? thread));
  check('one malformed answer was repaired in its session', repaired.size === 1, repaired.size);

  const audits = requests.filter(({ task }) => task === 'prd-coverage').length;
  const revisions = requests.filter(({ task }) => task === 'prd-revise').length;
  check(
    'the first audit of the PRD found a gap, the second one none',
    audits === 2 && revisions === 1,
    `${audits} audits, ${revisions} revision`,
  );

  const skipped = facts.interview?.content.match(/\bskipped"?: *true/g)?.length ?? 0;
  check('one question of the interview was skipped', skipped === 1, skipped);

  const evidence = report?.evidence ?? [];
  const proved = ofBeads.every(({ bead }) => evidence.some((one) => one.of === `bead ${bead}` && one.exitCode === 0));
  check('every bead has evidence of passing tests', ofBeads.length > 0 && proved, `${evidence.length} commands`);

  const location = report?.pullRequest?.location ?? '';
  check('the pull request is a document', location !== '' && existsSync(location) && statSync(location).size > 100, location);

  const tests = report?.worktree ? runTests(report.worktree) : { ok: false, detail: 'no worktree' };
  check("the branch's tests pass when run by hand", tests.ok, tests.detail);
  check('the worktree is clean', report?.worktree && git(report.worktree, 'status', '--porcelain') === '', '');
  return checks;
}

function runTests(worktree) {
  // Inside of another test runner Node's would report to that one.
  const env = { ...process.env };
  delete env['NODE_TEST_CONTEXT'];
  const { status, stdout } = spawnSync('npm', ['test', '--silent'], {
    cwd: worktree,
    env,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const count = (word) => /(?:^|\n)(?:#|ℹ) WORD (\d+)/.source.replace('WORD', word);
  const passed = new RegExp(count('pass')).exec(stdout)?.[1];
  return { ok: status === 0 && Number(passed) > 0, detail: `${passed ?? 'no'} tests passed, exit ${status}` };
}

/** Commits of the branch, oldest first, with the trailers that say which bead they are. */
function commitsOf(repository, base, branch) {
  if (!branch) return [];
  const trailer = (name) => `%(trailers:key=${name},valueonly,separator=%x20)`;
  const format = ['%H', '%s', trailer('Ticket'), trailer('Bead'), trailer('Iteration')].join('%x1f');
  const lines = git(repository, 'log', '--reverse', `--format=${format}`, `${base}..refs/heads/${branch}`).split('\n').filter(Boolean);
  return lines.map((line) => {
    const [sha, subject, ticket, bead, iteration] = line.split('\x1f');
    return { sha, subject, ticket, bead, iteration };
  });
}

/** The events that a command prints with --json. One that fails gives none: the checks then say what is missing. */
function cliEvents(repository, ...words) {
  const { stdout, status, stderr } = spawnSync(process.execPath, [cli, ...words, '--repo', repository, '--json'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) console.error(`beadsmith ${words.join(' ')} ended with ${status}: ${stderr.trim()}`);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

function git(folder, ...args) {
  // Without optional locks: a check must not refresh the index it reads.
  return execFileSync('git', ['-C', folder, ...args], {
    encoding: 'utf8',
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
    maxBuffer: 64 * 1024 * 1024,
  }).trim();
}

function tryGit(folder, ...args) {
  try {
    return git(folder, ...args);
  } catch {
    return undefined;
  }
}
