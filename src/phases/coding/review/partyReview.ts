import * as z from 'zod';
import { stillStanding } from '../../../domain/findings/checkClaims.ts';
import {
  BallotAnswer,
  Finding,
  Review,
  type ReviewAnswer,
  type Ballot,
} from '../../../domain/findings/finding.ts';
import {
  anonymous,
  decideFindings,
  mergeFindings,
  type Spoken,
  type Voted,
} from '../../../domain/findings/mergeFindings.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run } from '../../../engine/run/run.ts';
import { isoNow } from '../../shared/ticket/artifacts.ts';
import { ticketParts } from '../../shared/ticket/ticketParts.ts';
import { optionalPhase } from '../../shared/optionalPhase.ts';
import {
  partyNote,
  type PartyResult,
  runParty,
  skipRecords,
  speakersOf,
} from '../../shared/panel/runParty.ts';
import { reviewStep, voteStep } from '../../shared/worktree/sessions.ts';
import { notQuoted } from '../../shared/structured/notQuoted.ts';
import { parseStructured } from '../../shared/structured/parseStructured.ts';
import { confirmFindings, unprovedFixes } from './confirmFindings.ts';
import {
  findingText,
  addReview,
  checkedClaims,
  judgedTexts,
  placeOf,
  sectionsOf,
  type Work,
  reviewCall,
} from './reviewWork.ts';
import { type Note, noteSections, readNotes, settleNotes } from './reviewNotes.ts';
import { type Parsed, parsedAs } from '../../shared/structured/askTypes.ts';

const phase = 'party review';

/**
 * Lets personas review an iteration's work, each in a session that only reads
 * (docs/decisions/134-parties.md); in a second round each votes on every finding without knowing whose it is.
 * Throws if nobody answers.
 */
export async function partyReview(run: Run, ticket: TicketSnapshot, work: Work): Promise<Review> {
  const { bead, candidate, review: last } = work;
  const place = placeOf(work);
  const reviewed = { bead, candidate, limits: run.limits };
  const said = await readNotes(run, ticket, 'notes', work.bead);
  const party = await firstRound(run, ticket, work, said);
  const found = await run.step('claims', z.array(Finding), async (io) => {
    const spoken: Spoken[] = [];
    for (const { voice, answer } of party.answers) {
      const findings = await checkedClaims(io, ticket, work, answer.findings);
      spoken.push({ persona: voice.id, findings });
    }
    return [...(await confirmFindings(io, ticket, reviewed, mergeFindings(spoken, place)))];
  });
  const { votes, late } = await secondRound(run, ticket, work, { party, found, said });
  const review = await run.step('findings', Review, async (io) => {
    const voted = (votes?.answers ?? []).map(({ voice, answer }): Voted => {
      return { persona: voice.id, ballots: answer.ballots };
    });
    const decided = decideFindings(found, voted, { isSolo: party.mode === 'solo' });
    const standing = await unprovedFixes(io, ticket, reviewed, last?.findings ?? []);
    const missing = [...party.missing, ...(votes?.missing ?? [])];
    const note = partyNote({ ...party, missing });
    const review: Review = {
      ...place,
      reviewer: speakersOf(note),
      candidate,
      at: isoNow(io),
      checked: [...new Set(party.answers.flatMap(({ answer }) => answer.checked))],
      findings: [...stillStanding(decided, standing, place)],
      party: note,
    };
    const others = skipRecords(phase, bead, missing);
    await addReview(io, ticket, review, { kind: 'party_review', others });
    return review;
  });
  await settleNotes(run, [...said, ...late]);
  return review;
}

function firstRound(
  run: Run,
  ticket: TicketSnapshot,
  work: Work,
  said: readonly Note[],
): Promise<PartyResult<ReviewAnswer>> {
  const call = reviewCall(ticket, work);
  return runParty(run, ticket, {
    key: 'party',
    kind: 'review',
    phase,
    commit: () => work.candidate,
    call: {
      ...call,
      key: reviewStep,
      sections: async (io) => [...(await call.sections(io)), ...noteSections(said)],
    },
  });
}

/** `late`: notes since the first round that the voters got. */
async function secondRound(
  run: Run,
  ticket: TicketSnapshot,
  work: Work,
  first: {
    readonly party: PartyResult<ReviewAnswer>;
    readonly found: readonly Finding[];
    readonly said: readonly Note[];
  },
): Promise<{ readonly votes?: PartyResult<BallotAnswer> | undefined; readonly late: readonly Note[] }> {
  const { party, found, said } = first;
  const open = anonymous(found.filter(({ doubt, confirmed }) => doubt === null && !confirmed));
  if (
    ticketParts(ticket).settings.partyRounds < 2 ||
    party.mode === 'solo' ||
    party.answers.length < 2 ||
    open.length === 0
  )
    return { late: [] };
  const { bead } = work;
  // What people say while the first round works is for the second.
  const late = await readNotes(run, ticket, 'notes:votes', bead, said);
  const votes = await optionalPhase(run, ticket, { phase: 'party votes', bead }, () =>
    runParty(run, ticket, {
      key: 'votes',
      kind: 'review',
      phase,
      commit: () => work.candidate,
      only: party.answers.map(({ voice }) => voice.id),
      call: {
        ...reviewCall(ticket, work),
        key: voteStep,
        sections: async (io) => [...(await sectionsOf(io, ticket, work, open)), ...noteSections(late)],
        ...notQuoted(
          'party-vote',
          BallotAnswer,
          async (io) => [...(await judgedTexts(io, ticket, work)), ...open.map(findingText)],
          parseBallots(open.map(({ id }) => id)),
        ),
      },
    }),
  );
  return { votes, late: votes ? late : [] };
}

/** Reads ballots on findings, named by id or by place, as `Finding 1`. */
export function parseBallots(ids: readonly string[]): (text: string) => Parsed<BallotAnswer> {
  const read = parseStructured({
    schema: BallotAnswer,
    check: ({ ballots }) => {
      const odd = ballots
        .filter(({ finding }) => idOf(finding, ids) === undefined)
        .map(({ finding }) => finding.slice(0, 60));
      return odd.length === 0
        ? undefined
        : `ballots: there is no finding ${odd.slice(0, 5).join(', ')}. The findings are ${ids.join(', ')}.`;
    },
  });
  const named = (ballot: Ballot): Ballot => {
    return { ...ballot, finding: idOf(ballot.finding, ids) ?? ballot.finding };
  };
  return (text) => parsedAs(read(text), ({ ballots }) => ({ ballots: ballots.map(named) }));
}

function idOf(text: string, ids: readonly string[]): string | undefined {
  const bare = text.replaceAll(/^[\s`"'[(#]+|[\s`"'\])]+$/g, '');
  if (ids.includes(bare)) return bare;
  const [, place] = /^(?:finding|f|no|number)?[\s.#:-]*(\d{1,3})[.:]?$/i.exec(bare) ?? [];
  if (place !== undefined) return ids[Number(place) - 1];
  const words = new Set(bare.split(/[\s`"'[\](),]+/).map((word) => word.replace(/[:.;]+$/, '')));
  const found = ids.filter((id) => words.has(id));
  return found.length === 1 ? found[0] : undefined;
}
