import * as z from 'zod';
import { raced } from '../../base/raced.ts';
import { ForgePullRequestReport, PullRequestReport } from '../../domain/beads/reports.ts';
import { BeadsmithError, errorRecord } from '../../domain/core/errors.ts';
import {
  type CheckRound,
  CheckRounds,
  nextAnswer,
  roundsWithoutPerson,
  unpushedFix,
} from '../../domain/forge/checkRounds.ts';
import { changeOfCheck, type FailedCheck, ownFailures } from '../../domain/forge/failedCheck.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { RecordIo, Run, StepIo } from '../../engine/run/run.ts';
import { artifactChange, isoNow, say, storedJson, type StoreIo } from '../shared/ticket/artifacts.ts';
import { fileSeen, type Seen, seePullRequest } from './checkPullRequest.ts';
import { forgeAttempt } from './forgeAttempt.ts';
import { planPublishing, publish, type PublishWish } from './publish.ts';

/** `stay`: the gate stays open. */
type Answer = 'changes' | 'stay';

/** The person's wish: what failed is filed as requested changes. Throws the forge's errors. */
export async function fixChecks(
  io: StepIo,
  ticket: TicketSnapshot,
  report: PullRequestReport,
  request: string,
): Promise<Answer> {
  const seen = await seenRed(io, ticket, report);
  fileSeen(io, seen);
  await saveFix(io, ticket, seen, { by: 'person', request });
  return 'changes';
}

/** The person's wish. Throws the forge's errors. */
export async function rerunChecks(
  io: StepIo,
  ticket: TicketSnapshot,
  report: PullRequestReport,
  request: string,
): Promise<Answer> {
  const seen = await seenRed(io, ticket, report);
  const round = { by: 'person', request } as const;
  fileSeen(io, await rerun(io, ticket, report, { seen, checks: seen.failures, round }));
  return 'stay';
}

/**
 * Files what was seen, and answers failed checks as the person's setting says
 * (docs/decisions/211-checks-come-back.md).
 */
export async function answerBySetting(
  io: StepIo,
  ticket: TicketSnapshot,
  report: PullRequestReport,
  { seen, request }: { readonly seen: Seen; readonly request: string },
): Promise<Answer> {
  const filed = await storedJson(io, 'forge_pull_request', ForgePullRequestReport);
  const mayAct = io.ports.failedChecks?.() === 'auto' && seen.isOurs && isConfirmed(filed);
  const { rounds } = await storedRounds(io);
  const next = mayAct ? nextAnswer(seen.look, seen.failures, rounds, io.ports.clock.now()) : 'wait';
  const round = { by: 'setting', request } as const;
  if (next === 'rerun') {
    const checks = ownFailures(seen.failures);
    const started = await forgeAttempt(io, () => rerun(io, ticket, report, { seen, checks, round }));
    if (started.ok) {
      fileSeen(io, started.value);
      return 'stay';
    }
    if (started.refused.code !== 'FORGE_REFUSED') throw started.refused;
    say(io, `The failed checks can't be run again. ${started.refused.message}`);
  }
  if (next === 'fix' || next === 'rerun') {
    fileSeen(io, seen);
    await saveFix(io, ticket, seen, round);
    return 'changes';
  }
  const { location } = seen.look;
  const count = roundsWithoutPerson(rounds);
  const news = new BeadsmithError('FORGE_CHECKS_FAIL', { location, count });
  fileSeen(io, next === 'person' ? { ...seen, news } : seen);
  return 'stay';
}

/**
 * Pushes a proved fix of failed checks to the pull request. The person confirmed the place when they
 * published the ticket, and the push with the fix or by their setting. What is refused becomes news for them.
 */
export async function pushFix(run: Run, ticket: TicketSnapshot): Promise<void> {
  if (!('check_rounds' in ticket.artifacts)) return;
  const Due = z.object({ repository: z.string(), pushTo: z.string(), request: z.string() }).nullable();
  const due = await run.record('fix', Due, async (io) => {
    const filed = await storedJson(io, 'forge_pull_request', ForgePullRequestReport);
    const report = await storedJson(io, 'pull_request_report', PullRequestReport);
    const round = report && unpushedFix((await storedRounds(io)).rounds, report.candidate);
    if (!round || !isConfirmed(filed)) return null;
    const { repository, pushTo } = filed;
    return { repository, pushTo, request: round.request };
  });
  if (!due) return;
  const wish: PublishWish = { ...due, remote: '', labels: '', reviewers: '', draft: false };
  const acts = [
    ['plan:fix', planPublishing],
    ['outcome:fix', publish],
  ] as const;
  for (const [key, act] of acts) {
    const isDone = await run.step(key, z.boolean(), async (io) => {
      const report = await storedJson(io, 'pull_request_report', PullRequestReport);
      if (!report) throw new BeadsmithError('PULL_REQUEST_FAILED', { reason: 'there is no text for it.' });
      const done = await forgeAttempt(io, () => raced(io.signal, act(io, ticket, report, wish)));
      if (done.ok && act !== publish) return true;
      await endFix(io, ticket, done.ok ? 'pushed' : 'refused');
      if (done.ok) return true;
      const forge = (await io.ports.store.ticket(ticket.id))?.forge;
      if (forge) io.save({ type: 'ticket', set: { forge: { ...forge, news: errorRecord(done.refused) } } });
      say(io, `The fix of the failed checks wasn't pushed. ${done.refused.message}`);
      return false;
    });
    if (!isDone) return;
  }
}

