import * as z from 'zod';
import type { Section } from '../../../context/sections.ts';
import {
  type CouncilDraft,
  type CouncilVote,
  CouncilVotes,
  CouncilWinner,
  DraftScore,
  scoreSum,
  VoteBallot,
  voteCategories,
} from '../../../domain/council/council.ts';
import { markQuotes } from '../../../domain/council/quotes.ts';
import { councilOf, timeoutMs } from '../../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Domain } from '../../../domain/documents/workDocuments.ts';
import type { HandlerDefinition, Run, RecordIo } from '../../../engine/run/run.ts';
import { artifactChange, yamlText } from '../ticket/artifacts.ts';
import { ask } from '../ask/ask.ts';
import { ticketParts } from '../ticket/ticketParts.ts';
import { askPanel } from './askPanel.ts';
import { checkDrafts, checksText, type DraftChecks, validDrafts } from './drafts.ts';
import {
  domainOf,
  fewerThanWanted,
  memberOutcome,
  quorumNotMet,
  quorumOf,
  tellFewer,
  voicesOf,
} from './runCouncil.ts';
import { fitVotes } from '../../../domain/council/fit.ts';
import { isRecord } from '../../../base/json.ts';
import { draftLabel, draftPlace } from '../../../domain/council/labels.ts';
import { type Parsed, parsedAs } from '../structured/askTypes.ts';
import { parseStructured } from '../structured/parseStructured.ts';

/** COUNCIL_VOTING_*: members score the drafts of the others without knowing whose they are. */
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
      const fewer = fewerThanWanted(
        settings,
        voters.length === 0 ? drafters.length : Math.min(drafters.length, cast),
      );
      if (voters.length > 0) tellFewer(io, ticket, cast, 'vote');
      const marked = withMarks(votes, await validDrafts(io, domain));
      const content = yamlText(CouncilVotes.parse({ schema_version: 1, votes: marked, checks, fewer }));
      io.save(artifactChange(ticket, `${domain}_votes`, content));
      if (cast < needed) return null;
      const winner = CouncilWinner.parse(tally(drafters, votes, settings.mainImplementer));
      io.save(artifactChange(ticket, `${domain}_winner`, yamlText(winner)));
      return null;
    });
    if (cast < needed) {
      const answers = votes.map(({ voter: member, outcome, error }) => ({ member, outcome, error }));
      throw quorumNotMet({ valid: cast, needed, what: 'vote' }, answers);
    }
    return { exit: 'winner' };
  },
};

async function collectVotes(
  run: Run,
  ticket: TicketSnapshot,
  domain: Domain,
  council: {
    readonly voters: readonly string[];
    readonly drafters: readonly string[];
    readonly checks: DraftChecks;
  },
): Promise<readonly CouncilVote[]> {
  const { voters, drafters, checks } = council;
  const voices = voicesOf(voters).map((voice) => {
    return { ...voice, order: [...orderFor(voice.member, drafters, run.id(`order:${voice.member}`))] };
  });
  const { answers, missing } = await askPanel(run, voices, (branch, { member: voter, order }) => {
    const sections = [{ name: 'draft_checks', content: checksText(checks, order) }] as const;
    return askForVote(branch, ticket, domain, { voter, order, sections });
  });
  const all: readonly CouncilVote[] = [
    ...answers.map(({ voice: { member: voter, order }, answer: scores }) => {
      return { voter, outcome: 'completed' as const, order, scores, error: null };
    }),
    ...missing.map(({ voice: { member: voter, order }, error }) => {
      return { voter, order, scores: {}, ...memberOutcome(error) };
    }),
  ];
  return voters.flatMap((voter) => all.filter((vote) => vote.voter === voter));
}

/** Marks reasons that quote nothing of their draft: they count, and nobody could check them. */
function withMarks(votes: readonly CouncilVote[], drafts: readonly CouncilDraft[]): readonly CouncilVote[] {
  const contents = new Map(drafts.map(({ member, content }) => [member, content]));
  return votes.map((vote) => {
    const scores = Object.entries(vote.scores).map(
      ([member, score]) => [member, markQuotes(score, contents.get(member) ?? '')] as const,
    );
    return { ...vote, scores: Object.fromEntries(scores) };
  });
}

/** Nobody scores its own draft, except of two: only then is it known how harsh a voter is. */
function orderFor(voter: string, drafters: readonly string[], seed: string): readonly string[] {
  const scored = drafters.filter((drafter) => drafter !== voter || drafters.length === 2);
  return shuffle(scored, seed);
}

