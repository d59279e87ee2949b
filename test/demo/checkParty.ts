import {
  addedContext,
  becauseOfContext,
  buggyFilters,
  handedOn,
  handedOnUnmerged,
  invented,
  kickoffAdvice,
  retryHint,
} from './partyScript.ts';
import {
  bookedOf,
  type DemoCheck,
  type DemoFacts,
  documentOf,
  git,
  readLog,
  statusOf,
  ledgerCheck,
} from './facts.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChatRequest, textOf } from '../../src/demo/script/parsedChat.ts';
import type { RequestRecord } from '../../src/demo/scriptedServer.ts';

/** The ticket after the first one. */
const nextTicketId = 'STOCK-2';

/** Its requests. */
export function nextPlaces(folder: string) {
  return { log: join(folder, 'requests-next.ndjson'), bodies: join(folder, 'requests-next') };
}

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

/** Only a session with the hint made the commit. */
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

/** The second ticket was told what is true of its base, and nothing that the first one made up. */
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

const developing = new Set(['coding', 'fix', 'coding-note', 'final-test', 'final-test-note']);
/** Sessions that judge or advise, and may not know how work is made. */
const judging = new Set(['kickoff', 'review', 'review-again', 'review-note', 'party-vote']);
/** They are told what the engine saw fail. */
const advising = new Set(['failure-analysis', 'retrospective']);
const writingTools = /edit|write|patch|bash|task/;

/** Judges see no line of a developer's session, and write nothing (docs/decisions/132-cold-review.md). */
function isolationChecks(
  { repository, report }: DemoFacts,
  requests: readonly SentRequest[],
): readonly DemoCheck[] {
  const judges = requests.filter(({ task }) => judging.has(task));
  const analysts = requests.filter(({ task }) => task === 'failure-analysis');
  const readers = requests.filter(({ task }) => judging.has(task) || advising.has(task));
  const sessions = requests.filter(({ task }) => developing.has(task));
  const known = [
    git(repository, 'log', '--patch', '--format=%B', report?.branch ?? 'HEAD'),
    ...sessions.flatMap(recordsOf),
  ].join('\n');
  const armed = readers.filter(
    ({ tools, reply }) => tools.some((tool) => writingTools.test(tool)) || writingTools.test(reply),
  );
  const said = sessions.map((session) => ({ told: session.said }));
  return [
    toldNothing(
      'no reviewer and no persona was told a string of a developer’s session',
      judges,
      privateLines(sessions, known),
    ),
    toldNothing(
      'no analysis of a failure was told what its developer said',
      analysts,
      privateLines(said, known),
    ),
    {
      name: 'no reviewer, persona or analyst could write a file',
      ok: readers.length > 0 && armed.length === 0,
      detail: `${String(armed.length)} of ${String(readers.length)} requests`,
    },
  ];
}

function toldNothing(name: string, readers: readonly SentRequest[], own: readonly string[]): DemoCheck {
  const leaked = own.filter((line) => readers.some(({ text }) => text.includes(line)));
  return {
    name,
    ok: readers.length > 0 && own.length > 0 && leaked.length === 0,
    detail: `${String(own.length)} strings, ${String(readers.length)} requests${leaked.length === 0 ? '' : `: ${leaked.slice(0, 3).join(' | ')}`}`,
  };
}

const shortest = 24;

export function privateLines(
  sessions: readonly Pick<SentRequest, 'told'>[],
  known: string,
): readonly string[] {
  const lines = sessions.flatMap(({ told }) =>
    told.flatMap((text) => text.split('\n').map((line) => line.trim())),
  );
  return [...new Set(lines)].filter((line) => line.length >= shortest && !known.includes(line));
}

function recordsOf({ told }: SentRequest): readonly string[] {
  return told.flatMap((text) => text.match(/<(DEV_RECORD|BEAD_STATUS)>[^]*?<\/\1>/g) ?? []);
}

interface SentRequest extends RequestRecord {
  readonly text: string;
  /** Texts of the model and answers of its tools, earlier in the session. */
  readonly told: readonly string[];
  /** Texts of the model only. */
  readonly said: readonly string[];
}

function readBodies({ requests, bodies }: Pick<DemoFacts, 'requests' | 'bodies'>): readonly SentRequest[] {
  return requests.map((request) => {
    const { messages } = ChatRequest.parse(
      JSON.parse(readFileSync(join(bodies, `${String(request.n)}.json`), 'utf8')),
    );
    const told = messages.filter(({ role }) => role === 'assistant' || role === 'tool').map(textOf);
    const said = messages.filter(({ role }) => role === 'assistant').map(textOf);
    return { ...request, text: messages.map(textOf).join('\n'), told, said };
  });
}
