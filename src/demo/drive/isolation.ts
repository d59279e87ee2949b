import type { DemoCheck } from './checkDemo.ts';
import { type DemoFacts, git } from './facts.ts';
import type { SentRequest } from './requestBodies.ts';

/** Sessions that develop, and sessions that judge what they made, by the tasks of their requests. */
const developing = new Set(['coding', 'fix', 'context-wipe']);
const judging = new Set(['review', 'review-again', 'review-note']);
const writingTools = /edit|write|patch|bash|task/;

/**
 * That judges are told nothing of how work was made, and change nothing (docs/decisions/132-cold-review.md). A string of a developer's session is a line of
 * what its model said or its tools answered, unless people can read it elsewhere: in a commit, or in the record that the coder leaves for reviewers.
 */
export function isolationChecks({ repository, report }: DemoFacts, requests: readonly SentRequest[]): readonly DemoCheck[] {
  const judges = requests.filter(({ task }) => judging.has(task));
  const sessions = requests.filter(({ task }) => developing.has(task));
  const known = [git(repository, 'log', '--patch', '--format=%B', report?.branch ?? 'HEAD'), ...sessions.flatMap(recordsOf)].join('\n');
  const own = privateLines(sessions, known);
  const leaked = own.filter((line) => judges.some(({ text }) => text.includes(line)));
  const armed = judges.filter(({ tools, reply }) => tools.some((tool) => writingTools.test(tool)) || writingTools.test(reply));
  return [
    {
      name: 'no reviewer was told a string of a developer’s session',
      ok: judges.length > 0 && own.length > 0 && leaked.length === 0,
      detail: `${String(own.length)} strings, ${String(judges.length)} requests${leaked.length === 0 ? '' : `: ${leaked.slice(0, 3).join(' | ')}`}`,
    },
    { name: 'no reviewer could write a file', ok: judges.length > 0 && armed.length === 0, detail: String(armed.length) },
  ];
}

const shortest = 24;

/** The lines that only a developer's session has. */
export function privateLines(sessions: readonly Pick<SentRequest, 'told'>[], known: string): readonly string[] {
  const lines = sessions.flatMap(({ told }) => told.flatMap((text) => text.split('\n').map((line) => line.trim())));
  return [...new Set(lines)].filter((line) => line.length >= shortest && !known.includes(line));
}

/** What a coder reports for reviewers to read. */
function recordsOf({ told }: SentRequest): readonly string[] {
  return told.flatMap((text) => text.match(/<(DEV_RECORD|BEAD_STATUS)>[^]*?<\/\1>/g) ?? []);
}
