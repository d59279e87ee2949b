import { hash } from 'node:crypto';
import type { ScriptInput } from '../../../src/demo/script/modelScript.ts';

/**
 * The approvals that lead a ticket to each of the places where it waits, in the order in which it meets them.
 */
const approvals = {
  interview: [],
  answers: ['interview-answers'],
  prd: ['interview-answers', 'interview'],
  beads: ['interview-answers', 'interview', 'prd'],
  setup: ['interview-answers', 'interview', 'prd', 'beads'],
  review: ['interview-answers', 'interview', 'prd', 'beads', 'setup'],
  closed: ['interview-answers', 'interview', 'prd', 'beads', 'setup', 'review'],
} as const;

export type Stop = 'draft' | keyof typeof approvals;
const stops: readonly Stop[] = ['draft', ...(Object.keys(approvals) as (keyof typeof approvals)[])];

/** A ticket that was run on the command line as far as one of its gates, or only filed. */
export interface PreparedTicket {
  readonly title: string;
  readonly at: Stop;
  /** Further options of its start. */
  readonly options?: readonly string[];
}

/**
 * What the scripted model plays otherwise than the plain way: how it asks questions, by their ids, or what it
 * does about tasks.
 */
export type Played = Partial<Pick<ScriptInput, 'questions' | 'tasks'>>;

/** Tickets of one repository, filed one after the other, and how the scripted model played meanwhile. */
export interface Scene {
  readonly tickets: readonly PreparedTicket[];
  readonly played: Played;
}

/** The ids of what the command line is asked for to take a ticket on; undefined when it is only filed. */
export function approvalsUpTo(stop: Stop): readonly string[] | undefined {
  return stop === 'draft' ? undefined : approvals[stop];
}

/** A name for a scene: the same for all tests in which the same happened until now. */
export function nameOf({ tickets, played }: Scene): string {
  return hash('sha256', JSON.stringify([tickets, relevant(tickets, played)])).slice(0, 12);
}

/** A name for the folder of a scene: scenes of which one continues another have the same. */
export function placeOf({ tickets: [first], played }: Scene): string {
  return hash('sha256', JSON.stringify([first?.title, first?.options ?? [], played.questions ?? {}])).slice(
    0,
    8,
  );
}

/** The scenes that a scene can be continued from, the latest first. */
export function earlier({ tickets, played }: Scene): readonly Scene[] {
  const before = tickets.slice(0, -1);
  const last = tickets.at(-1);
  if (!last) return [];
  // To file one costs nothing beside what a run costs.
  const sooner = stops.slice(1, Math.max(1, stops.indexOf(last.at))).toReversed();
  const scenes = sooner.map((at) => ({ tickets: [...before, { ...last, at }], played }));
  return before.length > 0
    ? [...scenes, { tickets: before, played }, ...earlier({ tickets: before, played })]
    : scenes;
}

/** Before a setup is approved nobody codes, so that what the model would do then makes no difference. */
function relevant(tickets: readonly PreparedTicket[], { questions = {}, tasks = {} }: Played): Played {
  const isCoded = tickets.some(({ at }) => at === 'review' || at === 'closed');
  return {
    questions,
    tasks: isCoded
      ? tasks
      : Object.fromEntries(Object.entries(tasks).filter(([task]) => !afterSetup.has(task))),
  };
}

const afterSetup = new Set(['coding', 'review', 'fix', 'failure-analysis']);