/** The pull request as it is now, with failed checks of what the ticket proposes. */
async function seenRed(io: StepIo, ticket: TicketSnapshot, report: PullRequestReport): Promise<Seen> {
  const seen = await seePullRequest(io, ticket, report);
  if (!seen.isOurs && seen.news) throw seen.news;
  if (seen.isOurs && seen.failures.length > 0) return seen;
  throw new BeadsmithError('FORGE_REFUSED', {
    host: seen.host,
    reason: 'no check of the latest commit has failed.',
    remedy: 'Check the pull request.',
  });
}

async function rerun(
  io: StepIo,
  ticket: TicketSnapshot,
  report: PullRequestReport,
  {
    seen,
    checks,
    round,
  }: {
    readonly seen: Seen;
    readonly checks: readonly FailedCheck[];
    readonly round: Pick<CheckRound, 'by' | 'request'>;
  },
): Promise<Seen> {
  const again = checks.filter(({ id }) => id !== null);
  const runs = again.flatMap(({ id }) => id ?? []);
  if (runs.length === 0)
    throw new BeadsmithError('FORGE_REFUSED', {
      host: seen.host,
      reason: "these checks aren't GitHub's own, and can't be run again from here.",
      remedy: 'Run them again where they ran.',
    });
  const { commit } = seen.look.head;
  await io.fence();
  await seen.forge.rerun({ commit, runs, signal: io.signal });
  say(io, `The failed checks run again on GitHub: ${again.map(({ name }) => name).join(', ')}.`);
  await saveRound(io, ticket, { kind: 'rerun', ...round, commit, checks: again });
  return seePullRequest(io, ticket, report);
}

async function saveFix(
  io: StepIo,
  ticket: TicketSnapshot,
  { failures, look }: Seen,
  round: Pick<CheckRound, 'by' | 'request'>,
): Promise<void> {
  const own = ownFailures(failures);
  const checks = own.length > 0 ? own : failures;
  const items = checks.map((check) => ({ text: changeOfCheck(check) }));
  io.save(artifactChange(ticket, 'changes_requested', { items }));
  await saveRound(io, ticket, { kind: 'fix', ...round, commit: look.head.commit, checks });
}

/** A place that the person confirmed when they published the ticket. */
function isConfirmed(
  filed: ForgePullRequestReport | undefined,
): filed is ForgePullRequestReport & { readonly pushTo: string } {
  return filed !== undefined && filed.number !== null && filed.pushTo !== null;
}

async function storedRounds(io: StoreIo): Promise<CheckRounds> {
  return (await storedJson(io, 'check_rounds', CheckRounds)) ?? { schema_version: 1, rounds: [] };
}

async function saveRound(
  io: RecordIo,
  ticket: TicketSnapshot,
  {
    checks,
    ...round
  }: Pick<CheckRound, 'kind' | 'by' | 'request' | 'commit'> & { readonly checks: readonly FailedCheck[] },
): Promise<void> {
  const { rounds } = await storedRounds(io);
  const added: CheckRound = {
    ...round,
    at: isoNow(io),
    checks: checks.map(({ name }) => name),
    runs: checks.flatMap(({ id }) => id ?? []),
    end: null,
  };
  const all: CheckRounds = { schema_version: 1, rounds: [...rounds, added] };
  io.save(artifactChange(ticket, 'check_rounds', all));
}

async function endFix(io: RecordIo, ticket: TicketSnapshot, end: 'pushed' | 'refused'): Promise<void> {
  const { rounds } = await storedRounds(io);
  const last = rounds.at(-1);
  if (!last) return;
  const all: CheckRounds = { schema_version: 1, rounds: [...rounds.slice(0, -1), { ...last, end }] };
  io.save(artifactChange(ticket, 'check_rounds', all));
}
