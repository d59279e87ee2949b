import { addedContext, becauseOfContext } from '../party/partyScript.ts';
import { handedOn, handedOnUnmerged, invented, kickoffAdvice } from '../party/handedOn.ts';
import { buggyFilters } from '../party/reviewedBead.ts';
import { retryHint } from '../party/stuckBead.ts';
import type { DemoCheck } from './checkDemo.ts';
import { bookedOf, type DemoFacts, documentOf, git, readLog, statusOf } from './facts.ts';
import { isolationChecks } from './isolation.ts';
import { ledgerCheck } from './ledger.ts';
import { nextPlaces, nextTicketId } from './nextTicket.ts';
import { readBodies, type SentRequest } from './requestBodies.ts';

/**
 * Checks everything that must be true after the demo with `--party`, seen from outside: through the command
 * line, git, and the requests as they were sent.
 */
export function checkParty(facts: DemoFacts, cli: string): readonly DemoCheck[] {
  const bodies = readBodies(facts);
  const document = (kind: string): string =>
    documentOf(cli, facts.repository, facts.report?.ticket ?? '', kind);
  return [
    ...kickoffChecks(facts, bodies),
    ...reviewChecks(facts, bodies, document('review_findings')),
    failureCheck(facts, bodies, document('bead_records')),
    contextCheck(facts, bodies),
    handoffCheck(facts, cli, document('handoff_report')),
    ledgerCheck(
      nextTicketId,
      bookedOf(cli, facts.repository, nextTicketId),
      readLog(nextPlaces(facts.folder).log),
    ),
    ...isolationChecks(facts, bodies),
  ];
}

function kickoffChecks({ commits }: DemoFacts, bodies: readonly SentRequest[]): readonly DemoCheck[] {
  const beads = [...new Set(commits.map(({ bead }) => bead))].filter(Boolean);
  const coding = bodies.filter(({ task }) => task === 'coding');
  const discussed = beads.filter((bead) => sessionsOf(bodies, { task: 'kickoff', bead }).length > 1);
  return [
    {
      name: 'personas discussed each bead, and every coder was told their advice',
      ok:
        beads.length > 0 &&
        discussed.length === beads.length &&
        coding.every(({ text }) => text.includes(kickoffAdvice)),
      detail: `${String(discussed.length)} of ${String(beads.length)} beads`,
    },
  ];
}

function reviewChecks(
  { repository, report }: DemoFacts,
  bodies: readonly SentRequest[],
  findings: string,
): readonly DemoCheck[] {
  const bead = 'report-filters';
  const branch = report?.branch ?? 'HEAD';
  const proved = /confirmed: true/.test(findings) && /A maxQuantity of 0 filters nothing/.test(findings);
  const filters = git(repository, 'show', `${branch}:src/filterRows.js`);
  const test = git(repository, 'show', `${branch}:test/filterRows.test.js`);
  const reviewers = sessionsOf(bodies, { task: 'review', bead });
  const voters = sessionsOf(bodies, { task: 'party-vote', bead });
  const coders = new Set(sessionsOf(bodies, { task: 'coding', bead }));
  const fixers = sessionsOf(bodies, { task: 'fix', bead });
  return [
    {
      name: 'a review found a bug that the tests of its bead missed, and a failing test proved it',
      ok: proved && reviewers.length > 1 && voters.length > 1,
      detail: `${String(reviewers.length)} personas, ${String(voters.length)} votes`,
    },
    {
      name: 'the fix session repaired it, with that test',
      ok:
        filters !== buggyFilters.trim() &&
        /a quantity of 0 is a filter/.test(test) &&
        fixers.length > 0 &&
        !fixers.some((session) => coders.has(session)),
      detail: '',
    },
  ];
}

/**
 * The bead failed, was analysed, and its next session was told the hint; that session's work is what was
 * committed.
 */
function failureCheck({ commits }: DemoFacts, bodies: readonly SentRequest[], records: string): DemoCheck {
  const coding = bodies.filter(({ task, bead }) => task === 'coding' && bead === 'csv-encoder');
  const hinted = coding.filter(({ text }) => text.includes(retryHint));
  const untold = coding.filter(({ text }) => !text.includes(retryHint));
  const analysed = records
    .split('\n')
    .some((line) => line.includes('"failure_analysis"') && line.includes('csv-encoder'));
  const committed = commits.find(({ bead }) => bead === 'csv-encoder')?.iteration;
  return {
    name: 'a stuck bead was analyzed, and its next iteration succeeded with the hint',
    ok:
      analysed &&
      committed === '2' &&
      hinted.length > 0 &&
      untold.length > 0 &&
      hinted.every(({ iteration }) => iteration === 2) &&
      untold.every(({ iteration }) => iteration === 1),
    detail: `${String(hinted.length)} requests had it`,
  };
}

function contextCheck({ repository, report }: DemoFacts, bodies: readonly SentRequest[]): DemoCheck {
  const readme = git(repository, 'show', `${report?.branch ?? 'HEAD'}:README.md`);
  const told = bodies.filter(({ task, text }) => task === 'coding' && text.includes(addedContext));
  return {
    name: 'context that was added meanwhile changed the result',
    ok: told.length > 0 && readme.includes(becauseOfContext),
    detail: `${String(told.length)} requests had it`,
  };
}

/**
 * The second ticket was told what of the handoff is true of its base, and nothing that the first one made up.
 */
function handoffCheck({ repository, folder }: DemoFacts, cli: string, handoff: string): DemoCheck {
  const { log, bodies } = nextPlaces(folder);
  const requests = readBodies({ requests: readLog(log), bodies });
  const status = statusOf(cli, repository, nextTicketId);
  const has = (task: string): boolean =>
    requests.some((request) => request.task === task && request.text.includes(handedOn));
  const refused = requests.filter(({ text }) => text.includes(handedOnUnmerged) || text.includes(invented));
  const left = handoff.includes(handedOn) && handoff.includes(handedOnUnmerged);
  return {
    name: 'the second ticket was planned and coded with the handoff of the first one',
    ok: left && has('quick-plan') && has('coding') && refused.length === 0 && status === 'COMPLETED',
    detail: `${nextTicketId} ${status ?? 'is missing'}, ${String(requests.length)} requests`,
  };
}

/** The sessions that were asked something about a bead. */
function sessionsOf(
  bodies: readonly SentRequest[],
  of: { readonly task: string; readonly bead: string },
): readonly string[] {
  return [
    ...new Set(
      bodies
        .filter(({ task, bead }) => task === of.task && bead === of.bead)
        .map(({ thread, session }) => session ?? thread),
    ),
  ];
}