async function askForVote(
  run: Run,
  ticket: TicketSnapshot,
  domain: Domain,
  ballot: Pick<CouncilVote, 'voter'> & {
    readonly order: readonly string[];
    readonly sections: readonly Section[];
  },
): Promise<CouncilVote['scores']> {
  const answer = await ask(run, ticket, {
    key: 'vote',
    contextKey: `${domain}_vote`,
    prompt: `${domain}-vote`,
    member: ballot.voter,
    sections: ballot.sections,
    state: async (io) => ({ drafts: await textsOf(io, domain, ballot.order) }),
    parse: parseBallot(ballot.order),
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

/**
 * Counts a vote (docs/decisions/019-council-voting.md): worth and harshness are what fits all sums best, so
 * that no draft wins because the harshest voter wrote it. A draft nobody scored has 0.
 */
export function tally(
  members: readonly string[],
  votes: readonly CouncilVote[],
  mainImplementer: string,
): CouncilWinner {
  const sums = votes.flatMap(({ voter, scores }) =>
    Object.entries(scores).map(([draft, score]) => ({ voter, draft, sum: scoreSum(score) })),
  );
  const { worth } = fitVotes(sums);
  const totals = Object.fromEntries(members.map((member) => [member, rounded(worth.get(member) ?? 0)]));
  const best = Math.max(...Object.values(totals));
  const first = members.filter((member) => totals[member] === best);
  const winner = first.includes(mainImplementer) ? mainImplementer : (first[0] ?? mainImplementer);
  return { schema_version: 1, winner, totals, tie: first.length > 1 };
}

/** 0 to 100, to a tenth: finer differences are noise of the fit. */
function rounded(total: number): number {
  return Math.min(100, Math.max(0, Math.round(10 * total) / 10));
}

type Written = z.infer<typeof VoteBallot>['draft_scores'][string];

/** Answers the scores by member. */
export function parseBallot(order: readonly string[]): (text: string) => Parsed<CouncilVote['scores']> {
  const read = parseStructured({
    schema: VoteBallot,
    check: (ballot) => problemOf(Object.keys(ballot.draft_scores), order.length),
  });
  return (text) =>
    parsedAs(read(text), ({ draft_scores }) => {
      const entries = Object.entries(draft_scores).filter(([, score]) => isRecord(score));
      return Object.fromEntries(
        entries.map(([label, score]) => [order[draftPlace(label) ?? -1] ?? '', scoreOf(score)]),
      );
    });
}

function scoreOf(written: Written): DraftScore {
  const reasons = voteCategories.flatMap((category) => {
    const score = written[category];
    const given = [written.reasons?.[category] ?? '', typeof score === 'object' ? (score.reason ?? '') : ''];
    const text = given.filter((reason) => reason.trim() !== '').join(' ');
    return text === '' ? [] : [[category, text] as const];
  });
  return {
    coverage: points(written.coverage),
    correctness: points(written.correctness),
    testability: points(written.testability),
    decomposition: points(written.decomposition),
    risks: points(written.risks),
    reason: written.reason ?? '',
    ...(reasons.length === 0 ? {} : { reasons: Object.fromEntries(reasons) }),
  };
}

function points(written: Written['coverage']): number {
  return typeof written === 'object' ? written.score : written;
}

function problemOf(labels: readonly string[], drafts: number): string | undefined {
  const places = labels.map(draftPlace);
  const wanted = Array.from({ length: drafts }, (_, place) => place);
  const missing = wanted.filter((place) => !places.includes(place)).map(draftLabel);
  const odd = labels.filter((_, index) => !wanted.includes(places[index] ?? -1));
  if (missing.length > 0) return `draft_scores: no score for ${missing.join(', ')}.`;
  if (odd.length > 0) return `draft_scores: there is no ${odd.join(', ')}.`;
  return new Set(places).size === places.length ? undefined : 'draft_scores: a draft is scored twice.';
}

/** A copy in an order by the seed alone (at least 8 hex digits): Fisher-Yates over mulberry32. */
export function shuffle<T>(items: readonly T[], seed: string): T[] {
  let state = Number.parseInt(seed.slice(0, 8), 16) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const pick = Math.floor(next() * (last + 1));
    const [a, b] = [order[last], order[pick]];
    if (a === undefined || b === undefined) continue;
    order[last] = b;
    order[pick] = a;
  }
  return order;
}
