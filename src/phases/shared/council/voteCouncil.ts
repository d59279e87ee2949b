import * as z from 'zod';
import type { Section } from '../../../context/sections.ts';
import type { CouncilDraft, CouncilVote } from '../../../domain/council/council.ts';
import { CouncilVotes, CouncilWinner, DraftScore } from '../../../domain/council/council.ts';
import { markQuotes } from '../../../domain/council/quotes.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { councilOf, timeoutMs } from '../../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Domain } from '../../../domain/documents/documents.ts';
import type { HandlerDefinition, Run, RecordIo } from '../../../engine/run/run.ts';
import { yamlText } from '../ticket/artifacts.ts';
import { ask } from '../ask/ask.ts';
import { ticketParts } from '../ticket/ticketParts.ts';
import { parseBallot, shuffle } from './ballots.ts';
import { checkDrafts, checksText, type DraftChecks } from './checkDrafts.ts';
import { validDrafts } from './drafts.ts';
import { domainOf, fewerThanWanted, memberOutcome, quorumOf, tellFewer } from './runCouncil.ts';
import { branchName, sideBySide } from './sideBySide.ts';
import { tally } from './tally.ts';

/**
 * COUNCIL_VOTING_*: every member scores the drafts of the others without knowing whose they are, each in an
 * order of its own that is kept with its vote (docs/decisions/019-council-voting.md). With one valid draft
 * there is nothing to vote on, which is recorded too.
 */
export const voteCouncil: HandlerDefinition<'winner'> = {
  version: 2,
  run: async (run, ticket) => {
    const { settings } = ticketParts(ticket);
    const domain = domainOf(ticket.status);
    const drafters = await run.record('drafts', z.array(z.string()), async (io) =>
      (await validDrafts(io, domain)).map((draft) => draft.member),
    );
    const voters = drafters.length > 1 ? councilOf(settings) : [];
    const checks = await checkDrafts(run, ticket, domain);
    const votes = await collectVotes(run, ticket, domain, { voters, drafters, checks });
    const cast = votes.filter((vote) => vote.outcome === 'completed').length;
    const needed = voters.length === 0 ? 0 : quorumOf(settings);
    await run.record('record-votes', z.null(), async (io) => {
      const place = { status: ticket.status, attempt: ticket.attempt };
      const fewer = fewerThanWanted(
        settings,
        voters.length === 0 ? drafters.length : Math.min(drafters.length, cast),
      );
      if (voters.length > 0) tellFewer(io, ticket, cast, 'vote');
      const marked = withMarks(votes, await validDrafts(io, domain));
      const content = yamlText(CouncilVotes.parse({ schema_version: 1, votes: marked, checks, fewer }));
      io.save({ type: 'artifact', artifact: `${domain}_votes`, content, ...place });
      if (cast < needed) return null;
      const winner = CouncilWinner.parse(tally(drafters, votes, settings.mainImplementer));
      io.save({ type: 'artifact', artifact: `${domain}_winner`, content: yamlText(winner), ...place });
      return null;
    });
    if (cast < needed) {
      const reasons = votes
        .filter((vote) => vote.error !== null)
        .map((vote) => `${vote.voter}: ${vote.error ?? ''}`);
      const timedOut = votes.some(({ outcome }) => outcome === 'timed_out');
      const args = { valid: cast, needed, what: 'vote', reasons: reasons.join(' · ') };
      throw new BeadsmithError('QUORUM_NOT_MET', args, { diagnostics: { timedOut } });
    }
    return { exit: 'winner' };
  },
};

async function collectVotes(
  run: Run,
  ticket: TicketSnapshot,
  domain: Domain,
  {
    voters,
    drafters,
    checks,
  }: {
    readonly voters: readonly string[];
    readonly drafters: readonly string[];
    readonly checks: DraftChecks;
  },
): Promise<readonly CouncilVote[]> {
  const orders = voters.map((voter) => orderFor(voter, drafters, run.id(`order:${voter}`)));
  const settled = await sideBySide(
    run,
    voters.map((member, index) => ({ member, index })),
    (branch, voter, index) => {
      const order = orders[index] ?? [];
      const sections = [{ name: 'draft_checks', content: checksText(checks, order) }] as const;
      return askForVote(branch, ticket, domain, { voter, order, sections });
    },
  );
  return voters.map((voter, index) => {
    const result = settled[branchName(index)];
    const order = [...(orders[index] ?? [])];
    if (result?.ok) return { voter, outcome: 'completed', order, scores: result.value, error: null };
    return { voter, order, scores: {}, ...memberOutcome(result?.error) };
  });
}

/**
 * Reasons that quote nothing of their draft are marked: they count, and a reader sees what nobody could
 * check.
 */
function withMarks(votes: readonly CouncilVote[], drafts: readonly CouncilDraft[]): readonly CouncilVote[] {
  const contents = new Map(drafts.map(({ member, content }) => [member, content]));
  return votes.map((vote) => {
    const scores = Object.entries(vote.scores).map(
      ([member, score]) => [member, markQuotes(score, contents.get(member) ?? '')] as const,
    );
    return { ...vote, scores: Object.fromEntries(scores) };
  });
}

/**
 * Nobody scores its own draft when enough others can. Of two drafts every member scores both: only then is it
 * known how harsh a voter is.
 */
function orderFor(voter: string, drafters: readonly string[], seed: string): readonly string[] {
  return shuffle(
    drafters.filter((drafter) => drafter !== voter || drafters.length === 2),
    seed,
  );
}

async function askForVote(
  run: Run,
  ticket: TicketSnapshot,
  domain: Domain,
  {
    voter,
    order,
    sections,
  }: { readonly voter: string; readonly order: readonly string[]; readonly sections: readonly Section[] },
): Promise<CouncilVote['scores']> {
  const answer = await ask(run, ticket, {
    key: 'vote',
    contextKey: `${domain}_vote`,
    prompt: `${domain}-vote`,
    member: voter,
    sections,
    state: async (io) => ({ drafts: await textsOf(io, domain, order) }),
    parse: parseBallot(order),
    result: z.record(z.string(), DraftScore),
    activeMs: timeoutMs(run.limits.councilResponseTimeout),
    onProviderFailure: 'member',
  });
  return answer.value;
}

async function textsOf(io: RecordIo, domain: Domain, order: readonly string[]): Promise<readonly string[]> {
  const drafts = await validDrafts(io, domain);
  return order.map((member) => drafts.find((draft) => draft.member === member)?.content ?? '');
}
