import * as z from 'zod';
import { raced } from '../../base/raced.ts';
import { ForgePullRequestReport, PullRequestReport } from '../../domain/beads/reports.ts';
import { BeadsmithError, errorRecord } from '../../domain/core/errors.ts';
import { CommitSha } from '../../domain/core/ids.ts';
import {
  type CheckRound,
  CheckRounds,
  isFixable,
  nextAnswer,
  openFix,
  roundsWithoutPerson,
} from '../../domain/forge/checkRounds.ts';
import { changeOfCheck, type FailedCheck, ownFailures } from '../../domain/forge/failedCheck.ts';
import { changesProposal } from '../../domain/ticket/changesProposal.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import { because } from '../../domain/forge/forgeReasons.ts';
import type { RemoteForge } from '../../engine/ports/ports.ts';
import type { RecordIo, Run, StepIo } from '../../engine/run/run.ts';
import { artifactChange, isoNow, say, storedJson, type StoreIo } from '../shared/ticket/artifacts.ts';
import { forgeOf } from '../shared/forgeOf.ts';
import { fileSeen, proposedPullRequest, type Seen, seePullRequest } from './checkPullRequest.ts';
import { forgeAttempt } from './forgeAttempt.ts';
import { planPublishing, publish, type PublishWish } from './publish.ts';

/** `stay`: the gate stays open. */
type Answer = 'changes' | 'stay';

/** The side that asked for a round, and its entry. */
type Asked = Pick<CheckRound, 'by' | 'request'>;

/** Checks that run again. Noted before, so that an interrupted step doesn't have them run twice. */
const Rerun = z.object({ commit: CommitSha, runs: z.array(z.number().int()), checks: z.array(z.string()) });
type Rerun = z.infer<typeof Rerun>;

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
  const asked = { by: 'person', request } as const;
  if (await resumedRerun(io, ticket, asked)) return 'stay';
  const seen = await seenRed(io, ticket, report);
  await rerun(io, ticket, { seen, checks: seen.failures, asked });
  await fileAgain(io, ticket, report, seen);
  return 'stay';
}

/**
 * Files the rerun that an interrupted attempt of this step began, if any. The next check shows its result.
 * False also if the forge refuses it.
 */
export async function resumedRerun(io: StepIo, ticket: TicketSnapshot, asked: Asked): Promise<boolean> {
  const begun = io.earlier.flatMap((note) => Rerun.safeParse(note).data ?? []).at(-1);
  const filed = begun && (await storedJson(io, 'forge_pull_request', ForgePullRequestReport));
  if (!filed) return false;
  const done = await forgeAttempt(io, async () => {
    await runAgain(io, await forgeOf(io.ports.forges, filed.repository), begun);
  });
  if (!done.ok && done.refused.code === 'FORGE_REFUSED') return false;
  await saveRound(io, ticket, { kind: 'rerun', ...asked, ...begun });
  return true;
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
  const mayAct = io.ports.github?.().failedChecks === 'auto' && seen.isOurs && isConfirmed(filed);
  const { rounds } = await storedRounds(io);
  const next = mayAct ? nextAnswer(seen.look, seen.failures, rounds, io.ports.clock.now()) : 'wait';
  const asked = { by: 'setting', request } as const;
  if (next === 'rerun') {
    const checks = ownFailures(seen.failures);
    const started = await forgeAttempt(io, () => rerun(io, ticket, { seen, checks, asked }));
    if (started.ok) {
      await fileAgain(io, ticket, report, seen);
      return 'stay';
    }
    const { code, diagnostics } = started.refused;
    if (code !== 'FORGE_REFUSED' || 'waitMs' in diagnostics) {
      // The watch has it tried again later.
      fileSeen(io, seen);
      throw started.refused;
    }
    say(io, `The failed checks can't be run again. ${started.refused.message}`);
  }
  const isFixed = next === 'fix' || (next === 'rerun' && ownFailures(seen.failures).some(isFixable));
  if (isFixed) {
    fileSeen(io, seen);
    await saveFix(io, ticket, seen, asked);
    return 'changes';
  }
  const { location } = seen.look;
  const count = roundsWithoutPerson(rounds);
  const news = new BeadsmithError('FORGE_CHECKS_FAIL', { location, count });
  fileSeen(io, next === 'wait' ? seen : { ...seen, news });
  return 'stay';
}

/**
 * Pushes a proved fix of failed checks to the pull request. The person confirmed the place when they
 * published the ticket, and the push with the fix or by their setting. What is refused becomes news for them.
 * A fix that changed nothing, or isn't alone any more, ends here.
 */
