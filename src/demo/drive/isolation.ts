import type { DemoCheck } from './checkDemo.ts';
import { type DemoFacts, git } from './facts.ts';
import type { SentRequest } from './requestBodies.ts';

/** Sessions that develop, by the tasks of their requests. */
const developing = new Set(['coding', 'fix', 'context-wipe', 'final-test', 'final-test-note']);
/** Sessions that judge work, or advise before it. They know nothing of how it is made, or was. */
const judging = new Set(['kickoff', 'review', 'review-again', 'review-note', 'party-vote']);
/**
 * Sessions that say why work failed, or how it went. They are told what the engine itself saw fail, which the
 * developer saw too.
 */
const advising = new Set(['failure-analysis', 'retrospective']);
const writingTools = /edit|write|patch|bash|task/;

/**
 * That judges are told nothing of how work was made, and change nothing (docs/decisions/132-cold-review.md).
 * A string of a developer's session is a line of what its model said or its tools answered, unless people can
 * read it elsewhere: in a commit, or in the record that the coder leaves for reviewers.
 */
export function isolationChecks(
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

/** The lines that only a developer's session has. */
export function privateLines(
  sessions: readonly Pick<SentRequest, 'told'>[],
  known: string,
): readonly string[] {
  const lines = sessions.flatMap(({ told }) =>
    told.flatMap((text) => text.split('\n').map((line) => line.trim())),
  );
  return [...new Set(lines)].filter((line) => line.length >= shortest && !known.includes(line));
}

/** Returns the reports that a coder writes for reviewers to read. */
function recordsOf({ told }: SentRequest): readonly string[] {
  return told.flatMap((text) => text.match(/<(DEV_RECORD|BEAD_STATUS)>[^]*?<\/\1>/g) ?? []);
}
