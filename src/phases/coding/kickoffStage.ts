import * as z from 'zod';
import type { Section } from '../../context/sections.ts';
import type { Bead } from '../../domain/beads/bead.ts';
import {
  cutKickoff,
  type Kickoff,
  KickoffAnswer,
  kickoffText,
  mergeKickoffs,
} from '../../domain/beads/kickoff.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run, StepIo, StageHandler } from '../../engine/run/run.ts';
import { artifactChange, isoNow } from '../shared/ticket/artifacts.ts';
import { askForAgent } from '../shared/ask/askForAgent.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { optionalPhase } from '../shared/optionalPhase.ts';
import { partyNote, type PartyResult, runParty, skipRecords } from '../shared/panel/runParty.ts';
import { appendRecord } from '../shared/ticket/records.ts';
import { kickoffStep } from '../shared/worktree/sessions.ts';
import { notQuoted } from '../shared/structured/notQuoted.ts';
import { startOf } from './bead/proveCandidate.ts';
import { beadSections, plannedBead, recordsOf } from './bead/beadContext.ts';

const phase = 'kickoff';
/** Tokens of the insights in a coding prompt. The section's own cap is a little higher. */
const mostTokens = 780;

/**
 * Lets personas talk about a bead before its first iteration (docs/decisions/134-parties.md). Whatever goes
 * wrong, the bead is coded without them, and its records say why.
 */
export const kickoffStage: StageHandler<'kickoff'> = async (run, ticket, { bead }) => {
  if (bead.iteration > 1) return { exit: 'done', output: {} };
  const done = await optionalPhase(run, ticket, { phase, bead }, async () => {
    const party = await talk(run, ticket, bead);
    await keepInsights(run, ticket, bead, party);
    return true;
  });
  return { exit: done === true ? 'done' : 'skipped', output: {} };
};

function talk(run: Run, ticket: TicketSnapshot, bead: Bead): Promise<PartyResult<KickoffAnswer>> {
  return runParty(run, ticket, {
    key: 'party',
    kind: 'kickoff',
    phase,
    commit: () => startOf(bead),
    call: {
      key: kickoffStep,
      contextKey: 'kickoff',
      member: ticketParts(ticket).settings.mainImplementer,
      state: { beadData: plannedBead(bead) },
      sections: (io) => kickoffSections(io, ticket, bead),
      ...notQuoted('kickoff', KickoffAnswer, () =>
        Promise.resolve([bead.title, bead.description, ...bead.acceptanceCriteria]),
      ),
      bead,
    },
  });
}

/** None of these mentions attempts. */
async function kickoffSections(io: StepIo, ticket: TicketSnapshot, bead: Bead): Promise<readonly Section[]> {
  const needed = (await io.ports.store.beads(ticket.id)).filter(
    ({ id, status }) => status === 'done' && bead.dependencies.blocked_by.includes(id),
  );
  return [
    ...(await beadSections(io, ticket, bead, { commit: startOf(bead) })),
    { name: 'finished_beads', content: await recordsOf(io, needed) },
  ];
}

async function keepInsights(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  party: PartyResult<KickoffAnswer>,
): Promise<void> {
  const asked = party.answers.map(({ answer }) => answer.needs_human.trim());
  const questions = [...new Set(asked.filter((text) => text !== ''))];
  const answer = questions.length === 0 ? null : await askPerson(run, ticket, questions);
  await run.step('insights', z.null(), async (io) => {
    const open =
      answer === null ? questions.map((question) => `Open question, which nobody answered: ${question}`) : [];
    const merged = mergeKickoffs(party.answers.map(({ answer: said }) => said));
    const all = { ...merged, identified_risks: [...open, ...merged.identified_risks] };
    const answers = answer === null ? [] : [{ question: questions.join(' '), answer }];
    const points = await cutKickoff(
      all,
      async (some) => (await io.ports.tokens.count(kickoffText({ ...some, answers }))) <= mostTokens,
    );
    const kickoff: Kickoff = {
      schema_version: 1,
      bead: bead.id,
      date: isoNow(io),
      ...partyNote(party),
      ...points,
      answers,
    };
    io.save(artifactChange(ticket, `bead_kickoff:${bead.id}`, kickoff));
    const at = { bead: bead.id, iteration: bead.iteration };
    const others = skipRecords(phase, bead, party.missing);
    await appendRecord(io, ticket, ...others, { ...at, kind: 'kickoff', payload: kickoff });
    return null;
  });
}

/** A person's answer; null when nobody answers in time, or nobody is to be asked. */
function askPerson(run: Run, ticket: TicketSnapshot, questions: readonly string[]): Promise<string | null> {
  const { agentQuestions, mainImplementer: source } = ticketParts(ticket).settings;
  if (agentQuestions === 'deny') return Promise.resolve(null);
  return run.step('question', z.string().nullable(), async (io) => {
    const text = questions.join('\n\n');
    const content = {
      kind: 'question' as const,
      questions: [{ header: 'Kickoff', text, options: [], multiple: false, custom: true }],
    };
    const withdrawn = new AbortController().signal;
    const request = { asked: `${io.key}#kickoff`, content };
    const decision = await askForAgent(io, ticket, request, { source, bead: undefined, withdrawn });
    const words = decision?.kind === 'answers' ? decision.answers.flat().join(' ').trim() : '';
    return words === '' ? null : words.slice(0, 2_000);
  });
}