export async function pushFix(run: Run, ticket: TicketSnapshot): Promise<void> {
  if (!('check_rounds' in ticket.artifacts)) return;
  const Due = z.object({ repository: z.string(), pushTo: z.string(), request: z.string() }).nullable();
  const due = await run.record('fix', Due, async (io) => {
    const filed = await storedJson(io, 'forge_pull_request', ForgePullRequestReport);
    const report = await storedJson(io, 'pull_request_report', PullRequestReport);
    const round = openFix((await storedRounds(io)).rounds);
    if (!report || !round) return null;
    const { request, commit } = round;
    if (!isConfirmed(filed)) return dropFix(io, ticket, 'nobody confirmed where it goes.');
    if (commit === report.candidate) return dropFix(io, ticket, 'it changed nothing.');
    const entries = await io.ports.store.inbox(ticket.id);
    const later = entries.slice(entries.findIndex(({ id }) => id === request) + 1);
    if (later.some(changesProposal))
      return dropFix(io, ticket, `other changes were made since. ${publishYourself}`);
    const { repository, pushTo } = filed;
    return { repository, pushTo, request };
  });
  if (!due) return;
  const wish: PublishWish = {
    ...due,
    isUpdate: true,
    remote: '',
    labels: '',
    reviewers: '',
    draft: false,
  };
  const acts = [
    ['plan:fix', planPublishing],
    ['outcome:fix', publish],
  ] as const;
  for (const [key, act] of acts) {
    const isDone = await run.step(key, z.boolean(), async (io) => {
      const report = await proposedPullRequest(io);
      const isBySetting = openFix((await storedRounds(io)).rounds)?.by === 'setting';
      if (isBySetting && io.ports.github?.().failedChecks !== 'auto') {
        await dropFix(io, ticket, `failed checks are no longer answered without you. ${publishYourself}`);
        return false;
      }
      const done = await forgeAttempt(io, () => raced<unknown>(io.signal, act(io, ticket, report, wish)));
      if (done.ok && act !== publish) return true;
      const refusal = done.ok ? null : errorRecord(done.refused);
      await endFix(io, ticket, { end: done.ok ? 'pushed' : 'refused', refusal });
      if (done.ok) return true;
      const forge = (await io.ports.store.ticket(ticket.id))?.forge;
      if (forge) io.save({ type: 'ticket', set: { forge: { ...forge, news: refusal } } });
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
  if (seen.unread) throw seen.unread;
  if (seen.isOurs && seen.failures.length > 0) return seen;
  throw new BeadsmithError('FORGE_REFUSED', { host: seen.host, ...because('noFailedCheck') });
}

async function rerun(
  io: StepIo,
  ticket: TicketSnapshot,
  {
    seen,
    checks,
    asked,
  }: { readonly seen: Seen; readonly checks: readonly FailedCheck[]; readonly asked: Asked },
): Promise<void> {
  const again = checks.filter(({ id }) => id !== null);
  const runs = again.flatMap(({ id }) => id ?? []);
  if (runs.length === 0)
    throw new BeadsmithError('FORGE_REFUSED', { host: seen.host, ...because('notOfGitHub') });
  const begun: Rerun = { commit: seen.look.head.commit, runs, checks: again.map(({ name }) => name) };
  await io.note(begun);
  await runAgain(io, seen.forge, begun);
  await saveRound(io, ticket, { kind: 'rerun', ...asked, ...begun });
}

async function runAgain(io: StepIo, forge: RemoteForge, { commit, runs, checks }: Rerun): Promise<void> {
  await io.fence();
  await forge.rerun({ commit, runs, signal: io.signal });
  say(io, `The failed checks run again on GitHub: ${checks.join(', ')}.`);
}

/** As it is after the rerun, which stands also if that can't be seen now. */
async function fileAgain(
  io: StepIo,
  ticket: TicketSnapshot,
  report: PullRequestReport,
  before: Seen,
): Promise<void> {
  const after = await forgeAttempt(io, () => seePullRequest(io, ticket, report));
  fileSeen(io, after.ok ? after.value : before);
}

async function saveFix(
  io: StepIo,
  ticket: TicketSnapshot,
  { failures, look }: Seen,
  asked: Asked,
): Promise<void> {
  const own = ownFailures(failures).filter((check) => asked.by === 'person' || isFixable(check));
  const checks = own.length > 0 ? own : failures;
  const items = checks.map((check) => ({ text: changeOfCheck(check) }));
  io.save(artifactChange(ticket, 'changes_requested', { items }));
  await saveRound(io, ticket, {
    kind: 'fix',
    ...asked,
    commit: look.head.commit,
    checks: checks.map(({ name }) => name),
    runs: checks.flatMap(({ id }) => id ?? []),
  });
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
  round: Omit<CheckRound, 'at' | 'end' | 'refusal'>,
): Promise<void> {
  const { rounds } = await storedRounds(io);
  const added: CheckRound = { ...round, at: isoNow(io), end: null, refusal: null };
  const all: CheckRounds = { schema_version: 1, rounds: [...rounds, added] };
  io.save(artifactChange(ticket, 'check_rounds', all));
}

const publishYourself = 'Update the pull request yourself.';

/** Nothing was refused: a person publishes it, if there is something. */
async function dropFix(io: RecordIo, ticket: TicketSnapshot, reason: string): Promise<null> {
  await endFix(io, ticket, { end: 'dropped', refusal: null });
  say(io, `The fix of the failed checks wasn't pushed: ${reason}`);
  return null;
}

async function endFix(
  io: RecordIo,
  ticket: TicketSnapshot,
  ended: Pick<CheckRound, 'end' | 'refusal'>,
): Promise<void> {
  const { rounds } = await storedRounds(io);
  const last = rounds.at(-1);
  if (!last) return;
  const all: CheckRounds = { schema_version: 1, rounds: [...rounds.slice(0, -1), { ...last, ...ended }] };
  io.save(artifactChange(ticket, 'check_rounds', all));
}
